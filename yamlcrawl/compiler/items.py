"""Item rules of a spec to the rules of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.fields import compile_fields
from yamlcrawl.compiler.marks import compile_marks
from yamlcrawl.compiler.selectors import compile_each, compile_selector
from yamlcrawl.compiler.sheets import row_spot, rows_of_sheet
from yamlcrawl.compiler.spots import NAMES, Spot
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.plan import ItemRule, Place, Value
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.jmespath import compile_jmespath, doubt
from yamlcrawl.selectors.table import table_rows
from yamlcrawl.spec.items import Field
from yamlcrawl.spec.items import ItemRule as ItemOptions
from yamlcrawl.spec.selectors import Each, Selector
from yamlcrawl.transforms.text import one_line


def compile_item(kind: str, rule: ItemOptions, spot: Spot, path: Path, bench: Bench) -> ItemRule:
    """The rule that gives items of that type from a page."""
    scope: Callable[[Place], list[Place]] | None = None
    if spot.kind == "sheet":
        for key, written in (("each", rule.each), ("table", rule.table), ("schema", rule.schema_)):
            if written is not None:
                bench.problems.error((*path, key), "every row of a CSV is an item already", f"drop {key}")
        scope, spot = rows_of_sheet, row_spot(spot)
    elif rule.each is not None:
        scope, spot = compile_each(rule.each, spot, (*path, "each"), bench)
    elif rule.table is not None:
        scope, spot = compile_table(
            rule.table, spot, (*path, "table"), bench, headed=_names_a_heading(rule.fields.values())
        )
    elif rule.schema_ is not None:
        nodes = Each.model_construct(schema_=rule.schema_, any=[])
        scope, spot = compile_each(nodes, spot, path, bench)
    fields = compile_fields(rule.fields, spot, (*path, "fields"), bench, siblings=True)
    where = _where(rule.where, (*path, "where"), bench) if rule.where is not None else None
    marks = compile_marks(bench.token)
    bars = (lambda view: "noindex" in marks(view)) if rule.noindex == "obey" else None
    return ItemRule(kind, dotted(path), fields, scope, tuple(rule.key), where, bars)


def compile_table(
    table: Selector, spot: Spot, path: Path, bench: Bench, *, headed: bool
) -> tuple[Callable[[Place], list[Place]], Spot]:
    """The rows of every table that matches, and the spot that their fields stand in.

    `headed`: a first row without heading cells holds the headings all the same, since the fields name some.
    """
    if spot.kind != "element":
        bench.problems.error(path, f"a table stands in HTML, and this is {NAMES[spot.kind]}", "say each")
        return lambda _place: [], spot
    locator = compile_selector(table, table.any, spot, path, bench)
    if locator.kind != "element":
        bench.problems.error(path, "a table is an element, and this finds none", "say css or xpath; for data say each")
    find = locator.find

    def places(place: Place) -> list[Place]:
        tables = [node for node in find(place, place.node) if getattr(node, "tag", None) == "table"]
        rows = [row for node in tables for row in table_rows(node, one_line, headed=headed)]
        return [Place(place.view, row.node, row=row) for row in rows]

    return places, replace(spot, kind="element", inside=True, outer=None, table=True)


def _names_a_heading(fields: Iterable[Field]) -> bool:
    return any(
        isinstance(field.column, str) or _names_a_heading((*(field.any or ()), *(field.fields or {}).values()))
        for field in fields
    )


def _where(condition: str, path: Path, bench: Bench) -> Callable[[Mapping[str, Value]], bool] | None:
    try:
        search = compile_jmespath(condition)
    except ExpressionError as wrong:
        bench.problems.error(path, wrong.what, wrong.fix)
        return None
    if said := doubt(condition):
        bench.problems.warn(path, f'"{condition}" {said}', "use single quotes for a text")
    return lambda fields: _holds(search(fields))


def _holds(found: Any) -> bool:
    """Truth as JMESPath has it: null, false and what is empty are false, 0 is true."""
    return found is not None and found is not False and found not in ("", [], {})
