"""An item as it is stored: its fields as JSON text, and the bytes it is ordered by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

_quote: Callable[[str], str] = encode_basestring


@dataclass(frozen=True, slots=True)
class Wanted:
    """A download that an item waits for (see `model.files`)."""

    fingerprint: int
    """Of its request."""
    field: str
    """The field of the item in which the file's record will stand, itself or inside a list or a record."""
    path: str
    """Dotted path of that field in the spec."""
    required: bool = False
    """Without a file the item is rejected."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item that a page gave."""

    kind: str
    """The item type, e.g. ``book``."""
    text: str
    """Its fields as one line of JSON, in the order of the spec, without a line break at the end."""
    key: bytes = b""
    """`order_bytes` of the key's values; empty where the rule has no key or a value of it is null."""
    place: bytes = b""
    """`order_bytes` of URL, method, body, page kind and position: the order of items without a key."""
    url: str = ""
    fetched_at: float = 0.0
    null_key: bool = False
    """The rule has a key and a value of it is null: no double, reported."""
    files: tuple[Wanted, ...] = ()
    """What it waits for: until then it is no item of the crawl, and its text holds tokens in their places."""


def json_text(value: Any) -> str:
    """The value as JSON on one line; a Decimal is written with the digits it was read with.

    >>> json_text({"price": Decimal("12.50"), "tags": ["a", None], "new": True})
    '{"price": 12.50, "tags": ["a", null], "new": true}'
    """
    if isinstance(value, str):
        return _quote(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, Decimal):
        # an exponent of millions would be written out as millions of zeros
        return format(value, "f") if -400 < value.adjusted() < 400 else str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join([f"{_quote(str(k))}: {json_text(v)}" for k, v in value.items()]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([json_text(v) for v in value]) + "]"
    raise TypeError(f"{type(value).__name__} is no JSON value")


def order_bytes(values: tuple[Any, ...]) -> bytes:
    """Bytes that compare as the values do, one after the other: null < false < true < numbers < text < the rest.

    Equal for values that are equal as a key, so 1, 1.0 and 1.00 give the same bytes.

    >>> rows = [("b",), (10,), (Decimal("9.5"),), (-3,), (None,), ("a",), (True,)]
    >>> [row[0] for row in sorted(rows, key=order_bytes)]
    [None, True, -3, Decimal('9.5'), 10, 'a', 'b']
    """
    return b"".join(map(_order_bytes, values))


def _order_bytes(value: Any) -> bytes:
    if value is None:
        return b"\x01"
    if value is False:
        return b"\x02"
    if value is True:
        return b"\x03"
    if isinstance(value, (int, Decimal)):
        return b"\x04" + _number_bytes(Decimal(value))
    if isinstance(value, str):
        return b"\x05" + _text_bytes(value)
    return b"\x06" + _text_bytes(json_text(value))


def _text_bytes(text: str) -> bytes:
    # UTF-8 keeps the order of code points; the end mark is less than any byte of a longer text
    return text.encode("utf-8", "surrogatepass").replace(b"\x00", b"\x00\xff") + b"\x00\x00"


def _number_bytes(number: Decimal) -> bytes:
    sign, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    if not text or not isinstance(exponent, int):
        return b"\x80"
    point = len(text) + exponent
    magnitude = (point + 2**39).to_bytes(5, "big") + text.rstrip("0").encode() + b"\x00"
    return bytes([0x7F]) + bytes(255 - b for b in magnitude) if sign else bytes([0x81]) + magnitude
