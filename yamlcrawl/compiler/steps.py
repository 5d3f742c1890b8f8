"""The steps between a text that was found and a value: regex, replace, split, map, join, and the type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.errors import ParseError, Path, dotted
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import Place, Value
from yamlcrawl.parsers.json import read_json
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.regex import compile_replace, compile_search
from yamlcrawl.spec.items import Field
from yamlcrawl.spec.reading import Reading
from yamlcrawl.transforms.booleans import boolean
from yamlcrawl.transforms.dates import ReadDate, compile_date, compile_datetime
from yamlcrawl.transforms.durations import NotADuration, ReadDuration, compile_duration
from yamlcrawl.transforms.iso_dates import NotADate
from yamlcrawl.transforms.numbers import NotANumber, local_number, machine_number, people_number, whole
from yamlcrawl.urls import Match, in_charset, join, without_params

Step = Callable[[Value, Place], Value]
"""A text, or a list of them, one step further."""
Report = Callable[[Any, str], None]
"""Told the raw value and why it could not be read."""


class Origin(NamedTuple):
    """What a value is relative to."""

    base: str
    """The address that addresses resolve against."""
    moment: float
    """When it was fetched, from which "yesterday" counts; seconds since the epoch."""
    charset: str = "utf-8"
    """In which the queries of addresses are sent."""


Cast = Callable[[Any, Origin, Report], Value]
"""A value to its type."""


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


@dataclass(frozen=True, slots=True)
class Manner:
    """How values are written, besides their type."""

    machine: bool = False
    """As programs write them, not people."""
    locale: str | None = None
    zone: ZoneInfo | None = None
    """Of times that name none."""
    format: str | None = None


def compile_cast(kind: str | None, manner: Manner, drop: Match | None) -> Cast:
    """What casts a value to the type. Numbers are as the locale writes them, without one as programs do, or as people
    do where only one meaning is possible; dates and durations are ISO 8601, or as format or locale write them."""
    if kind in ("number", "integer"):
        locale = manner.locale
        read = local_number(locale) if locale else machine_number if manner.machine else people_number
        return _number(read) if kind == "number" else _integer(read)
    if kind in ("date", "datetime"):
        compiled = compile_date if kind == "date" else compile_datetime
        return _date(compiled(written=manner.format, locale=manner.locale, zone=manner.zone))
    if kind == "duration":
        return _duration(compile_duration(written_as=manner.format, locale=manner.locale))
    if kind == "boolean":
        return _boolean
    if kind in ("url", "file"):
        # a file is asked for as its address is written; drop_params tell addresses apart only
        return _url(drop if kind == "url" else None)
    return as_json if kind == "json" else _text


def _text(value: Any, _origin: Origin, _report: Report) -> Value:
    return value if isinstance(value, str) else json_text(value)


def as_json(value: Any, _origin: Origin, report: Report) -> Value:
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
    def cast(value: Any, _origin: Origin, report: Report) -> Value:
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

    def cast(value: Any, origin: Origin, report: Report) -> Value:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        exact = number(value, origin, report)
        try:
            return whole(Decimal(exact)) if exact is not None else None
        except NotANumber as why:
            report(value, str(why))
            return None

    return cast


def _date(read: ReadDate) -> Cast:
    def cast(value: Any, origin: Origin, report: Report) -> Value:
        try:
            return read(_as_text(value), origin.moment)
        except NotADate as why:
            report(value, str(why))
            return None

    return cast


def _duration(read: ReadDuration) -> Cast:
    def cast(value: Any, _origin: Origin, report: Report) -> Value:
        try:
            return read(_as_text(value))
        except NotADuration as why:
            report(value, str(why))
            return None

    return cast


def _boolean(value: Any, _origin: Origin, report: Report) -> Value:
    if isinstance(value, bool):
        return value
    try:
        return boolean(_as_text(value))
    except ValueError as why:
        report(value, str(why))
        return None


def _url(drop: Match | None) -> Cast:
    def cast(value: Any, origin: Origin, report: Report) -> Value:
        url = join(origin.base, in_charset(_as_text(value), origin.charset))
        if url is None:
            report(value, "no address")
            return None
        return without_params(url, drop) if drop else url

    return cast
