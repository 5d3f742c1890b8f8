"""XML to an lxml tree: no entity is expanded, nothing is loaded."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5
from typing import Any

from lxml import etree

from yamlcrawl.errors import ParseError
from yamlcrawl.model.document import Document, Parse
from yamlcrawl.model.response import Response
from yamlcrawl.parsers.charset import declared_by_xml, decode, undecoded
from yamlcrawl.parsers.media import check_media
from yamlcrawl.urls import join

BASE = "{http://www.w3.org/XML/1998/namespace}base"
ENTITIES_SHOWN = 5

_EMPTY = b"<empty/>"
_FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What XML 1.0 (2.2) does not allow; it carries nothing."""
_OPEN_REFERENCE = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<!DOCTYPE[^>\[]*(?:\[.*?(?:\]\s*>|\Z)|>|\Z)"
    r"|&(#?\w+;)?",
    re.DOTALL | re.ASCII,
)
"""Every ampersand, and the parts in which it means itself; one that is never closed goes to the end, so that a body
of openings alone is not looked through again and again."""
_NUMBER = re.compile(r"#(?:x([0-9a-f]{1,9})|([0-9]{1,9}));", re.IGNORECASE)
_PREFIX = re.compile(r"\sxmlns:([\w.-]+)\s*=")
_OWN = frozenset(["amp;", "lt;", "gt;", "quot;", "apos;"])
"""The entities that every XML document has (XML 1.0, 4.6)."""


def xml_parser(encoding: str | None = None) -> Parse:
    """A parser for one thread; `encoding` forces the charset, else mark, header, declaration and detection tell it.

    A document that is not well-formed is `parse_failed`, but for what can be mended without a guess: open ampersands,
    entities of HTML, numbers of forbidden signs, and prefixes that nothing declares. That is told in the warning.
    """
    strict, mending = _parser(recover=False), _parser(recover=True)

    def parse(response: Response) -> Document:
        declared = declared_by_xml(response.body)
        content_type = response.headers.get("content-type")
        text, codec = decode(response.body, content_type, encoding, meta=False, declared=declared)
        said = [undecoded(response.body, text, codec)]
        text, forbidden = _FORBIDDEN.subn("", text.strip("\0"))
        if forbidden:
            said.append(f"{forbidden:,} control characters, which XML forbids, are left out")
        text = text.lstrip("\ufeff \t\r\n")
        check_media(response, "xml", text)
        tree, mended = _tree(text, strict, mending)
        warning = "; ".join(filter(None, (*said, mended)))
        base = join(response.url, tree.get(BASE) or "") or response.url
        declared_prefixes = frozenset(_PREFIX.findall(text)) | {"xml"}
        bases = _bases(tree, response.url) if "xml:base" in text else None
        return Document(response, "xml", tree, base, codec, warning, bases, declared_prefixes)

    return parse


def inner_xml(element: Any) -> str:
    """What stands between the element's tags, as XML; the text itself where it is nothing but text.

    So a feed's escaped or quoted HTML comes out as HTML.
    """
    if not len(element):
        return (element.text or "").strip() if isinstance(element.tag, str) else ""
    lead = element.text or ""
    parts = [lead.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")]
    parts += [etree.tostring(child, encoding="unicode", with_tail=True) for child in element]
    return "".join(parts).strip()


def _parser(*, recover: bool) -> Any:
    return etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=recover
    )


def _tree(text: str, strict: Any, mending: Any) -> tuple[Any, str]:
    if not text:
        return etree.fromstring(_EMPTY, strict), ""
    try:
        tree, said = etree.fromstring(text.encode("utf-8", "replace"), strict), ""
    except etree.XMLSyntaxError as error:
        tree, said = _mended(text, strict.error_log.last_error, error, mending)
    left = _references(tree)
    if any(name[1:] in html5 for name in left):
        # the document type names them in a file of its own, which is not loaded
        tree = etree.fromstring(_OPEN_REFERENCE.sub(_closed, text).encode("utf-8", "replace"), mending)
        left = _references(tree)
    return tree, "; ".join(filter(None, (said, _unexpanded(left))))


