"""Selectors without their last steps, to see how far one that found nothing would have come."""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTES = {"css": "'\"", "xpath": "'\"", "json": "'\"`"}
_OPENING = {"css": "([", "xpath": "([", "json": "([{"}
_CLOSING = ")]}"
_UNIONS = {"css": ",", "xpath": "|"}
_COMPUTED = {
    "xpath": re.compile(r"[=<>!+]|\s(?:and|or|div|mod|\*|-)\s"),
    "json": re.compile(r"&&|\|\||[=<>!]"),
}
"""What is computed has no last step."""


def shorter(language: str, expression: str) -> list[list[str]]:
    """For each part of a union the expressions without its last step, without the step before, and so on.

    A step of CSS is a compound or one of its classes, attributes and the like; of XPath a step or a predicate; of
    JMESPath a name, a bracket or what stands behind a pipe. Other languages have none.

    >>> shorter("css", "div.card > h3.title a@href")
    [['div.card > h3.title a', 'div.card > h3.title', 'div.card > h3', 'div.card', 'div']]
    >>> shorter("xpath", "//ul[@class='a/b']/li/text()"), shorter("json", "data.items[?a == `1`].name")
    ([["//ul[@class='a/b']/li", "//ul[@class='a/b']", '//ul']], [['data.items[?a == `1`]', 'data.items', 'data']])
    >>> shorter("css", "nav a, aside b"), shorter("xpath", "count(//a) + 1"), shorter("regex", "a")
    ([['nav a', 'nav'], ['aside b', 'aside']], [], [])
    """
    if language not in _QUOTES:
        return []
    computed = _COMPUTED.get(language)
    top = "".join(sign if at_top else " " for _, sign, at_top in _signs(language, expression))
    if computed is not None and computed.search(top):
        return []
    parts = _split(language, expression)
    return [_of_part(language, part) if len(parts) == 1 else [part, *_of_part(language, part)] for part in parts]


def _signs(language: str, expression: str) -> Iterator[tuple[int, str, bool]]:
    """Each sign with its position, and whether it stands outside of quotes and brackets."""
    depth, quote, escaped = 0, "", False
    for n, sign in enumerate(expression):
        at_top = depth == 0 and not quote and not escaped
        if escaped:
            escaped = False
        elif sign == "\\" and language != "xpath":
            escaped = True
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in _QUOTES[language]:
            quote = sign
        elif sign in _OPENING[language]:
            depth += 1
        elif sign in _CLOSING:
            depth = max(0, depth - 1)
        yield n, sign, at_top


def _split(language: str, expression: str) -> list[str]:
    union = _UNIONS.get(language)
    cuts = [n for n, sign, at_top in _signs(language, expression) if at_top and sign == union]
    return [part.strip() for part in _between(expression, cuts)]


def _between(text: str, cuts: list[int]) -> list[str]:
    return [text[a:b] for a, b in zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(text)], strict=True)]


def _of_part(language: str, part: str) -> list[str]:
    found = {_trimmed(language, part[:cut]): None for cut in reversed(_cuts(language, part))}
    return [text for text in found if text and text != part]


_BEGINS = {"css": ".#[:@ >+~", "xpath": "/[", "json": ".[|"}
"""The signs with which a step begins."""
_NO_STEPS = frozenset({"", ".", "..", "*", ":scope", "@", "$"})


def _cuts(language: str, part: str) -> list[int]:
    return [n for n, sign, at_top in _signs(language, part) if n and at_top and sign in _BEGINS[language]]


def _trimmed(language: str, text: str) -> str:
    """What is left before a step, without the sign that led to it; empty where nothing is."""
    text = text.rstrip({"css": " >+~:", "xpath": " /", "json": " .|"}[language])
    return "" if text in _NO_STEPS else text
