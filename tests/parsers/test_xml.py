"""XML to a tree, and what is told where it is none."""

from __future__ import annotations

import codecs

import pytest
from lxml import etree

from tests.parsers.answers import answer, refused
from yamlcrawl.model.document import Document
from yamlcrawl.parsers.xml import xml_parser

XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
LAUGHS = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))


def parse(body: str | bytes, content_type: str = "", encoding: str | None = None) -> Document:
    return xml_parser(encoding)(answer(body, content_type))


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<a>Łódź</a>".encode(), ""),
        ('<?xml version="1.0" encoding="iso-8859-2"?><a>Łódź</a>'.encode("iso-8859-2"), "application/xml"),
        ('<?xml version="1.0" encoding="utf-8"?><a>Łódź</a>'.encode("iso-8859-2"), "text/xml; charset=iso-8859-2"),
        (codecs.BOM_UTF8 + '<?xml version="1.0" encoding="iso-8859-2"?><a>Łódź</a>'.encode(), "text/xml"),
        (codecs.BOM_UTF16_LE + '<?xml version="1.0" encoding="utf-16"?><a>Łódź</a>'.encode("utf-16-le"), ""),
        ('<?xml version="1.0" encoding="utf-16"?><a>Łódź</a>'.encode("utf-16-be"), ""),
        ('<?xml version="1.0" encoding="utf-16"?><a>Łódź</a>'.encode(), ""),
        ('\n  <?xml version="1.0"?><a>Łódź</a>'.encode(), "text/html"),
    ],
)
def test_mark_then_header_then_declaration(body: bytes, content_type: str) -> None:
    assert parse(body, content_type).tree.text == "Łódź"


def test_a_person_knows_better() -> None:
    body = '<?xml version="1.0" encoding="utf-8"?><a>Łódź</a>'.encode("iso-8859-2")
    assert parse(body, "text/xml; charset=utf-8", "iso-8859-2").tree.text == "Łódź"


@pytest.mark.parametrize("body", [b"", b" \n", codecs.BOM_UTF8])
def test_nothing_is_an_empty_document(body: bytes) -> None:
    assert parse(body, "text/html").tree.xpath("//text()") == []


@pytest.mark.parametrize(
    "bomb",
    [
        f'<!DOCTYPE l [<!ENTITY a "lol">{LAUGHS}]><l>&j;</l>',
        f'<!DOCTYPE l [<!ENTITY a "{"x" * 100_000}">]><l>{"&a;" * 20_000}</l>',
        f'<!DOCTYPE l [<!ENTITY a "{"x" * 100_000}">]><l b="{"&a;" * 2_000}"/>',
    ],
    ids=["laughs", "quadratic", "attribute"],
)
def test_bombs_do_not_go_off(bomb: str) -> None:
    outcome, what = refused(xml_parser, bomb)
    assert outcome == "parse_failed"
    assert "blow up" in what


def test_entities_stay_unexpanded_and_are_told() -> None:
    document = parse('<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY c "ACME">]><l>1&x;2&c;3</l>')
    assert "".join(document.tree.xpath("//text()")) == "123"
    assert document.warning == "entities are not expanded, their texts are left out: &x;, &c;"


def test_the_entities_of_html_are_known_where_a_document_type_names_them() -> None:
    document = parse(f"{XHTML}<html xmlns='http://www.w3.org/1999/xhtml'><p>5&nbsp;&euro; &amp; more</p></html>")
    assert document.tree[0].text == "5\xa0€ & more"
    assert document.warning == ""


def test_an_external_subset_is_not_loaded() -> None:
    document = parse('<!DOCTYPE l SYSTEM "http://127.0.0.1:1/x.dtd"><l>1</l>')
    assert document.tree.text == "1"


