"""XPath for documents with namespaces: names without a prefix match in any, prefixes are the document's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""\s+
    |(?P<literal>"[^"]*"|'[^']*')
    |(?P<number>\d+(?:\.\d*)?|\.\d+)
    |(?P<variable>\$[^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?)
    |(?P<name>[^\W\d][\w.-]*(?::(?!:)(?:[^\W\d][\w.-]*|\*))?)
    |(?P<sign>::|//|\.\.|!=|<=|>=|[()\[\].@,/|+=<>*-])""",
    re.VERBOSE,
)
_OPERATORS = frozenset("and or mod div * / // | + - = != < <= > >=".split())
_OPENING = frozenset(["@", "::", "(", "[", ","])
_NODE_TYPES = frozenset(["comment", "text", "processing-instruction", "node"])


@dataclass(frozen=True, slots=True)
class NameTest:
    """A name that an expression looks for."""

    name: str
    attribute: bool

    @property
    def prefix(self) -> str:
        """What stands before the colon; empty without one."""
        return self.name.partition(":")[0] if ":" in self.name else ""


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    operator: bool
    """An operator; a name such as ``div`` is one where an operator must stand (XPath 1.0, 3.7)."""


Part = str | NameTest


def name_tests(expression: str) -> list[Part]:
    """The expression cut into its name tests and what stands between them (XPath 1.0, 3.7).

    >>> [part.name for part in name_tests("//div[div div 2 = count(dc:a)]/@id") if isinstance(part, NameTest)]
    ['div', 'div', 'dc:a', 'id']
    """
    tokens = list(_tokens(expression))
    parts: list[Part] = []
    end = 0
    for n, token in enumerate(tokens):
        if token.operator or not re.match(r"[^\W\d]", token.text):
            continue
        after = tokens[n + 1].text if n + 1 < len(tokens) else ""
        if after in ("::", "("):
            continue
        before = [one.text for one in tokens[max(0, n - 2) : n]]
        attribute = before[-1:] == ["@"] or before == ["attribute", "::"]
        if before == ["namespace", "::"]:
            continue
        parts += [expression[end : token.start], NameTest(token.text, attribute)]
        end = token.start + len(token.text)
    return [*parts, expression[end:]]


def prefixes(expression: str) -> tuple[str, ...]:
    """The prefixes of its name tests, each once, in order.

    >>> prefixes("dc:creator | @xlink:href | dc:*")
    ('dc', 'xlink')
    """
    tests = (part for part in name_tests(expression) if isinstance(part, NameTest))
    return tuple(dict.fromkeys(test.prefix for test in tests if test.prefix))


def in_any_namespace(expression: str, declared: frozenset[str] = frozenset()) -> str:
    """The expression with names that match in any namespace.

    A prefix in `declared` stays; any other stands for the name as the document writes it. An attribute without a
    namespace comes before one of the same name that has one.

    >>> in_any_namespace("entry/dc:creator")
    "*[local-name()='entry']/*[name()='dc:creator']"
    """
    return "".join(part if isinstance(part, str) else _test(part, declared) for part in name_tests(expression))


def _test(test: NameTest, declared: frozenset[str]) -> str:
    if test.prefix in declared:
        return test.name
    if test.prefix:
        if test.name.endswith(":*"):
            return f"*[starts-with(name(), '{test.prefix}:')]"
        return f"*[name()='{test.name}']"
    if test.attribute:
        return f"*[local-name()='{test.name}' and (namespace-uri()='' or not(../@{test.name}))]"
    return f"*[local-name()='{test.name}']"


def _tokens(expression: str) -> Iterator[_Token]:
    """The tokens up to the first sign that begins none; what is wrong with them the XPath compiler says."""
    position = 0
    before: _Token | None = None
    while position < len(expression) and (found := _TOKEN.match(expression, position)):
        start, position = position, found.end()
        if not found.lastgroup:
            continue
        text = found[found.lastgroup]
        named = found.lastgroup == "name" or text == "*"
        after_operand = before is not None and not before.operator and before.text not in _OPENING
        operator = text in _OPERATORS and (not named or after_operand)
        before = _Token(text, start, operator)
        yield before
