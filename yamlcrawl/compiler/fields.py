"""Fields of a spec to callables: source, prune, text, type, missing, always in this order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.downloads import compile_file
from yamlcrawl.compiler.languages import Locator
from yamlcrawl.compiler.markup import MARKUP, compile_markup
from yamlcrawl.compiler.selectors import compile_places, compile_selector, entries, nodes, pointed
from yamlcrawl.compiler.spots import NAMES, TREES, Kind, Spot
from yamlcrawl.compiler.steps import Cast, Manner, Origin, compile_cast, compile_text_steps
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import FieldPlan, Place, Read, Value
from yamlcrawl.parsers.html import inner_html
from yamlcrawl.parsers.xml import inner_xml
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.before import nearest_before, page_order
from yamlcrawl.selectors.jmespath import compile_jmespath
from yamlcrawl.spec.items import Field
from yamlcrawl.spec.selectors import Selector
from yamlcrawl.transforms.date_formats import has_names
from yamlcrawl.transforms.date_words import known_as
from yamlcrawl.transforms.srcset import largest
from yamlcrawl.transforms.text import all_text, collapsed, lines, one_line, xml_lines, xml_text
from yamlcrawl.urls import absolute, without_params

ADDRESSES = frozenset(["href", "src", "action", "poster", "data"])
"""Attributes that come out absolute."""
ADDRESSES_OF_XML = frozenset(["href", "src"])
"""Those of XML, where the other names mean anything."""
_EXAMPLES = {"date": " (2025-03-14)", "datetime": " (2025-03-14T10:30)", "duration": " (1:30:00)"}
_TEXT = {None: one_line, "multiline": lines, "html": inner_html}
_READ_SO = MARKUP | {"multiline", "html"}
"""Types that say how an element is read, so that it is too late to cast its text."""
_XML_TEXT = {None: xml_text, "multiline": xml_lines, "html": inner_xml}


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
    default = _default(field, path, bench)
    field = pointed(field, spot)
    if field.any:
        read = _alternatives(field, spot, path, bench, siblings)
    elif field.has_value:
        read = _constant(field, path, bench, siblings)
    elif field.fields is not None:
        read = _record(field, spot, path, bench)
    else:
        read = _values(_source(field, spot, path, bench), field, spot, path, bench)
    if field.type == "file":
        read = compile_file(read, path, bench)
    if default is None:
        return read
    return lambda place: default if missing(value := read(place)) else value


def _compiled_cast(field: Field, path: Path, bench: Bench, *, machine: bool) -> Cast:
    """What casts to the field's type; `site.locale` is for what people read."""
    locale = field.locale or (None if machine else bench.locale)
    if field.type in ("date", "datetime", "duration"):
        locale = _known_locale(field, locale, path, bench)
    return compile_cast(field.type, Manner(machine, locale, bench.names.zone, field.format), bench.drop)


def _known_locale(field: Field, locale: str | None, path: Path, bench: Bench) -> str | None:
    """The locale of dates or durations where its words are needed and known; that they are not known is noted."""
    if locale is None:
        return None
    if field.type != "duration" and field.format is not None and not has_names(field.format):
        return None
    if known_as(locale) is None:
        where: Path = (*path, "locale") if field.locale else ("site", "locale")
        fix = "name another locale; a format of dates with numbers alone needs none"
        bench.problems.error(where, f'the words for times in "{locale}" are not known', fix)
        return None
    return locale


def _default(field: Field, path: Path, bench: Bench) -> Value:
    if field.default is None:
        return None
    value = _typed_constant(field, field.default, path, bench)
    if value is None:
        fix = f"write one that is a {field.type}{_EXAMPLES.get(field.type or '', '')}, or drop it"
        bench.problems.error((*path, "default"), f'"{field.default}" is no {field.type or "text"}', fix)
    return value


def _typed_constant(field: Field, text: str, path: Path, bench: Bench) -> Value:
    if field.type in (None, "text") or field.type in _READ_SO:
        return text
    failures: list[str] = []
    cast = _compiled_cast(field, path, bench, machine=True)
    value = cast(text, Origin("", bench.names.now), lambda _raw, why: failures.append(why))
    return None if failures else value


# sources


def _source(field: Field, spot: Spot, path: Path, bench: Bench) -> Source:
    if field.from_ == "url":
        drop = bench.drop
        return Source(lambda place: [without_params(place.view.document.response.url, drop)], machine=True)
    if field.from_ == "response":
        return _response(field, path, bench)
    if field.column is not None:
        return _in_cell(field, field.column, spot, path, bench)
    if field.from_ == "before":
        return _before(field, spot, path, bench)
    here = _moved(field, spot)
    start = _start(field)
    if field.each is not None:
        return _every(field, here, start, path, bench)
    if not field.languages and field.bare is None:
        if here.kind in ("row", "sheet"):
            bench.problems.error(path, "the field does not say which column it reads", "add column: with its heading")
        json = here.kind == "json"
        return Source(lambda place: [start(place)], machine=json, json=json)
    locator = compile_selector(field, (), here, path, bench)
    return Source(
        lambda place: locator.find(place, start(place)), locator.attribute, locator.machine, json=_is_json(locator)
    )


