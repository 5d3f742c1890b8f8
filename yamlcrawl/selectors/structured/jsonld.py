"""JSON-LD in scripts (W3C, JSON-LD 1.1): contexts are applied as far as they name schema.org, none is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from yamlcrawl.selectors.structured.lenient import BrokenError, read_lenient
from yamlcrawl.selectors.structured.node import DEPTH, Found, Node, Nodes, Report, add, is_reference
from yamlcrawl.selectors.structured.vocabulary import local_name
from yamlcrawl.urls import absolute

_KEYWORDS = frozenset(["@id", "@type", "@value", "@list", "@set", "@graph"])
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def is_jsonld(script: Any) -> bool:
    """Whether the script element holds JSON-LD."""
    written = script.get("type")
    return written is not None and written.partition(";")[0].strip().lower() == "application/ld+json"


def read_jsonld(scripts: Iterable[Any], base: str, report: Report) -> Nodes:
    """The nodes of the scripts, each read on its own: a broken one is reported, and the others count.

    Entities in texts without tags are characters. Names of schema.org are plain, keywords and ``@id`` stay as written,
    ``@context`` is gone.
    """
    every: list[Found] = []
    alone: list[Found] = []
    for script in scripts:
        reader = _Reader(every, alone, script, report)
        try:
            values = read_lenient(script.text or "")
        except BrokenError as error:
            report(f"JSON-LD that is broken: {error}")
            continue
        for value in values:
            reader.top(value)
    named: dict[str, Node] = {}
    refers = False
    for found in every:
        name = found.node.get("@id")
        if not isinstance(name, str):
            continue
        if is_reference(found.node):
            refers = True
        else:
            for spelling in {name, absolute(base, name)}:
                if len(found.node) > len(named.get(spelling, ())):
                    named[spelling] = found.node
    return Nodes(every, alone, named, is_tree=not refers)


@dataclass(frozen=True, slots=True)
class _Context:
    """What names mean where they stand."""

    prefixes: dict[str, str] = field(default_factory=dict)
    terms: dict[str, str] = field(default_factory=dict)
    vocabulary: str = ""
    """Of types without a prefix; empty for schema.org."""

    def inside(self, written: Any) -> _Context:
        """The context inside a node that has this ``@context``."""
        prefixes, terms, vocabulary = dict(self.prefixes), dict(self.terms), self.vocabulary
        for one in written if isinstance(written, list) else [written]:
            if not isinstance(one, dict):
                continue
            for term, meaning in one.items():
                meaning = meaning.get("@id") if isinstance(meaning, dict) else meaning
                if not isinstance(meaning, str):
                    continue
                if term == "@vocab":
                    vocabulary = "" if local_name(meaning + "x") == "x" else meaning
                elif meaning in _KEYWORDS:
                    terms[term] = meaning
                elif meaning.endswith(("/", "#")):
                    prefixes[term] = meaning
                elif not term.startswith("@"):
                    terms[term] = meaning
        return _Context(prefixes, terms, vocabulary)

    def name(self, written: str) -> str:
        """The name as it is without a context, if it is one of schema.org's; others stay as written."""
        meaning = self._iri(self.terms.get(written, written))
        if meaning in _KEYWORDS:
            return meaning
        plain = local_name(meaning)
        return plain if plain != meaning else written

    def type(self, written: Any) -> Any:
        """The type, whole where it is none of schema.org's."""
        if not isinstance(written, str):
            return written
        meaning = self._iri(self.terms.get(written, written))
        if self.vocabulary and ":" not in meaning:
            return self.vocabulary + meaning
        return local_name(meaning)

    def _iri(self, written: str) -> str:
        prefix, colon, rest = written.partition(":")
        return self.prefixes[prefix] + rest if colon and prefix in self.prefixes else written


@dataclass(slots=True)
class _Reader:
    """Reads the values of one script."""

    every: list[Found]
    alone: list[Found]
    script: Any
    report: Report
    cut: bool = False

    def top(self, value: Any) -> None:
        """A value that stands by itself: a node, or a list of them."""
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                self._node(one, _Context(), 1, alone=True)

    def _node(self, written: dict[str, Any], context: _Context, depth: int, *, alone: bool) -> Node:
        if "@context" in written:
            context = context.inside(written["@context"])
        node: Node = {}
        if not _only_groups(written, context):
            found = Found(node, self.script)
            self.every.append(found)
            if alone:
                self.alone.append(found)
        for key, value in written.items():
            name = context.name(key)
            if name == "@context":
                continue
            if name == "@type":
                node[name] = [*map(context.type, value)] if isinstance(value, list) else context.type(value)
            elif name == "@id":
                node[name] = value
            elif name == "@graph":
                self._graph(value, context, depth + 1)
            else:
                self._add(node, name, self._value(value, context, depth + 1))
        return node

    def _graph(self, value: Any, context: _Context, depth: int) -> None:
        if depth > DEPTH:
            self._too_deep()
            return
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                self._node(one, context, depth, alone=True)

    def _add(self, node: Node, name: str, value: Any) -> None:
        if name not in node:
            node[name] = value
            return
        # the same property under two names, such as name and schema:name
        for one in value if isinstance(value, list) else [value]:
            add(node, name, one)

    def _value(self, value: Any, context: _Context, depth: int) -> Any:
        if isinstance(value, str):
            return unescaped(value)
        if not isinstance(value, (dict, list)):
            return value
        if depth > DEPTH:
            self._too_deep()
            return None
        if isinstance(value, list):
            return [self._value(one, context, depth + 1) for one in value]
        for wrapper in ("@value", "@list", "@set"):
            if wrapper in value:
                return self._value(value[wrapper], context, depth + 1)
        return self._node(value, context, depth, alone=False)

    def _too_deep(self) -> None:
        if not self.cut:
            self.cut = True
            self.report(f"JSON-LD that is nested more than {DEPTH} levels deep; the rest is left out")


def _only_groups(written: dict[str, Any], context: _Context) -> bool:
    """Whether the mapping is there for its ``@graph`` alone, and no node itself."""
    names = {context.name(key) for key in written}
    return "@graph" in names and names <= {"@graph", "@context", "@id", "@type"}


def unescaped(text: str) -> str:
    """The text with its entities as characters, as far as they end in a semicolon; HTML stays as it is.

    >>> unescaped("Fish &amp; Chips"), unescaped("<b>Fish &amp; Chips</b>"), unescaped("/?a=1&copy=2")
    ('Fish & Chips', '<b>Fish &amp; Chips</b>', '/?a=1&copy=2')
    """
    if "&" not in text or "<" in text:
        return text
    return _ENTITY.sub(lambda found: unescape(found[0]), text)
