"""XPath 1.0 on an lxml tree; CSS comes here too, translated."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from lxml import etree

from yamlcrawl.errors import ParseError
from yamlcrawl.selectors.expression import ExpressionError
from yamlcrawl.selectors.name_tests import in_any_namespace, prefixes

Find = Callable[[Any], list[Any]]
"""A node to what is found there, in document order: elements, texts, numbers, booleans."""

_FUNCTIONS = frozenset(
    "last position count id local-name namespace-uri name string concat starts-with contains substring-before "
    "substring-after substring string-length normalize-space translate boolean not true false lang number sum floor "
    "ceiling round".split()
)
_NO_FUNCTIONS = frozenset(["node", "text", "comment", "processing-instruction", "and", "or", "div", "mod"])
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_CALL = re.compile(r"([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*\(")
_PREFIX = re.compile(r"(?<![\w.:-])([A-Za-z_][\w.-]*):(?=[A-Za-z_*])")
_VARIABLE = re.compile(r"\$[A-Za-z_][\w.:-]*")
_OPERATOR = r"(?:[(,=<>+]|\b(?:and|or|div|mod)\b)"
_FROM_TOP = re.compile(rf"(?:^|\||{_OPERATOR})\s*/")
_SLIPS = re.compile(rf"^[\s(]*/|\|[\s(]*/|{_OPERATOR}\s*//")
_FROM_HERE = re.compile(rf"(?:^|{_OPERATOR})\s*(?:[.@]|[A-Za-z_][\w.-]*(?![\w.-]*\s*\())")
_REMEMBERED = 64
"""Sets of namespaces for which an expression is kept compiled."""
_LAST_ATTRIBUTE = re.compile(r"(?:@|attribute::)([A-Za-z_][\w.:-]*)\s*(?:\[[^\]]*\]\s*)*$")


def compile_xpath(expression: str, *, inside: bool = False, located: bool = False) -> Find:
    """What the expression finds from a node; raises ExpressionError for what would fail, or mislead, on a page.

    `inside` an `each` an expression that begins with ``/`` is refused, since it would leave the element. With `located`
    texts know the element they belong to (`getparent`), which costs time.
    """
    bare = _unquoted(expression)
    _check_inside(expression, bare, inside=inside)
    find = _compiled(expression, located=located)
    if prefix := _PREFIX.search(bare.replace("::", "  ")):
        raise ExpressionError(
            f'"{expression}" uses the prefix {prefix[1]}:, which an HTML page does not declare',
            "for names with a colon write *[name()='a:b']; EXSLT functions are not there",
        )
    _check_names(expression, bare)
    _try_out(expression, find)
    return _as_list(expression, find)


def compile_xml_xpath(expression: str, *, inside: bool = False) -> Find:
    """The same for XML: a name without a prefix matches in any namespace, prefixes are those of the document.

    A prefix means what the outermost element declares; where it declares none, the name as the document writes it.
    Texts know the element they belong to.
    """
    bare = _unquoted(expression)
    _check_inside(expression, bare, inside=inside)
    _compiled(expression, located=True)
    _check_names(expression, bare)
    anywhere = in_any_namespace(expression)
    unbound = _compiled(anywhere, located=True)
    _try_out(expression, unbound)
    wanted = prefixes(expression)
    if not wanted:
        return _as_list(expression, unbound)
    bound: dict[tuple[tuple[str, str], ...], Find] = {(): _as_list(expression, unbound)}

    def find(node: Any) -> list[Any]:
        declared = node.getroottree().getroot().nsmap
        named = tuple((prefix, declared[prefix]) for prefix in wanted if prefix in declared)
        known = bound.get(named)
        if known is None:
            spelled = in_any_namespace(expression, frozenset(prefix for prefix, _ in named))
            if len(bound) > _REMEMBERED:
                bound.clear()
            known = bound[named] = _as_list(expression, _compiled(spelled, located=True, namespaces=dict(named)))
        return known(node)

    return find


def attribute_of(expression: str) -> str | None:
    """The name of the attribute that the expression ends in, None where it does not.

    >>> attribute_of("//a[@class='x']/@href"), attribute_of("//a[@href]")
    ('href', None)
    """
    match = _LAST_ATTRIBUTE.search(expression)
    if match is None or _inside_brackets(expression, match.start()):
        return None
    return match[1]


def _unquoted(expression: str) -> str:
    """The expression with its literals blanked, each sign in its place."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), expression)


