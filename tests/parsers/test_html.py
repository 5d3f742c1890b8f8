"""HTML to a tree: nothing is lost in silence."""

import pytest

from yamlcrawl.errors import ParseError
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response
from yamlcrawl.parsers.html import DEPTH, html_parser


def answer(body: bytes, content_type: str = "text/html") -> Response:
    request = Request("http://a.test/d/p", "http://a.test/d/p")
    return Response(request, request.url, 200, Headers([("Content-Type", content_type)]), body, len(body), 0.0, 0.0)


def texts(document, tag):
    return [element.text for element in document.tree.iter(tag)]


def test_a_nul_and_an_odd_comment_do_not_end_the_page():
    body = b"<ul><li>one</li>\x00<li>two</li></ul><p>a</p><!--><p>b</p><!-- x --><p>c</p>"
    document = html_parser()(answer(body))
    assert texts(document, "li") == ["one", "two"]
    assert texts(document, "p") == ["a", "b", "c"]


@pytest.mark.parametrize("body", [b"", b"   \n", b"<!-- only -->"])
def test_an_empty_body_is_an_empty_page(body):
    document = html_parser()(answer(body))
    assert document.tree.tag == "html"
    assert document.warning == ""


def test_a_page_that_nests_too_deeply_says_so():
    document = html_parser()(answer(b"<div>" * 20_000 + b"x"))
    assert f"{DEPTH:,} levels" in document.warning


def test_a_page_after_a_deep_one_is_read_anew():
    parse = html_parser()
    parse(answer(b"<div>" * 20_000))
    assert parse(answer(b"<p>a</p>")).warning == ""


@pytest.mark.parametrize(
    ("base", "url"),
    [("/x/", "http://a.test/x/"), ("http://b.test/", "http://b.test/"), ("javascript:1", "http://a.test/d/p")],
)
def test_the_first_base_counts_if_it_is_an_address(base, url):
    body = f'<base target=x><base href="{base}"><base href="/other/">'.encode()
    assert html_parser()(answer(body)).base == url


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"%PDF-1.7 ...", "text/html"),
        (b"\x89PNG\r\n", "text/html"),
        (b"abc", "image/jpeg"),
        (b'{"a": 1}', "application/json"),
    ],
)
def test_what_is_surely_no_html_is_a_wrong_format(body, content_type):
    with pytest.raises(ParseError) as caught:
        html_parser()(answer(body, content_type))
    assert caught.value.outcome == "wrong_format"


def test_bytes_in_another_charset_come_out_as_their_text():
    assert texts(html_parser()(answer("<p>ã</p>".encode("latin-1"), "text/html; charset=latin1")), "p") == ["ã"]
    assert texts(html_parser("latin1")(answer("<p>ã</p>".encode("latin-1"))), "p") == ["ã"]
    assert texts(html_parser()(answer(b"\xef\xbb\xbf<p>\xc3\xa3</p>")), "p") == ["ã"]
