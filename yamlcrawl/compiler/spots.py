"""Where a selector stands: what the place holds, as far as it is known before the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["element", "xml", "json", "text", "row", "sheet"]
"""What a place holds: an element of HTML or of XML (lxml), a JSON value (a text too), a text that is searched by
regex, a row of a CSV, or all of its rows."""

TREES = frozenset(["element", "xml"])
"""The kinds that are elements."""

_TOPS: dict[str, Kind] = {
    "html": "element",
    "xml": "xml",
    "json": "json",
    "feed": "json",
    "csv": "sheet",
    "text": "text",
    "pdf": "text",
}
"""What the whole of a page is, by its format."""

NAMES: dict[Kind, str] = {
    "element": "HTML",
    "xml": "XML",
    "json": "JSON",
    "text": "plain text",
    "row": "a row of a CSV",
    "sheet": "CSV",
}
"""The kinds, as messages name them."""

BARE = {"element": "css", "xml": "xpath", "json": "json", "text": "regex", "row": "column", "sheet": "column"}
"""The language of a bare selector, by what the place holds."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a selector stands, as far as it is known before the run."""

    kind: Kind
    inside: bool = False
    """Inside an `each`: selectors see that element alone."""
    outer: Kind | None = None
    """What the outer `each` gives."""
    top: Kind = "element"
    """What the whole page is."""
    located: bool = False
    """Texts that are found must know the element they belong to."""
    table: bool = False
    """Inside a row, so that there are columns."""


def spot_of(page_format: str) -> Spot:
    """The top of a page of that format."""
    kind = _TOPS[page_format]
    return Spot(kind, top=kind)
