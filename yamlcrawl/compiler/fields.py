"""Fields of a spec to callables: source, prune, text, type, missing, always in this order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.downloads import compile_file
from yamlcrawl.compiler.languages import Locator
from yamlcrawl.compiler.selectors import compile_places, compile_selector, nodes, pointed
from yamlcrawl.compiler.sources import Source, cell_of_column, compile_source, moved, start_of
from yamlcrawl.compiler.spots import Kind, Spot
from yamlcrawl.compiler.steps import compile_text_steps
from yamlcrawl.compiler.types import READ_SO, cast_of, cast_value, compile_default, typed_constant
from yamlcrawl.compiler.values import compile_value
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import FieldPlan, Place, Read, Value
from yamlcrawl.spec.items import Field


def missing(value: Value) -> bool:
    """Null, or an empty list."""
    return value is None or value == []


def compile_fields(
    fields: dict[str, Field], spot: Spot, path: Path, bench: Bench, *, siblings: bool = False
) -> tuple[FieldPlan, ...]:
    """Named fields in their order; `siblings`: a template may name the fields before it."""
    plans = []
    known: list[str] = []
    for name, field in fields.items():
        here = (*path, name)
        read = compile_field(field, spot, here, bench, known if siblings else ())
        plans.append(
            FieldPlan(name, dotted(here), read, field.required, file=field.wants_file, from_page=reads_page(field))
        )
        known.append(name)
    return tuple(plans)


def reads_page(field: Field) -> bool:
    """Whether a value of the field comes out of the page, so that it makes an item."""
    if field.any:
        return any(map(reads_page, field.any))
    if field.fields is not None and not field.languages and field.bare is None and field.each is None:
        return any(map(reads_page, field.fields.values()))
    return not field.has_value and field.from_ not in ("url", "response")


def compile_field(field: Field, spot: Spot, path: Path, bench: Bench, siblings: Sequence[str] = ()) -> Read:
    """The callable that reads the field from a place, with all its steps."""
    default = compile_default(field, path, bench)
    field = pointed(field, spot)
    if field.any:
        read = _alternatives(field, spot, path, bench, siblings)
    elif field.has_value:
        read = _constant(field, path, bench, siblings)
    elif field.fields is not None:
        read = _record(field, spot, path, bench)
    else:
        read = _values(compile_source(field, spot, path, bench), field, spot, path, bench)
    if field.type == "file":
        read = compile_file(read, path, bench)
    if default is None:
        return read
    return lambda place: default if missing(value := read(place)) else value


def _constant(field: Field, path: Path, bench: Bench, siblings: Sequence[str]) -> Read:
    assert field.value is not None
    template = bench.names.template(field.value, (*path, "value"), carry=bench.carried, fields=siblings)
    steps = compile_text_steps(field, path, bench)
    cast = cast_of(field, path, bench, machine=True)
    failed = "cast:" + dotted(path)
    if template.constant and not steps:
        value = typed_constant(field, template.fill(), path, bench)
        if value is None:
            bench.problems.error((*path, "value"), f'"{field.value}" is no {field.type}', "mend the value or the type")
        return lambda _place: value

    def read(place: Place) -> Value:
        request = place.view.request
        value = template.fill(vars=request.vars, carry=request.carry, fields=place.fields)
        if steps and value is not None:
            value = steps(value if isinstance(value, (str, list)) else json_text(value), place)
        if field.type is None or value is None:
            return value
        return cast_value(value, cast, place, failed)

    return read


def _alternatives(field: Field, spot: Spot, path: Path, bench: Bench, siblings: Sequence[str]) -> Read:
    ways = [
        compile_field(_typed_way(way, field), spot, (*path, "any", n), bench, siblings)
        for n, way in enumerate(field.any)
    ]
    steps = compile_text_steps(field, path, bench)
    machine = all(_is_for_machines(way, spot) for way in field.any)
    cast = cast_of(field, path, bench, machine=machine) if field.type else None
    full = dotted(path)
    failed = "cast:" + full

    def read(place: Place) -> Value:
        for n, way in enumerate(ways):
            value = way(place)
            if steps and not missing(value):
                value = steps(value if isinstance(value, (str, list)) else json_text(value), place)
            if cast and not missing(value):
                value = cast_value(value, cast, place, failed)
            if not missing(value):
                place.view.tally.took(full, n)
                return value
        place.view.tally.took(full, None)
        return None

    return read


def _typed_way(way: Field, field: Field) -> Field:
    """The alternative with the type of the field, where that says how an element is read."""
    if field.type not in READ_SO or way.type or way.has_value or way.fields is not None:
        return way
    return way.model_copy(update={"type": field.type})


def _is_for_machines(field: Field, spot: Spot) -> bool:
    if field.json_ is not None or field.schema_ is not None:
        return True
    if field.bare is not None and spot.kind == "json":
        return True
    written = field.css or field.xpath or field.bare or ""
    return "@" in written.rpartition("]")[2]


def _record(field: Field, spot: Spot, path: Path, bench: Bench) -> Read:
    assert field.fields is not None
    here = moved(field, spot)
    start = start_of(field)
    if field.column is not None:
        start, here = cell_of_column(field.column, spot, path, bench)
    finds: list[Locator] = []
    if field.each is not None:
        finds.append(compile_places(field.each, field.each.any, here, (*path, "each"), bench))
    if field.languages or field.bare is not None:
        at = replace(here, kind=finds[0].kind, inside=True, outer=here.kind) if finds else here
        finds.append(compile_selector(field, (), at, path, bench))
    outer: Kind = here.kind
    kind: Kind = finds[-1].kind if finds else here.kind
    inside = Spot(kind, inside=bool(finds) or here.inside, outer=outer, top=here.top, table=here.table)
    parts = compile_fields(field.fields, inside, (*path, "fields"), bench, siblings=True)

    def one(place: Place, node: Any, outer_node: Any) -> Value:
        record: dict[str, Value] = {}
        inner = Place(place.view, node, outer_node, record, place.row)
        some = False
        for part in parts:
            value = part.read(inner)
            if part.required and missing(value):
                place.view.tally.note(f"rejected:{part.path}", place.view.document.response.url)
                return None
            record[part.name] = value
            some = some or not missing(value)
        return record if some else None

    def read(place: Place) -> Value:
        origin = start(place)
        if origin is None and field.column is not None:
            return None if field.each is None else []
        if not finds:
            return one(place, origin, place.outer)
        found = nodes(finds[0].find(place, origin))
        if len(finds) == 2:
            found = [inner for node in found for inner in finds[1].find(place, node)[:1]]
        if field.each is None:
            return one(place, found[0], origin) if found else None
        return [record for node in found if (record := one(place, node, origin)) is not None]

    return read


def _values(source: Source, field: Field, spot: Spot, path: Path, bench: Bench) -> Read:
    """The usual field: matches to texts, through its steps, to its type."""
    find, every = source.find, source.every
    to_value = compile_value(source, field, spot, path, bench)
    steps = compile_text_steps(field, path, bench)
    cast = cast_of(field, path, bench, machine=source.machine) if field.type else None
    if field.type == "json" and source.json and not steps:
        cast = None
    full = dotted(path)
    failed, left_out = "cast:" + full, "left_out:" + full
    whole_list = field.type == "json" and not every

    def finished(value: Value, place: Place) -> Value:
        if steps and value is not None:
            value = steps(value if isinstance(value, (str, list)) else json_text(value), place)
        if cast and not missing(value):
            value = cast_value(value, cast, place, failed)
        return value

    def read_first(place: Place) -> Value:
        for match in find(place):
            for one in match if isinstance(match, list) and not whole_list else (match,):
                value = to_value(one, place)
                if value is not None:
                    return finished(value, place)
        return None

    def read_every(place: Place) -> Value:
        matches = find(place)
        values = [value for match in matches if (value := to_value(match, place)) is not None]
        if len(values) < len(matches):
            place.view.tally.add(left_out, len(matches) - len(values))
        if not values:
            return []
        value = finished(values, place)
        if not isinstance(value, list):
            return value
        kept = [v for v in value if not missing(v)]
        if len(kept) < len(value):
            place.view.tally.add(left_out, len(value) - len(kept))
        return kept

    return read_every if every else read_first
