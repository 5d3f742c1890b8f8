"""The names that a spec gives to things."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator

from yamlcrawl.options import Named, Spelling, Wrong, shown, text

T = TypeVar("T")

_NAME = re.compile(r"[\w-]+")


def _spec_name(value: Any) -> str:
    name = text(value)
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", name):
        raise Wrong(f"{shown(name)} cannot name a crawl", "use letters a to z, digits, - and _ only")
    return name


SpecName = Annotated[str, BeforeValidator(_spec_name), Spelling("a name", type="string", pattern="^[A-Za-z0-9_-]+$")]
"""Names the state folder and the default output."""


def _check_kind(names: dict[str, T]) -> dict[str, T]:
    for name in names:
        if not _NAME.fullmatch(name):
            raise Wrong(f"{shown(name)} cannot be a name", "use letters, digits, - and _ only", (name,), named=True)
    return names


Kinds = Annotated[Named[T], AfterValidator(_check_kind)]
"""A mapping by page kind, item type or variable."""

META = ("_item", "_url", "_fetched_at", "_run")


def field_trouble(name: str) -> str:
    """Why a field cannot have that name; empty where it can."""
    if name in META:
        return f'"{name}" is the name of a column that the targets add'
    if not name.strip() or re.search(r"[.${}\x00-\x1f]", name):
        return f"{shown(name)} cannot name a field"
    return ""


def _check_field(names: dict[str, T]) -> dict[str, T]:
    for name in names:
        if what := field_trouble(name):
            fix = "choose another name" if name in META else "leave out dots, $ and braces"
            raise Wrong(what, fix, (name,), named=True)
    return names


Fields = Annotated[Named[T], AfterValidator(_check_field)]
"""A mapping by field name."""
