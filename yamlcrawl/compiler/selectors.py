"""Selectors of a spec to what finds their matches from a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.languages import Find, Locator, compile_step
from yamlcrawl.compiler.near import Near
from yamlcrawl.compiler.spots import BARE, TREES, Kind, Spot
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.plan import Node, Place
from yamlcrawl.model.tally import selector_keys
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.css import to_xpath
from yamlcrawl.selectors.xpath import compile_xpath
from yamlcrawl.spec.reading import Reading
from yamlcrawl.spec.selectors import Each, Languages

R = TypeVar("R", bound=Reading)


def pointed(reading: R, spot: Spot) -> R:
    """The reading itself; on a text a `regex` alone is the selector, as the bare one is."""
    kinds: dict[str | None, Kind | None] = {None: spot.kind, "page": spot.top, "outer": spot.outer or spot.kind}
    if kinds.get(reading.from_) != "text" or reading.regex is None or reading.languages or reading.bare is not None:
        return reading
    if getattr(reading, "column", None) is not None or getattr(reading, "each", None) is not None:
        return reading
    return reading.model_copy(update={"bare": reading.regex, "regex": None})


def compile_selector(
    selector: Languages, alternatives: Sequence[Languages], spot: Spot, path: Path, bench: Bench
) -> Locator:
    """What finds the selector's matches; a broken expression is noted, and then nothing is found."""
    if alternatives:
        ways = [
            compile_selector(way, getattr(way, "any", ()), spot, (*path, "any", n), bench)
            for n, way in enumerate(alternatives)
        ]
        return _first_of(ways, dotted(path))
    steps = _steps(selector, spot)
    if not steps:
        return Locator(lambda _place, node: [node], spot.kind)
    text = " then ".join(expression for _, expression, _ in steps)
    full = dotted((*path, steps[0][2]) if steps[0][2] else path)
    bench.selectors[full] = (text, bench.page)
    return _path_of(steps, spot, path, full, bench)


def compile_places(
    selector: Languages, alternatives: Sequence[Languages], spot: Spot, path: Path, bench: Bench
) -> Locator:
    """The same for a selector inside of whose matches something is read: they must be of one kind."""
    locator = compile_selector(selector, alternatives, spot, path, bench)
    if locator.mixed:
        what = "some of these give elements and others data, and what is read inside cannot fit both"
        bench.problems.error(path, what, "write one rule or field for each")
    return locator


def compile_each(each: Each, spot: Spot, path: Path, bench: Bench) -> tuple[Callable[[Place], list[Place]], Spot]:
    """The places of an `each` (an inner one too), and the spot that its fields stand in."""
    locator = compile_places(each, each.any, spot, path, bench)
    inside = replace(spot, kind=locator.kind, inside=True, outer=None)
    if each.each is None:
        return lambda place: [Place(place.view, node) for node in nodes(locator.find(place, place.node))], inside
    inner = compile_places(each.each, each.each.any, inside, (*path, "each"), bench)

    def places(place: Place) -> list[Place]:
        return [
            Place(place.view, node, outer)
            for outer in nodes(locator.find(place, place.node))
            for node in nodes(inner.find(place, outer))
        ]

    return places, replace(inside, kind=inner.kind, outer=locator.kind)


def nodes(found: list[Any]) -> list[Any]:
    """The places that `each` gives: the matches without nulls."""
    return [node for node in entries(found) if node is not None]


def entries(found: list[Any]) -> list[Any]:
    """The matches; a JSON list found as a whole is its entries."""
    return found[0] if len(found) == 1 and isinstance(found[0], list) else found


def _steps(selector: Languages, spot: Spot) -> list[tuple[str, str, str]]:
    """Language, expression and key of each step, the language of the place first."""
    if selector.bare is not None:
        return [(BARE[spot.kind], selector.bare, "")]
    schema = ", ".join(selector.schema_) if selector.schema_ else None
    written = (("css", selector.css), ("xpath", selector.xpath), ("js", selector.js), ("schema", schema))
    steps = [(key, text, key) for key, text in (*written, ("json", selector.json_)) if text is not None]
    if spot.kind == "json":
        steps.sort(key=lambda step: step[0] != "json")
    return steps


def _path_of(steps: list[tuple[str, str, str]], spot: Spot, path: Path, full: str, bench: Bench) -> Locator:
    keys = selector_keys(full)
    locators: list[Locator] = []
    kind, inside = spot.kind, spot.inside
    for language, expression, key in steps:
        here = replace(spot, kind=kind, inside=inside)
        step = compile_step(language, expression, here, (*path, key) if key else path, bench)
        locators.append(step)
        kind, inside = step.kind, False
    first, last = locators[0], locators[-1]
    near = Near(steps, spot, path, bench)
    if first is not last:
        return replace(last, find=_two_steps(first, last, keys, full, near), machine=True)
    hint = _without_tbody(steps[0], spot)

    def find(place: Place, node: Node) -> list[Any]:
        found = first.find(place, node)
        place.view.tally.saw(keys, len(found))
        if not found:
            place.view.tally.missed(full, place, node, near)
            if hint:
                _note_tbody(place, node, full, hint)
        return found

    return replace(first, find=find)


def _two_steps(first: Locator, last: Locator, keys: tuple[str, str], full: str, near: Near) -> Find:
    def find(place: Place, node: Node) -> list[Any]:
        found = [value for middle in nodes(first.find(place, node)) for value in last.find(place, middle)]
        place.view.tally.saw(keys, len(found))
        if not found:
            place.view.tally.missed(full, place, node, near)
        return found

    return find


def _first_of(ways: list[Locator], full: str) -> Locator:
    def find(place: Place, node: Node) -> list[Any]:
        for n, way in enumerate(ways):
            if found := way.find(place, node):
                place.view.tally.took(full, n)
                return found
        place.view.tally.took(full, None)
        return []

    first = ways[0]
    same = all(way.attribute == first.attribute for way in ways)
    machine = any(way.machine for way in ways)
    mixed = any(way.mixed for way in ways) or len({way.kind in TREES for way in ways}) > 1
    return Locator(find, first.kind, first.attribute if same else None, machine, mixed)


_TBODY_CSS = re.compile(r"\s*>\s*tbody(?=[\s>+~]|$)|\s+tbody(?=[\s>+~]|$)")
_TBODY_XPATH = re.compile(r"/(?:child::)?tbody(?:\[[^\]]*\])?(?=/|$)")


def _without_tbody(step: tuple[str, str, str], spot: Spot) -> tuple[str, Callable[[Any], list[Any]]] | None:
    """The selector as it would be without the `tbody` that browsers add, to explain a miss."""
    language, expression, _ = step
    if "tbody" not in expression or language == "json":
        return None
    shorter = (_TBODY_CSS if language == "css" else _TBODY_XPATH).sub("", expression)
    if shorter == expression:
        return None
    try:
        xpath = to_xpath(shorter, inside=spot.inside) if language == "css" else shorter
        return shorter, compile_xpath(xpath, inside=False)
    except ExpressionError:
        return None


def _note_tbody(place: Place, node: Node, full: str, hint: tuple[str, Callable[[Any], list[Any]]]) -> None:
    shorter, find = hint
    tally = place.view.tally
    if f"tbody:{full}" not in tally.counts and hasattr(node, "tag") and find(node):
        tally.note(f"tbody:{full}", shorter)
