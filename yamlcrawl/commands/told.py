"""What the rules of a page found on it, told for people."""

from __future__ import annotations

from collections.abc import Iterator

from yamlcrawl.commands.tried import Tried
from yamlcrawl.engine.statuses import phrase
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.words import counted, plain

SHOWN = 3
"""Items of a type, and links of a rule, that are written out."""


def told(tried: Tried) -> Iterator[str]:
    """It all, for people; secrets are not masked yet."""
    yield f"{tried.response.url}  {phrase(tried.response.status)}, {tried.page.format}, page kind {tried.page.kind}"
    if tried.warning:
        yield f"warning: {tried.warning}"
    yield from _items(tried)
    yield from _selectors(tried)
    yield from _links(tried)
    yield from _left_out(tried)


def _items(tried: Tried) -> Iterator[str]:
    for rule in tried.page.items:
        mine = tried.items_of(rule.kind)
        n = tried.trace.counts.get(f"match:{rule.kind}", 0)
        places = "1 match" if n == 1 else f"{n:,} matches"
        yield ""
        yield f"{rule.kind}: {counted(len(mine), 'item')} of {places}"
        yield from (f"  {plain(item.text)}" for item in mine[:SHOWN])
        if len(mine) > SHOWN:
            yield f"  … {len(mine) - SHOWN} more"


def _selectors(tried: Tried) -> Iterator[str]:
    mine = tried.selectors
    if not mine:
        return
    yield ""
    yield "selectors, and how often each matched:"
    width = max(map(len, mine))
    for path in mine:
        matches = tried.trace.matches.get(path)
        said = "not asked" if matches is None else f"{matches:,}" if matches else "nothing"
        yield f"  {path.ljust(width)}  {said.rjust(9)}  {plain(mine[path])}"
        for shorter in tried.notes(f"tbody:{path}"):
            yield f"    the page has no tbody there, browsers add it: say {shorter}"
        for prefix in tried.notes(f"prefix:{path}"):
            yield f"    the document does not declare {prefix}"


def _links(tried: Tried) -> Iterator[str]:
    rules = list(dict.fromkeys([*(rule.path for rule in tried.page.follow), *(link.via for link in tried.links)]))
    for path in rules:
        mine = [link for link in tried.links if link.via == path]
        yield ""
        yield f"{path}: {counted(len(mine), 'link')}"
        for link in mine[:SHOWN]:
            carried = f"  carries {dict(link.carry)}" if link.carry else ""
            yield f"  {link.method} {link.url}{carried}"
        if len(mine) > SHOWN:
            yield f"  … {len(mine) - SHOWN} more"


def _left_out(tried: Tried) -> Iterator[str]:
    told = (
        ("rejected", "rejected"),
        ("cast", "not read as its type"),
        ("unmapped", "not listed in map"),
        ("object", "an object, where a text was wanted"),
        ("excluded", "links left out by include or exclude"),
        ("offsite", "links that leave the scope"),
        ("bad_url", "addresses that are no URL"),
        ("form", "links that are forms"),
        ("cut", "links taken for a trap"),
        ("ended", "end of a chain"),
    )
    lines = [
        f"  {what}: {n:,}  {of}{''.join(f'  e.g. {note}' for note in tried.notes(f'{name}:{of}')[:1])}"
        for name, what in told
        for of, n in under(tried.trace.counts, name).items()
    ]
    if lines:
        yield ""
        yield "left out:"
        yield from map(plain, lines)
