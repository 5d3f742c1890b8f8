"""What can go wrong, as people are told it: where, what, and how to mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum

Path = tuple[str | int, ...]
"""The way from the top of a spec to a value, e.g. ``("pages", "book", "items", "book", "fields", "price", "css")``."""


class Exit(IntEnum):
    """The exit codes of the command line."""

    GOOD = 0
    WRONG = 1
    """The spec or the command line is wrong; nothing was fetched."""
    MISSED = 2
    """The crawl ran, the data is not what the spec expects."""
    FAILED = 3
    """The crawl failed: start pages, the errors limit, a start host, a target."""
    BUG = 4
    STOPPED = 75
    """Ended by SIGTERM or ``stop`` before it was done; ``--resume`` goes on."""
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True, order=True)
class Where:
    """A place in a spec file; line and column count from 1, 0 where there is none."""

    file: str
    line: int = 0
    column: int = 0
    path: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}  {self.path}" if self.path else place


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong (or doubtful, then ``warning`` is true) in a spec."""

    where: Where
    what: str
    fix: str = ""
    warning: bool = False

    def __str__(self) -> str:
        lines = [str(self.where), *(f"  {line}" for line in self.what.splitlines())]
        if self.fix:
            lines.append(f"  fix: {self.fix}")
        return "\n".join(lines)


def dotted(path: Path) -> str:
    """The path as messages and counters spell it.

    >>> dotted(("pages", "book", "next", 0))
    'pages.book.next.0'
    """
    return ".".join(str(step) for step in path)


@dataclass(slots=True)
class Problems:
    """What was found while a spec is read and compiled; ``locate`` turns a path into its place in the file."""

    locate: Callable[[Path], Where]
    found: list[Problem] = field(default_factory=list)

    def error(self, path: Path, what: str, fix: str = "") -> None:
        """Note a problem that forbids the run."""
        self._note(Problem(self.locate(path), what, fix))

    def warn(self, path: Path, what: str, fix: str = "") -> None:
        """Note a doubt that ``validate`` shows and a run survives."""
        self._note(Problem(self.locate(path), what, fix, warning=True))

    def _note(self, problem: Problem) -> None:
        if problem not in self.found:
            self.found.append(problem)

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that forbid the run, in the order of the file."""
        return tuple(p for p in self.in_order() if not p.warning)

    def in_order(self) -> Iterator[Problem]:
        """Everything noted, in the order of the file."""
        yield from sorted(self.found, key=lambda p: (p.where, p.what))

    def raise_errors(self) -> None:
        """Raise SpecError with all errors, if there is one."""
        if self.errors:
            raise SpecError(self.errors)


class YamlcrawlError(Exception):
    """The base of every error that a person is told in words; never shown with a traceback."""

    exit = Exit.FAILED

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.what}\n  fix: {self.fix}" if self.fix else self.what


class SpecError(YamlcrawlError):
    """The spec cannot be run; carries every problem, in the order of the file."""

    exit = Exit.WRONG

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class RefusedError(YamlcrawlError):
    """A command that must not be carried out as things stand: a running crawl, an unfinished run, a changed spec."""

    exit = Exit.WRONG


class TargetError(YamlcrawlError):
    """A target that cannot be written; the crawl stops with its state kept."""


class StoreError(YamlcrawlError):
    """The frontier cannot be written or read any more (a full disk, a lost file); what was committed stays."""


class LoginError(YamlcrawlError):
    """Signing in did not succeed: the crawl ends as failed."""


class ParseError(YamlcrawlError):
    """A body that is not what its format says; ``outcome`` is ``wrong_format`` or ``parse_failed``."""

    def __init__(self, what: str, outcome: str = "parse_failed") -> None:
        super().__init__(what)
        self.outcome = outcome
