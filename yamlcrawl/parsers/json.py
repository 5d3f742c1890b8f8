"""JSON to plain values, numbers exact."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, NoReturn

from yamlcrawl.errors import ParseError
from yamlcrawl.model.document import Document, Parse
from yamlcrawl.model.response import Response
from yamlcrawl.parsers.charset import decode, undecoded
from yamlcrawl.parsers.media import check_media

LARGEST = 10_000
"""Digits that a number may have when it is written out; 1e999999999 would fill the memory."""

_GUARD = re.compile(r"\s*(?:\)\]\}'?,?|while\s*\(\s*1\s*\)\s*;|for\s*\(\s*;;\s*\)\s*;|\{\}\s*&&)\s*")
_CALL = re.compile(r"\s*(?:/\*.*?\*/\s*)?[A-Za-z_$][\w$.\[\]\"']*\s*\((?P<json>.*)\)\s*;?\s*", re.DOTALL)


def json_parser(encoding: str | None = None) -> Parse:
    """A parser; an object or list, numbers as int or Decimal. An empty body is null."""

    def parse(response: Response) -> Document:
        text, codec = decode(response.body, response.headers.get("content-type"), encoding, meta=False)
        check_media(response, "json", text)
        warning = undecoded(response.body, text, codec)
        return Document(response, "json", read_json(text), response.url, codec, warning)

    return parse


def read_json(text: str) -> Any:
    """The value of the text; a byte order mark, a guard such as ``)]}',`` and a JSONP wrapper are taken off first.

    Raises ParseError (``wrong_format`` for HTML). RFC 8259; ``NaN`` and ``Infinity`` are no JSON.
    """
    text = text.lstrip("\ufeff")
    if not text.strip():
        return None
    if text.lstrip()[:1] == "<":
        raise ParseError(f"the answer is no JSON, it begins with {text.strip()[:40]!r}", "wrong_format")
    if guard := _GUARD.match(text):
        text = text[guard.end() :]
    elif call := _CALL.fullmatch(text):
        text = call["json"]
    try:
        return _loads(text)
    except RecursionError as error:
        raise ParseError("the JSON is nested too deeply") from error
    except ValueError as error:
        raise ParseError(f"the answer is no JSON: {_in_words(error, text)}", "wrong_format") from error


def _loads(text: str) -> Any:
    try:
        return json.loads(text, parse_float=_exact, parse_constant=_refuse)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses to read and write integers of more than 4,300 digits; as a Decimal they can be
        return json.loads(text, parse_float=_exact, parse_int=_exact, parse_constant=_refuse)


def _exact(written: str) -> Decimal:
    if len(written) > LARGEST:
        raise ValueError(f"a number of {len(written):,} digits is too long")
    number = Decimal(written)
    if -LARGEST < number.adjusted() < LARGEST:
        return number
    raise ValueError(f"the number {written[:40]} is out of reach")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _in_words(error: ValueError, text: str) -> str:
    if isinstance(error, json.JSONDecodeError):
        near = text[error.pos : error.pos + 30]
        return f"{error.msg[:1].lower()}{error.msg[1:]} at line {error.lineno}, column {error.colno}: {near!r}"
    return str(error)
