"""Selectors of a spec to what finds their matches from a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from yamlcrawl.compiler.templates import Names
from yamlcrawl.errors import ParseError, Path, Problems, dotted
from yamlcrawl.model.plan import Node, Place
from yamlcrawl.model.tally import selector_keys
from yamlcrawl.parsers.html import html_fragment
from yamlcrawl.parsers.json import read_json
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.css import attribute_of as css_attribute
from yamlcrawl.selectors.css import to_xpath
from yamlcrawl.selectors.jmespath import compile_jmespath, doubt
from yamlcrawl.selectors.name_tests import prefixes
from yamlcrawl.selectors.regex import MOST_MATCHES, compile_find_all
from yamlcrawl.selectors.script import NotReadError, compile_script
from yamlcrawl.selectors.structured import Structured, wanted_types
from yamlcrawl.selectors.xpath import attribute_of as xpath_attribute
from yamlcrawl.selectors.xpath import compile_xml_xpath, compile_xpath
from yamlcrawl.spec.reading import Reading
from yamlcrawl.spec.selectors import Each, Languages
from yamlcrawl.transforms.text import one_line
from yamlcrawl.urls import Match

Find = Callable[[Place, Node], list[Any]]
"""Every match from the node; notes in the tally of the place's page."""

Kind = Literal["element", "xml", "json", "text", "row", "sheet"]
"""What a place holds: an element of HTML or of XML (lxml), a JSON value (a text too), a text that is searched by
regex, a row of a CSV, or all of its rows."""

R = TypeVar("R", bound=Reading)

TREES = frozenset(["element", "xml"])
"""The kinds that are elements."""
_TOPS: dict[str, Kind] = {
    "html": "element",
    "xml": "xml",
    "json": "json",
    "feed": "json",
    "csv": "sheet",
    "text": "text",
    "pdf": "text",
}
NAMES: dict[Kind, str] = {
    "element": "HTML",
    "xml": "XML",
    "json": "JSON",
    "text": "plain text",
    "row": "a row of a CSV",
    "sheet": "CSV",
}
"""The kinds, as messages name them."""
_BARE = {"element": "css", "xml": "xpath", "json": "json", "text": "regex", "row": "column", "sheet": "column"}
"""The language of a bare selector, by what the place holds."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What every compiling function needs at hand."""

    problems: Problems
    names: Names
    page: str
    """The page kind that is compiled."""
    carried: frozenset[str] = frozenset()
    """The names that links may carry to this page kind."""
    drop: Match | None = None
    """Query parameters that do not tell pages apart."""
    locale: str | None = None
    """How people read numbers and dates on the pages (`site.locale`)."""
    selectors: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Dotted path of each selector to its text and page kind, as far as compiled."""
    token: str = "yamlcrawl"  # noqa: S105 - a name in robots.txt
    """The name by which pages and robots.txt call this crawler."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a selector stands, as far as it is known before the run."""

    kind: Kind
    inside: bool = False
    """Inside an `each`: selectors see that element alone."""
    outer: Kind | None = None
    """What the outer `each` gives."""
    top: Kind = "element"
    """What the whole page is."""
    located: bool = False
    """Texts that are found must know the element they belong to."""
    table: bool = False
    """Inside a row, so that there are columns."""


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


def spot_of(page_format: str) -> Spot:
    """The top of a page of that format."""
    kind = _TOPS[page_format]
    return Spot(kind, top=kind)


def pointed(reading: R, spot: Spot) -> R:
    """The reading itself; on a text a `regex` alone is the selector, as the bare one is."""
    kinds: dict[str | None, Kind | None] = {None: spot.kind, "page": spot.top, "outer": spot.outer or spot.kind}
    if kinds.get(reading.from_) != "text" or reading.regex is None or reading.languages or reading.bare is not None:
        return reading
    if getattr(reading, "column", None) is not None or getattr(reading, "each", None) is not None:
        return reading
    return reading.model_copy(update={"bare": reading.regex, "regex": None})


def compile_selector(
    selector: Languages, alternatives: Sequence[Languages], spot: Spot, path: Path, bench: Bench
) -> Locator:
    """What finds the selector's matches; a broken expression is noted, and then nothing is found."""
    if alternatives:
        ways = [
            compile_selector(way, getattr(way, "any", ()), spot, (*path, "any", n), bench)
            for n, way in enumerate(alternatives)
        ]
        return _first_of(ways)
    steps = _steps(selector, spot)
    if not steps:
        return Locator(lambda _place, node: [node], spot.kind)
    text = " then ".join(expression for _, expression, _ in steps)
    full = dotted((*path, steps[0][2]) if steps[0][2] else path)
    bench.selectors[full] = (text, bench.page)
    return _path_of(steps, spot, path, full, bench)


