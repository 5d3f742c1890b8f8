"""Nodes made whole: references replaced by what they name, circles and endless growth cut."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from yamlcrawl.selectors.structured.node import DEPTH, Node

LARGEST = 10_000
"""Values that one node may get by references (and by what lies in it twice), those nearest to it first."""
LARGEST_PAGE = 200_000
"""The same for all nodes that are asked for on one page."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A node, and those that it lies in."""

    node: Node
    outer: _Way | None = None
    depth: int = 1
    again: bool = False
    """It came by a reference, or lies here twice."""

    def has(self, node: Node) -> bool:
        """Whether the node is one of these."""
        way: _Way | None = self
        while way is not None:
            if way.node is node:
                return True
            way = way.outer
        return False


@dataclass(slots=True)
class Completion:
    """Makes the nodes of one page whole."""

    meant_by: Callable[[Node], Node | None]
    """The node that a reference means; None for what is no reference, or means nothing here."""
    left: int = LARGEST_PAGE
    """Values that references may still bring."""
    cut: bool = False
    """Something was left out since it lay too deep, or would have grown too large."""
    _least: int = 0
    _seen: set[int] = field(default_factory=set)
    _pending: deque[tuple[_Way, Node]] = field(default_factory=deque)

    def complete(self, node: Node) -> Node:
        """A copy of the node with each reference replaced by the node that it means.

        A node never lies in itself: where it would, its ``@id`` stands alone. Nodes that several others hold, and
        circles, are as good as a tree.
        """
        copy: Node = {}
        self._least = max(0, self.left - LARGEST)
        self._seen = {id(node)}
        self._pending.append((_Way(node), copy))
        while self._pending:
            way, target = self._pending.popleft()
            if way.again and self._is_full():
                target.update((name, way.node[name]) for name in ("@id", "@type") if name in way.node)
                continue
            for name, value in way.node.items():
                target[name] = self._copied(value, way, way.depth)
        return copy

    def _copied(self, value: Any, way: _Way, depth: int) -> Any:
        self.left -= way.again
        if isinstance(value, dict):
            return self._inner(value, way, depth)
        if not isinstance(value, list):
            return value
        if depth >= DEPTH:
            self.cut = True
            return None
        copies = (self._copied(entry, way, depth + 1) for entry in value)
        return [copy for copy, entry in zip(copies, value, strict=True) if copy is not None or entry is None]

    def _inner(self, value: Node, way: _Way, depth: int) -> Node | None:
        node = self.meant_by(value) or value
        again = way.again or node is not value or id(node) in self._seen
        if way.has(node) or (again and self._is_full()) or self._is_too_deep(depth):
            return {"@id": node["@id"]} if "@id" in node else None
        self._seen.add(id(node))
        copy: Node = {}
        self._pending.append((_Way(node, way, depth + 1, again), copy))
        return copy

    def _is_full(self) -> bool:
        full = self.left < self._least
        self.cut = self.cut or full
        return full

    def _is_too_deep(self, depth: int) -> bool:
        self.cut = self.cut or depth >= DEPTH
        return depth >= DEPTH
