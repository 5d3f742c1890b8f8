"""A spec as it was written: values with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from yamlcrawl.errors import Path
from yamlcrawl.options import FlowList, Written

Place = tuple[int, int]
"""Line and column, both from 1."""


@dataclass(slots=True)
class Node:
    """One value of the file; an alias leads to the node of its anchor, so a node may stand in several places."""

    place: Place
    value: str | list[Node] | dict[str, Node] | None = None
    """None where nothing was written."""
    flow: bool = False
    """Written in brackets or braces."""
    cut: str = ""
    """The comment behind a text without quotes, or in the place of a value."""
    keys: dict[str, Place] | None = None
    """Of a mapping: where each key stands."""
    size: int = 1
    """Number of values in it, aliases counted as what they stand for."""
    origin: str = ""
    """Where it comes from if not from the file, e.g. ``--set site.sleep``."""

    def child(self, step: str | int) -> Node | None:
        """The value under a key or at a position."""
        if isinstance(self.value, dict):
            return self.value.get(str(step))
        if isinstance(self.value, list) and isinstance(step, int) and 0 <= step < len(self.value):
            return self.value[step]
        return None

    def children(self) -> Iterator[tuple[str | int, Node]]:
        """Every value right below, with its key or position."""
        if isinstance(self.value, dict):
            yield from self.value.items()
        elif isinstance(self.value, list):
            yield from enumerate(self.value)

    def plain(self) -> Any:
        """The value as models read it: texts, lists and mappings that remember how they were written."""
        if isinstance(self.value, dict):
            return Written((key, node.plain()) for key, node in self.value.items())
        if isinstance(self.value, list):
            values = [node.plain() for node in self.value]
            return FlowList(values) if self.flow else values
        return self.value


@dataclass(frozen=True, slots=True)
class Spot:
    """What a path leads to: the part of it that was written, the place of the value, that of its key."""

    path: Path
    node: Node
    key: Place | None

    @property
    def place(self) -> Place:
        """Where to look: at the value, or at its key where the value begins on a line of its own or is not there."""
        block = isinstance(self.node.value, (dict, list)) and not self.node.flow
        return self.key if self.key and (block or self.node.value is None) else self.node.place


def find(root: Node, path: Path) -> Spot:
    """What stands at a path; steps that nobody wrote, which models add where a short form stands, are left out."""
    spot = Spot((), root, None)
    for step in path:
        child = spot.node.child(step)
        if child is not None:
            spot = Spot((*spot.path, step), child, (spot.node.keys or {}).get(str(step)))
    return spot


def move(root: Node, to: Callable[[Place], Place]) -> None:
    """Give every key and value another place, once each."""
    pending, moved = [root], {id(root)}
    while pending:
        node = pending.pop()
        node.place = to(node.place)
        if node.keys is not None:
            node.keys = {key: to(place) for key, place in node.keys.items()}
        new = [child for _, child in node.children() if id(child) not in moved]
        moved |= {id(child) for child in new}
        pending += {id(child): child for child in new}.values()


def at(root: Node, place: Place) -> Path:
    """The path of the innermost value that begins at a place; empty where there is none."""
    pending: list[tuple[Path, Node]] = [((), root)]
    found: Path = ()
    while pending:
        path, node = pending.pop()
        if node.place == place:
            found = max(found, path, key=len)
        pending.extend(((*path, step), child) for step, child in node.children())
    return found
