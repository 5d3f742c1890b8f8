"""YAML text to a tree: texts stay texts, keys are unique, aliases cannot blow up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from yamlcrawl.errors import Path
from yamlcrawl.options import Plain, quoted, shown
from yamlcrawl.spec.yaml.tree import Node, Place

DEEPEST = 50
"""Levels of nesting; no spec needs a third of them."""
LARGEST = 100_000
"""Values in all, aliases counted as what they stand for: a file of some lines can stand for more than memory holds."""

Note = Callable[[Place, Path, str, str], None]
"""Takes what is wrong: place, path, what, fix."""


class UnreadableError(Exception):
    """Something after which nothing more can be read of a file."""

    def __init__(self, place: Place, what: str, fix: str) -> None:
        super().__init__(what)
        self.place = place
        self.what = what
        self.fix = fix


@dataclass(slots=True)
class _Open:
    """A mapping or list that is being read."""

    node: Node
    path: Path
    anchor: str | None
    key: str | None = None
    key_place: Place = (0, 0)
    skip: bool = False
    """The value of the key that stands next is not kept."""


@dataclass(slots=True)
class Composer:
    """Builds the tree of one document; what is wrong with it, but can be read past, goes to `note`."""

    lines: list[str]
    note: Note
    _stack: list[_Open] = field(default_factory=list)
    _anchors: dict[str, Node | None] = field(default_factory=dict)
    """None while the anchored value is still being read."""
    _unused: dict[str, tuple[Place, Path]] = field(default_factory=dict)
    _root: Node | None = None

    def compose(self, events: Iterator[yaml.Event]) -> Node | None:
        """The document's tree; None where there is no value. Raises yaml.YAMLError and UnreadableError."""
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.note(
                        _place(event.start_mark),
                        (),
                        "a second document begins here",
                        "keep one spec in a file; drop ---",
                    )
                    break
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event)
            elif isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._begin(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._end()
        for name, (place, path) in self._unused.items():
            self._accident(place, path, f'YAML takes "&{name}" for an anchor, and nothing uses it')
        return self._root

    def _path(self) -> Path:
        if not self._stack:
            return ()
        top = self._stack[-1]
        if isinstance(top.node.value, list):
            return (*top.path, len(top.node.value))
        return top.path if top.key is None else (*top.path, top.key)

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        place = _place(event.start_mark)
        path = self._path()
        if self._awaits_key():
            self._key(event.value, place, plain=event.style is None)
            return
        node = Node(place)
        if event.style is None:
            node.cut = self._comment(event)
            node.value = Plain(event.value, node.cut) if event.value or event.tag else None
        else:
            node.value = event.value
        if event.tag is not None:
            self._tag(event, path)
            node.value = event.value
        if event.anchor is not None:
            self._anchors[event.anchor] = node
            self._unused[event.anchor] = place, path
        self._add(node)

    def _comment(self, event: yaml.ScalarEvent) -> str:
        line, column = _place(event.end_mark)
        rest = self.lines[line - 1][column - 1 :] if line <= len(self.lines) else ""
        found = re.match(r"[ \t]*(#.*?)\s*$", rest)
        return found[1] if found else ""

    def _tag(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, path: Path) -> None:
        place = _place(event.start_mark)
        word = self.lines[place[0] - 1][place[1] - 1 :].split()[0]
        self._accident(place, path, f'YAML takes "{word}" for a tag, and specs have none')

    def _accident(self, place: Place, path: Path, what: str) -> None:
        line = self.lines[place[0] - 1]
        value = re.sub(r"\s+#\s.*$", "", line[place[1] - 1 :]).strip()
        key = f"{path[-1]}: " if path and isinstance(path[-1], str) else "- " if path else ""
        self.note(place, path, what, f"quote it: {key}{quoted(value)}")

    def _alias(self, event: yaml.AliasEvent) -> None:
        name, place = str(event.anchor), _place(event.start_mark)
        if self._awaits_key():
            self._key(f"*{name}", place, plain=False)
            self.note(place, self._path(), f"*{name} stands where a key is needed", "write the key itself")
            return
        self._unused.pop(name, None)
        node = self._anchors.get(name)
        if node is None:
            if name in self._anchors:
                self.note(place, self._path(), f"*{name} stands inside what it stands for", "write it out")
            else:
                what = f'YAML reads "*{name}" as an alias, and there is no anchor "&{name}" before it'
                self._accident(place, self._path(), what)
            node = Node(place, Plain(f"*{name}"))
        self._add(node)

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        place, path = _place(event.start_mark), self._path()
        if len(self._stack) >= DEEPEST:
            raise UnreadableError(place, f"more than {DEEPEST} levels are nested here", "nest less")
        mapping = isinstance(event, yaml.MappingStartEvent)
        if self._awaits_key():
            written = self.lines[place[0] - 1][place[1] - 1 :].partition(":")[0].strip()
            raise UnreadableError(
                place,
                f"{shown(written)} stands where a key is needed",
                "a key is a text; a template is ${name}, quoted",
            )
        if event.tag is not None:
            self._tag(event, path)
        node = Node(place, {} if mapping else [], flow=bool(event.flow_style), keys={} if mapping else None)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._stack.append(_Open(node, path, event.anchor))

    def _end(self) -> None:
        done = self._stack.pop()
        if done.anchor is not None:
            self._anchors[done.anchor] = done.node
        self._add(done.node)

    def _awaits_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1].node.value, dict) and self._stack[-1].key is None

    def _key(self, name: str, place: Place, *, plain: bool) -> None:
        top = self._stack[-1]
        top.key, top.key_place, top.skip = name, place, False
        if name == "<<" and plain:
            top.skip = True
            fix = "repeat the keys, or give the whole mapping an anchor and write its alias"
            self.note(place, self._path(), "merge keys (<<) are not part of the language", fix)
        elif name in (top.node.keys or {}):
            top.skip = True
            first = (top.node.keys or {})[name][0]
            self.note(
                place, self._path(), f'"{name}" stands here twice: in line {first} and in line {place[0]}', "rename one"
            )

    def _add(self, node: Node) -> None:
        if not self._stack:
            self._root = node
            return
        top = self._stack[-1]
        if isinstance(top.node.value, list):
            top.node.value.append(node)
        elif isinstance(top.node.value, dict) and top.key is not None:
            if not top.skip and top.node.keys is not None:
                top.node.value[top.key] = node
                top.node.keys[top.key] = top.key_place
            top.key, top.skip = None, False
        top.node.size += node.size
        if top.node.size > LARGEST:
            raise UnreadableError(
                node.place,
                f"with its aliases the spec stands for more than {LARGEST:,} values",
                "use fewer aliases, or split the spec",
            )


def _place(mark: Any) -> Place:
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def split_lines(text: str) -> list[str]:
    """The lines as YAML counts them (YAML 1.1, section 5.4)."""
    return re.split("\r\n|[\n\r\x85\u2028\u2029]", text)


def compose(text: str, note: Note) -> Node | None:
    """The tree of a YAML text; raises yaml.YAMLError where it is none, and UnreadableError."""
    return Composer(split_lines(text), note).compose(yaml.parse(text, Loader=yaml.SafeLoader))
