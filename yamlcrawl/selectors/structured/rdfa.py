"""RDFa 1.1 in HTML (W3C, RDFa Core 7.5 and HTML+RDFa 3): one walk over the page, a context for each element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from yamlcrawl.selectors.structured.node import Found, Node, Nodes, add
from yamlcrawl.selectors.structured.vocabulary import SCHEMA_ORG, local_name
from yamlcrawl.urls import absolute

TextOf = Callable[[Any], str]

_PREFIXES = {
    "schema": SCHEMA_ORG,
    "og": "http://ogp.me/ns#",
    "article": "http://ogp.me/ns/article#",
    "book": "http://ogp.me/ns/book#",
    "profile": "http://ogp.me/ns/profile#",
    "video": "http://ogp.me/ns/video#",
    "dc": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "gr": "http://purl.org/goodrelations/v1#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "v": "http://rdf.data-vocabulary.org/#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""Prefixes that need no declaration (the initial context of RDFa 1.1, as far as pages use it; Open Graph's besides)."""
_DECLARED = re.compile(r"([^\s:]+):\s+(\S+)")
_SAYING = frozenset(["property", "typeof", "rel", "rev", "about", "resource", "vocab", "prefix", "href", "src"])
_DECLARING = frozenset(["vocab", "prefix", "typeof"])
_OF_HTML = frozenset(
    "alternate bookmark canonical dns-prefetch external help icon manifest modulepreload next nofollow noopener "
    "noreferrer opener pingback preconnect prefetch preload prev search shortcut stylesheet tag".split()
)
"""Link types that say nothing about data."""


def read_rdfa(root: Any, base: str, text_of: TextOf) -> Nodes:
    """The nodes of the page, in the order in which it names them; what is said of the page itself is one of them.

    Names of schema.org are plain, others whole. An address that names no typed node of the page is a text. A `rel` of
    which nothing means a property is as good as none.
    """
    if not root.xpath("boolean(descendant-or-self::*[@property or @typeof])"):
        return Nodes(is_tree=True)
    reader = _Reader(base, text_of, root)
    page = reader.subject(base, root)
    inner = {root: reader.read(root, _Context(page, page, _PREFIXES))}
    for element in _saying(root):
        # an element that says nothing itself may still pass on whom it links to
        way = [element] if element not in inner else []
        while way and (parent := way[-1].getparent()) not in inner:
            way.append(parent)
        for one in reversed(way):
            inner[one] = reader.read(one, inner[one.getparent()])
    return reader.nodes()


def _saying(root: Any) -> Any:
    """The elements that may say something, in the order of the page; links that wait for an address make all addresses
    such elements."""
    attributes = [f"@{name}" for name in sorted(_SAYING - {"href", "src"})]
    if root.xpath("boolean(descendant-or-self::*[(@rel or @rev) and not(@href or @src or @resource)])"):
        attributes += ["@href", "@src"]
    return root.xpath(f"descendant-or-self::*[{' or '.join(attributes)}]")


@dataclass(slots=True, eq=False)
class _Subject:
    """Something that is spoken of."""

    name: str | None
    """Its address; None where it has none."""
    element: Any
    """Where it was named first."""
    said: Node = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Context:
    """What an element inherits ("evaluation context")."""

    subject: _Subject
    object: _Subject
    prefixes: dict[str, str]
    vocabulary: str = ""
    hanging: tuple[tuple[str, bool], ...] = ()
    """Properties that wait for what they lead to, and whether backwards ("incomplete triples")."""

    def inside(self, element: Any, *, is_root: bool) -> _Context:
        """With what the element declares."""
        if not is_root and _DECLARING.isdisjoint(element.attrib):
            return self
        vocabulary = (element.get("vocab") or "").strip() if "vocab" in element.attrib else self.vocabulary
        declared = [(name.lower(), iri) for name, iri in _DECLARED.findall(element.get("prefix") or "")]
        if is_root or "typeof" in element.attrib:
            declared += [(name[6:].lower(), iri) for name, iri in element.attrib.items() if name.startswith("xmlns:")]
        prefixes = self.prefixes | dict(declared) if declared else self.prefixes
        return replace(self, vocabulary=vocabulary, prefixes=prefixes)

    def iris(self, written: str | None) -> list[str]:
        """The whole names in an attribute, without those that mean nothing here."""
        names = map(self._iri, dict.fromkeys((written or "").split()))
        return [name for name in names if name]

    def _iri(self, written: str) -> str:
        prefix, colon, rest = written.partition(":")
        if not colon:
            return self.vocabulary + written if self.vocabulary else ""
        return self.prefixes.get(prefix.lower(), prefix + colon) + rest if not rest.startswith("//") else written


