"""Counters of a page, kept while it is read and added to the crawl's in the transaction that completes it.

Names are ``what:of what``. `frontier` marks those that the frontier itself adds.

| counter | counts |
| --- | --- |
| ``parsed:PAGE`` | pages of that kind that were parsed |
| ``hit:PATH`` | pages on which the selector at that path of the spec matched something |
| ``tried:PATH`` | pages on which it was asked |
| ``match:TYPE`` | elements (or pages, without `each`) that were tried for items, before where and required |
| ``item:TYPE`` | items that were kept (frontier) |
| ``filled:TYPE.FIELD`` | items in which the field has a value (neither null nor an empty list) |
| ``rejected:PATH`` | items, records and links rejected by `where` or a required field; notes hold URLs |
| ``cast:PATH`` | values that a type could not read; notes hold the raw text and the URL |
| ``unmapped:PATH`` | values missing in `map`; notes hold them |
| ``left_out:PATH`` | nulls and empty texts left out of lists |
| ``tbody:PATH`` | pages on which a selector would match without its `tbody`; the note is that selector |
| ``prefix:PATH`` | pages that do not declare a prefix of the XPath that found nothing there; notes name it |
| ``matches:PATH`` | texts in which a regex has more matches than are kept; notes hold URLs |
| ``schema:PATH`` | pieces of structured data that the first selector to ask for them could not read; notes say why |
| ``object:PATH`` | JSON objects where a text was wanted |
| ``bare:PATH`` | pages without a value for any field of the item type; notes hold some |
| ``masked:PATH`` | items in which a secret was masked; notes hold some |
| ``repeated:PATH`` | pages of a counter that gave what the page before them gave; their items are left out |
| ``double:TYPE`` | items whose key was there already (frontier) |
| ``null_key:TYPE`` | items with a null in their key |
| ``ended:PATH:REASON`` | chains of `next` that ended so |
| ``cut:GUARD`` | links that a guard against traps left out; notes hold one |
| ``offsite:HOST`` | links that leave the scope; notes hold one |
| ``excluded:PATH`` | links that include or exclude left out |
| ``skipped:OUTCOME`` | requests that ended so, by robots.txt, scope or address; notes hold URL and reason |
| ``bad_url:PATH`` | addresses that are no URL |
| ``carry:PATH`` | links to a page that is known already with other carried values; notes hold one |
| ``seed:PAGE`` / ``seed_ok:PAGE`` | start requests (with their redirects) that ended / that ended ok |
| ``seed_failed:PAGE`` | start requests that did not end ok; notes hold URL, outcome and reason |
| ``listed:PATH`` / ``kept:PATH`` | entries of the sitemaps or feeds of a start / those that are followed |
| ``old:PATH`` / ``undated:PATH`` | entries older than `since` / with a date that cannot be read |
| ``unlinked:PATH`` | entries of a feed without a link; notes hold the feed |
| ``listing_failed:PATH`` / ``listing_cut:PATH`` | such that could not be had / read whole; notes hold some |
| ``form_field:PATH`` | forms without a field that the spec fills in; notes hold some |
| ``nofollow:PATH`` | links that are marked so, where that is obeyed |
| ``sitemap:NAME`` / ``feed:NAME`` | requests for sitemaps, and for feeds that list pages, by final outcome (frontier) |
| ``outcome:NAME`` | requests by final outcome (frontier) |
| ``pages`` / ``attempts`` / ``retries`` / ``bytes`` | page requests begun, sends, retries, bytes received (frontier) |
| ``duplicates`` | requests that were known (frontier) |
| ``robots:NAME`` | requests for robots.txt by final outcome; they are no part of ``outcome:NAME`` (frontier) |
| ``shorter_way`` | with `limits.depth`: pages found too late by a shorter way; notes hold some (frontier) |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

NOTE_LENGTH = 300
OF_ITEMS = ("match:", "filled:", "null_key:")
"""Counters that are held against the number of items."""
NOTES_EACH = 5
"""Samples that are kept for a counter."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A selector without its last steps, and how often that matches where the whole one does not."""

    selector: str
    matches: int
    names: tuple[str, ...] = ()
    """Of the first match, where it is a JSON object: what stands in it."""


@dataclass(slots=True)
class Tally:
    """What one page adds to the counters, and samples for the report."""

    counts: dict[str, int] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)

    def add(self, name: str, n: int = 1) -> None:
        """Count n more."""
        self.counts[name] = self.counts.get(name, 0) + n

    def note(self, name: str, text: str) -> None:
        """Count one more and keep the text as a sample (the crawl keeps the first few of each name)."""
        self.add(name)
        if self.counts[name] <= NOTES_EACH:
            self.notes.append((name, text[:NOTE_LENGTH]))

    def without_items(self) -> None:
        """Forget what items added: they were those of another page again."""
        for name in [name for name in self.counts if name.startswith(OF_ITEMS)]:
            del self.counts[name]

    def saw(self, keys: tuple[str, str], matches: int) -> None:
        """Note that a selector was asked on this page and whether it matched; `keys` name its two counters."""
        self.counts[keys[0]] = 1
        if matches:
            self.counts[keys[1]] = 1

    def missed(self, path: str, place: Any, node: Any, near: Callable[[Any, Any], Iterable[NearMiss]]) -> None:
        """Told that the selector at the path found nothing in the node; a crawl has no use for it (see `Trace`)."""

    def took(self, path: str, number: int | None) -> None:
        """Told which alternative at the path gave the value, from 0, None for none of them; of no use to a crawl."""


def selector_keys(path: str) -> tuple[str, str]:
    """The counters of the selector at the path, for `Tally.saw`."""
    return "tried:" + path, "hit:" + path
