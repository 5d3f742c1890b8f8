"""Killed again and again, and gone on with: nothing lost, nothing doubled, hardly anything fetched twice.

python -m bench.chaos [MODE ...] [--pages N] [--kills N] [--seed N]
    modes: kill (default), term, ctrl-c, ctrl-c-twice, fresh, all

A site of 2,000 pages with 50 ms latency is crawled with 16 threads into a JSON lines file that is replaced and one that
is appended to. In `kill` the run is killed by SIGKILL at random moments: the last two while it is finishing (the
temporary file of the `replace` target is there), two within milliseconds of a write of the append target's relay, the
others at a random number of requests. Each time it is resumed; at last it must end well with both outputs equal to
those of an undisturbed run (the replaced one byte for byte, the appended one line by line in any order), and the
server must have seen at most 2 x threads requests twice for each kill.
"""

from __future__ import annotations

import argparse
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.shows.sheet import Sheet, working_folder
from tests.commandline import CommandLine, Ran, Running
from tests.site import Hit, Page, Site, html

THREADS = 16
SPEC = """
name: chaos
site: {{threads: {threads}, per_host: {threads}, sleep: 0s}}
start: {{page: "{url}"}}
pages:
  page:
    follow: {{page: a}}
    items:
      page: {{fields: {{url: {{from: url}}, id: {{css: h1, type: integer}}, links: {{each: a@href}}}}}}
      row: {{each: li, key: id, fields: {{id: {{css: ':scope', type: integer}}}}}}
pipelines:
  - whole.jsonl
  - {{to: live.jsonl, mode: append}}
"""
SIGNALS = {
    "kill": [signal.SIGKILL],
    "fresh": [signal.SIGKILL],
    "term": [signal.SIGTERM],
    "ctrl-c": [signal.SIGINT],
    "ctrl-c-twice": [signal.SIGINT, signal.SIGINT],
}
EXITS = {"kill": -9, "fresh": -9, "term": 75, "ctrl-c": 130, "ctrl-c-twice": 130}


