"""One spec crawled: from the file to the verdict, with everything that the command line may say about it."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import typer

from yamlcrawl.commands.assignments import assignments
from yamlcrawl.commands.checked import compiled, read
from yamlcrawl.commands.crash import kept_in
from yamlcrawl.commands.politeness import cost
from yamlcrawl.commands.signals import heard
from yamlcrawl.commands.standard_input import keep, kept, spooled
from yamlcrawl.engine.crawl import crawl
from yamlcrawl.engine.stop import Stop
from yamlcrawl.errors import Exit, RefusedError
from yamlcrawl.fetchers import HttpFetcher, open_jar
from yamlcrawl.fetchers.cookie_file import CookieFile
from yamlcrawl.fetchers.downloads import Downloads
from yamlcrawl.frontiers.runs import Begun, Mode, Run, Runs, StoredTarget
from yamlcrawl.model.frontier import Opening, Verdict
from yamlcrawl.model.listener import Listener
from yamlcrawl.model.plan import CrawlPlan, TargetPlan
from yamlcrawl.reports.json_report import FAILURES, REPORT, SKIPPED, write_failures, write_report, write_skipped
from yamlcrawl.reports.judge import judge
from yamlcrawl.reports.log import Lines
from yamlcrawl.reports.progress import watch
from yamlcrawl.reports.report import tell
from yamlcrawl.reports.summary import summary
from yamlcrawl.spec.load import Loaded

STATE = Path(".yamlcrawl")
"""Where crawls keep their state, below the working directory."""
COOKIES = "cookies.json"
SCREEN = "-"
LIMIT = "pages=20"


@dataclass(frozen=True, slots=True)
class Flags:
    """What the command line says."""

    mode: Mode = "plain"
    var: tuple[str, ...] = ()
    set_: tuple[str, ...] = ()
    limit: tuple[str, ...] = ()
    """With any of these it is a trial."""
    to: tuple[str, ...] | None = None
    quiet: bool = False
    log: str = "text"
    allow_env: tuple[str, ...] | None = None
    """The environment variables that specs may read; None allows all that they name."""

    @property
    def trial(self) -> bool:
        """Whether it leaves no trace in the crawl's own state."""
        return bool(self.limit)


