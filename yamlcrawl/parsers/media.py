"""Whether an answer is at all of the kind that a format reads."""

from __future__ import annotations

import re
from dataclasses import dataclass

from yamlcrawl.errors import ParseError
from yamlcrawl.model.response import Response

_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
)
_NO_TEXT = ("image/", "audio/", "video/", "font/")
_HTML_TAGS = frozenset("body br center div font form h1 h2 h3 head hr img meta p pre script style table title".split())
_FIRST_TAG = re.compile(
    r"(?>(?:\s+|<!--.*?-->|<\?.*?\?>)*)(<!doctype\s+html|<([a-z][\w:.-]*)[^>]*>?)", re.DOTALL | re.IGNORECASE
)
_MARKUP = re.compile(r"\s*<[!?]")
_XHTML = "http://www.w3.org/1999/xhtml"
_JSON = re.compile(r"\s*[{\[]\s*[\"{\[\]}\d]")
SNIFFED = 4096
"""Signs at the start of a body that are looked at."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a format takes, as the manual's table says it too."""

    wanted: str
    """What it is called in messages."""
    takes: str
    """What is accepted, whatever the server calls it."""
    refuses: frozenset[str]
    """What is `wrong_format`: ``html``, ``json``, ``xml``, ``other`` (what does not begin with a tag)."""


FORMS = {
    "html": Form("HTML", "everything but JSON that says so", frozenset()),
    "json": Form("JSON", "what begins as JSON does, after a guard or inside a call", frozenset(["html", "xml"])),
    "xml": Form(
        "XML",
        "what begins with a tag and is no HTML page (XHTML is XML where its media type says so)",
        frozenset(["html", "json", "other"]),
    ),
    "feed": Form(
        "a feed", "the same, where feedparser finds a feed in it, and JSON Feed", frozenset(["html", "json", "other"])
    ),
    "csv": Form("CSV", "every text that begins neither as HTML or XML nor as JSON", frozenset(["html", "json", "xml"])),
    "text": Form("text", "every text", frozenset()),
    "pdf": Form("a PDF", "what has `%PDF-` in its first 1,024 bytes", frozenset()),
}
"""Format to what is accepted. The beginning of the body counts more than its media type: servers send XML as
``text/html`` and CSV as ``application/octet-stream``. Archives, images, sound, video and fonts are refused by all, a
PDF by all but ``pdf``."""


def media_type(response: Response) -> str:
    """The media type of the answer without parameters, lower case; empty where there is none."""
    return (response.headers.get("content-type") or "").partition(";")[0].strip().lower()


def refuse_binary(response: Response, wanted: str) -> None:
    """Raise ParseError (``wrong_format``) for a body that is surely no text."""
    for magic, name in _MAGIC:
        if response.body.startswith(magic):
            hint = _say("pdf") if magic == b"%PDF-" else ""
            raise ParseError(f"the answer is {name}, not {wanted}{hint}", "wrong_format")
    kind = media_type(response)
    if kind.startswith(_NO_TEXT) and kind != "image/svg+xml":
        raise ParseError(f"the answer is {kind}, not {wanted}", "wrong_format")


def check_media(response: Response, page_format: str, text: str) -> None:
    """Raise ParseError (``wrong_format``) where the answer, whose decoded body is `text`, is surely something else.

    An empty body is never refused.
    """
    form = FORMS[page_format]
    start = text[:SNIFFED]
    if page_format == "pdf" and "%PDF-" in start:
        return
    refuse_binary(response, form.wanted)
    if not start.strip():
        return
    found = kind_of(start, media_type(response))
    if found in form.refuses or page_format == "pdf":
        what = {"html": "an HTML page", "json": "JSON", "xml": "XML"}.get(found)
        said = f"is {what}, not {form.wanted}" if what else f"is not {form.wanted}"
        hint = _say(found) if found in ("json", "xml") else ""
        raise ParseError(f"the answer {said}{hint}; it begins with {start.strip()[:40]!r}", "wrong_format")


def _say(page_format: str) -> str:
    """What would read it, as it is added to a reason."""
    return f" (format: {page_format} reads it)"


def kind_of(start: str, media: str) -> str:
    """What a body is by its beginning: ``html``, ``xml``, ``json`` or ``other``.

    XHTML is XML where the media type says so, or where there is none and its namespace does.

    >>> kind_of("<!DOCTYPE html><h1>No", "text/xml"), kind_of("<rss>", "text/html"), kind_of("a,b", "text/csv")
    ('html', 'xml', 'other')
    """
    tag = _FIRST_TAG.match(start)
    if tag is None:
        return "json" if _JSON.match(start) else "xml" if _MARKUP.match(start) else "other"
    if tag[2] is None or tag[2].lower() == "html":
        is_xml = not media or media.endswith(("/xml", "+xml"))
        return "xml" if media == "application/xhtml+xml" or (is_xml and _XHTML in start) else "html"
    # a server's word for it counts only where no XML declaration contradicts it
    says_html = media == "text/html" and not start.lstrip().startswith("<?xml")
    return "html" if says_html and tag[2].lower() in _HTML_TAGS else "xml"
