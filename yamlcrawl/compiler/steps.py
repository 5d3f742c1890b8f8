"""The steps between a text that was found and a value: regex, replace, split, map, join, and the type."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from yamlcrawl.compiler.selectors import Bench
from yamlcrawl.errors import ParseError, Path, dotted
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import Place, Value
from yamlcrawl.parsers.json import read_json
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.regex import compile_replace, compile_search
from yamlcrawl.spec.items import Field
from yamlcrawl.spec.reading import Reading
from yamlcrawl.transforms.booleans import boolean
from yamlcrawl.transforms.numbers import NotANumber, local_number, machine_number, people_number, whole
from yamlcrawl.urls import Match, join, without_params

Step = Callable[[Value, Place], Value]
"""A text, or a list of them, one step further."""
Report = Callable[[Any, str], None]
"""Told the raw value and why it could not be read."""
Cast = Callable[[Any, str, Report], Value]
"""A value to its type; the second argument is what addresses resolve against."""


def compile_text_steps(field: Reading, path: Path, bench: Bench) -> Step | None:
    """All text steps of a field (or of a link's address) in the language's order; None where it has none."""
    steps: list[Step] = []
    if field.regex is not None:
        steps += _each_text(_compiled(lambda: compile_search(field.regex or ""), (*path, "regex"), bench))
    for n, replacement in enumerate(field.replace):
        steps += _each_text(_replacement(replacement, (*path, "replace", n), bench))
    if isinstance(field, Field):
        steps += _list_steps(field, path)
    if not steps:
        return None
    if len(steps) == 1:
        return steps[0]

    def all_of(value: Value, place: Place) -> Value:
        for step in steps:
            if value is None:
                return None
            value = step(value, place)
        return value

    return all_of


def _compiled(make: Callable[[], Any], path: Path, bench: Bench) -> Any:
    try:
        return make()
    except ExpressionError as wrong:
        bench.problems.error(path, wrong.what, wrong.fix)
        return None


def _replacement(replacement: Any, path: Path, bench: Bench) -> Any:
    if replacement.plain is not None:
        old, new = replacement.plain, replacement.with_
        return lambda text: text.replace(old, new)
    return _compiled(lambda: compile_replace(replacement.regex, replacement.with_), path, bench)


def _each_text(change: Callable[[str], str | None] | None) -> list[Step]:
    if change is None:
        return []

    def step(value: Value, _place: Place) -> Value:
        if isinstance(value, list):
            return [_text_or_none(change(_as_text(v))) for v in value]
        return _text_or_none(change(_as_text(value)))

    return [step]


def _text_or_none(text: str | None) -> str | None:
    return (text.strip() or None) if text else None


def _as_text(value: Value) -> str:
    return value if isinstance(value, str) else "" if value is None else json_text(value)


def _list_steps(field: Field, path: Path) -> list[Step]:
    steps: list[Step] = []
    if field.split is not None:
        steps.append(_split(field.split))
    if field.map_ is not None:
        steps.append(_map(field.map_, "unmapped:" + dotted((*path, "map"))))
    if field.join is not None:
        glue = field.join
        steps.append(
            lambda value, _place: (
                glue.join(_as_text(v) for v in value if v is not None) or None if isinstance(value, list) else value
            )
        )
    return steps


def _split(at: str) -> Step:
    def split(value: Value, _place: Place) -> Value:
        texts = value if isinstance(value, list) else [value]
        parts = [part.strip() for text in texts if text is not None for part in _as_text(text).split(at)]
        return [part for part in parts if part]

    return split


def _map(table: dict[str, str], counter: str) -> Step:
    def one(value: Value, place: Place) -> Value:
        if value is None:
            return None
        text = _as_text(value)
        if text not in table:
            place.view.tally.note(counter, f"{text[:120]!r} on {place.view.document.response.url}")
            return None
        return table[text]

    def step(value: Value, place: Place) -> Value:
        return [one(v, place) for v in value] if isinstance(value, list) else one(value, place)

    return step


def compile_cast(kind: str | None, *, machine: bool, drop: Match | None, locale: str | None = None) -> Cast:
    """What casts a value to the type; numbers are as the locale writes them, without one as programs (`machine`) do,
    or as people do where only one meaning is possible."""
    if kind in ("number", "integer"):
        read = local_number(locale) if locale else machine_number if machine else people_number
        return _number(read) if kind == "number" else _integer(read)
    if kind == "boolean":
        return _boolean
    if kind == "url":
        return _url(drop)
    return as_json if kind == "json" else _text


def _text(value: Any, _base: str, _report: Report) -> Value:
    return value if isinstance(value, str) else json_text(value)


def as_json(value: Any, _base: str, report: Report) -> Value:
    """JSON values as they are, texts read as JSON."""
    if not isinstance(value, str):
        return value
    try:
        return read_json(value)
    except ParseError:
        # a text that came out of JSON is a JSON value already
        report(value, "no JSON")
        return None


def _number(read: Callable[[str], Decimal | None]) -> Cast:
    def cast(value: Any, _base: str, report: Report) -> Value:
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
            return value
        try:
            return read(_as_text(value))
        except NotANumber as why:
            report(value, str(why))
            return None

    return cast


def _integer(read: Callable[[str], Decimal | None]) -> Cast:
    number = _number(read)

    def cast(value: Any, base: str, report: Report) -> Value:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        exact = number(value, base, report)
        try:
            return whole(Decimal(exact)) if exact is not None else None
        except NotANumber as why:
            report(value, str(why))
            return None

    return cast


def _boolean(value: Any, _base: str, report: Report) -> Value:
    if isinstance(value, bool):
        return value
    try:
        return boolean(_as_text(value))
    except ValueError as why:
        report(value, str(why))
        return None


def _url(drop: Match | None) -> Cast:
    def cast(value: Any, base: str, report: Report) -> Value:
        url = join(base, _as_text(value))
        if url is None:
            report(value, "no address")
            return None
        return without_params(url, drop) if drop else url

    return cast
