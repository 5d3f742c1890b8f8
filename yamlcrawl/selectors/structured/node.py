"""A node of structured data, whatever syntax it was written in: a mapping as JSON-LD has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Node = dict[str, Any]
"""``@type`` (a name, or a list of several), ``@id``, and each property with its value, or a list of several.

Values are texts, numbers, booleans and nodes. Names of schema.org are plain (``name``), those of others whole IRIs.
"""
Report = Callable[[str], None]
"""Told what could not be read."""

DEPTH = 100
"""Levels of nodes inside nodes that are read; what lies deeper is left out."""


@dataclass(frozen=True, slots=True)
class Found:
    """A node, and the element that it begins with."""

    node: Node
    element: Any


@dataclass(frozen=True, slots=True)
class Nodes:
    """What one syntax says on a page."""

    every: list[Found] = field(default_factory=list)
    """All nodes in the order of the page, those inside others too."""
    alone: list[Found] = field(default_factory=list)
    """Those that are no value of another node."""
    named: dict[str, Node] = field(default_factory=dict)
    """What a reference (`is_reference`) stands for, by its ``@id`` as written, and absolute."""
    is_tree: bool = False
    """No node refers to another one, and none lies in itself."""


def types_of(node: Node) -> list[Any]:
    """The types of a node.

    >>> types_of({"@type": "Recipe"}), types_of({"@type": ["Recipe", "NewsArticle"]}), types_of({})
    (['Recipe'], ['Recipe', 'NewsArticle'], [])
    """
    types = node.get("@type", [])
    return types if isinstance(types, list) else [types]


def add(node: Node, name: str, value: Any) -> None:
    """Give the property one more value."""
    if name not in node:
        node[name] = value
    elif isinstance(node[name], list):
        node[name].append(value)
    else:
        node[name] = [node[name], value]


def is_reference(node: Node) -> bool:
    """Whether the node says nothing but which one is meant."""
    return isinstance(node.get("@id"), str) and all(key in ("@id", "@type") for key in node)


def without_doubles(nodes: Iterable[Found]) -> Iterator[Found]:
    """The nodes without those that another one of the same ``@id`` says already; the fuller one stays."""
    found = list(nodes)
    kept: dict[str, Node] = {}
    doubles: set[int] = set()
    for one in found:
        name = one.node.get("@id")
        if not isinstance(name, str):
            continue
        other = kept.setdefault(name, one.node)
        if other is one.node:
            continue
        if _says(other, one.node):
            doubles.add(id(one.node))
        elif _says(one.node, other):
            doubles.add(id(other))
            kept[name] = one.node
    return (one for one in found if id(one.node) not in doubles)


def _says(node: Node, other: Node) -> bool:
    """Whether the node has all properties of the other one with the same values."""
    return all(name in node and node[name] == value for name, value in other.items())