class Crawling:
    """The crawl of one spec."""

    def __init__(self, file: Path, flags: Flags) -> None:
        self._file, self._flags = file, flags

    def crawl(self) -> int:
        """Crawl to the verdict; its exit code. Raises what a person is to be told (YamlcrawlError)."""
        loaded = self._read()
        runs = Runs(STATE, loaded.spec.name)
        if not loaded.reads_standard_input:
            return self._crawl(loaded, runs)
        if unfinished := self._resumed(runs):
            return self._crawl(self._read(kept(unfinished)), runs)
        with spooled() as file:
            return self._crawl(self._read(file), runs)

    def _crawl(self, loaded: Loaded, runs: Runs) -> int:
        plan = self._plan(loaded, runs)
        for target in plan.targets:
            if target.check:
                target.check()
        try:
            begun = self._begin(plan, runs)
            if loaded.standard_input is not None and not begun.resumed:
                keep(loaded.standard_input, begun.folder)
        except OSError as error:
            raise RefusedError(
                f"the state folder {runs.folder} cannot be written: {error.strerror}",
                "make room or mend its rights, or run in another folder",
            ) from error
        stop = Stop()
        # signals are heard until all is told and closed: one more Ctrl-C then changes nothing
        with heard(stop.ask):
            try:
                with kept_in(begun.folder, plan.secrets):
                    return self._run(plan, begun, stop)
            finally:
                begun.frontier.close()

    def _resumed(self, runs: Runs) -> Run | None:
        """The unfinished run that is gone on with."""
        newest = runs.newest if self._flags.mode == "resume" and not self._flags.trial else None
        if newest is not None:
            with suppress(RefusedError):
                return newest if newest.is_unfinished else None
        return None

    def _read(self, standard_input: Path | None = None) -> Loaded:
        limits = [f"limits.{name}={most}" for name, most in assignments(self._flags.limit, "--limit", LIMIT).items()]
        # What is wrong with the rest is found when it is compiled, and all is told together.
        return read(self._file, (*self._flags.set_, *limits), partial=True, standard_input=standard_input)

    def _plan(self, loaded: Loaded, runs: Runs) -> CrawlPlan:
        """The plan with the start of the run that it belongs to: a resumed one keeps its `now`."""
        newest = None if self._flags.trial else runs.newest
        number, now = (newest.number + 1 if newest else 1), time.time()
        if unfinished := self._resumed(runs):
            with suppress(RefusedError):
                number, now = unfinished.number, unfinished.stats().started
        to = self._flags.to or ((SCREEN,) if self._flags.trial else None)
        plan = compiled(
            loaded,
            self._flags.var,
            now=now,
            to=to,
            number=0 if self._flags.trial else number,
            allow_env=self._flags.allow_env,
        )
        if not self._flags.quiet:
            for problem in loaded.problems.in_order():
                typer.echo(f"warning: {problem}", err=True)
        return plan

    def _begin(self, plan: CrawlPlan, runs: Runs) -> Begun:
        site = plan.site
        opening = Opening(
            plan.name,
            plan.digest,
            plan.limits,
            site.host,
            site.robots,
            plan.origins,
            lease=max(60.0, 2 * site.timeout.total),
            targets=tuple(target.name for target in plan.targets if target.streaming),
            started=plan.now,
        )
        if self._flags.trial:
            return runs.trial(opening)
        return runs.begin(opening, self._flags.mode, partial(_settle, plan.targets))

    def _run(self, plan: CrawlPlan, begun: Begun, stop: Stop) -> int:
        self._say_what_begins(plan, begun)
        _log_to_standard_error(plan, self._flags)
        jar = open_jar(plan.site)
        listeners: list[Listener] = [] if self._flags.quiet else [watch(sys.stderr, log=self._flags.log)]
        if jar is not None:
            cookies = CookieFile(begun.folder / COOKIES, jar)
            if begun.resumed:
                cookies.load()
            listeners.append(cookies)
        downloads = Downloads(Path(plan.downloads), plan.site.max_file)
        verdict = crawl(
            plan,
            begun.frontier,
            begun.opened,
            fetcher=lambda: HttpFetcher(plan.site, plan.secrets, jar, downloads=downloads),
            judge=partial(judge, plan),
            report=partial(_write_reports, plan, begun),
            listeners=listeners,
            stop=stop,
        )
        if stop.at_once:
            _leave_at_once(verdict, plan, "" if self._flags.trial else _how_to_go_on(self._file))
        self._tell(plan, begun, verdict)
        return verdict.exit

    def _say_what_begins(self, plan: CrawlPlan, begun: Begun) -> None:
        if self._flags.quiet or self._flags.log != "text":
            return
        what = "a trial" if self._flags.trial else f"run {begun.number}"
        typer.echo(f"{plan.name}: {what}{', resumed' if begun.resumed else ''}", err=True)
        if not begun.resumed and (politeness := cost(plan)).sleep:
            typer.echo(str(politeness), err=True)

    def _tell(self, plan: CrawlPlan, begun: Begun, verdict: Verdict) -> None:
        if self._flags.log != "text" or (self._flags.quiet and verdict.exit == Exit.GOOD):
            return
        report = tell(plan, begun.frontier.stats(), verdict, run=begun.number, files=_files(begun))
        typer.echo(summary(report), err=True)
        if verdict.exit in (Exit.STOPPED, Exit.INTERRUPTED) and not self._flags.trial:
            typer.echo(_how_to_go_on(self._file), err=True)


def _how_to_go_on(file: Path) -> str:
    return f"go on: yamlcrawl run {file} --resume\nbegin anew: yamlcrawl run {file} --fresh"


def _leave_at_once(verdict: Verdict, plan: CrawlPlan, onward: str) -> None:
    """End the process without waiting for threads in slow answers; what was committed stays, the rest is made again."""
    typer.echo(f"{plan.name}: left at once; nothing is lost\n{onward}".rstrip(), err=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(verdict.exit)


def _files(begun: Begun) -> dict[str, str]:
    """Where the run is told; files with nothing in them are not named."""
    told = {"failures": begun.folder / FAILURES, "skipped": begun.folder / SKIPPED}
    filled = {name: str(path) for name, path in told.items() if path.exists() and path.stat().st_size}
    return {"report": str(begun.folder / REPORT), **filled}


def _write_reports(plan: CrawlPlan, begun: Begun, verdict: Verdict) -> None:
    stats = begun.frontier.stats()
    write_failures(begun.folder, begun.frontier.ended(), plan.secrets)
    write_skipped(begun.folder, stats, plan.secrets)
    write_report(begun.folder, tell(plan, stats, verdict, run=begun.number, files=_files(begun)))


def _settle(targets: Sequence[TargetPlan], stored: StoredTarget) -> None:
    """Take back what an abandoned run wrote to an append file; other targets have nothing to take back."""
    target = next((target for target in targets if target.name == stored.name), None)
    if target is not None and target.settle is not None:
        target.settle(stored.part, stored.rows)
    elif target is None and stored.part is not None:
        raise RefusedError(
            f"the run that is set aside wrote to {stored.name}, which this spec does not name any more",
            "put that target back for one run, or remove what it wrote and its run's folder yourself",
        )


def _log_to_standard_error(plan: CrawlPlan, flags: Flags) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(plan.secrets, log=flags.log))
    root = logging.getLogger("yamlcrawl")
    root.handlers[:] = [handler]
    root.propagate = False
