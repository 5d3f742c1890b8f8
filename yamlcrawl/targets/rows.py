"""Items as lines of JSON and as cells: which fields, under which names, with what beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.item import json_text

KIND = "_item"
"""The column that tells item types apart where one place takes several."""
META = ("_url", "_fetched_at", "_run")

_DECODE = json.JSONDecoder(parse_float=Decimal, parse_int=Decimal).decode


@dataclass(frozen=True, slots=True)
class Rows:
    """How the items of some types look in one target."""

    kinds: tuple[str, ...]
    columns: Mapping[str, str]
    """Column to the field it shows, in order."""
    chosen: bool = False
    """The columns are the user's choice; otherwise an item is shown as it is."""
    tagged: bool = False
    """Each begins with its type, as ``_item``."""
    meta: bool = False
    run: int = 0
    mask: Callable[[str], str] = str

    @property
    def header(self) -> tuple[str, ...]:
        """The names of all columns in their order."""
        return (KIND,) * self.tagged + tuple(self.columns) + META * self.meta

    def json(self, row: ItemRow) -> str:
        """The item as one line of JSON, numbers with the digits they have."""
        text = json_text(self._picked(row)) if self.chosen else row.text
        if not self.tagged and not self.meta:
            return text
        parts = (self._tag(row), text[1:-1], self._beside(row))
        return "{" + ", ".join(filter(None, parts)) + "}"

    def cells(self, row: ItemRow) -> list[Any]:
        """The values of the header's columns: None, str, bool, Decimal, list or dict."""
        cells = [*(row.kind,) * self.tagged, *self._picked(row).values()]
        return [*cells, *self._meta(row)] if self.meta else cells

    def _picked(self, row: ItemRow) -> dict[str, Any]:
        record = _DECODE(row.text)
        return {column: reach(record, name) for column, name in self.columns.items()}

    def _tag(self, row: ItemRow) -> str:
        return json_text({KIND: row.kind})[1:-1] if self.tagged else ""

    def _beside(self, row: ItemRow) -> str:
        return json_text(dict(zip(META, self._meta(row), strict=True)))[1:-1] if self.meta else ""

    def _meta(self, row: ItemRow) -> tuple[str, str, Decimal]:
        return self.mask(row.url), moment(row.fetched_at), Decimal(self.run)


def reach(value: Any, name: str) -> Any:
    """The field of that name, or what a dotted name reaches; in a list of records, the list of what they hold.

    >>> reach({"file": {"name": "a.pdf"}}, "file.name"), reach({"a": [{"b": 1}, {"b": 2}]}, "a.b"), reach({}, "a.b")
    ('a.pdf', [1, 2], None)
    """
    if isinstance(value, list):
        return [reach(one, name) for one in value]
    if not isinstance(value, dict):
        return None
    if name in value:
        return value[name]
    first, dot, rest = name.partition(".")
    return reach(value.get(first), rest) if dot else None


def known_field(name: str, columns: Sequence[str]) -> bool:
    """Whether the name can mean something where items have these fields."""
    return name in columns or name.partition(".")[0] in columns


def moment(seconds: float) -> str:
    """The time as ISO 8601 in UTC, whole seconds.

    >>> moment(1764550800.9)
    '2025-12-01T01:00:00Z'
    """
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
