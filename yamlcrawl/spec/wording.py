"""What a model refuses, in a user's words."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import Tag, ValidationError

from yamlcrawl.errors import Path
from yamlcrawl.options import EMPTY, Options, Several, Wrong, is_written, nearest, shape, shown


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing that a model refuses; `named`: the key itself is at fault, not its value."""

    path: Path
    what: str
    fix: str
    named: bool = False
    quote: str = ""
    """The text that should stand in quotes there; the fix says what there is to say besides."""
    missing: str = ""
    """The key that should stand there."""
    empty: bool = False
    """The key has no value."""
    spans: bool = False
    """Found by a check that spans several parts of the spec."""


def refusals(error: ValidationError, model: type[Options]) -> Iterator[Refusal]:
    """Everything that the error of a model says."""
    for details in error.errors(include_url=False):
        path = tuple(details["loc"])
        cause = details.get("ctx", {}).get("error")
        if isinstance(cause, Several):
            yield from (_wrong(path, wrong, spans=True) for wrong in cause.found)
        elif isinstance(cause, Wrong):
            yield _wrong(path, cause)
        else:
            yield _native(path, details, model)


def _wrong(path: Path, wrong: Wrong, *, spans: bool = False) -> Refusal:
    empty = wrong.what == EMPTY.what
    return Refusal((*path, *wrong.at), wrong.what, wrong.fix, wrong.named, wrong.quote, empty=empty, spans=spans)


def _native(path: Path, details: Mapping[str, Any], model: type[Options]) -> Refusal:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "extra_forbidden":
        known = keys_of(models_at(model, path[:-1]))
        fix = nearest(str(path[-1]), known)
        return Refusal(path, f"unknown key; here may stand: {', '.join(known)}", fix, named=True)
    if kind == "missing":
        return Refusal(path[:-1], f'the key "{path[-1]}" is missing', f"add  {path[-1]}: …", missing=str(path[-1]))
    if kind in _BOUNDS:
        sign, name, fix = _BOUNDS[kind]
        bound = f"{context[name]:g}"
        return Refusal(path, f"{details.get('input')} does not do: it must be {sign} {bound}", fix.format(bound))
    if kind in ("model_type", "model_attributes_type", "dict_type"):
        what = f"{shape(details.get('input'))} stands where a mapping is needed"
        return Refusal(path, what, f"here may stand: {', '.join(keys_of(models_at(model, path)))}")
    if kind in _SHAPES:
        return Refusal(path, f"{_SHAPES[kind]} is needed here", "see the manual for what may stand here")
    return Refusal(path, f"{shown(details.get('input'))} does not fit here", "see the manual for what may stand here")


_BOUNDS = {
    "greater_than": ("more than", "gt", "write more than {}"),
    "greater_than_equal": ("at least", "ge", "write {} or more"),
    "less_than": ("less than", "lt", "write less than {}"),
    "less_than_equal": ("at most", "le", "write {} or less"),
}

_SHAPES = {
    "list_type": "a list",
    "string_type": "a text",
    "string_too_short": "a text that is not empty",
    "union_tag_not_found": "a mapping with `to`",
}


def models_at(model: type[Options], path: Path) -> list[type[Options]]:
    """The models that a path of a validation error may lead to."""
    kinds: list[Any] = [model]
    for step in path:
        kinds = [inner for kind in kinds for inner in _inside(kind, step)]
    return [member for kind in kinds for member, _ in _members(kind) if _is_model(member)]


def keys_of(models: Sequence[type[Options]]) -> list[str]:
    """The keys that may stand in a model in this version, as they are written."""
    options = [(name, option) for model in models for name, option in model.model_fields.items()]
    return list(dict.fromkeys(option.alias or name for name, option in options if is_written(option)))


def _inside(kind: Any, step: str | int) -> Iterator[Any]:
    for member, tag in _members(kind):
        if tag == step:
            yield member
        elif _is_model(member):
            options = member.model_fields.items()
            yield from (option.annotation for name, option in options if step in (name, option.alias))
        elif get_origin(member) in (list, dict):
            yield get_args(member)[-1]


def _members(kind: Any, tag: str = "") -> Iterator[tuple[Any, str]]:
    """What a type may be, without annotations; with the tag by which a union knows it."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        tags = [str(mark.tag) for mark in arguments[1:] if isinstance(mark, Tag)]
        yield from _members(arguments[0], tags[0] if tags else tag)
    elif origin in (Union, types.UnionType):
        for member in arguments:
            yield from _members(member, tag)
    else:
        yield kind, tag


def _is_model(member: Any) -> bool:
    return isinstance(member, type) and issubclass(member, Options)
