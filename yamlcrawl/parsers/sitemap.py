"""Sitemaps of every form to the addresses that they list (sitemaps.org, protocol 0.9)."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from lxml import etree

from yamlcrawl.errors import ParseError
from yamlcrawl.parsers.charset import decode
from yamlcrawl.parsers.directory import Directory, Entry

LARGEST = 52_428_800
"""Bytes of one sitemap when it is unpacked: what the protocol allows. The rest is left out, and said so."""

_GZIP = b"\x1f\x8b"
_INDEX, _URLS, _RSS, _ATOM = "sitemapindex", "urlset", ("rss", "RDF"), "feed"
_ENTRY = {"sitemap": "lastmod", "url": "lastmod", "item": "pubDate", "entry": "updated"}
"""The element of an entry to the child that says when it was changed."""
_DATES = {"lastmod", "pubDate", "updated", "published", "date"}

_OPEN_AMPERSAND = re.compile(
    rb"(<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<!DOCTYPE[^>\[]*(?:\[.*?(?:\]\s*>|\Z)|>|\Z))|&(?!#?\w+;)",
    re.DOTALL,
)
"""An ampersand that begins no entity, as many write them in queries; it is read as itself. In comments, character
data and the document type it is none."""


def read_sitemap(body: bytes, content_type: str | None = None) -> Directory:
    """The entries of a sitemap: an index, a urlset, plain text (an address a line), RSS or Atom, each also gzipped.

    Names count in any namespace, entities are not expanded. Raises ParseError (``wrong_format``) for what is none.

    >>> read_sitemap(b"http://a.test/1\\nhttp://a.test/2\\n").entries[1].address
    'http://a.test/2'
    """
    body, warning = _unpacked(body)
    start = body[:512].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")
    sitemap = _xml(body) if start.startswith((b"<", b"\0<")) else _text(body, content_type)
    sitemap.warning = warning or sitemap.warning
    return sitemap


def _unpacked(body: bytes) -> tuple[bytes, str]:
    """The body without gzip, as far as it can be unpacked, and why not farther."""
    if not body.startswith(_GZIP):
        return (body, "") if len(body) <= LARGEST else (body[:LARGEST], _too_long())
    parts: list[bytes] = []
    left = LARGEST
    while body.startswith(_GZIP):
        stream = zlib.decompressobj(wbits=31)
        try:
            part = stream.decompress(body, left + 1)
        except zlib.error as error:
            return b"".join(parts), f"its gzip is broken ({error})"
        parts.append(part[:left])
        left -= len(part)
        if left < 0:
            return b"".join(parts), _too_long()
        if not stream.eof:
            return b"".join(parts), "its gzip is cut"
        body = stream.unused_data
    return b"".join(parts), ""


def _too_long() -> str:
    return f"it is longer than the {LARGEST:,} bytes that the protocol allows"


def _text(body: bytes, content_type: str | None) -> Directory:
    text, _ = decode(body, content_type, meta=False)
    lines = [line.strip() for line in text.splitlines()]
    entries = [Entry(line, None) for line in lines if line.lower().startswith(("http://", "https://"))]
    others = sum(1 for line in lines if line) - len(entries)
    if not entries:
        shown = f"it begins with {text.strip()[:40]!r}" if text.strip() else "it is empty"
        raise ParseError(f"the answer is no sitemap: {shown}", "wrong_format")
    return Directory(entries=entries, warning=f"{others:,} of its lines are no addresses" if others else "")


def _xml(body: bytes) -> Directory:
    sitemap = Directory()
    events = etree.iterparse(
        BytesIO(_OPEN_AMPERSAND.sub(lambda found: found[1] or b"&amp;", body)),
        events=("start", "end"),
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        sitemap.entries.extend(_entries(events, sitemap))
    except etree.XMLSyntaxError as error:
        if not sitemap.entries:
            raise ParseError(f"the answer is no sitemap: {error}", "wrong_format") from error
    if broken := events.error_log.last_error:
        sitemap.warning = f"its XML is broken at line {broken.line}: {broken.message}"
    return sitemap


def _entries(events: Any, sitemap: Directory) -> Iterator[Entry]:
    root = None
    for event, element in events:
        name = _name(element)
        if root is None:
            root = element
            sitemap.nested = name == _INDEX
            if name not in (_INDEX, _URLS, *_RSS, _ATOM):
                raise ParseError(f"the answer is no sitemap: its first element is <{name}>", "wrong_format")
        elif event == "end" and name in _ENTRY:
            if entry := _entry(element):
                yield entry
            # what was read is let go, or a long sitemap would fill the memory
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    if root is None:
        raise ParseError("the answer is no sitemap: it has no element", "wrong_format")


def _entry(element: Any) -> Entry | None:
    address, modified, own = "", None, ""
    for child in element:
        name = _name(child)
        if name in ("loc", "link") and not address:
            address = _link(child)
        elif name in ("guid", "id") and not own:
            own = (child.text or "").strip()
        elif name in _DATES and modified is None:
            modified = (child.text or "").strip() or None
    if not address and own.startswith(("http://", "https://")):
        address = own
    return Entry(address, modified) if address else None


def _link(child: Any) -> str:
    """The address of a ``loc`` or ``link``; empty for links of Atom that are none to the page itself."""
    href = child.get("href")
    if href is not None:
        return href.strip() if child.get("rel", "alternate") == "alternate" else ""
    # an entity that is not expanded ends the text of the element
    return (child.text or "").strip()


def _name(element: Any) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""