def _cell(column: str, spot: Spot, path: Path, bench: Bench) -> tuple[Callable[[Place], Any], Spot]:
    """The cell of a column (None, and noted, where there is none), and the spot of what is read inside it."""
    missed = "column:" + dotted((*path, "column"))
    if not spot.table:
        bench.problems.error((*path, "column"), "only a table has columns", "say css or xpath")

    def cell_of(place: Place) -> Any:
        cell, why = place.row.cell(column)
        if why and not place.view.tally.counts.get(missed):
            place.view.tally.note(missed, f"{why}, on {place.view.document.response.url}")
        return cell

    return cell_of, Spot("text" if spot.top == "sheet" else "element", inside=True, top=spot.top)


def _in_cell(field: Field, column: str, spot: Spot, path: Path, bench: Bench) -> Source:
    """What stands in the cell of a column, or what the field's selectors find inside it."""
    cell_of, here = _cell(column, spot, path, bench)
    if field.each is not None:
        inner = _every(field, here, cell_of, path, bench)
    elif field.languages or field.bare is not None:
        locator = compile_selector(field, (), here, path, bench)
        inner = Source(
            lambda place: locator.find(place, cell_of(place)),
            locator.attribute,
            locator.machine,
            json=_is_json(locator),
        )
    else:
        inner = Source(lambda place: [cell_of(place)], machine=spot.top == "sheet")
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


def _moved(field: Field, spot: Spot) -> Spot:
    if field.from_ == "page":
        return Spot(spot.top, top=spot.top)
    if field.from_ == "outer":
        return Spot(spot.outer or spot.kind, inside=True, top=spot.top)
    return spot


def _start(field: Field) -> Callable[[Place], Any]:
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
            json=_is_json(each),
        )
    inner = compile_selector(field, (), Spot(each.kind, inside=True, outer=here.kind, top=here.top), path, bench)

    def find(place: Place) -> list[Any]:
        firsts = []
        for node in nodes(each.find(place, start(place))):
            firsts += inner.find(place, node)[:1]
        return firsts

    return Source(find, inner.attribute, inner.machine, every=True, json=_is_json(inner))


def _is_json(locator: Locator) -> bool:
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


# values


def _constant(field: Field, path: Path, bench: Bench, siblings: Sequence[str]) -> Read:
    assert field.value is not None
    template = bench.names.template(field.value, (*path, "value"), carry=bench.carried, fields=siblings)
    steps = compile_text_steps(field, path, bench)
    cast = _compiled_cast(field, path, bench, machine=True)
    failed = "cast:" + dotted(path)
    if template.constant and not steps:
        value = _typed_constant(field, template.fill(), path, bench)
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
        return _cast(value, cast, place, failed)

    return read


def _alternatives(field: Field, spot: Spot, path: Path, bench: Bench, siblings: Sequence[str]) -> Read:
    ways = [
        compile_field(_typed_way(way, field), spot, (*path, "any", n), bench, siblings)
        for n, way in enumerate(field.any)
    ]
    steps = compile_text_steps(field, path, bench)
    machine = all(_is_for_machines(way, spot) for way in field.any)
    cast = _compiled_cast(field, path, bench, machine=machine) if field.type else None
    failed = "cast:" + dotted(path)

    def read(place: Place) -> Value:
        for way in ways:
            value = way(place)
            if steps and not missing(value):
                value = steps(value if isinstance(value, (str, list)) else json_text(value), place)
            if cast and not missing(value):
                value = _cast(value, cast, place, failed)
            if not missing(value):
                return value
        return None

    return read


def _typed_way(way: Field, field: Field) -> Field:
    """The alternative with the type of the field, where that says how an element is read."""
    if field.type not in _READ_SO or way.type or way.has_value or way.fields is not None:
        return way
    return way.model_copy(update={"type": field.type})


def _is_for_machines(field: Field, spot: Spot) -> bool:
    if spot.kind in ("xml", "row") or field.json_ is not None or field.schema_ is not None:
        return True
    if field.bare is not None and spot.kind == "json":
        return True
    written = field.css or field.xpath or field.bare or ""
    return "@" in written.rpartition("]")[2]


