"""A request as one line of JSON: what differs from the defaults, so that most take little more than their URL."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from yamlcrawl.model.item import json_text
from yamlcrawl.model.request import Body, Chain, Request

_PLAIN = (
    "page",
    "priority",
    "via",
    "parent",
    "seed",
    "step",
    "redirects",
    "attempt",
    "throttled",
    "front",
    "renewed",
    "of",
    "again",
)
_MAPPINGS = ("carry", "vars")
_CHAIN = ("hops", "sent", "step", "seen", "idle")
_DEFAULT = Request(url="", canonical="")
_NO_CHAIN = Chain()

_encode = json.JSONEncoder(separators=(",", ":")).encode
_decode = json.JSONDecoder(parse_float=Decimal).decode


def dump(request: Request) -> str:
    """The request without its depth, which is stored beside it."""
    payload: dict[str, Any] = {"url": request.url}
    if request.canonical != request.url:
        payload["canonical"] = request.canonical
    for name, default in _DEFAULTS:
        value = getattr(request, name)
        if value != default:
            payload[name] = value
    if request.carry:
        payload["carry"] = request.carry
    if request.vars:
        payload["vars"] = request.vars
    if request.method != "GET":
        payload["method"] = request.method
    if request.purpose != "page":
        payload["purpose"] = request.purpose
    if request.headers:
        payload["headers"] = request.headers
    if request.secrets:
        payload["secrets"] = request.secrets
    if request.body is not None:
        payload["body"] = [request.body.kind, request.body.value]
    if request.chain is not _NO_CHAIN and request.chain != _NO_CHAIN:
        payload["chain"] = [getattr(request.chain, name) for name in _CHAIN]
    return encode(payload)


_DEFAULTS = tuple((name, getattr(_DEFAULT, name)) for name in _PLAIN)


def load(text: str, depth: int) -> Request:
    """The request that `dump` wrote."""
    payload = _decode(text)
    payload.setdefault("canonical", payload["url"])
    if "headers" in payload:
        payload["headers"] = tuple([(name, value) for name, value in payload["headers"]])
    if "secrets" in payload:
        payload["secrets"] = tuple(payload["secrets"])
    if "body" in payload:
        payload["body"] = Body(*payload["body"])
    if "chain" in payload:
        hops, *rest = payload["chain"]
        payload["chain"] = Chain(tuple(hops), *rest)
    return Request(depth=depth, **payload)


def encode(value: Any) -> str:
    """JSON that can be stored as UTF-8; numbers keep their digits.

    >>> encode({"n": Decimal("12.50"), "half": chr(0xD800)}) == '{"n": 12.50, "half": "' + chr(92) + 'ud800"}'
    True
    """
    try:
        return _encode(value)
    except TypeError:  # a Decimal, or a mapping that is no dict
        return storable(json_text(value))


def decode(text: str) -> Any:
    """What `encode` wrote."""
    return _decode(text)


def storable(text: str) -> str:
    r"""The text without lone surrogates, which UTF-8 cannot hold; inside JSON the escapes mean the same.

    >>> storable('"a' + chr(0xD800) + '"')
    '"a\\ud800"'
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text
