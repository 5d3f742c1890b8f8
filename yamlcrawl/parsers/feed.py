"""Feeds (RSS, RDF, Atom, JSON Feed) to plain values, named as feedparser names them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from io import BytesIO
from time import struct_time
from typing import Any

from yamlcrawl.errors import ParseError
from yamlcrawl.model.document import Document, Parse
from yamlcrawl.model.response import Response
from yamlcrawl.parsers.charset import declared_by_xml, decode, undecoded
from yamlcrawl.parsers.directory import Directory, Entry
from yamlcrawl.parsers.html import html_fragment
from yamlcrawl.parsers.json_feed import read_json_feed
from yamlcrawl.parsers.media import check_media
from yamlcrawl.urls import join

_OTHER_NAMES = {
    "channel": ("feed",),
    "items": ("entries",),
    "guid": ("id",),
    "date": ("updated",),
    "modified": ("updated",),
    "issued": ("published",),
    "description": ("summary", "subtitle"),
    "description_detail": ("summary_detail", "subtitle_detail"),
    "tagline": ("subtitle",),
    "tagline_detail": ("subtitle_detail",),
    "copyright": ("rights",),
    "copyright_detail": ("rights_detail",),
    "url": ("href",),
}
"""The names of older formats that feedparser knows too, and the ones under which the values are kept."""
_LEFT_OUT = frozenset(["bozo", "bozo_exception", "headers", "href", "status", "etag", "modified"])
"""What feedparser tells of its own reading."""
_ADDRESSES = ("href", "url", "src", "link")
_HAS_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|$", re.IGNORECASE)
_AS_HTML = frozenset(["text/html", "application/xhtml+xml"])
_NOT_MENDED = frozenset(["NonXMLContentType", "CharacterEncodingOverride", "CharacterEncodingUnknown"])


class Named(dict[str, Any]):
    """A part of a feed; `get` knows the older names too, which are not among its keys.

    >>> entry = Named(id="1", summary="x", tags=[Named(term="a")])
    >>> entry.get("guid"), entry.get("description"), entry.get("category"), list(entry)
    ('1', 'x', 'a', ['id', 'summary', 'tags'])
    """

    def get(self, key: str, default: Any = None) -> Any:
        """The value of the name, or of the one that stands for it."""
        if key in self:
            return self[key]
        for name in _OTHER_NAMES.get(key, ()):
            if name in self:
                return self[name]
        match key:
            case "category":
                return next((tag.get("term") for tag in self.get("tags", ())), default)
            case "enclosures" if "links" in self:
                return [_without_rel(link) for link in self["links"] if link.get("rel") == "enclosure"]
            case "license":
                licences = (link.get("href") for link in self.get("links", ()) if link.get("rel") == "license")
                return next(licences, default)
        return default


def feed_parser(encoding: str | None = None) -> Parse:
    """A parser; ``{feed: {…}, entries: [{…}, …], version}``. An empty body is null.

    Dates are texts, as they were written. Titles are plain text, whatever type they have; their source is under
    ``title_detail.value``. A feed that is not well-formed is read as far as it goes, and told in the warning.
    """

    def parse(response: Response) -> Document:
        declared = declared_by_xml(response.body)
        text, codec = decode(
            response.body, response.headers.get("content-type"), encoding, meta=False, declared=declared
        )
        text = text.lstrip("\ufeff \t\r\n\0")
        if text.startswith("{") and (feed := read_json_feed(text)):
            undone = undecoded(response.body, text, codec)
            return Document(response, "feed", _plain(feed, response.url), response.url, codec, undone)
        check_media(response, "feed", text)
        if not text:
            return Document(response, "feed", None, response.url, codec)
        tree, warning = _read(text, response.url)
        said = "; ".join(filter(None, (undecoded(response.body, text, codec), warning)))
        return Document(response, "feed", tree, response.url, codec, said)

    return parse


def read_feed(response: Response, encoding: str | None = None) -> Directory:
    """The links of a feed's entries, each with the date of its last change, else of its publication.

    Raises ParseError (``wrong_format``) for what is no feed.
    """
    document = feed_parser(encoding)(response)
    if document.tree is None:
        raise ParseError("the answer is no feed: it is empty", "wrong_format")
    entries = document.tree["entries"]
    found = [
        Entry(link.strip(), _date(entry.get("updated")) or _date(entry.get("published")))
        for entry in entries
        if isinstance(link := entry.get("link"), str) and link.strip()
    ]
    return Directory(entries=found, warning=document.warning, without=len(entries) - len(found))


def _date(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _read(text: str, url: str) -> tuple[Named, str]:
    import feedparser

    # a stream: bytes or text alone might be taken for a path or an address, and be opened
    body = BytesIO(text.replace("\0", "").encode("utf-8", "replace"))
    headers = {"content-type": "application/xml; charset=utf-8", "content-location": url}
    try:
        found = feedparser.parse(body, response_headers=headers)
    except Exception as error:  # what a broken feed raises in it is of any kind
        raise ParseError(f"the feed cannot be read: {' '.join(str(error).split())[:120]}") from error
    if not found.get("version") and not found.entries and not found.feed:
        start = text[:40]
        raise ParseError(f"the answer is no feed; it begins with {start!r}", "wrong_format")
    tree = _plain({name: value for name, value in found.items() if name not in _LEFT_OUT}, url)
    return tree, _mended(found.get("bozo_exception"))


def _mended(error: Exception | None) -> str:
    if error is None or type(error).__name__ in _NOT_MENDED:
        return ""
    where = f"line {line}: " if (line := getattr(error, "getLineNumber", lambda: None)()) else ""
    said = getattr(error, "getMessage", lambda: str(error))()
    return f"the feed is not well-formed, and read as far as it goes: {where}{said}"


def _plain(value: Any, url: str) -> Any:
    """The value as JSON could hold it, numbers exact, without feedparser's reading of dates."""
    if isinstance(value, Mapping):
        kept = Named({name: _plain(one, url) for name, one in value.items() if not isinstance(one, struct_time)})
        for name in _ADDRESSES:
            # feedparser leaves some of them as they are, those of enclosures and media for example
            if isinstance(written := kept.get(name), str) and name in kept and not _HAS_SCHEME.match(written):
                kept[name] = join(url, written) or written
        detail = kept.get("title_detail")
        if isinstance(detail, Mapping) and detail.get("type") in _AS_HTML:
            kept["title"] = _text_of(kept.get("title"))
        return kept
    if isinstance(value, (str, bool, int, Decimal)) or value is None:
        return value
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, Sequence):
        return [_plain(one, url) for one in value]
    return str(value)


def _text_of(html: Any) -> Any:
    """What a browser would show of a title."""
    element = html_fragment(html.replace("<br", " <br")) if isinstance(html, str) else None
    return html if element is None else " ".join("".join(element.itertext()).split())


def _without_rel(link: Named) -> Named:
    return Named({name: value for name, value in link.items() if name != "rel"})
