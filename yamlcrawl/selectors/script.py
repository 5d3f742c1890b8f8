"""Values that scripts assign to a name: ``var state = {…}``, ``window.__DATA__ = JSON.parse('…')``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from yamlcrawl.selectors.expression import ExpressionError

_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_PARSE = re.compile(r"\s*JSON\s*\.\s*parse\s*\(\s*")
_STRING = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""", re.DOTALL)
_WORD = r"(?<![\w$.])(?:undefined|void\s+0|!0|!1|NaN|Infinity|null|true|false)(?![\w$])"
_WORDS = re.compile(f"{_WORD}|{_STRING.pattern}", re.DOTALL)
_MEANS = {"!0": "true", "true": "true", "!1": "false", "false": "false"}
_IN_DOUBLE_QUOTES = {'"': '\\"', "\n": "\\n", "\\'": "'", "\\`": "`"}
_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=lambda _word: None)
_COMMENT = r"//[^\n]*|/\*.*?\*/"
# what may follow a value: not an operator, which would make it a part of something else
_END = re.compile(
    r"(?:[ \t]|/\*.*?\*/)*+(?://[^\n]*+)?(?:\Z|[;,)}\]]|[\r\n]\s*+(?![-+*%.?&|^<>=(\[]|/(?![/*])))", re.DOTALL
)
SHOWN = 40


class NotReadError(ValueError):
    """The name is assigned nothing that can be read: `near` are the first characters of what is there."""

    def __init__(self, near: str) -> None:
        super().__init__(near)
        self.near = near


def compile_script(name: str) -> Callable[[Iterable[str]], Any]:
    """What the scripts (their texts, in the order of the page) assign to the name first; None where none does.

    Raises NotReadError where what is assigned is no JSON and no plain object of JavaScript: a call, `undefined`, code.
    Nothing is run. Numbers are exact. Raises ExpressionError for what is no name.
    """
    if not _NAME.fullmatch(name):
        raise ExpressionError(f'"{name}" is no name of a variable', "write it as the script does: window.__DATA__")
    first, _, last = name.rpartition(".")
    last = re.escape(last)
    spelled = rf"{re.escape(first)}(?:\.{last}|\[\s*['\"]{last}['\"]\s*\])" if first else last
    here = rf"(?P<here>(?<![\w$.]){spelled}\s*=(?!=)\s*)"
    # comments and texts are passed over: what stands in them assigns nothing
    assigned = re.compile(f"{_STRING.pattern}|{_COMMENT}|{here}", re.DOTALL)

    def find(scripts: Iterable[str]) -> Any:
        unread: str | None = None
        for script in scripts:
            for match in assigned.finditer(script):
                if match["here"] is None:
                    continue
                try:
                    return _value(script, match.end())
                except ValueError:
                    unread = unread or script[match.end() : match.end() + SHOWN]
        if unread is not None:
            raise NotReadError(unread)
        return None

    return find


def _value(script: str, start: int) -> Any:
    if parse := _PARSE.match(script, start):
        quoted = _STRING.match(script, parse.end())
        if quoted is None:
            raise ValueError("what JSON.parse gets is no text")
        return _DECODER.decode(_text(quoted[0]))
    try:
        value, end = _DECODER.raw_decode(script, start)
    except (ValueError, RecursionError):
        return _object(script, start)
    if _END.match(script, end) is None:
        raise ValueError("what is assigned goes on")
    return value


def _text(quoted: str) -> str:
    """The text of a string literal of JavaScript."""
    inner = quoted[1:-1]
    if quoted[0] != '"':
        inner = re.sub(r"\\.|[\"\n]", lambda found: _IN_DOUBLE_QUOTES.get(found[0], found[0]), inner)
    inner = re.sub(r"\\x([0-9A-Fa-f]{2})", r"\\u00\1", inner)
    inner = re.sub(r"\\(?![\"\\/bfnrtu])(.)", r"\1", inner, flags=re.DOTALL)
    text: str = json.loads(f'"{inner}"', strict=False)
    return text


def _object(script: str, start: int) -> Any:
    """A plain object or list of JavaScript: comments, single quotes, names without quotes, trailing commas."""
    if script[start : start + 1] not in ("{", "["):
        raise ValueError("neither an object nor a list")
    import chompjs  # few pages need it

    try:
        return chompjs.parse_js_object(_plain(script[start:]), loader_kwargs={"parse_float": Decimal})
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _plain(text: str) -> str:
    """The words that JSON does not have, as JSON has them; texts stay as they are.

    Blanks stand around them: without these the library takes some words for texts.
    """

    def mean(found: re.Match[str]) -> str:
        return found[0] if found[0][0] in "'\"`" else f" {_MEANS.get(found[0], 'null')} "

    return _WORDS.sub(mean, text)
