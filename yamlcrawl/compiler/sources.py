"""Where the values of a field come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.languages import Locator
from yamlcrawl.compiler.selectors import compile_places, compile_selector, entries, nodes
from yamlcrawl.compiler.spots import NAMES, TREES, Kind, Spot
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.plan import Place
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.before import nearest_before, page_order
from yamlcrawl.selectors.jmespath import compile_jmespath
from yamlcrawl.spec.items import Field
from yamlcrawl.urls import without_params


@dataclass(frozen=True, slots=True)
class Source:
    """Where the values of a field come from."""

    find: Callable[[Place], list[Any]]
    """Elements, texts, JSON values; the matches in document order."""
    attribute: str | None = None
    machine: bool = False
    every: bool = False
    """Every match counts, which gives a list."""
    json: bool = False
    """Its values come out of JSON, so a text is a JSON value already."""


def compile_source(field: Field, spot: Spot, path: Path, bench: Bench) -> Source:
    """Where the values of the field are found."""
    if field.from_ == "url":
        drop = bench.drop
        return Source(lambda place: [without_params(place.view.document.response.url, drop)], machine=True)
    if field.from_ == "response":
        return _response(field, path, bench)
    if field.column is not None:
        return _in_cell(field, field.column, spot, path, bench)
    if field.from_ == "before":
        return _before(field, spot, path, bench)
    here = moved(field, spot)
    start = start_of(field)
    if field.each is not None:
        return _every(field, here, start, path, bench)
    if not field.languages and field.bare is None:
        if here.kind in ("row", "sheet"):
            bench.problems.error(path, "the field does not say which column it reads", "add column: with its heading")
        json = here.kind == "json"
        return Source(lambda place: [start(place)], machine=json, json=json)
    locator = compile_selector(field, (), here, path, bench)
    return Source(
        lambda place: locator.find(place, start(place)), locator.attribute, locator.machine, json=gives_json(locator)
    )


def cell_of_column(column: str | int, spot: Spot, path: Path, bench: Bench) -> tuple[Callable[[Place], Any], Spot]:
    """The cell of a column (None, and noted, where there is none), and the spot of what is read inside it."""
    missed = "column:" + dotted((*path, "column"))
    if not spot.table:
        bench.problems.error((*path, "column"), "only a table or a CSV has columns", "say css or xpath")

    def cell_of(place: Place) -> Any:
        cell, why = place.row.cell(column)
        if why and not place.view.tally.counts.get(missed):
            place.view.tally.note(missed, f"{why}, on {place.view.document.response.url}")
        return cell

    return cell_of, Spot("text" if spot.top == "sheet" else "element", inside=True, top=spot.top)


def _in_cell(field: Field, column: str | int, spot: Spot, path: Path, bench: Bench) -> Source:
    """What stands in the cell of a column, or what the field's selectors find inside it."""
    cell_of, here = cell_of_column(column, spot, path, bench)
    if field.each is not None:
        inner = _every(field, here, cell_of, path, bench)
    elif field.languages or field.bare is not None:
        locator = compile_selector(field, (), here, path, bench)
        inner = Source(
            lambda place: locator.find(place, cell_of(place)),
            locator.attribute,
            locator.machine,
            json=gives_json(locator),
        )
    else:
        inner = Source(lambda place: [cell_of(place)])
    find = inner.find
    return replace(inner, find=lambda place: [] if cell_of(place) is None else find(place))


def _before(field: Field, spot: Spot, path: Path, bench: Bench) -> Source:
    """The match on the page that begins before this element and is nearest to it."""
    if not {spot.kind, spot.top} <= TREES or field.json_ is not None or field.schema_ is not None:
        has_none = NAMES[spot.top] if spot.top not in TREES else "JSON"
        what = f"from: before looks for elements, and {has_none} has none"
        bench.problems.error(path, what, "read it from: page, or outer")
    kind: Kind = "xml" if spot.top == "xml" else "element"
    locator = compile_selector(field, (), Spot(kind, top=spot.top, located=True), path, bench)

    def find(place: Place) -> list[Any]:
        view = place.view
        if view.order is None:
            view.order = page_order(view.document.tree)
        nearest = nearest_before(locator.find(place, view.document.tree), place.node, view.order)
        return [] if nearest is None else [nearest]

    return Source(find, locator.attribute, locator.machine)


def moved(field: Field, spot: Spot) -> Spot:
    """The spot that the field reads from, where `from` leads elsewhere."""
    if field.from_ == "page":
        return Spot(spot.top, top=spot.top)
    if field.from_ == "outer":
        return Spot(spot.outer or spot.kind, inside=True, top=spot.top)
    return spot


def start_of(field: Field) -> Callable[[Place], Any]:
    """The node that the field reads from."""
    if field.from_ == "page":
        return lambda place: place.view.document.tree
    if field.from_ == "outer":
        return lambda place: place.outer
    return lambda place: place.node


def _every(field: Field, here: Spot, start: Callable[[Place], Any], path: Path, bench: Bench) -> Source:
    assert field.each is not None
    alone = not field.languages and field.bare is None
    compiled = compile_selector if alone else compile_places
    each = compiled(field.each, field.each.any, here, (*path, "each"), bench)
    if alone:
        return Source(
            lambda place: entries(each.find(place, start(place))),
            each.attribute,
            each.machine,
            every=True,
            json=gives_json(each),
        )
    inner = compile_selector(field, (), Spot(each.kind, inside=True, outer=here.kind, top=here.top), path, bench)

    def find(place: Place) -> list[Any]:
        firsts = []
        for node in nodes(each.find(place, start(place))):
            firsts += inner.find(place, node)[:1]
        return firsts

    return Source(find, inner.attribute, inner.machine, every=True, json=gives_json(inner))


def gives_json(locator: Locator) -> bool:
    return locator.kind == "json" and locator.attribute is None


def _response(field: Field, path: Path, bench: Bench) -> Source:
    try:
        search = compile_jmespath(field.json_ or "@")
    except ExpressionError as wrong:
        bench.problems.error((*path, "json"), wrong.what, wrong.fix)
        return Source(lambda _place: [])

    def find(place: Place) -> list[Any]:
        response, request = place.view.document.response, place.view.request
        moment = datetime.fromtimestamp(response.fetched_at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        known = {
            "url": response.url,
            "requested_url": request.chain.hops[0] if request.chain.hops else request.url,
            "status": response.status,
            "headers": response.headers.merged(),
            "fetched_at": moment,
            "depth": request.depth,
            "referer": request.parent or None,
        }
        try:
            found = search(known)
        except LookupError:
            found = None
        return [] if found is None else [found]

    return Source(find, machine=True, json=True)
