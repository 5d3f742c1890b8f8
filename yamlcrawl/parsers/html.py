"""HTML to an lxml tree."""

from __future__ import annotations

from codecs import BOM_UTF8
from copy import deepcopy
from typing import Any

from lxml import etree

from yamlcrawl.errors import ParseError
from yamlcrawl.model.document import Document, Parse
from yamlcrawl.model.response import Response
from yamlcrawl.parsers.charset import decode, undecoded
from yamlcrawl.parsers.media import media_type, refuse_binary
from yamlcrawl.urls import absolute, join

DEPTH = 2048
"""Levels that the parser keeps; it says so in its log where a page has more."""

_EMPTY = b"<html></html>"


def html_parser(encoding: str | None = None) -> Parse:
    """A parser for one thread (a shared one would make threads wait); `encoding` forces the charset."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, recover=True)

    def parse(response: Response) -> Document:
        _refuse(response)
        text, codec = decode(response.body, response.headers.get("content-type"), encoding)
        body = response.body
        if codec != "utf-8" or "\ufffd" in text or body.startswith(BOM_UTF8):
            body = text.encode("utf-8", "replace")
        if b"\0" in body:
            body = body.replace(b"\0", b"")
        tree, warning = _tree(parser, body)
        if "\ufffd" in text:
            warning = "; ".join(filter(None, (undecoded(response.body, text, codec), warning)))
        base = next((href for element in tree.iter("base") if (href := element.get("href")) is not None), "")
        url = join(response.url, base) or response.url if base else response.url
        return Document(response, "html", tree, url, codec, warning)

    return parse


def html_fragment(text: str) -> Any:
    """The tree of a piece of HTML that stood in another value; None where there is nothing in it."""
    if not text.strip():
        return None
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, recover=True)
    return etree.HTML(text.replace("\0", "").encode("utf-8", "replace"), parser)


def inner_html(element: Any) -> str:
    """What stands between the element's tags, as HTML."""
    if isinstance(element.tag, str) and element.tag in ("script", "style"):
        return element.text or ""
    parts = [_escaped(element.text or "")]
    parts += [etree.tostring(child, encoding="unicode", method="html", with_tail=True) for child in element]
    return "".join(parts).strip()


def whole_html(element: Any) -> str:
    """The element as a page of its own."""
    html: str = etree.tostring(element, encoding="unicode", method="html", with_tail=False)
    return html if element.tag == "html" else f"<html><body>{html}</body></html>"


def readable_html(element: Any, base: str) -> str:
    """The element as HTML with what is read in it alone, without script and style; addresses are absolute."""
    copy = deepcopy(element)
    copy.tail = None
    etree.strip_elements(copy, "script", "style", "template", "head", etree.Comment, etree.PI, with_tail=False)
    for part in copy.iter("a", "img", "video", "source"):
        for name in ("href", "src", "poster"):
            if address := part.get(name):
                part.set(name, absolute(base, address.strip()))
    html: str = etree.tostring(copy, encoding="unicode", method="html")
    return html


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _tree(parser: Any, body: bytes) -> tuple[Any, str]:
    try:
        tree = etree.HTML(body, parser) if body.strip() else None
    except etree.XMLSyntaxError as error:
        if parser.error_log.filter_from_fatals():
            raise ParseError(f"the HTML parser gave up: {error}") from error
        tree = None
    if tree is None:
        return etree.HTML(_EMPTY, parser), ""
    last = parser.error_log.last_error
    if last is not None and last.level_name == "FATAL":
        if "depth" in last.message.lower():
            return tree, f"nested more than {DEPTH:,} levels deep from line {last.line} on; the rest is left out"
        return tree, f"the HTML parser stopped at line {last.line}: {last.message}"
    return tree, ""


def _refuse(response: Response) -> None:
    refuse_binary(response, "HTML")
    if media_type(response).endswith("json") and response.body.lstrip()[:1] in (b"{", b"["):
        raise ParseError("the answer is JSON, not HTML; say  format: json  for this page", "wrong_format")
