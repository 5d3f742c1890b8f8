"""JSON as sites write it into scripts: wrapped in comments, escaped twice, with a comma too many."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from yamlcrawl.selectors.exact import exact_number

# what is never closed goes to the end, so that no sign is looked at twice
_STRING = r'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)'
_CDATA = r"(?://|/\*)?\s*+(?:<!\[CDATA\[|\]\]>)(?:\s*+\*/)?"
_MARK = r"(?://\s*+)?<!--(?=\s*+[\[{])|(?://\s*+)?-->"
_COMMENT = r"<!--.*?(?:-->|\Z)|//[^\n]*+|/\*.*?(?:\*/|\Z)"
_WRAPPING = re.compile(f"({_STRING})|{_CDATA}|{_MARK}|{_COMMENT}", re.DOTALL)
_SPARE_COMMA = re.compile(rf"({_STRING})|,(?=\s*+[,\]}}])", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_DECODER = json.JSONDecoder(strict=False, parse_float=exact_number, parse_constant=lambda _word: None)
_BETWEEN = re.compile(r"[\s,;\ufeff]*+")
SHOWN = 40


class BrokenError(ValueError):
    """The text is no JSON even so; says what is wrong and near what."""


def read_lenient(text: str) -> list[Any]:
    """The values in the text, one after the other, numbers exact; usually one, none in an empty text.

    Read as well: line breaks in texts, comments and CDATA marks around and between, a comma too many, a backslash that
    escapes nothing, quotes written as ``&quot;``. Raises BrokenError.

    >>> read_lenient('<!-- {"a": 1, "b": [2,],} -->')
    [{'a': 1, 'b': [2]}]
    """
    try:
        return _values(text)
    except BrokenError as error:
        mended = _mended(text)
        if mended == text:
            raise
        try:
            return _values(mended)
        except BrokenError:
            raise error from None


def _values(text: str) -> list[Any]:
    values = []
    position = _after(text, 0)
    try:
        while position < len(text):
            value, end = _DECODER.raw_decode(text, position)
            values.append(value)
            position = _after(text, end)
    except RecursionError as error:
        raise BrokenError("nested too deeply") from error
    except json.JSONDecodeError as error:
        near = " ".join(text[error.pos : error.pos + SHOWN].split())
        said = error.msg.removesuffix(" at")
        raise BrokenError(f"{said[:1].lower()}{said[1:]} in line {error.lineno}: {near!r}") from error
    except ValueError as error:
        raise BrokenError("a number that is too long") from error
    return values


def _after(text: str, position: int) -> int:
    between = _BETWEEN.match(text, position)
    return between.end() if between else position


def _mended(text: str) -> str:
    if "&quot;" in text and text.count("&quot;") > text.count('"'):
        text = unescape(text)
    text = _WRAPPING.sub(lambda found: _readable(found[1]) if found[1] else " ", text)
    return _SPARE_COMMA.sub(lambda found: found[1] or "", text)


def _readable(quoted: str) -> str:
    """The text in quotes with the backslashes that JSON knows."""
    if "\\" not in quoted:
        return quoted
    return _ESCAPE.sub(lambda found: found[0] if found[1] in '"\\/bfnrtu' else found[1], quoted)
