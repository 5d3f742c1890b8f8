"""The order of items, the same for every store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal

from yamlcrawl.model.item import order_bytes


def field_order(text: str, fields: Sequence[str]) -> bytes:
    """Bytes that sort items, given as JSON text, by these fields; a field that is missing counts as null.

    >>> rows = ['{"price": 10}', '{"price": 9.50}', '{}']
    >>> sorted(rows, key=lambda text: field_order(text, ["price"]))
    ['{}', '{"price": 9.50}', '{"price": 10}']
    """
    values = json.loads(text, parse_float=Decimal)
    return order_bytes(tuple(values.get(name) for name in fields))
