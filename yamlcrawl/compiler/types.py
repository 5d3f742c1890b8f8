"""The type of a field: what casts to it, and the constants that are of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.markup import MARKUP
from yamlcrawl.compiler.steps import Cast, Manner, Origin, compile_cast
from yamlcrawl.errors import Path
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import Place, Value
from yamlcrawl.spec.items import Field
from yamlcrawl.transforms.date_formats import has_names
from yamlcrawl.transforms.date_words import known_as

_EXAMPLES = {"date": " (2025-03-14)", "datetime": " (2025-03-14T10:30)", "duration": " (1:30:00)"}

READ_SO = MARKUP | {"multiline", "html"}
"""Types that say how an element is read, so that it is too late to cast its text."""


def cast_of(field: Field, path: Path, bench: Bench, *, machine: bool) -> Cast:
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


def compile_default(field: Field, path: Path, bench: Bench) -> Value:
    """What stands in for a missing value; one that is not of the type is noted."""
    if field.default is None:
        return None
    value = typed_constant(field, field.default, path, bench)
    if value is None:
        fix = f"write one that is a {field.type}{_EXAMPLES.get(field.type or '', '')}, or drop it"
        bench.problems.error((*path, "default"), f'"{field.default}" is no {field.type or "text"}', fix)
    return value


def typed_constant(field: Field, text: str, path: Path, bench: Bench) -> Value:
    """A constant of the spec as a value of the type; None where it is none."""
    if field.type in (None, "text") or field.type in READ_SO:
        return text
    failures: list[str] = []
    cast = cast_of(field, path, bench, machine=True)
    value = cast(text, Origin("", bench.names.now), lambda _raw, why: failures.append(why))
    return None if failures else value


def cast_value(value: Value, cast: Callable[..., Value], place: Place, failed: str) -> Value:
    """The value, or each of a list, cast; failures are noted with a sample."""
    document = place.view.document

    def note(raw: Any, why: str) -> None:
        shown = raw if isinstance(raw, str) else json_text(raw)
        place.view.tally.note(failed, f"{shown[:120]!r} ({why}) on {document.response.url}")

    origin = Origin(document.base, document.response.fetched_at, document.query_charset)
    if isinstance(value, list) and cast.__name__ != "as_json":
        return [cast(v, origin, note) for v in value]
    return cast(value, origin, note)
