"""Microdata (HTML standard, 5.2): items, their properties, and what they refer to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from yamlcrawl.selectors.structured.node import Found, Node, Nodes, Report, add
from yamlcrawl.selectors.structured.vocabulary import local_name
from yamlcrawl.urls import absolute

TextOf = Callable[[Any], str]

_ADDRESS = {
    "a": "href",
    "area": "href",
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "source": "src",
    "track": "src",
    "video": "src",
}
_WRITTEN = {"data": "value", "meta": "content", "meter": "value", "time": "datetime"}
LOOKED_AT = 1_000_000
"""Elements that are looked at on one page: `itemref` may lead through the same part again and again."""


def read_microdata(root: Any, base: str, text_of: TextOf, report: Report) -> Nodes:
    """The items of the page, in its order.

    Addresses are absolute. Besides the standard a `content` attribute counts on every element that would else give its
    text, as search engines have it. An item may lie in itself by `itemref`.
    """
    scopes = root.xpath("descendant-or-self::*[@itemscope]")
    if not scopes:
        return Nodes(is_tree=True)
    reader = _Reader(root, base, text_of)
    every = [Found(reader.item(scope), scope) for scope in scopes]
    reader.fill(scopes)
    if reader.looked_at > LOOKED_AT:
        report("microdata that refers to the same parts again and again; the rest is left out")
    return Nodes(every, [found for found in every if not _names(found.element)])


def _names(element: Any) -> list[str]:
    return [local_name(name) for name in dict.fromkeys((element.get("itemprop") or "").split())]


@dataclass(slots=True)
class _Reader:
    """The items of one page, and its values as far as they were read."""

    root: Any
    base: str
    text_of: TextOf
    items: dict[Any, Node] = field(default_factory=dict)
    values: dict[Any, Any] = field(default_factory=dict)
    looked_at: int = 0
    _ids: dict[str, Any] | None = None
    _order: dict[Any, int] | None = None

    def item(self, scope: Any) -> Node:
        """The node of the item, with its types and its name."""
        node = self.items.get(scope)
        if node is None:
            node = self.items[scope] = {}
            types = [local_name(name) for name in dict.fromkeys((scope.get("itemtype") or "").split())]
            if types:
                node["@type"] = types[0] if len(types) == 1 else types
            if name := (scope.get("itemid") or "").strip():
                node["@id"] = absolute(self.base, name)
        return node

    def fill(self, scopes: Iterable[Any]) -> None:
        """Give each item its properties."""
        for scope in scopes:
            node = self.items[scope]
            for element in self._properties(scope):
                value = self._value(element)
                if value is not None:
                    for name in _names(element):
                        add(node, name, value)

    def _properties(self, scope: Any) -> list[Any]:
        """The elements that are properties of the item, in the order of the page ("the properties of an item")."""
        referred = self._referred(scope)
        pending = [*reversed(referred), *reversed(scope)]
        passed = {scope} if referred else None
        found = []
        while pending and self.looked_at <= LOOKED_AT:
            element = pending.pop()
            self.looked_at += 1
            if passed is not None:
                if element in passed:
                    continue
                passed.add(element)
            attributes = element.attrib
            if "itemprop" in attributes:
                found.append(element)
            if len(element) and "itemscope" not in attributes:
                pending.extend(reversed(element))
        return sorted(found, key=self._place) if referred else found

    def _referred(self, scope: Any) -> list[Any]:
        names = (scope.get("itemref") or "").split()
        if not names:
            return []
        if self._ids is None:
            self._ids = {one.get("id"): one for one in reversed(self.root.xpath("descendant-or-self::*[@id]"))}
        return [self._ids[name] for name in dict.fromkeys(names) if name in self._ids]

    def _place(self, element: Any) -> int:
        if self._order is None:
            self._order = {one: number for number, one in enumerate(self.root.iter())}
        return self._order[element]

    def _value(self, element: Any) -> Any:
        """The value of the property: an item, an address, what an attribute says, else the text ("property value")."""
        if "itemscope" in element.attrib:
            return self.item(element)
        if element not in self.values:
            self.values[element] = self._plain_value(element)
        return self.values[element]

    def _plain_value(self, element: Any) -> str | None:
        if attribute := _ADDRESS.get(element.tag):
            address = element.get(attribute)
            return element.get("content") if address is None else absolute(self.base, address.strip())
        for attribute in (_WRITTEN.get(element.tag), "content"):
            if attribute and (written := element.get(attribute)) is not None:
                return str(written).strip()
        return None if element.tag == "meta" else self.text_of(element)
