"""Plain text."""

from __future__ import annotations

import codecs

import pytest

from tests.parsers.answers import answer, refused
from yamlcrawl.parsers.text import text_parser


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("a\r\nb\rc\n", "text/plain", "a\nb\nc\n"),
        (codecs.BOM_UTF8 + "é".encode(), "text/plain", "é"),
        ("é".encode("latin-1"), "text/plain; charset=iso-8859-1", "é"),
        ("Łódź 12".encode("utf-16-le"), "text/plain; charset=utf-16le", "Łódź 12"),
        ("User 12".encode("utf-16-le"), "text/plain", "User 12"),
        ("a\0b", "", "ab"),
        ("", "text/html", ""),
        ("<p>source</p>", "text/html", "<p>source</p>"),
    ],
)
def test_text(body: str | bytes, content_type: str, text: str) -> None:
    assert text_parser()(answer(body, content_type)).tree == text


@pytest.mark.parametrize(
    ("body", "content_type"), [(b"%PDF-1.7", "text/plain"), (b"\x89PNG\r\n", ""), ("x", "video/mp4")]
)
def test_what_is_no_text_is_told(body: str | bytes, content_type: str) -> None:
    assert refused(text_parser, body, content_type)[0] == "wrong_format"
