"""Plain text."""

from __future__ import annotations

from yamlcrawl.model.document import Document, Parse
from yamlcrawl.model.response import Response
from yamlcrawl.parsers.charset import decode, two_byte_units, undecoded
from yamlcrawl.parsers.media import check_media


def text_parser(encoding: str | None = None) -> Parse:
    """A parser: one text, whose lines end in a line feed alone; NULs are left out."""

    def parse(response: Response) -> Document:
        text, codec = read_text(response, encoding)
        check_media(response, "text", text)
        return Document(response, "text", text, response.url, codec, undecoded(response.body, text, codec))

    return parse


def read_text(response: Response, encoding: str | None) -> tuple[str, str]:
    """The body as text and the codec that read it: `encoding`, else mark, header and detection tell it."""
    body, content_type = response.body, response.headers.get("content-type")
    text, codec = decode(body, content_type, encoding, meta=False, declared=two_byte_units(body))
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""), codec
