"""What every compiling function needs at hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from yamlcrawl.compiler.templates import Names
from yamlcrawl.errors import Problems
from yamlcrawl.urls import Match


@dataclass(frozen=True, slots=True)
class Bench:
    """What every compiling function needs at hand."""

    problems: Problems
    names: Names
    page: str
    """The page kind that is compiled."""
    carried: frozenset[str] = frozenset()
    """The names that links may carry to this page kind."""
    drop: Match | None = None
    """Query parameters that do not tell pages apart."""
    locale: str | None = None
    """How people read numbers and dates on the pages (`site.locale`)."""
    selectors: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Dotted path of each selector to its text and page kind, as far as compiled."""
    token: str = "yamlcrawl"  # noqa: S105 - a name in robots.txt
    """The name by which pages and robots.txt call this crawler."""
