"""The language told from its models: the JSON schema, what a key means, and the tables of the manual."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from yamlcrawl.options import LATER, SHORT, Options, Spelling, Wrong, is_later, nearest, shown
from yamlcrawl.spec.root import Spec

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """The JSON schema of a spec as it is written, short forms included; what this version refuses fits nothing."""
    made = Spec.model_json_schema(by_alias=True)
    definitions = {name: _written(schema, _model(name)) for name, schema in made.pop("$defs").items()}
    return {
        "$schema": SCHEMA_ID,
        "title": "yamlcrawl spec",
        **_written(made, Spec),
        "patternProperties": {"^x-": {"description": "Free, for anchors."}},
        "$defs": dict(sorted(definitions.items())),
    }


def _model(name: str) -> type[Options]:
    return next(model for model in models() if model.__name__ == name)


def _written(schema: dict[str, Any], model: type[Options]) -> dict[str, Any]:
    """The schema of a model without the names that nobody writes, and with its short forms."""
    schema = {key: value for key, value in schema.items() if key != "title"}
    schema["properties"] = {
        key: _tidy(inner, option)
        for name, option in model.model_fields.items()
        if (inner := schema["properties"].get(key := option.alias or name)) and option.json_schema_extra != SHORT
    }
    if not model.short_forms:
        return schema
    about = schema.pop("description", "")
    return {"description": about, "anyOf": [*model.short_forms, schema]}


def _tidy(schema: dict[str, Any], option: FieldInfo) -> dict[str, Any]:
    """A key's schema: no value is ever null, and the default is as it is written."""
    if is_later(option):
        return {"description": f"{option.description} Not yet supported.", "not": {}}
    tidy = {key: value for key, value in schema.items() if key not in ("title", "default")}
    if "anyOf" in tidy:
        ways = [way for way in tidy.pop("anyOf") if way != {"type": "null"}]
        tidy = {**(ways[0] if len(ways) == 1 else {"anyOf": ways}), **tidy}
    if default := default_of(option):
        tidy["default"] = option.default if tidy.get("type") in ("integer", "boolean") else default
    return tidy


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the language in one of the places where it may stand."""

    path: tuple[str, ...]
    """From the top; names that users give are in capitals: ``("pages", "PAGE", "next")``."""
    model: type[Options]
    option: FieldInfo

    @property
    def name(self) -> str:
        """The key itself."""
        return self.path[-1]

    def __str__(self) -> str:
        return ".".join(self.path)


_NAMES = {"start": "PAGE", "pages": "PAGE", "follow": "PAGE", "items": "TYPE", "vars": "NAME", "hosts": "HOST"}
_NAMES |= {"fields": "FIELD", "carry": "FIELD"}


def keys(model: type[Options] = Spec, path: tuple[str, ...] = (), seen: tuple[type, ...] = ()) -> Iterator[Key]:
    """Every key of the language, each model once on a way down."""
    for name, option in model.model_fields.items():
        if option.json_schema_extra == SHORT:
            continue
        key = option.alias or name
        yield Key((*path, key), model, option)
        for inner, named in _inner_models(option.annotation):
            if inner not in (*seen, model):
                yield from keys(inner, (*path, key, *([_NAMES.get(key, "NAME")] * named)), (*seen, model))


def models() -> list[type[Options]]:
    """Every model of the language, in the order in which a reader meets it."""
    return list(dict.fromkeys([Spec, *(key.model for key in keys())]))


def _inner_models(kind: Any, *, named: bool = False) -> Iterator[tuple[type[Options], bool]]:
    """The models inside a type, and whether users give them names there."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _inner_models(get_args(kind)[0], named=named)
    elif origin in (list, Union, types.UnionType):
        for member in get_args(kind):
            yield from _inner_models(member, named=named)
    elif origin is dict:
        yield from _inner_models(get_args(kind)[1], named=True)
    elif isinstance(kind, type) and issubclass(kind, Options):
        yield kind, named


def explain(key: str) -> str:
    """What a key of the language means, in every place where it may stand; raises Wrong for one that is none.

    A dotted key picks places: ``site.sleep``, ``next.param``. Names that users give may be left out.
    """
    wanted = tuple(step for step in key.split(".") if step)
    found = [place for place in keys() if _ends_on(place.path, wanted)]
    if not found:
        known = list(dict.fromkeys([*(place.name for place in keys()), *(str(place) for place in keys())]))
        near = nearest(key, known) or nearest(key.rpartition(".")[2], known)
        raise Wrong(f"{shown(key)} is no key of the language", near or "`yamlcrawl schema` lists all")
    same: dict[tuple[type[Options], str], list[Key]] = {}
    for place in found:
        same.setdefault((_owner(place), place.name), []).append(place)
    return "\n\n".join(_explained(places) for places in same.values())


def _owner(place: Key) -> type[Options]:
    """The first model that says the key so: keys that several models share are told once."""
    for model in reversed(place.model.__mro__):
        option = model.model_fields.get(_field(place)) if issubclass(model, Options) else None
        if option is not None and option.description == place.option.description:
            return model
    return place.model