@pytest.mark.parametrize(
    ("body", "text", "said"),
    [
        ("<a>Salt & pepper</a>", "Salt & pepper", "line 1"),
        ("<a>\n5&nbsp;&euro; &amp; more</a>", "\n5\xa0€ & more", "line 2"),
        ("<a>x<dc:b/></a>", "x", "prefix dc"),
        ("<a x='1&b=2'><![CDATA[R&D &nbsp;]]></a>", "R&D &nbsp;", "line 1"),
        ("<a>1&#0;2&#x1F;3&#65;</a>", "123A", "line 1"),
    ],
)
def test_what_can_be_mended_is_mended_and_told(body: str, text: str, said: str) -> None:
    document = parse(body)
    assert document.tree.text == text
    assert document.warning.startswith("not well-formed, and mended: ")
    assert said in document.warning


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<a><b>1</a>", "line 1"),
        ("<a><b>1</b><b>2", "line 1"),
        ("<a/>\n<b/>", "line 2"),
        ("<a x=1/>", "line 1"),
        ("<a>&nope;</a>", "nope"),
        ("<a>" * 5000 + "</a>" * 5000, "nested too deeply"),
        (f"<a>{'x' * 10_000_001}</a>", "too large"),
    ],
    ids=["mismatch", "cut", "two", "unquoted", "entity", "deep", "long"],
)
def test_what_is_broken_has_failed(body: str, said: str) -> None:
    outcome, what = refused(xml_parser, body)
    assert outcome == "parse_failed"
    assert said in what


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        ("<!DOCTYPE html><title>Not Found</title>", "application/xml", "an HTML page"),
        ("<html><body>Sorry", "", "an HTML page"),
        ("<h1>Bad gateway</h1>", "text/html", "an HTML page"),
        (f"{XHTML}<html xmlns='http://www.w3.org/1999/xhtml'><h1>404</h1></html>", "text/html", "an HTML page"),
        ('{"error": "no"}', "application/json", "JSON"),
        ("Service unavailable", "text/plain", "not XML"),
        (b"%PDF-1.7\n", "application/pdf", "a PDF"),
        ("<a/>", "image/png", "image/png"),
    ],
)
def test_another_format_is_told(body: str | bytes, content_type: str, said: str) -> None:
    outcome, what = refused(xml_parser, body, content_type)
    assert outcome == "wrong_format"
    assert said in what


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<rss/>", "text/html"),
        ("<rss/>", "application/octet-stream"),
        ('<html xmlns="http://www.w3.org/1999/xhtml"><p/></html>', "application/xhtml+xml"),
        ("<svg/>", "image/svg+xml"),
        (f"{XHTML}<html xmlns='http://www.w3.org/1999/xhtml'><p/></html>", "application/xml"),
        (f"{XHTML}<html xmlns='http://www.w3.org/1999/xhtml'><p/></html>", ""),
        ("<title/>", "text/xml"),
    ],
)
def test_what_servers_call_it_counts_less(body: str, content_type: str) -> None:
    assert parse(body, content_type).warning == ""


@pytest.mark.parametrize("opening", ["<!--", "<![CDATA[", "<?x ", "<!DOCTYPE x [", "&", "<!---->", "<"])
def test_a_body_of_openings_is_told_at_once(opening: str) -> None:
    refused(xml_parser, "<a>" + opening * 300_000)
    refused(xml_parser, opening * 300_000)


def test_signs_that_xml_forbids_are_left_out() -> None:
    assert parse("<a>1\0\x01\x1f2\t</a>").tree.text == "12\t"


def test_each_element_may_have_its_base() -> None:
    document = parse('<a xml:base="/b/"><c xml:base="d/"><e/></c><f/></a>')
    assert document.base == "http://site.test/b/"
    assert document.base_of is not None
    c, f = document.tree
    assert [document.base_of(element) for element in (c[0], f)] == ["http://site.test/b/d/", "http://site.test/b/"]
    assert parse('<a xml:base="/b/"><c/></a>').base_of is None


def test_the_declared_prefixes() -> None:
    document = parse("<a xmlns='u' xmlns:dc='v'><b xmlns:x-y='w'/></a>")
    assert document.prefixes == {"dc", "x-y", "xml"}
    assert isinstance(document.tree, etree._Element)


def test_signs_that_xml_forbids_are_left_out_and_told() -> None:
    document = xml_parser()(answer("<a>b\x01c\x02</a>", "text/xml"))
    assert document.tree.text == "bc"
    assert document.warning == "2 control characters, which XML forbids, are left out"