def compile_each(each: Each, spot: Spot, path: Path, bench: Bench) -> tuple[Callable[[Place], list[Place]], Spot]:
    """The places of an `each` (an inner one too), and the spot that its fields stand in."""
    locator = compile_selector(each, each.any, spot, path, bench)
    inside = replace(spot, kind=locator.kind, inside=True, outer=None)
    if each.each is None:
        return lambda place: [Place(place.view, node) for node in nodes(locator.find(place, place.node))], inside
    inner = compile_selector(each.each, each.each.any, inside, (*path, "each"), bench)

    def places(place: Place) -> list[Place]:
        return [
            Place(place.view, node, outer)
            for outer in nodes(locator.find(place, place.node))
            for node in nodes(inner.find(place, outer))
        ]

    return places, replace(inside, kind=inner.kind, outer=locator.kind)


def nodes(found: list[Any]) -> list[Any]:
    """The places that `each` gives: the matches without nulls."""
    return [node for node in entries(found) if node is not None]


def entries(found: list[Any]) -> list[Any]:
    """The matches; a JSON list found as a whole is its entries."""
    return found[0] if len(found) == 1 and isinstance(found[0], list) else found


def _steps(selector: Languages, spot: Spot) -> list[tuple[str, str, str]]:
    """Language, expression and key of each step, the language of the place first."""
    if selector.bare is not None:
        return [(_BARE[spot.kind], selector.bare, "")]
    schema = ", ".join(selector.schema_) if selector.schema_ else None
    written = (("css", selector.css), ("xpath", selector.xpath), ("js", selector.js), ("schema", schema))
    steps = [(key, text, key) for key, text in (*written, ("json", selector.json_)) if text is not None]
    if spot.kind == "json":
        steps.sort(key=lambda step: step[0] != "json")
    return steps


def _path_of(steps: list[tuple[str, str, str]], spot: Spot, path: Path, full: str, bench: Bench) -> Locator:
    keys = selector_keys(full)
    locators: list[Locator] = []
    kind, inside = spot.kind, spot.inside
    for language, expression, key in steps:
        here = replace(spot, kind=kind, inside=inside)
        step = _step(language, expression, here, (*path, key) if key else path, bench)
        locators.append(step)
        kind, inside = step.kind, False
    first, last = locators[0], locators[-1]
    if first is not last:
        return replace(last, find=_two_steps(first, last, keys), machine=True)
    hint = _without_tbody(steps[0], spot)

    def find(place: Place, node: Node) -> list[Any]:
        found = first.find(place, node)
        place.view.tally.saw(keys, len(found))
        if not found and hint:
            _note_tbody(place, node, full, hint)
        return found

    return replace(first, find=find)


def _two_steps(first: Locator, last: Locator, keys: tuple[str, str]) -> Find:
    def find(place: Place, node: Node) -> list[Any]:
        found = [value for middle in nodes(first.find(place, node)) for value in last.find(place, middle)]
        place.view.tally.saw(keys, len(found))
        return found

    return find


def _step(language: str, expression: str, spot: Spot, path: Path, bench: Bench) -> Locator:
    """One step on nodes of the spot's kind; where they differ JSON is read out of elements, and HTML out of texts."""
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

    return Locator(find, "json" if attribute else "xml", (attribute or "").rpartition(":")[2] or None, machine=True)


def _check_language(language: str, spot: Spot) -> None:
    """Raise ExpressionError for a language in which nothing can be read from such a place."""
    if spot.kind != "element" and language == "schema":
        fix = f"say {_BARE[spot.kind]}, or from: page" if spot.top == "element" else f"say {_BARE[spot.kind]}"
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

    return Locator(find, "text", machine=True)


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
        text = node.text or ""
    try:
        return read_json(text)
    except ParseError:
        return None


def _first_of(ways: list[Locator]) -> Locator:
    def find(place: Place, node: Node) -> list[Any]:
        for way in ways:
            if found := way.find(place, node):
                return found
        return []

    first = ways[0]
    same = all(way.attribute == first.attribute for way in ways)
    return Locator(find, first.kind, first.attribute if same else None, any(way.machine for way in ways))


_TBODY_CSS = re.compile(r"\s*>\s*tbody(?=[\s>+~]|$)|\s+tbody(?=[\s>+~]|$)")
_TBODY_XPATH = re.compile(r"/(?:child::)?tbody(?:\[[^\]]*\])?(?=/|$)")


def _without_tbody(step: tuple[str, str, str], spot: Spot) -> tuple[str, Callable[[Any], list[Any]]] | None:
    """The selector as it would be without the `tbody` that browsers add, to explain a miss."""
    language, expression, _ = step
    if "tbody" not in expression or language == "json":
        return None
    shorter = (_TBODY_CSS if language == "css" else _TBODY_XPATH).sub("", expression)
    if shorter == expression:
        return None
    try:
        xpath = to_xpath(shorter, inside=spot.inside) if language == "css" else shorter
        return shorter, compile_xpath(xpath, inside=False)
    except ExpressionError:
        return None


def _note_tbody(place: Place, node: Node, full: str, hint: tuple[str, Callable[[Any], list[Any]]]) -> None:
    shorter, find = hint
    tally = place.view.tally
    if f"tbody:{full}" not in tally.counts and hasattr(node, "tag") and find(node):
        tally.note(f"tbody:{full}", shorter)
