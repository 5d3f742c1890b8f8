"""What sitemaps and feeds have in common: they list addresses, and say when what lies there was changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Entry(NamedTuple):
    """One address that is listed."""

    address: str
    """As it is written, blanks around it dropped; relative ones are the reader's to resolve."""
    modified: str | None
    """The text of its lastmod (sitemaps), pubDate (RSS), updated or published (Atom), date_modified (JSON Feed)."""


@dataclass(slots=True)
class Directory:
    """What a sitemap or a feed lists."""

    nested: bool = False
    """Its entries are sitemaps themselves."""
    entries: list[Entry] = field(default_factory=list)
    warning: str = ""
    """What could not be read to its end, and why; empty where all was."""
    without: int = 0
    """Entries that name no address."""
