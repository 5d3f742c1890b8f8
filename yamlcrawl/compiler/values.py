"""One match to the value that the steps begin with: a text, or a JSON value where nothing asks for a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from decimal import Decimal
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.markup import compile_markup
from yamlcrawl.compiler.selectors import compile_selector
from yamlcrawl.compiler.sources import Source
from yamlcrawl.compiler.spots import NAMES, TREES, Spot
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import Place, Value
from yamlcrawl.parsers.html import inner_html
from yamlcrawl.parsers.xml import inner_xml
from yamlcrawl.spec.items import Field
from yamlcrawl.spec.selectors import Selector
from yamlcrawl.transforms.srcset import largest
from yamlcrawl.transforms.text import all_text, collapsed, lines, one_line, xml_lines, xml_text
from yamlcrawl.urls import absolute, in_charset

ADDRESSES = frozenset(["href", "src", "action", "poster", "data"])
"""Attributes that come out absolute."""

ADDRESSES_OF_XML = frozenset(["href", "src"])
"""Those of XML, where the other names mean anything."""

_TEXT = {None: one_line, "multiline": lines, "html": inner_html}

_XML_TEXT = {None: xml_text, "multiline": xml_lines, "html": inner_xml}


def compile_value(source: Source, field: Field, spot: Spot, path: Path, bench: Bench) -> Callable[[Any, Place], Value]:
    """One match to the value that the steps begin with: a text, or a JSON value where nothing asks for a text."""
    texts = _XML_TEXT if spot.top == "xml" else _TEXT
    text_of: Callable[[Any], str] = texts.get(field.type, texts[None])
    if field.type == "json":
        text_of = all_text
    clean = _kept_lines if field.type == "multiline" else str.strip if field.type == "html" else collapsed
    if field.remove and spot.top in ("text", "sheet") and not (field.css or field.xpath):
        what = f"remove takes elements out, and {NAMES[spot.top]} has none"
        bench.problems.error((*path, "remove"), what, "say replace, or css for the HTML in a text")
    pruned = _prune(field.remove, spot, (*path, "remove"), bench)
    as_it_is = field.type in (None, "json", "integer", "number", "boolean")
    address = source.attribute in (ADDRESSES_OF_XML if spot.top == "xml" else ADDRESSES)
    # where parts of a document have a base of their own, an address is made absolute while its element is known
    based = spot.top == "xml" and (address or field.type in ("url", "file"))
    srcset = source.attribute == "srcset"
    objects = "object:" + dotted(path)
    keep_json = field.type == "json"
    made = compile_markup(field.type, path, bench)

    def to_value(match: Any, place: Place) -> Value:
        value, document = plain_value(match, place), place.view.document
        if not isinstance(value, str):
            return value
        element = element_of(match) if document.base_of else None
        if document.base_of and element is not None:
            return absolute(document.base_of(element), value)
        return absolute(document.base, value) if address else value

    def plain_value(match: Any, place: Place) -> Value:
        if isinstance(match, str):
            if made:
                return made(match, place)
            if keep_json and source.json:
                return match
            text = clean(match)
            if srcset:
                text = largest(text) or ""
            if (address or srcset) and text and not based:
                return absolute(place.view.document.base, in_charset(text, place.view.document.query_charset))
            return text or None
        if match is None:
            return None
        if hasattr(match, "tag"):
            element = pruned(match, place) if pruned else match
            if made:
                return made(element, place)
            return text_of(element) or None
        if isinstance(match, (bool, int, Decimal)):
            return match if as_it_is else json_text(match)
        if keep_json:
            return match
        place.view.tally.note(objects, f"{json_text(match)[:80]} on {place.view.document.response.url}")
        return None

    return to_value if based else plain_value


def element_of(match: Any) -> Any:
    """The element that a match is, or that its text belongs to; None where that is not known."""
    return match if hasattr(match, "tag") else match.getparent() if hasattr(match, "getparent") else None


def _kept_lines(text: str) -> str:
    return "\n".join(line for line in (collapsed(line) for line in text.splitlines()) if line)


def _prune(remove: Sequence[Selector], spot: Spot, path: Path, bench: Bench) -> Callable[[Any, Place], Any] | None:
    """A copy of the element without what the selectors match; None where there are none."""
    if not remove:
        return None
    inside = Spot("xml" if spot.top == "xml" else "element", inside=True, top=spot.top)
    locators = [compile_selector(one, one.any, inside, (*path, n), bench) for n, one in enumerate(remove)]
    for n, locator in enumerate(locators):
        if locator.kind not in TREES:
            what = "remove takes elements out, and this finds none"
            bench.problems.error((*path, n), what, "name the element itself")
    finds = [locator.find for locator in locators]

    def pruned(element: Any, place: Place) -> Any:
        copy = deepcopy(element)
        copy.tail = None
        for find in finds:
            for match in find(place, copy):
                parent = match.getparent() if hasattr(match, "getparent") else None
                if parent is not None:
                    _take_out(match, parent)
        return copy

    return pruned


def _take_out(element: Any, parent: Any) -> None:
    tail = element.tail or ""
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
