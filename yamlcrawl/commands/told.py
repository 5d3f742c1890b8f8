"""What the rules of a page found on it, told for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yamlcrawl.commands.tried import Tried
from yamlcrawl.engine.statuses import phrase
from yamlcrawl.model.item import json_text
from yamlcrawl.model.tally import NearMiss
from yamlcrawl.parsers.json import read_json
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.words import counted, plain

SHOWN = 3
"""Items of a type, and links of a rule, that are written out."""
LONGEST = 200
"""Characters of a value that are written out."""


def told(tried: Tried) -> Iterator[str]:
    """It all, for people; secrets are not masked yet."""
    yield f"{tried.response.url}  {phrase(tried.response.status)}, {tried.page.format}, page kind {tried.page.kind}"
    if tried.warning:
        yield f"warning: {tried.warning}"
    yield from _items(tried)
    yield from _selectors(tried)
    yield from _alternatives(tried)
    yield from _links(tried)
    yield from _left_out(tried)


def _items(tried: Tried) -> Iterator[str]:
    for rule in tried.page.items:
        mine = tried.items_of(rule.kind)
        n = tried.trace.counts.get(f"match:{rule.kind}", 0)
        places = "1 match" if n == 1 else f"{n:,} matches"
        yield ""
        yield f"{rule.kind}: {counted(len(mine), 'item')} of {places}"
        for number, item in enumerate(mine[:SHOWN]):
            yield from _fields(number + 1, read_json(item.text))
        if len(mine) > SHOWN:
            yield f"  … {len(mine) - SHOWN} more"


def _fields(number: int, fields: dict[str, Any]) -> Iterator[str]:
    """An item, a field a line: its value as it is written to JSON, so that texts and numbers can be told apart."""
    width = max(map(len, fields), default=0)
    for n, (name, value) in enumerate(fields.items()):
        mark = f"{number}." if n == 0 else ""
        text = json_text(value)
        shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"
        yield f"  {mark.ljust(3)} {plain(name).ljust(width)}  {plain(shown)}"


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
        if matches == 0:
            yield from map(_near, tried.trace.near_misses(path))
        for prefix in tried.notes(f"prefix:{path}"):
            yield f"    the document does not declare {prefix}"


def _near(miss: NearMiss) -> str:
    inside = f", with {', '.join(miss.names)} in it" if miss.names else ""
    return f"    {plain(miss.selector)} matches {f'{miss.matches:,}' if miss.matches else 'nothing'}{plain(inside)}"


def _alternatives(tried: Tried) -> Iterator[str]:
    """Which alternatives gave the values, of each list of them that was asked."""
    if not tried.trace.taken:
        return
    yield ""
    yield "alternatives, and how often each gave the value:"
    for path, taken in tried.trace.taken.items():
        numbers = sorted(n for n in taken if n is not None)
        said = [f"{_first_selector(tried, f'{path}.any.{n}')} {taken[n]:,}" for n in numbers]
        said += [f"none {taken[None]:,}"] if None in taken else []
        yield f"  {path}  {plain(', '.join(said))}"


def _first_selector(tried: Tried, path: str) -> str:
    """An alternative by its number and its (first) selector."""
    number = int(path.rpartition(".")[2]) + 1
    selector = next((text for one, text in tried.selectors.items() if f"{one}.".startswith(f"{path}.")), "")
    return f"{number}: {selector}" if selector else f"{number}"


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