def _mended(text: str, first: Any, error: Exception, parser: Any) -> tuple[Any, str]:
    """The tree after what can be mended is; raises ParseError for what is broken otherwise."""
    if first is None or first.type_name == "ERR_RESOURCE_LIMIT":
        raise _given_up(first, error) from error
    try:
        tree = etree.fromstring(_OPEN_REFERENCE.sub(_closed, text).encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as again:
        raise _given_up(first, error) from again
    worse = [entry for entry in parser.error_log if entry.type_name != "NS_ERR_UNDEFINED_NAMESPACE"]
    if worse or tree is None:
        raise _given_up(worse[0] if worse else first, error) from error
    return tree, f"not well-formed, and mended: line {first.line}: {_in_words(first.message)}"


def _closed(found: re.Match[str]) -> str:
    """An ampersand that begins no entity as the sign itself, an entity of HTML as its character.

    A number of a sign that XML forbids is left out.
    """
    if found[0][0] != "&":
        return found[0]
    name = found[1]
    if name is None:
        return "&amp;"
    if number := _NUMBER.fullmatch(name):
        return found[0] if _is_sign(int(number[1] or number[2], 16 if number[1] else 10)) else ""
    if name in _OWN:
        return found[0]
    return "".join(f"&#{ord(sign)};" for sign in html5[name]) if name in html5 else found[0]


def _is_sign(number: int) -> bool:
    """Whether XML knows the sign of that number (XML 1.0, 2.2).

    >>> [_is_sign(number) for number in (0, 9, 0x1F, 0x41, 0xD800, 0x1F600, 0x110000)]
    [False, True, False, True, False, True, False]
    """
    return (
        number in (9, 10, 13) or 0x20 <= number <= 0xD7FF or 0xE000 <= number <= 0xFFFD or 0x10000 <= number <= 0x10FFFF
    )


def _given_up(entry: Any, error: Exception) -> ParseError:
    if entry is None:
        return ParseError(f"the XML cannot be read: {_in_words(str(error))}")
    said = _in_words(entry.message)
    if "depth" in said:
        said = "it is nested too deeply"
    elif "amplification" in said:
        said = "its entities blow up, so they were not expanded"
    elif entry.type_name == "ERR_RESOURCE_LIMIT":
        said = f"a part of it is too large: {said}"
    return ParseError(f"the XML cannot be read: line {entry.line}: {said}")


def _in_words(said: str) -> str:
    said = said.partition(", see ")[0].strip().rstrip(".")
    return said[:1].lower() + said[1:]


def _references(tree: Any) -> list[str]:
    """The entities that stand in the text, each once: ``&name;``."""
    if tree.getroottree().docinfo.internalDTD is None:
        return []
    return list(dict.fromkeys(entity.text for entity in tree.iter(etree.Entity)))


def _unexpanded(names: list[str]) -> str:
    """What is said of entities that were left out."""
    if not names:
        return ""
    more = f" and {len(names) - ENTITIES_SHOWN} more" if len(names) > ENTITIES_SHOWN else ""
    return f"entities are not expanded, their texts are left out: {', '.join(names[:ENTITIES_SHOWN])}{more}"


def _bases(tree: Any, url: str) -> Callable[[Any], str] | None:
    """What tells an element's own base (XML Base, 4), where elements inside the outermost one name some."""
    if not any(element is not tree for element in tree.iterfind(f".//*[@{BASE}]")):
        return None

    def base_of(element: Any) -> str:
        named = [base for one in (element, *element.iterancestors()) if (base := one.get(BASE)) is not None]
        base = url
        for written in reversed(named):
            base = join(base, written) or base
        return base

    return base_of