@dataclass(slots=True)
class _Reader:
    """What is said on one page."""

    base: str
    text_of: TextOf
    root: Any
    named: dict[str, _Subject] = field(default_factory=dict)
    order: list[_Subject] = field(default_factory=list)

    def subject(self, name: str | None, element: Any) -> _Subject:
        """What has that address; something new without one."""
        if name is not None and name in self.named:
            return self.named[name]
        subject = _Subject(name, element)
        self.order.append(subject)
        if name is not None:
            self.named[name] = subject
        return subject

    def read(self, element: Any, context: _Context) -> _Context:
        """Note what the element says, and give what its children inherit (the numbers are those of RDFa Core 7.5)."""
        attributes = element.attrib
        is_root = element is self.root
        if not is_root and _SAYING.isdisjoint(attributes):
            return context
        context = context.inside(element, is_root=is_root)  # 2, 3
        rel, rev = self._links(element, context, "rel"), self._links(element, context, "rev")
        if not (rel or rev or len(element) or "property" in attributes or "typeof" in attributes or context.hanging):
            return context  # an empty element that says nothing, as most links in a head are
        subject, target, typed = self._meant(element, context, linked=bool(rel or rev))  # 5, 6
        if typed is not None:  # 7
            for name in context.iris(element.get("typeof")):
                add(typed.said, "@type", local_name(name))
        hanging: list[tuple[str, bool]] = []
        if target is None and (rel or rev):  # 10
            hanging = [(name, False) for name in rel] + [(name, True) for name in rev]
            target = self.subject(None, element)
        elif target is not None:  # 9
            _link(subject, target, [(name, False) for name in rel] + [(name, True) for name in rev])
        if "property" in attributes:  # 11
            value = self._value(element, typed, linked=bool(rel or rev))
            for name in context.iris(element.get("property")):
                add(subject.said, local_name(name), value)
        elif subject is context.object and typed is None and target is None:  # 13, an element that is passed over
            return context
        _link(context.subject, subject, context.hanging)  # 12
        return replace(context, subject=subject, object=target or subject, hanging=tuple(hanging))

    def _meant(
        self, element: Any, context: _Context, *, linked: bool
    ) -> tuple[_Subject, _Subject | None, _Subject | None]:
        """What the element speaks of, what it leads to, and what its types are types of."""
        attributes, has_type = element.attrib, "typeof" in element.attrib
        about = self._address(element, "about")
        link = self._address(element, "resource", "href", "src")
        if linked:
            target = link or (self.subject(None, element) if has_type and about is None else None)
            return about or context.object, target, (about or target) if has_type else None
        if "property" in attributes and "content" not in attributes and "datatype" not in attributes:
            typed = None
            if has_type:
                typed = about or (context.object if element is self.root else link or self.subject(None, element))
            return about or context.object, typed, typed
        subject = about or link
        if subject is None:
            is_page = element is self.root or element.tag in ("head", "body")
            subject = self.subject(None, element) if has_type and not is_page else context.object
        return subject, None, subject if has_type else None

    def _address(self, element: Any, *attributes: str) -> _Subject | None:
        for attribute in attributes:
            written = element.get(attribute)
            if written is not None and not (attribute in ("about", "resource") and written.startswith("[")):
                name = written.strip()
                return self.subject(name if name.startswith("_:") else absolute(self.base, name), element)
        return None

    @staticmethod
    def _links(element: Any, context: _Context, attribute: str) -> list[str]:
        written = [one for one in (element.get(attribute) or "").split() if one.lower() not in _OF_HTML]
        if "property" in element.attrib:  # HTML+RDFa 3.1: terms are meant for HTML then
            written = [one for one in written if ":" in one]
        return context.iris(" ".join(written))

    def _value(self, element: Any, typed: _Subject | None, *, linked: bool) -> Any:
        attributes = element.attrib
        for attribute in ("content", "datetime"):
            if attribute in attributes:
                return str(attributes[attribute]).strip()
        if "datatype" not in attributes:
            if not linked and (link := self._address(element, "resource", "href", "src")) is not None:
                return link
            if typed is not None and "about" not in attributes:
                return typed
        return self.text_of(element)

    def nodes(self) -> Nodes:
        """The nodes, subjects in the place of those that were spoken of."""
        spoken = [subject for subject in self.order if subject.said]
        numbers = {id(subject): number for number, subject in enumerate(spoken)}
        nodes: list[Node] = [
            {} if one.name is None or one.name.startswith("_:") else {"@id": one.name} for one in spoken
        ]
        inner: set[int] = set()

        def meant(value: Any, number: int) -> Any:
            if not isinstance(value, _Subject):
                return value
            there = numbers.get(id(value), number)
            if there == number or (value.name is not None and "@type" not in value.said):
                return value.name
            if there > number:
                inner.add(there)
            return nodes[there]

        for number, (subject, node) in enumerate(zip(spoken, nodes, strict=True)):
            for name, value in subject.said.items():
                values = [meant(one, number) for one in (value if isinstance(value, list) else [value])]
                node[name] = values if len(values) > 1 else values[0]
        every = [Found(node, subject.element) for subject, node in zip(spoken, nodes, strict=True)]
        return Nodes(every, [found for number, found in enumerate(every) if number not in inner])


def _link(subject: _Subject, target: _Subject, properties: Iterable[tuple[str, bool]]) -> None:
    for name, backwards in properties:
        if backwards:
            add(target.said, local_name(name), subject)
        else:
            add(subject.said, local_name(name), target)
