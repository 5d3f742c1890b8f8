"""The command line as people use it: a process of its own, in a folder of its own.

def test_it(site, crawl):
    run = crawl(f"name: x\\nstart: …")          # `yamlcrawl run spec.yml`
    assert run.exit == 0
    assert run.items == [{"title": "…"}]       # of <name>.jsonl, the default target
    crawl.command("validate", "spec.yml")      # any other command, in the same folder
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[1]
NAMES = Path(__file__).resolve().parent / "site" / "names"
PATIENCE = 90.0
"""Seconds after which a command that does not end is killed, and the test fails."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended."""

    exit: int
    stdout: str
    stderr: str
    folder: Path
    name: str
    """The `name` of the spec."""

    @property
    def items(self) -> list[dict[str, Any]]:
        """The items of the default target, ``<name>.jsonl``, in their order."""
        return self.lines(f"{self.name}.jsonl")

    def lines(self, file: str) -> list[dict[str, Any]]:
        """The JSON lines of a file of the folder."""
        return [json.loads(line) for line in (self.folder / file).read_text(encoding="utf-8").splitlines()]

    @property
    def run_folder(self) -> Path:
        """The folder of the last run."""
        runs = self.folder / ".yamlcrawl" / self.name / "runs"
        return max((run for run in runs.iterdir() if run.name.isdigit()), key=lambda run: int(run.name))

    @property
    def report(self) -> dict[str, Any]:
        """report.json of the last run."""
        report: dict[str, Any] = json.loads((self.run_folder / "report.json").read_text(encoding="utf-8"))
        return report

    @property
    def failures(self) -> list[dict[str, Any]]:
        """failures.jsonl of the last run; empty where there is none."""
        return _lines(self.run_folder / "failures.jsonl")

    @property
    def skipped(self) -> list[dict[str, Any]]:
        """skipped.jsonl of the last run; empty where there is none."""
        return _lines(self.run_folder / "skipped.jsonl")

    @property
    def output(self) -> str:
        """Standard output and standard error, for assertions on either."""
        return self.stdout + self.stderr

    def holds(self, text: str) -> list[str]:
        """The places where a text can be read: the two streams and each file of the folder (and its name)."""
        places = [name for name, shown in (("stdout", self.stdout), ("stderr", self.stderr)) if text in shown]
        for file in sorted(self.folder.rglob("*")):
            name = str(file.relative_to(self.folder))
            if text in name or (file.is_file() and text.encode() in file.read_bytes()):
                places.append(name)
        return places


@dataclass(slots=True)
class Running:
    """A command that was started and may still run."""

    process: subprocess.Popen[str]
    folder: Path
    name: str

    def send(self, number: signal.Signals) -> None:
        """Send a signal to it."""
        self.process.send_signal(number)

    def until(self, holds: Callable[[], bool], patience: float = PATIENCE) -> bool:
        """Wait for something to hold, e.g. for a number of requests; false if the command ends before it does."""
        deadline = time.monotonic() + patience
        while not holds():
            if self.process.poll() is not None:
                return False
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.001)
        return True

    def end(self, patience: float = PATIENCE) -> Ran:
        """Wait for its end."""
        try:
            out, err = self.process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
            raise AssertionError(f"no end after {patience:g} s\n{out}\n{err}") from None
        return Ran(self.process.returncode, out, err, self.folder, self.name)


@dataclass(slots=True)
class CommandLine:
    """Commands in one working directory."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    """Set for each command besides what it needs itself; the caller's own environment is not handed on."""
    name: str = "test"

    def __call__(
        self,
        spec: str,
        *args: str,
        file: str = "spec.yml",
        env: Mapping[str, str] | None = None,
        stdin: str | None = None,
    ) -> Ran:
        """Write the spec and `yamlcrawl run` it; `stdin` is what stands on standard input."""
        return self.start(spec, *args, file=file, env=env, stdin=stdin).end()

    def write(self, spec: str, file: str = "spec.yml") -> Path:
        """Put a spec into the folder."""
        path = self.folder / file
        path.write_text(spec, encoding="utf-8")
        named = re.search(r"^name: *(\S+)", spec, re.MULTILINE)
        self.name = named[1] if named else "test"
        return path

    def start(
        self,
        spec: str,
        *args: str,
        file: str = "spec.yml",
        env: Mapping[str, str] | None = None,
        stdin: str | None = None,
    ) -> Running:
        """The same without waiting for its end."""
        self.write(spec, file)
        return self.launch("run", file, *args, env=env, stdin=stdin)

    def command(self, *args: str, env: Mapping[str, str] | None = None) -> Ran:
        """Any command: `crawl.command("validate", "spec.yml")`."""
        return self.launch(*args, env=env).end()

    def launch(self, *args: str, env: Mapping[str, str] | None = None, stdin: str | None = None) -> Running:
        """Any command, without waiting for its end."""
        with TemporaryFile() as source:
            source.write((stdin or "").encode())
            source.seek(0)
            return self._launch(args, env or {}, source)

    def _launch(self, args: Sequence[str], env: Mapping[str, str], source: IO[bytes]) -> Running:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
        path = os.pathsep.join([str(ROOT), str(NAMES)])
        process = subprocess.Popen(
            [sys.executable, "-m", "yamlcrawl", *args],
            cwd=self.folder,
            env={**kept, "PYTHONPATH": path, "PYTHONUTF8": "1", **self.environment, **env},
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        return Running(process, self.folder, self.name)


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
