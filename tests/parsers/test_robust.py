"""Whatever a server sends: a parser gives a document or a ParseError that says why, and never anything else."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.parsers.answers import answer
from tests.parsers.pdfs import made
from yamlcrawl.compiler.pages import PARSERS
from yamlcrawl.errors import ParseError

XML = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><a xmlns:d="u" xml:base="/q"><b c="1">t&amp;<d:e/>&x;</b></a>'
GOOD = {
    "html": b"<html><body><a href=x>y</a><table><tr><td>1",
    "json": b'{"a": [1, 2.5, {"b": null}]}',
    "xml": XML.encode(),
    "feed": b'<rss version="2.0"><channel><item><title>&lt;b&gt;x</title><link>/a</link></item></channel></rss>',
    "csv": b'sep=;\na;b;c\n1;"2\n3";4\n5;6\n',
    "text": b"hello 12\r\nworld",
    "pdf": made("hello", "two"),
}
PIECES = [
    *(b"\0", b"<", b">", b"&", b'"', b"'", b"\xff", b"\xfe", b";", b",", b"\n", b"\r", b"{", b"[", b"sep="),
    *(b"<!DOCTYPE ", b"]]>", b"<![CDATA[", b"&#x110000;", b"&#0;", b"&nbsp;", b'<?xml encoding="utf-16"?>', b"<a/>"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b' xml:base="http://[::1"', b' xmlns:d=""', b"1e999", b"endobj"),
]
MEDIA = ["", "text/html", "application/xml", "text/csv; charset=utf-16", "text/plain; charset=nope", "application/pdf"]
Edit = tuple[int, int, bytes]
edits = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 20), st.sampled_from(PIECES)), min_size=1, max_size=6)


def broken(body: bytes, changes: list[Edit]) -> bytes:
    """The body with pieces put in the place of some of its bytes."""
    for at, length, piece in changes:
        start = at % (len(body) + 1)
        body = body[:start] + piece + body[start + length :]
    return body


def read(page_format: str, body: bytes, media: str = "") -> tuple[str, str]:
    """The format of the document, or the outcome of its failure; and what is said of it."""
    try:
        document = PARSERS[page_format]()(answer(body, media))
    except ParseError as error:
        return error.outcome, error.what
    return document.format, document.warning


@pytest.mark.parametrize("page_format", list(PARSERS))
@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(changes=edits, media=st.sampled_from(MEDIA))
def test_a_broken_body_is_read_or_told(page_format: str, changes: list[Edit], media: str) -> None:
    outcome, said = read(page_format, broken(GOOD[page_format], changes), media)
    assert outcome == page_format or (outcome in ("wrong_format", "parse_failed") and said)


@pytest.mark.parametrize("page_format", list(PARSERS))
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(body=st.binary(max_size=300))
def test_noise_is_read_or_told(page_format: str, body: bytes) -> None:
    outcome, said = read(page_format, body)
    assert outcome == page_format or (outcome in ("wrong_format", "parse_failed") and said)


@pytest.mark.parametrize("page_format", list(PARSERS))
def test_what_is_broken_here_is_good_before(page_format: str) -> None:
    assert read(page_format, GOOD[page_format])[0] == page_format