def _field(place: Key) -> str:
    options = place.model.model_fields.items()
    return next(name for name, option in options if place.name in (option.alias, name))


def _ends_on(path: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    written = tuple(step for step in path if not step.isupper())
    return bool(wanted) and (path[-len(wanted) :] == wanted or written[-len(wanted) :] == wanted)


def _explained(places: list[Key]) -> str:
    option = places[0].option
    shortest = sorted(places, key=lambda place: len(place.path))
    shown_places = ", ".join(map(str, shortest[:3])) + (f" and {len(shortest) - 3} more" if len(shortest) > 3 else "")
    lines = [shown_places, f"  {option.description}"]
    if is_later(option):
        return "\n".join([*lines, f"  {LATER}"])
    lines.append(f"  written as: {written_as(option)}")
    if option.is_required():
        lines.append("  must be there")
    elif default := default_of(option):
        lines.append(f"  default: {default}")
    lines += [f"  example: {places[0].name}: {flow(example)}" for example in option.examples or ()]
    return "\n".join(lines)


def flow(value: Any) -> str:
    """A value as YAML writes it on one line.

    >>> flow({"regex": "a b", "with": ""}), flow(["a", "b: c"])
    ("{regex: a b, with: ''}", "[a, 'b: c']")
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(key)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    text = str(value)
    if re.fullmatch(r"[\w.$/(+-][\w.,$/()+@<> -]*", text) and ", " not in text and not text.endswith(" "):
        return text
    return "'" + text.replace("'", "''") + "'"


def default_of(option: FieldInfo) -> str:
    """The default as it is written; empty where there is none, or where it has no short form."""
    value = option.default
    if option.is_required() or value is None or value in ([], {}) or isinstance(value, Options):
        return ""
    kind = _spelling(option.annotation, option.metadata).kind
    if kind == "a duration":
        return _in_units(float(value), {"d": 86400, "h": 3600, "m": 60, "s": 1, "ms": 0.001})
    if kind == "a size":
        return _in_units(value, {"GB": 10**9, "MB": 10**6, "kB": 1000, "B": 1})
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _in_units(value: float, units: Mapping[str, float]) -> str:
    for unit, size in units.items():
        if value and (value / size).is_integer():
            return f"{value / size:.0f}{unit}"
    return f"{value:g}s"


def _spelling(kind: Any, metadata: list[Any]) -> Spelling:
    """How the value of a type is written; an empty spelling where nothing says so."""
    found = [mark for mark in metadata if isinstance(mark, Spelling)]
    if found:
        return found[-1]
    if get_origin(kind) is Annotated:
        inner, *marks = get_args(kind)
        return _spelling(inner, marks)
    if get_origin(kind) in (Union, types.UnionType):
        ways = [_spelling(member, []) for member in get_args(kind)]
        return next((way for way in ways if way.kind), Spelling())
    return Spelling()


def written_as(option: FieldInfo) -> str:
    """How a key's value is written, in words."""
    return _words(option.annotation, option.metadata)


def _words(kind: Any, metadata: list[Any]) -> str:
    spelling = _spelling(kind, metadata)
    if "enum" in spelling.schema:
        return " or ".join(f"`{word}`" for word in spelling.schema["enum"])
    if spelling.kind:
        return spelling.kind
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _words(arguments[0], list(arguments[1:]))
    if origin is Literal:
        return " or ".join(f"`{flow(word)}`" if isinstance(word, str) else f"`{word}`".lower() for word in arguments)
    if origin in (Union, types.UnionType):
        ways = [_words(member, metadata) for member in arguments if member is not type(None)]
        return " or ".join(dict.fromkeys(ways))
    if origin is list or origin is tuple:
        return f"{_words(arguments[0], [])}, or a list of them"
    if origin is dict:
        return f"a mapping by name of: {_words(arguments[1], [])}"
    if isinstance(kind, type) and issubclass(kind, Options):
        return kind.noun
    return _NOUNS.get(kind, "a value") + _bounds(metadata)


_NOUNS: dict[Any, str] = {bool: "`true` or `false`", int: "a whole number", str: "a text", float: "a number"}


def _bounds(metadata: list[Any]) -> str:
    least, most = (
        next((b for m in metadata if (b := getattr(m, side, None)) is not None), None) for side in ("ge", "le")
    )
    if least is None:
        return ""
    return f" from {least} to {most}" if most is not None else f", at least {least}"


def table(model: type[Options]) -> str:
    """The manual's table of a model's keys, in Markdown."""
    rows = ["| key | written as | default | meaning |", "| --- | --- | --- | --- |"]
    for name, option in model.model_fields.items():
        if option.json_schema_extra == SHORT:
            continue
        key, meaning = option.alias or name, (option.description or "").replace("|", "\\|")
        if is_later(option):
            rows.append(f"| `{key}` | | | {meaning} *Not yet supported.* |")
            continue
        default = "required" if option.is_required() else default_of(option) and f"`{default_of(option)}`"
        rows.append(f"| `{key}` | {written_as(option)} | {default} | {meaning} |")
    return "\n".join(rows)


def tables() -> dict[str, str]:
    """The table of every model, by the model's name."""
    return {model.__name__: table(model) for model in models()}