@dataclass(slots=True)
class Chaos:
    """One site and the runs on it."""

    sheet: Sheet
    pages: int
    site: Site
    spec: str
    whole: bytes = b""
    live: list[str] | None = None

    @classmethod
    def on(cls, sheet: Sheet, site: Site, pages: int) -> Chaos:
        """Pages 0 to `pages` - 1, each with links to three later ones, one to an earlier one, and three rows."""
        site.latency = 0.05

        def page(hit: Hit) -> Page:
            number = int(hit.path.strip("/") or 0)
            if number >= pages:
                return html("<h1>none</h1>", 404)
            links = [3 * number + 1, 3 * number + 2, 3 * number + 3, number // 2]
            rows = "".join(f"<li>{3 * number + n}</li>" for n in range(4))  # the last is also the next page's first
            return f"<h1>{number}</h1>{rows}" + "".join(f'<a href="/{n}">x</a>' for n in links if 0 < n < pages)

        site.fallback = page
        return cls(sheet, pages, site, SPEC.format(url=site.url(), threads=THREADS))

    def undisturbed(self, folder: Path) -> None:
        """What the outputs must be."""
        begun = time.monotonic()
        ran = CommandLine(folder).start(self.spec).end(600)
        self.sheet.check("undisturbed: exit 0", ran.exit == 0, ran.output[-2000:])
        self.whole = (folder / "whole.jsonl").read_bytes()
        self.live = sorted((folder / "live.jsonl").read_text().splitlines())
        asked = len(self.site.targets())
        self.sheet.check("undisturbed: each page asked once", asked == self.pages, asked)
        self.sheet.figure("undisturbed", f"{time.monotonic() - begun:.1f} s, {self.site.log.most_in_air} in the air")

    def disturbed(self, folder: Path, mode: str, kills: int, rng: random.Random) -> None:
        """Interrupt it so many times, going on each time, and compare."""
        self.site.log.clear()
        moments = self._moments(mode, kills, rng)
        done: list[str] = []
        final: Ran | None = None
        for moment, wait in moments:
            flags = [] if not done else ["--fresh" if mode == "fresh" else "--resume"]
            running = CommandLine(folder).start(self.spec, *flags)
            reached = wait(running)
            for number in SIGNALS[mode]:
                running.send(number)
            ran = running.end(120)
            if ran.exit == 0 and not reached:
                final = ran
                break
            if reached:
                done.append(moment)
            if ran.exit not in (EXITS[mode], 0):
                self.sheet.check(f"{mode}: exit {EXITS[mode]} at {moment}", False, f"{ran.exit}: {ran.output[-3000:]}")
        if final is None:
            final = CommandLine(folder).start(self.spec, "--fresh" if mode == "fresh" else "--resume").end(600)
        self.sheet.figure(f"{mode}: interrupted", f"{len(done)} times: {', '.join(done)}")
        self.sheet.check(f"{mode}: as often as was wanted", len(done) == kills, len(done))
        self.sheet.check(f"{mode}: exit 0 at the end", final.exit == 0, final.output[-3000:])
        self._compare(folder, mode, len(done))

    def _compare(self, folder: Path, mode: str, kills: int) -> None:
        whole = folder / "whole.jsonl"
        self.sheet.check(f"{mode}: the replaced file is equal", whole.exists() and whole.read_bytes() == self.whole)
        lines = sorted((folder / "live.jsonl").read_text().splitlines())
        twice = [line for line, n in Counter(lines).items() if n > 1]
        missing = set(self.live or []) - set(lines)
        self.sheet.check(
            f"{mode}: the appended file has the same lines",
            lines == self.live,
            f"{len(lines)} lines, {len(twice)} twice, {len(missing)} missing",
        )
        if mode != "fresh":
            again = sum(n - 1 for n in Counter(self.site.targets()).values())
            most = 2 * THREADS * kills
            self.sheet.figure(f"{mode}: requests seen twice", f"{again} ({again / max(kills, 1):.1f} a time)")
            self.sheet.check(f"{mode}: at most {most}", again <= most, again)

    # -- moments ------------------------------------------------------------------------------------------------------

    def _moments(self, mode: str, kills: int, rng: random.Random) -> list[tuple[str, Callable[[Running], bool]]]:
        """What to wait for before each signal: names and functions that say whether it came."""
        special = 2 if mode == "kill" and kills >= 6 else 0
        at = [rng.randint(1, self.pages - 50) for _ in range(kills - 2 * special)]
        fresh = mode == "fresh"
        moments: list[tuple[str, Callable[[Running], bool]]] = [
            (f"request {n}", partial(self._requests, n, fresh)) for n in (at if fresh else sorted(at))
        ]
        for _ in range(special):
            moments.insert(rng.randint(1, len(moments)), ("a relay's write", self._write))
        return moments + [("finishing", self._finishing)] * special

    def _requests(self, wanted: int, fresh: bool, running: Running) -> bool:
        """So many requests have arrived; in a fresh run, since it began."""
        begun = len(self.site.log) if fresh else 0
        return running.until(lambda: len(self.site.log) - begun >= wanted)

    def _write(self, running: Running) -> bool:
        path = running.folder / "live.jsonl"
        before, begun = _size(path), len(self.site.log)
        # a resume first cuts what was not acknowledged: only what grows after new pages is a relay's write
        running.until(lambda: len(self.site.log) > begun + 20)
        before = _size(path)
        return running.until(lambda: _size(path) > before)

    def _finishing(self, running: Running) -> bool:
        known = {"whole.jsonl", "live.jsonl", "spec.yml", ".yamlcrawl"}

        def temporary() -> bool:
            return any("whole" in path.name and path.name not in known for path in running.folder.iterdir())

        return running.until(temporary)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modes", nargs="*", default=["kill"])
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    modes = list(SIGNALS) if options.modes == ["all"] else options.modes
    sheet, rng = Sheet(), random.Random(options.seed)
    sheet.title(f"{options.pages} pages, {THREADS} threads, seed {options.seed}")
    with Site(hosts=1) as site:
        chaos = Chaos.on(sheet, site, options.pages)
        with working_folder() as folder:
            chaos.undisturbed(folder)
        for mode in modes:
            sheet.title(mode)
            with working_folder() as folder:
                chaos.disturbed(folder, mode, options.kills if mode == "kill" else min(options.kills, 4), rng)
    sheet.end()


if __name__ == "__main__":
    main()