def _check_inside(expression: str, bare: str, *, inside: bool) -> None:
    if inside and _leaves(bare):
        fix = "." + expression.lstrip() if bare.lstrip().startswith("/") else "begin each path with ./"
        raise ExpressionError(
            f'"{expression}" looks at the whole page from inside an each, so every item would get the same value',
            f"write {fix}; for the whole page say  from: page",
        )


def _inside_brackets(expression: str, position: int) -> bool:
    before = _QUOTED.sub("", expression[:position])
    return before.count("[") > before.count("]") or before.count("(") > before.count(")")


def _leaves(bare: str) -> bool:
    """Whether the expression (quoted parts blanked) looks at the whole page alone, or by ``//``, which is a slip.

    A path from the outermost element down that is held against something of the place is meant.

    >>> [_leaves(one) for one in ("/a/b", ".//a | //b", "string(/a/b)", "concat(., /a/b)", "@id = /a/@id")]
    [True, True, True, False, False]
    """
    if not _FROM_TOP.search(bare):
        return False
    return _SLIPS.search(bare) is not None or _FROM_HERE.search(bare) is None


def _compiled(expression: str, *, located: bool, namespaces: dict[str, str] | None = None) -> Callable[[Any], Any]:
    try:
        return etree.XPath(expression, smart_strings=located, namespaces=namespaces)
    except (etree.XPathError, ValueError) as error:
        said, fix = _in_words(expression, error)
        raise ExpressionError(f'"{expression}" is no XPath 1.0: {said}', fix) from error


def _in_words(expression: str, error: Exception) -> tuple[str, str]:
    bare = _QUOTED.sub("", expression)
    if "'" in bare or '"' in bare:
        return "a quote is not closed", "close it"
    for opening, closing in ("[]", "()"):
        if bare.count(opening) > bare.count(closing):
            return f'a "{closing}" is missing', "add it"
        if bare.count(opening) < bare.count(closing):
            return f'there is a "{closing}" too many', "drop it"
    said = str(error).strip().rstrip(".")
    return said[:1].lower() + said[1:] or "it cannot be read", "try it in a browser's console: $x(…)"


_SAMPLE = etree.HTML(b"<html><body><p id='x' class='x'>x</p></body></html>")


def _try_out(expression: str, find: Callable[[Any], Any]) -> None:
    """Raise ExpressionError for what XPath tells only when it is asked: arguments that are too few, or no nodes."""
    try:
        find(_SAMPLE)
    except etree.XPathError as error:
        said = str(error).strip().rstrip(".")
        raise ExpressionError(
            f'"{expression}" is no XPath 1.0: {said[:1].lower()}{said[1:]}', "check the arguments of its functions"
        ) from error


def _check_names(expression: str, bare: str) -> None:
    for name in _CALL.findall(bare):
        if ":" in name:
            raise ExpressionError(
                f'"{expression}" calls {name}(), and EXSLT functions are not there', "use the functions of XPath 1.0"
            )
        if name not in _FUNCTIONS and name not in _NO_FUNCTIONS:
            close = get_close_matches(name, _FUNCTIONS, 1)
            known = ", ".join(sorted(_FUNCTIONS))
            fix = f'did you mean "{close[0]}()"?' if close else f"XPath 1.0 has {known}"
            raise ExpressionError(f'"{expression}" calls {name}(), which XPath 1.0 does not have', fix)
    if variable := _VARIABLE.search(bare):
        raise ExpressionError(
            f'"{expression}" uses the variable {variable[0]}, which nothing sets', "write the value itself, in quotes"
        )


def _as_list(expression: str, find: Callable[[Any], Any]) -> Find:
    def found(node: Any) -> list[Any]:
        try:
            result = find(node)
        except etree.XPathError as error:
            raise ParseError(f'the XPath "{expression}" failed: {error}') from error
        if isinstance(result, list):
            return result
        if isinstance(result, float):
            if result != result or result in (float("inf"), float("-inf")):
                return []
            return [int(result) if result.is_integer() else Decimal(repr(result))]
        return [result]

    return found
