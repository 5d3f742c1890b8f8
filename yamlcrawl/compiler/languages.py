"""An expression in one language to what finds its matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.spots import BARE, NAMES, Kind, Spot
from yamlcrawl.errors import ParseError, Path, dotted
from yamlcrawl.model.plan import Node, Place
from yamlcrawl.parsers.html import html_fragment
from yamlcrawl.parsers.json import read_json
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.css import attribute_of as css_attribute
from yamlcrawl.selectors.css import to_xpath
from yamlcrawl.selectors.jmespath import compile_jmespath, doubt
from yamlcrawl.selectors.name_tests import prefixes
from yamlcrawl.selectors.regex import MOST_MATCHES, compile_find_all
from yamlcrawl.selectors.script import NotReadError, compile_script
from yamlcrawl.selectors.structured import BrokenError, Structured, is_jsonld, read_lenient, wanted_types
from yamlcrawl.selectors.xpath import attribute_of as xpath_attribute
from yamlcrawl.selectors.xpath import compile_xml_xpath, compile_xpath
from yamlcrawl.transforms.text import one_line

Find = Callable[[Place, Node], list[Any]]
"""Every match from the node; notes in the tally of the place's page."""


@dataclass(frozen=True, slots=True)
class Locator:
    """A compiled selector."""

    find: Find
    """Every match from the node, in document order; alternatives were tried in order. Notes in the tally."""
    kind: Kind
    """What its matches are; texts count as JSON values."""
    attribute: str | None = None
    """The attribute that it ends in."""
    machine: bool = False
    """Its values are for programs (an attribute, JSON), not for people."""
    mixed: bool = False
    """Some of its alternatives give elements, others data."""


def compile_step(language: str, expression: str, spot: Spot, path: Path, bench: Bench) -> Locator:
    """What the expression finds on nodes of the spot's kind; a broken one is noted, and then nothing is found.

    The language is ``css``, ``xpath``, ``json``, ``js``, ``schema``, ``regex`` or ``column``. JSON is read out of
    elements and texts, HTML out of JSON.
    """
    try:
        _check_language(language, spot)
        if language == "regex":
            return _regex(expression, path)
        if language == "column":
            return _column(expression, path)
        if language == "json":
            found = _json(expression, path, bench)
            return found if spot.kind == "json" else _json_in_html(found)
        if language == "js":
            return _script(expression, path)
        if language == "schema":
            return _schema(expression, path)
        if spot.kind == "xml":
            return _xml(language, expression, spot, path)
        return _tree(language, expression, spot) if spot.kind == "element" else _html_in_json(language, expression)
    except ExpressionError as wrong:
        bench.problems.error(path, wrong.what, wrong.fix)
        elements: Kind = "xml" if spot.kind == "xml" else "element"
        return Locator(lambda _place, _node: [], elements if language in ("css", "xpath") else "json")


def _tree(language: str, expression: str, spot: Spot) -> Locator:
    attribute = css_attribute(expression) if language == "css" else xpath_attribute(expression)
    xpath = to_xpath(expression, inside=spot.inside) if language == "css" else expression
    found = compile_xpath(xpath, inside=spot.inside, located=spot.located)
    kind: Kind = "json" if attribute else "element"
    return Locator(lambda _place, node: found(node), kind, attribute, machine=attribute is not None)


def _xml(language: str, expression: str, spot: Spot, path: Path) -> Locator:
    """Elements and texts of XML; a prefix that the document does not declare is noted where nothing is found."""
    attribute = css_attribute(expression) if language == "css" else xpath_attribute(expression)
    xpath = to_xpath(expression, inside=spot.inside, xml=True) if language == "css" else expression
    found = compile_xml_xpath(xpath, inside=spot.inside)
    wanted, counter = frozenset(prefixes(xpath)), "prefix:" + dotted(path)

    def find(place: Place, node: Node) -> list[Any]:
        matches = found(node)
        if wanted and not matches:
            unknown, tally = wanted - place.view.document.prefixes, place.view.tally
            if unknown and counter not in tally.counts:
                tally.note(counter, ", ".join(f"{prefix}:" for prefix in sorted(unknown)))
        return matches

    name = (attribute or "").rpartition(":")[2] or None
    return Locator(find, "json" if attribute else "xml", name, machine=attribute is not None)


