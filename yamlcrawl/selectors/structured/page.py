"""The structured data of one page, each syntax read when it is asked for first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from yamlcrawl.selectors.structured.jsonld import is_jsonld, read_jsonld
from yamlcrawl.selectors.structured.microdata import read_microdata
from yamlcrawl.selectors.structured.node import (
    DEPTH,
    Found,
    Node,
    Nodes,
    Report,
    is_reference,
    types_of,
    without_doubles,
)
from yamlcrawl.selectors.structured.rdfa import read_rdfa
from yamlcrawl.selectors.structured.vocabulary import ANY
from yamlcrawl.selectors.structured.whole import LARGEST, Completion
from yamlcrawl.urls import absolute


class Structured:
    """What a page says in JSON-LD, microdata and RDFa."""

    def __init__(self, root: Any, base: str, text_of: Callable[[Any], str], report: Report) -> None:
        """`base` is what addresses resolve against, `text_of` gives an element's text on one line."""
        self._root, self._base, self._text_of, self._report = root, base, text_of, report
        self._completion = Completion(self._meant)
        self._whole: dict[int, Node] = {}

    def find(self, types: Sequence[str], element: Any) -> list[Node]:
        """The nodes that begin in the element: those of the first type that has any, in the first syntax that has any.

        JSON-LD comes first, then microdata, then RDFa. ``any`` is every node of all three that is no other one's value.
        Nodes inside others count, with the type by its exact name. Bare references are replaced by what they name.
        """
        inside = None if element is self._root else set(element.iter())
        for wanted in types:
            if found := self._all(inside, element) if wanted == ANY else self._of_type(wanted, inside):
                return found
        return []

    def _of_type(self, wanted: str, inside: set[Any] | None) -> list[Node]:
        for may_have, syntax in self._syntaxes(wanted):
            if not may_have:
                continue
            nodes = syntax()
            found = [one for one in nodes.every if wanted in types_of(one.node) and not is_reference(one.node)]
            if found := _inside(without_doubles(found), inside):
                return [self._complete(one.node, nodes) for one in found]
        return []

    def _syntaxes(self, wanted: str) -> Iterable[tuple[bool, Callable[[], Nodes]]]:
        # most pages speak of few types, and their attributes are quickly asked
        name = re.split(r"[/#:]", wanted)[-1]
        yield True, lambda: self._jsonld
        yield any(name in types for types in self._itemtypes), lambda: self._microdata
        yield any(name in types for types in self._typeofs), lambda: self._rdfa

    def _all(self, inside: set[Any] | None, element: Any) -> list[Node]:
        found: list[Node] = []
        for nodes in (self._jsonld, self._microdata, self._rdfa):
            alone = nodes.alone
            if inside is not None:
                own = {id(one.node) for one in alone}
                alone = alone + [one for one in nodes.every if one.element is element and id(one.node) not in own]
            found += [self._complete(one.node, nodes) for one in _inside(without_doubles(alone), inside)]
        return found

    def _complete(self, node: Node, nodes: Nodes) -> Node:
        if nodes.is_tree:
            return node
        if id(node) not in self._whole:
            reported = self._completion.cut
            self._whole[id(node)] = self._completion.complete(node)
            if self._completion.cut and not reported:
                self._report(f"structured data beyond {DEPTH} levels, or {LARGEST:,} values by references, is left out")
        return self._whole[id(node)]

    def _meant(self, node: Node) -> Node | None:
        # references are those of JSON-LD; the other syntaxes hold their nodes themselves
        if not is_reference(node):
            return None
        named, name = self._jsonld.named, node["@id"]
        return named[name] if name in named else named.get(absolute(self._base, name))

    @cached_property
    def _jsonld(self) -> Nodes:
        scripts = [script for script in self._root.iter("script") if is_jsonld(script)]
        return read_jsonld(scripts, self._base, self._report)

    @cached_property
    def _microdata(self) -> Nodes:
        return read_microdata(self._root, self._base, self._text_of, self._report)

    @cached_property
    def _rdfa(self) -> Nodes:
        return read_rdfa(self._root, self._base, self._text_of)

    @cached_property
    def _itemtypes(self) -> list[str]:
        return [str(written) for written in self._root.xpath("descendant-or-self::*/@itemtype")]

    @cached_property
    def _typeofs(self) -> list[str]:
        return [str(written) for written in self._root.xpath("descendant-or-self::*/@typeof")]


def _inside(found: Iterable[Found], inside: set[Any] | None) -> list[Found]:
    return [one for one in found if inside is None or one.element in inside]
