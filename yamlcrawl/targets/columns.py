"""Which fields of an item a target takes, under which names and in which order: options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from yamlcrawl.options import Wrong


def _names(value: Any) -> Any:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)) and value and all(isinstance(name, str) for name in value):
        if double := next((name for i, name in enumerate(value) if name in value[:i]), None):
            raise Wrong(f'"{double}" stands here twice', "name each once")
        return tuple(value)
    raise Wrong("a name or a list of names is wanted here", "write: [first, second]")


def _columns(value: Any) -> Any:
    if isinstance(value, Mapping):
        if value and all(isinstance(name, str) for pair in value.items() for name in pair):
            return dict(value)
        raise Wrong("a mapping here is {column: field}, both names", "write: {Title: title, File: file.name}")
    return {name: name for name in _names(value)}


Names = Annotated[tuple[str, ...], BeforeValidator(_names, json_schema_input_type=str | list[str])]
"""One name or several, each once."""

ColumnChoice = Annotated[dict[str, str], BeforeValidator(_columns, json_schema_input_type=list[str] | dict[str, str])]
"""Column to field, in order; a list names the columns as the fields are named. ``a.b`` reaches into a record."""
