"""JMESPath on JSON values, numbers exact; one function more: ``from_json(text)``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from math import isfinite
from typing import Any

import jmespath
from jmespath import exceptions, functions

from yamlcrawl.selectors.exact import exact_number
from yamlcrawl.selectors.expression import ExpressionError

Search = Callable[[Any], Any]
"""A JSON value to what the expression gives; raises LookupError for a function that does not fit the value."""

# the library knows numbers by the names of their types; JSON is read with exact decimals here
functions.TYPES_MAP["Decimal"] = "number"
functions.REVERSE_TYPES_MAP["number"] = (*functions.REVERSE_TYPES_MAP["number"], "Decimal")
# a part of a feed (parsers/feed), which is a mapping that knows older names too
functions.TYPES_MAP["Named"] = "object"
functions.REVERSE_TYPES_MAP["object"] = (*functions.REVERSE_TYPES_MAP["object"], "Named")


class _Functions(functions.Functions):
    """The standard's functions on exact numbers, and from_json."""

    @functions.signature({"types": ["string"]})
    def _func_from_json(self, text: str) -> Any:
        try:
            return json.loads(text, parse_float=exact_number, parse_constant=exact_number)
        except (ValueError, RecursionError):
            return None

    @functions.signature({"types": ["array-number"]})
    def _func_avg(self, numbers: list[Any]) -> Any:
        return sum(map(Decimal, numbers), Decimal(0)) / len(numbers) if numbers else None

    @functions.signature({"types": []})
    def _func_type(self, value: Any) -> str:
        return str(functions.TYPES_MAP.get(type(value).__name__, "null"))

    @functions.signature({"types": []})
    def _func_to_number(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (str, int, Decimal)):
            return None
        if not isinstance(value, str):
            return value
        if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", value):
            return None
        try:
            return int(value) if value.lstrip("-").isdigit() else exact_number(value)
        except ValueError:
            return None

    @functions.signature({"types": []})
    def _func_to_string(self, value: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, Decimal):
            return str(value)
        return json.dumps(value, separators=(",", ":"), default=str, ensure_ascii=False)


_OPTIONS = jmespath.Options(custom_functions=_Functions())


def compile_jmespath(expression: str) -> Search:
    """What the expression gives for a JSON value; raises ExpressionError with a hint that fits."""
    if not expression.strip():
        raise ExpressionError("the JMESPath is empty", "name a key; the value itself is @")
    try:
        parsed = jmespath.compile(expression)
    except exceptions.JMESPathError as error:
        raise ExpressionError(_in_words(expression, error), _hint(expression)) from error
    _make_exact(parsed.parsed)
    _check(expression, parsed.parsed)

    def search(value: Any) -> Any:
        try:
            return parsed.search(value, options=_OPTIONS)
        except (exceptions.JMESPathError, ArithmeticError, TypeError, ValueError) as error:
            raise LookupError(f'"{expression}": {str(error).splitlines()[0]}') from error

    return search


def doubt(expression: str) -> str:
    """What looks like a mistake in a valid expression, empty where nothing does.

    >>> doubt('rows[?tag=="new"].name')
    'compares with the key "new", not with the text; a text stands in single quotes: \\'new\\''
    >>> doubt("rows[?tag=='new'].name")
    ''
    """
    bare = re.sub(r"'(?:[^'\\]|\\.)*'|`[^`]*`", "''", expression)
    if match := re.search(r"[=!<>]=?\s*\"([^\"]*)\"", bare):
        return f"compares with the key \"{match[1]}\", not with the text; a text stands in single quotes: '{match[1]}'"
    return ""


def _make_exact(node: Any) -> None:
    if isinstance(node, dict):
        if node.get("type") == "literal":
            node["value"] = _exact(node["value"])
        for child in node.get("children", ()):
            _make_exact(child)


def _exact(value: Any) -> Any:
    if isinstance(value, float):
        if not isfinite(value):
            raise ExpressionError("a number in back-ticks is too large", "write a smaller one")
        return Decimal(repr(value))
    if isinstance(value, list):
        return [_exact(v) for v in value]
    if isinstance(value, dict):
        return {k: _exact(v) for k, v in value.items()}
    return value


def _check(expression: str, node: Any) -> None:
    """Raise ExpressionError for what is surely wrong on every page: an unknown function, a slice that stands still."""
    if not isinstance(node, dict):
        return
    if node.get("type") == "slice" and node["children"][2] == 0:
        raise ExpressionError(f'"{expression}" takes every 0th entry', "write a step of 1 or more, or -1 to go back")
    if node.get("type") == "function_expression" and node["value"] not in _Functions.FUNCTION_TABLE:
        known = ", ".join(sorted(_Functions.FUNCTION_TABLE))
        said = f'"{expression}" calls {node["value"]}(), which JMESPath does not have'
        raise ExpressionError(said, f"it has {known}")
    for child in node.get("children", ()):
        _check(expression, child)


def _in_words(expression: str, error: Exception) -> str:
    position = getattr(error, "lex_position", None)
    place = f" at character {position + 1}" if isinstance(position, int) and position < len(expression) else ""
    if isinstance(error, exceptions.IncompleteExpressionError):
        return f'"{expression}" is no JMESPath: it ends too early'
    sign = expression[position] if place and isinstance(position, int) else ""
    said = f'"{sign}"{place} does not fit' if sign else f"it cannot be read{place}"
    return f'"{expression}" is no JMESPath: {said}'


def _hint(expression: str) -> str:
    if match := re.search(r"[=!<>]=?\s*(-?\d[\d.]*)", expression):
        return f"put a number in back-ticks: `{match[1]}`"
    if match := re.search(r"(?<![\w\"'`-])([A-Za-z_]\w*(?:-\w+)+)", expression):
        return f'put a key with "-" in double quotes: "{match[1]}"'
    if expression.lstrip().startswith(("$", "/")):
        return "JMESPath begins with the first key: a.b[0], not $.a.b or /a/b"
    return "keys are joined by dots, lists are [0], [*] or []; texts in 'single quotes', numbers in `back-ticks`"
