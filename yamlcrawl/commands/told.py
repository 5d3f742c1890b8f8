"""What the rules of a page found on it, told for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from yamlcrawl.commands.tried import Tried
from yamlcrawl.engine.statuses import phrase
from yamlcrawl.engine.trace import Trace
from yamlcrawl.model.item import json_text
from yamlcrawl.model.request import Body, Request
from yamlcrawl.model.tally import NearMiss
from yamlcrawl.parsers.json import read_json
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.report import LOSSES, NOTICES
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
    yield from left_out(tried.trace)


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
        for shorter in tried.trace.samples(f"tbody:{path}"):
            yield f"    the page has no tbody there, browsers add it: say {shorter}"
        if matches == 0:
            yield from map(_near, tried.trace.near_misses(path))
        for prefix in tried.trace.samples(f"prefix:{path}"):
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
        yield from links_told(f"{path}: {counted(len(mine), 'link')}", mine)


def links_told(head: str, links: Sequence[Request]) -> Iterator[str]:
    """The first links under their head, each with what it sends and carries."""
    yield ""
    yield head
    for link in links[:SHOWN]:
        sends = f"  sends {_sent(link.body)}" if link.body is not None else ""
        carries = f"  carries {json_text(link.carry)}" if link.carry else ""
        yield plain(f"  {link.method} {link.url}{sends}{carries}")
    if len(links) > SHOWN:
        yield f"  … {len(links) - SHOWN} more"


def _sent(body: Body) -> str:
    """What a request sends: a form as `name=value`, JSON and text as they are, all of them cut where they are long."""
    form = body.kind in ("form", "multipart")
    text = "&".join(f"{name}={value}" for name, value in body.value) if form else json_text(body.value)
    return f"{body.kind} {text if len(text) <= LONGEST else text[:LONGEST] + '…'}"


_OF_LINKS = {
    "excluded": "links left out by include or exclude",
    "offsite": "links that leave the scope",
    "cut": "links taken for a trap (limits.guards)",
    "ended": "end of a chain",
}
_OF_VALUES = {name: what for name, what in LOSSES.items() if name not in _OF_LINKS}
_NOTED = {name: NOTICES[name] for name in ("null_key", "form_field", "undated", "old")}


def left_out(trace: Trace) -> Iterator[str]:
    """What was found and did not come out, with a sample of each."""
    lines = [
        f"  {n:,} {what}: {of}{''.join(f', e.g. {note}' for note in trace.samples(f'{name}:{of}')[:1])}"
        for name, what in (_OF_VALUES | _OF_LINKS | _NOTED).items()
        for of, n in under(trace.counts, name).items()
    ]
    if lines:
        yield ""
        yield "left out, or to be known:"
        yield from map(plain, lines)
