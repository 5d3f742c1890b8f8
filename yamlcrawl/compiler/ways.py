"""The ways that lead to a page, and which variables are chosen on all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from yamlcrawl.compiler.frame import Frame
from yamlcrawl.compiler.templates import names_in
from yamlcrawl.errors import Path
from yamlcrawl.spec.items import Field, walk
from yamlcrawl.spec.sending import Sending
from yamlcrawl.spec.start import Start


@dataclass(frozen=True, slots=True)
class Way:
    """A start request or a link rule."""

    source: str | None
    """The kind of page that it starts from; None for a start request."""
    target: str
    chooses: frozenset[str]
    """The variables with many values that it uses, and so chooses."""


def check_chosen(frame: Frame) -> None:
    """Note templates of items and of `next` that use a variable which some way to the page leaves open."""
    if not frame.matrix.axes:
        return
    ways = list(_ways(frame))
    chosen = _chosen(ways)
    for kind, path, text in _used_on_pages(frame):
        for name in names_in(text):
            if name in _many(frame) and name not in chosen.get(kind, frozenset()):
                what = f'"{name}" has many values, and not every way to {kind} chooses one'
                frame.problems.error(
                    path, what, f"use ${{{name}}} in the start request, or in the link that leads here"
                )


def _many(frame: Frame) -> frozenset[str]:
    return frozenset(name for axis in frame.matrix.axes for name in axis.names)


def _ways(frame: Frame) -> Iterator[Way]:
    spec, many = frame.spec, _many(frame)
    for kind, starts in spec.start.items():
        for start in starts:
            yield Way(None, kind, _choices(_texts(start), many, frame))
    for kind, page in spec.pages.items():
        for target, links in page.follow.items():
            for link in links:
                texts = [*_texts(link), *(field.value or "" for _, field in walk(link.carry))]
                yield Way(kind, target, _choices(texts, many, frame))


def _choices(texts: Iterable[str], many: frozenset[str], frame: Frame) -> frozenset[str]:
    named = {name for text in texts for name in names_in(text)} & many
    # one end of a piece chooses the piece
    return frozenset(name for axis in frame.matrix.naming(named) for name in axis.names)


def _texts(sending: Sending) -> Iterator[str]:
    yield (sending.address if isinstance(sending, Start) else getattr(sending, "url", None)) or ""
    yield from sending.params.values()
    yield from sending.headers.values()
    yield from (sending.form or {}).values()
    yield from _leaves(sending.body)
    if isinstance(sending, Start):
        yield from sending.carry.values()


def _leaves(body: object) -> Iterator[str]:
    if isinstance(body, str):
        yield body
    elif isinstance(body, (dict, list)):
        for inner in body.values() if isinstance(body, dict) else body:
            yield from _leaves(inner)


def _chosen(ways: list[Way]) -> dict[str, frozenset[str]]:
    """Page kind to the variables that are chosen on every way from the start to it."""
    chosen: dict[str, frozenset[str]] = {}
    changed = True
    while changed:
        changed = False
        for way in ways:
            if way.source is not None and way.source not in chosen:
                continue
            before = chosen[way.source] if way.source is not None else frozenset()
            here = before | way.chooses
            now = here if way.target not in chosen else chosen[way.target] & here
            if chosen.get(way.target) != now:
                chosen[way.target], changed = now, True
    return chosen


def _used_on_pages(frame: Frame) -> Iterator[tuple[str, Path, str]]:
    """Page kind, path and text of every template that is filled in on a page and chooses nothing itself."""
    for kind, page in frame.spec.pages.items():
        if page.next is not None and page.next.url is not None:
            yield kind, ("pages", kind, "next", "url"), page.next.url
        for item, rule in page.items.items():
            yield from _values(kind, ("pages", kind, "items", item, "fields"), rule.fields)


def _values(kind: str, path: Path, fields: dict[str, Field]) -> Iterator[tuple[str, Path, str]]:
    for steps, field in walk(fields):
        if field.value is not None:
            yield kind, (*path, *steps, "value"), field.value
