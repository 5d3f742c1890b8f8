"""What every part of the compiler needs of the whole spec."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from yamlcrawl.compiler.guards import Guards
from yamlcrawl.compiler.scope import Scope
from yamlcrawl.compiler.templates import Names
from yamlcrawl.compiler.variables import Matrix
from yamlcrawl.errors import Path, Problems
from yamlcrawl.spec.patterns import Pattern
from yamlcrawl.spec.root import Spec
from yamlcrawl.urls import Match, canonical, glob, looks_like_regex


@dataclass(frozen=True, slots=True)
class Frame:
    """A spec with its names, its scope and its guards."""

    spec: Spec
    names: Names
    matrix: Matrix
    scope: Scope
    drop: Match | None
    guards: Guards
    may: Callable[[str], frozenset[str]]
    """Host name to the secrets that may be sent to it."""
    selectors: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Dotted path of each selector to its text and page kind, as far as compiled."""

    @property
    def problems(self) -> Problems:
        """Where what is wrong is noted."""
        return self.names.problems

    def canonical(self, url: str) -> str:
        """The spelling under which the URL is remembered."""
        return canonical(url, self.drop)


def numbered(path: Path, count: int) -> Iterable[Path]:
    """The paths of the values of a key, which are numbered only where there are several."""
    return [path] if count == 1 else [(*path, n) for n in range(count)]


def compile_patterns(
    patterns: Iterable[Pattern], path: Path, problems: Problems, regexes: Callable[[str], Match]
) -> tuple[Match, ...]:
    """The tests of patterns; `regexes` compiles a regex for the whole. A glob that looks like a regex is warned of."""
    found = list(patterns)
    tests = []
    for here, pattern in zip(numbered(path, len(found)), found, strict=True):
        if pattern.regex is not None:
            tests.append(_regex_test(pattern.regex, (*here, "regex"), problems, regexes))
            continue
        written = pattern.glob or ""
        if looks_like_regex(written):
            fix = f"write {{regex: '{written}'}} if a regex is meant; in a pattern only * is special"
            problems.warn(here, f'"{written}" is read as a pattern, and looks like a regex', fix)
        tests.append(glob(written))
    return tuple(tests)


def _regex_test(text: str, path: Path, problems: Problems, regexes: Callable[[str], Match]) -> Match:
    try:
        return regexes(text)
    except ValueError as wrong:
        problems.error(path, getattr(wrong, "what", str(wrong)), getattr(wrong, "fix", ""))
        return lambda _url: True
