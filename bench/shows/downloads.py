"""200 downloads, some cut, some missing, one of 400 MB, killed five times and resumed: each file whole, none twice.

python -m bench.shows.downloads [KILLS]
"""

from __future__ import annotations

import hashlib
import random
import sys
import threading
import time
from pathlib import Path

from bench.shows.sheet import Sheet, working_folder
from tests.commandline import CommandLine
from tests.site import Answer, Hit, Site, html
from tests.site.answer import Wire

SPEC = """
name: papers
site: {{sleep: 0s, threads: 8, per_host: 8, retry: {{times: 3, wait: 50ms}}}}
start: {{list: "{url}"}}
pages:
  list:
    items:
      paper: {{each: li, key: title, fields: {{title: a, file: {{css: a@href, type: file}}}}}}
"""
FILES = 200
LARGE = 400_000_000
PIECE = 1 << 20
MEMORY = 40_000_000
"""Bytes by which the peak may be higher than that of the same crawl without the large file."""


class File:
    """A file of a length of its own; every eleventh is cut at first, some are not there."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.size = LARGE if number == 0 else 20_000 + 977 * number
        self.block = random.Random(number).randbytes(min(self.size, PIECE + 1))
        self.etag = f'"v{number}"'
        self.cut = number % 11 == 5
        self.missing = number % 40 == 7

    def digest(self) -> str:
        sha = hashlib.sha256()
        for start in range(0, self.size, PIECE):
            sha.update(self.part(start, min(self.size, start + PIECE)))
        return sha.hexdigest()

    def part(self, start: int, end: int) -> bytes:
        first = start % len(self.block)
        text = self.block[first:] + self.block * ((end - start) // len(self.block) + 1)
        return text[: end - start]

    def __call__(self, hit: Hit) -> Answer:
        if self.missing:
            return html("no such paper", 404)
        ranged = hit.header("range") if hit.header("if-range") == self.etag else None
        start = int(ranged.removeprefix("bytes=").rstrip("-")) if ranged else 0
        end = self.size
        if self.cut and not start:
            end = self.size // 2
        lines = ["HTTP/1.1 206 Partial Content" if start else "HTTP/1.1 200 OK", f"ETag: {self.etag}"]
        lines += [f"Content-Length: {self.size - start}", "Content-Type: application/pdf"]
        if start:
            lines.append(f"Content-Range: bytes {start}-{self.size - 1}/{self.size}")

        def write(wire: Wire) -> None:
            wire.send("\r\n".join(lines).encode() + b"\r\n\r\n")
            for at in range(start, end, PIECE):
                wire.send(self.part(at, min(end, at + PIECE)))

        return Answer(raw=write)


class Peak:
    """The most memory that a process has had, in bytes; it is asked for until it ends."""

    def __init__(self, pid: int) -> None:
        self.most = 0
        self._pid = pid
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            try:
                status = Path(f"/proc/{self._pid}/status").read_text(encoding="utf-8")
                self.most = next(
                    int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")
                )
            except (OSError, StopIteration):
                return
            time.sleep(0.02)


def crawl(folder: Path, files: list[File], kills: int, sheet: Sheet) -> int:
    """Crawl it, killed so often; the greatest peak of memory."""
    peaks = []
    with Site() as site:
        site.pages["/"] = "".join(f"<li><a href=/{f.number}.pdf>{f.number:03}</a>" for f in files)
        for file in files:
            site.pages[f"/{file.number}.pdf"] = file
        line = CommandLine(folder)
        spec = SPEC.format(url=site.url())
        half = []
        for kill in range(kills):
            before = len(site.log)
            running = line.start(spec, *(["--resume"] if kill else []))
            peak = Peak(running.process.pid)
            running.until(lambda before=before: len(site.log) >= before + FILES // (kills + 2), patience=120)
            time.sleep(0.05 * kill)
            running.process.kill()
            running.end()
            peaks.append(peak.most)
            half += wrong_names(folder)
        running = line.start(spec, *(["--resume"] if kills else []))
        peak = Peak(running.process.pid)
        ran = running.end(patience=300)
        peaks.append(peak.most)
        sheet.check("exit 0", ran.exit == 0, ran.stderr[-2000:])
        if kills:
            judge(files, ran.items, folder, half, sheet)
            sheet.figure("downloads asked for", len(site.targets()) - 1)
    return max(peaks)


def judge(files: list[File], items: list[dict[str, object]], folder: Path, half: list[str], sheet: Sheet) -> None:
    wanted = {f"{f.number:03}": None if f.missing else f.digest() for f in files}
    found = {str(item["title"]): (item["file"] or {}).get("sha256") for item in items}  # type: ignore[attr-defined]
    sheet.check("every item with the digest of its file, or null", found == wanted)
    sheet.check("no item twice", len(items) == len(files))
    kept = sorted(path.stem for path in (folder / "files").iterdir() if path.is_file())
    sheet.check("every file once", kept == sorted(filter(None, wanted.values())))
    sheet.check("every file is what its name says", not wrong_names(folder))
    sheet.check("no half file under a final name after a kill", not half, half[:3])
    sheet.check("no part is left", not any((folder / "files" / ".parts").iterdir()))


def wrong_names(folder: Path) -> list[str]:
    """The files that are not what their names say."""
    files = [path for path in (folder / "files").glob("*") if path.is_file()] if (folder / "files").is_dir() else []
    return [path.name for path in files if digest_of(path) != path.stem]


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(kills: int) -> None:
    sheet = Sheet()
    sheet.title(f"{FILES} downloads, one of {LARGE // 1_000_000} MB, {kills} kills")
    files = [File(number) for number in range(FILES)]
    with working_folder() as folder:
        peak = crawl(folder, files, kills, sheet)
    with working_folder() as folder:
        small = crawl(folder, files[1:], 0, sheet)
    sheet.figure("peak of memory", f"{peak / 1e6:.0f} MB; without the large file {small / 1e6:.0f} MB")
    sheet.check(f"at most {MEMORY // 1_000_000} MB more with the large file", peak - small <= MEMORY)
    sheet.end()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