def _record(field: Field, spot: Spot, path: Path, bench: Bench) -> Read:
    assert field.fields is not None
    here = _moved(field, spot)
    start = _start(field)
    if field.column is not None:
        start, here = _cell(field.column, spot, path, bench)
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
                place.view.tally.add(f"rejected:{part.path}")
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
    to_value = _to_value(source, field, spot, path, bench)
    steps = compile_text_steps(field, path, bench)
    cast = _compiled_cast(field, path, bench, machine=source.machine) if field.type else None
    if field.type == "json" and source.json and not steps:
        cast = None
    full = dotted(path)
    failed, left_out = "cast:" + full, "left_out:" + full
    whole_list = field.type == "json" and not every

    def finished(value: Value, place: Place) -> Value:
        if steps and value is not None:
            value = steps(value if isinstance(value, (str, list)) else json_text(value), place)
        if cast and not missing(value):
            value = _cast(value, cast, place, failed)
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


def _cast(value: Value, cast: Callable[..., Value], place: Place, failed: str) -> Value:
    document = place.view.document

    def note(raw: Any, why: str) -> None:
        shown = raw if isinstance(raw, str) else json_text(raw)
        place.view.tally.note(failed, f"{shown[:120]!r} ({why}) on {document.response.url}")

    origin = Origin(document.base, document.response.fetched_at)
    if isinstance(value, list) and cast.__name__ != "as_json":
        return [cast(v, origin, note) for v in value]
    return cast(value, origin, note)


def _to_value(source: Source, field: Field, spot: Spot, path: Path, bench: Bench) -> Callable[[Any, Place], Value]:
    """One match to the value that the steps begin with: a text, or a JSON value where nothing asks for a text."""
    texts = _XML_TEXT if spot.top == "xml" else _TEXT
    text_of: Callable[[Any], str] = texts.get(field.type, texts[None])
    if field.type == "json":
        text_of = all_text
    clean = _kept_lines if field.type == "multiline" else str.strip if field.type == "html" else collapsed
    if field.remove and spot.top in ("text", "sheet") and not (field.css or field.xpath):
        what = f"remove takes elements out, and {NAMES[spot.top]} has none"
        bench.problems.error((*path, "remove"), what, "say replace, or css for the HTML in a text")
    pruned = _prune(field.remove, spot, (*path, "remove"), bench)
    as_it_is = field.type in (None, "json", "integer", "number", "boolean")
    address = source.attribute in (ADDRESSES_OF_XML if spot.top == "xml" else ADDRESSES)
    # where parts of a document have a base of their own, an address is made absolute while its element is known
    based = spot.top == "xml" and (address or field.type in ("url", "file"))
    srcset = source.attribute == "srcset"
    objects = "object:" + dotted(path)
    keep_json = field.type == "json"
    made = compile_markup(field.type, path, bench)

    def to_value(match: Any, place: Place) -> Value:
        value, document = plain_value(match, place), place.view.document
        if not isinstance(value, str):
            return value
        element = element_of(match) if document.base_of else None
        if document.base_of and element is not None:
            return absolute(document.base_of(element), value)
        return absolute(document.base, value) if address else value

    def plain_value(match: Any, place: Place) -> Value:
        if isinstance(match, str):
            if made:
                return made(match, place)
            if keep_json and source.json:
                return match
            text = clean(match)
            if srcset:
                text = largest(text) or ""
            if (address or srcset) and text and not based:
                return absolute(place.view.document.base, text)
            return text or None
        if match is None:
            return None
        if hasattr(match, "tag"):
            element = pruned(match, place) if pruned else match
            if made:
                return made(element, place)
            return text_of(element) or None
        if isinstance(match, (bool, int, Decimal)):
            return match if as_it_is else json_text(match)
        if keep_json:
            return match
        place.view.tally.note(objects, f"{json_text(match)[:80]} on {place.view.document.response.url}")
        return None

    return to_value if based else plain_value


def element_of(match: Any) -> Any:
    """The element that a match is, or that its text belongs to; None where that is not known."""
    return match if hasattr(match, "tag") else match.getparent() if hasattr(match, "getparent") else None


def _kept_lines(text: str) -> str:
    return "\n".join(line for line in (collapsed(line) for line in text.splitlines()) if line)


def _prune(remove: Sequence[Selector], spot: Spot, path: Path, bench: Bench) -> Callable[[Any, Place], Any] | None:
    """A copy of the element without what the selectors match; None where there are none."""
    if not remove:
        return None
    inside = Spot("xml" if spot.top == "xml" else "element", inside=True, top=spot.top)
    locators = [compile_selector(one, one.any, inside, (*path, n), bench) for n, one in enumerate(remove)]
    for n, locator in enumerate(locators):
        if locator.kind not in TREES:
            what = "remove takes elements out, and this finds none"
            bench.problems.error((*path, n), what, "name the element itself")
    finds = [locator.find for locator in locators]

    def pruned(element: Any, place: Place) -> Any:
        copy = deepcopy(element)
        copy.tail = None
        for find in finds:
            for match in find(place, copy):
                parent = match.getparent() if hasattr(match, "getparent") else None
                if parent is not None:
                    _take_out(match, parent)
        return copy

    return pruned


def _take_out(element: Any, parent: Any) -> None:
    tail = element.tail or ""
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
