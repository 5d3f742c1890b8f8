"""Charsets in the order of the HTML standard."""

import codecs

import pytest

from tests.parsers.answers import answer
from yamlcrawl.parsers.charset import codec_of, decode
from yamlcrawl.parsers.csv import csv_parser
from yamlcrawl.parsers.feed import feed_parser
from yamlcrawl.parsers.html import html_parser
from yamlcrawl.parsers.json import json_parser
from yamlcrawl.parsers.text import text_parser
from yamlcrawl.parsers.xml import xml_parser

META = b'<meta charset="%s"><title>x</title>'


@pytest.mark.parametrize(
    ("body", "content_type", "forced", "text"),
    [
        ("ã".encode(), "text/html", None, "ã"),
        (b"\xe3", "text/html; charset=iso-8859-1", None, "ã"),
        (b"\xe3", 'text/html; charset="latin1"', None, "ã"),
        ("ã".encode(), "text/html; charset=utf-8", "latin1", "Ã£"),
        (codecs.BOM_UTF8 + "ã".encode(), "text/html; charset=latin1", None, "ã"),
        (codecs.BOM_UTF16_LE + "ã".encode("utf-16-le"), None, None, "ã"),
        (b"\xe3", "text/html; charset=nonsense", "windows-1252", "ã"),
        (b"\x80", "text/html; charset=iso-8859-1", None, "€"),
        ("’".encode("cp1252"), "text/html; charset=ascii", None, "’"),
    ],
)
def test_the_order_of_what_is_believed(body, content_type, forced, text):
    assert decode(body, content_type, forced)[0] == text


def test_a_label_means_its_superset_as_in_browsers():
    body = META % b"gb2312" + bytes.fromhex("d6ece946bbf9b4ab")
    assert decode(body, "text/html")[0].endswith("朱镕基传")
    assert codec_of("shift_jis") == "cp932"


@pytest.mark.parametrize(
    "head",
    [
        b'<meta charset="koi8-r">',
        b"<META http-equiv=Content-Type content='text/html; charset=koi8-r'>",
        b"<!-- <meta charset=utf-16> --><meta charset = koi8-r >",
        b'<a title="<meta charset=utf-8>"></a><meta charset="koi8-r">',
        b"<!doctype html><html lang=ru><head><meta name=x><meta charset=koi8-r>",
    ],
)
def test_a_meta_tag_is_found_where_a_browser_finds_it(head):
    assert decode(head + "Привет".encode("koi8-r"), None)[0].endswith("Привет")


def test_a_late_meta_tag_is_found_as_browsers_do_that_read_again():
    assert decode(b"<!--" + b"x" * 5000 + b"--><meta charset=koi8-r>\xf0", None)[0].endswith("П")


def test_the_users_word_may_be_a_name_that_python_knows():
    assert decode(b"\xe3", "text/html; charset=utf-8", "latin-1")[0] == "ã"


def test_a_meta_tag_cannot_name_utf_16():
    assert decode(META % b"utf-16" + "ã".encode(), None)[0].endswith("ã")


def test_without_any_word_valid_utf_8_is_utf_8_and_the_rest_is_detected():
    assert decode("Ponte São João – 5 lugares".encode(), "text/html")[0] == "Ponte São João – 5 lugares"
    russian = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5
    assert decode(russian.encode("cp1251"), "text/html")[0] == russian


def test_what_cannot_be_decoded_is_marked_and_never_raises():
    text, _ = decode(b"a\xff\xfeb", "text/html; charset=utf-8")
    assert text.startswith("a�")


FEED = "<?xml version='1.0'?><rss version='2.0'><channel><title>{}</title></channel></rss>"


@pytest.mark.parametrize(
    ("parser", "body", "content_type"),
    [
        (html_parser, "<h1>{}</h1>", "text/html"),
        (xml_parser, "<a>{}</a>", "text/xml"),
        (feed_parser, FEED, "application/rss+xml"),
        (json_parser, '{{"a": "{}"}}', "application/json"),
        (csv_parser, "a,b\n{},2\n", "text/csv"),
        (text_parser, "{}", "text/plain"),
    ],
)
def test_what_cannot_be_decoded_is_told(parser, body, content_type):
    content_type += "; charset=utf-8"
    wrong = parser()(answer(body.format("é").encode("latin-1"), content_type))
    assert wrong.warning == "1 sign could not be read as utf-8, and is U+FFFD now; site.encoding says another charset"
    for good in ("é", "\ufffd"):
        assert parser()(answer(body.format(good).encode(), content_type)).warning == ""