def _check_language(language: str, spot: Spot) -> None:
    """Raise ExpressionError for a language in which nothing can be read from such a place."""
    if spot.kind != "element" and language == "schema":
        fix = f"say {BARE[spot.kind]}, or from: page" if spot.top == "element" else f"say {BARE[spot.kind]}"
        raise ExpressionError(f"schema reads the structured data of an HTML page, and this is {NAMES[spot.kind]}", fix)
    if spot.kind == "xml" and language == "js":
        raise ExpressionError("js reads the scripts of an HTML page, and this is XML", "say xpath or css")
    if spot.kind == "row" and language != "column":
        fix = f"say {{column: …}} for a cell; {language} beside it reads inside"
        raise ExpressionError(f"{language} does not read a row of a CSV, which has columns alone", fix)
    if spot.kind == "sheet":
        fix = "read it in an item rule or a link rule; next counts (param), or says header: link"
        raise ExpressionError("a CSV is read row by row, and this looks at the whole of it", fix)
    if spot.kind == "text" and not spot.inside and language not in ("regex", "json"):
        raise ExpressionError(f"{language} finds nothing in plain text", "write a regex, alone")


def _regex(pattern: str, path: Path) -> Locator:
    """Every match in a text: group 1, or the whole where there is no group."""
    search, cut = compile_find_all(pattern), "matches:" + dotted(path)

    def find(place: Place, node: Node) -> list[Any]:
        if not isinstance(node, str):
            return []
        found = search(node)
        if len(found) > MOST_MATCHES:
            place.view.tally.note(cut, place.view.document.response.url)
            del found[MOST_MATCHES:]
        return found

    return Locator(find, "text")


def _column(name: str, path: Path) -> Locator:
    """The cell of a column of the row that the place is."""
    missed = "column:" + dotted(path)

    def find(place: Place, _node: Node) -> list[Any]:
        cell, why = place.row.cell(name)
        if why and not place.view.tally.counts.get(missed):
            place.view.tally.note(missed, f"{why}, on {place.view.document.response.url}")
        return [cell] if cell else []

    return Locator(find, "text")


def _script(name: str, path: Path) -> Locator:
    """The value that a script of the element (or of the HTML in a text) assigns to the name."""
    assigned = compile_script(name)
    unread = "js:" + dotted(path)

    def find(place: Place, node: Node) -> list[Any]:
        element = html_fragment(node) if isinstance(node, str) else node
        if not hasattr(element, "iter"):
            return []
        try:
            value = assigned(script.text or "" for script in element.iter("script"))
        except NotReadError as error:
            place.view.tally.note(unread, f"{name} = {error.near!r} on {place.view.document.response.url}")
            return []
        return [] if value is None else [value]

    return Locator(find, "json", machine=True)


def _schema(types: str, path: Path) -> Locator:
    """The nodes of the types that begin in the element; the page's structured data is read once for all rules."""
    wanted, unread = wanted_types(types), "schema:" + dotted(path)

    def find(place: Place, node: Node) -> list[Any]:
        view = place.view
        if view.structured is None:
            document = view.document

            def report(what: str) -> None:
                view.tally.note(unread, f"{what} on {document.response.url}")

            view.structured = Structured(document.tree, document.base, one_line, report)
        return list(view.structured.find(wanted, node)) if hasattr(node, "iter") else []

    return Locator(find, "json", machine=True)


def _json(expression: str, path: Path, bench: Bench) -> Locator:
    search = compile_jmespath(expression)
    if said := doubt(expression):
        bench.problems.warn(path, f'"{expression}" {said}', "use single quotes for a text")
    cast = "cast:" + dotted(path)

    def find(place: Place, node: Node) -> list[Any]:
        try:
            found = search(node)
        except LookupError as error:
            place.view.tally.note(cast, f"{place.view.document.response.url}: {error}")
            return []
        return [] if found is None else [found]

    return Locator(find, "json", machine=True)


def _html_in_json(language: str, expression: str) -> Locator:
    tree = _tree(language, expression, Spot("element"))

    def find(place: Place, node: Node) -> list[Any]:
        element = html_fragment(node) if isinstance(node, str) else None
        return [] if element is None else tree.find(place, element)

    return replace(tree, find=find)


def _json_in_html(inner: Locator) -> Locator:
    def find(place: Place, node: Node) -> list[Any]:
        value = _json_of(node)
        return [] if value is None else inner.find(place, value)

    return replace(inner, find=find)


def _json_of(node: Node) -> Any:
    """The JSON that stands in an element or a text; None where there is none."""
    text = node if isinstance(node, str) else one_line(node) if hasattr(node, "tag") else ""
    if hasattr(node, "tag") and node.tag == "script":
        if is_jsonld(node):
            return _json_ld_of(node)
        text = node.text or ""
    try:
        return read_json(text)
    except ParseError:
        return None


def _json_ld_of(script: Node) -> Any:
    """The value in a script of JSON-LD, read as leniently as `schema` does; None where it is broken."""
    try:
        values = read_lenient(script.text or "")
    except BrokenError:
        return None
    return values[0] if len(values) == 1 else values or None
