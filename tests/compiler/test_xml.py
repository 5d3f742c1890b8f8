"""Items, links and `next` of XML pages."""

from __future__ import annotations

import pytest

from tests.compiler import crawled
from tests.compiler.page import problems, read

ATOM = """<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="urn:dc" xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="en">
  <title>All</title>
  <entry kind="a"><title>Bread &amp; Butter</title><dc:creator>Ada</dc:creator><link href="/1"/><price>1.250</price>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One<b>1</b></p><p>Two</p></div></content></entry>
  <entry kind="b"><title>Milk</title><x:creator xmlns:x="urn:dc">Bo</x:creator><link href="2"/><price>1,5</price>
    <summary>&lt;p&gt;Fat &lt;b&gt;3.5&lt;/b&gt;&lt;/p&gt;</summary><!-- no --></entry>
</feed>"""


def values(field: str, body: str = ATOM, each: str = "//entry") -> list[object]:
    return [item["v"] for item in read(f"e:\n  each: {each}\n  fields: {{v: {field}}}", body, "xml").items]


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("title", ["Bread & Butter", "Milk"]),
        ("dc:creator", ["Ada", "Bo"]),
        ("x:creator", [None, "Bo"]),
        ("creator", ["Ada", "Bo"]),
        ("'@kind'", ["a", "b"]),
        ("{css: title}", ["Bread & Butter", "Milk"]),
        ("{css: Title}", [None, None]),
        ("{css: link@href}", ["http://site.test/1", "http://site.test/dir/2"]),
        ("link/@href", ["http://site.test/1", "http://site.test/dir/2"]),
        ("count(*)", [5, 5]),
        ("{xpath: ancestor::feed/@xml:lang}", ["en", "en"]),
        ("{xpath: /feed/title, from: page}", ["All", "All"]),
        ("'title[. = /feed/entry[1]/title]'", ["Bread & Butter", None]),
        ("{xpath: content, type: multiline}", ["One1\nTwo", None]),
        ("content", ["One1 Two", None]),
        ("{xpath: summary, type: html}", [None, "<p>Fat <b>3.5</b></p>"]),
        ("{xpath: content, remove: .//b}", ["One Two", None]),
        ("{each: '*[self::title or self::price]'}", [["Bread & Butter", "1.250"], ["Milk", "1,5"]]),
        ("{xpath: //title, from: before}", ["All", "Bread & Butter"]),
        ("{fields: {t: title}}", [{"t": "Bread & Butter"}, {"t": "Milk"}]),
    ],
)
def test_a_field(field: str, found: list[object]) -> None:
    assert values(field) == found


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("entry:nth-of-type(2) title", ["Milk"]),
        ("dc|creator", ["Ada", "Bo"]),
        ("entry[kind=b] > title", ["Milk"]),
        ("entry:contains(Milk) link@href", ["http://site.test/dir/2"]),
        ("entry:has(summary) title", ["Milk"]),
        ("feed@xml:lang", ["en"]),
        (":root > title", ["All"]),
        ("nope|title", []),
    ],
)
def test_css_does_not_see_namespaces(selector: str, found: list[str]) -> None:
    page = read(f"e:\n  fields: {{v: {{each: {{css: '{selector}'}}}}}}", ATOM, "xml")
    assert [value for item in page.items for value in item["v"]] == found


def test_numbers_in_texts_are_as_people_write_them() -> None:
    assert [str(value) for value in values("{xpath: price, type: number}")] == ["None", "1.5"]
    assert [str(value) for value in values("{xpath: price, type: number, locale: en}")] == ["1.250", "None"]


def test_an_attribute_without_a_namespace_comes_first() -> None:
    body = '<a xmlns:x="urn:x"><b x:id="1" id="2"/><b x:id="3"/></a>'
    assert values("'@id'", body, "b") == ["2", "3"]
    assert values("'@x:id'", body, "b") == ["1", "3"]


def test_each_part_has_its_base() -> None:
    body = '<a xml:base="/b/"><c xml:base="d/"><e href="1"/><f>2</f></c><c><e href="1"/><f>2</f></c></a>'
    assert values("e/@href", body, "c") == ["http://site.test/b/d/1", "http://site.test/b/1"]
    assert values("{xpath: f, type: url}", body, "c") == ["http://site.test/b/d/2", "http://site.test/b/2"]


@pytest.mark.parametrize("selector", ["//e", "//e/@href", "{css: e}", "//f", "//f/text()", "{each: //c, xpath: f}"])
def test_links_resolve_against_the_base_of_their_place(selector: str) -> None:
    plan = crawled.plan(f"pages: {{p: {{format: xml, follow: {{p: {_quoted(selector)}}}}}}}")
    body = '<a xml:base="/b/"><c xml:base="d/"><e href="1"/><f> 1 </f></c><c><e href="1"/><f>1</f></c></a>'
    assert crawled.lead(plan, body).urls == ["http://site.test/b/d/1", "http://site.test/b/1"]


def test_what_holds_elements_is_no_link() -> None:
    plan = crawled.plan("pages: {p: {format: xml, follow: {p: //c}}}")
    led = crawled.lead(
        plan,
        '<a><c><e>1</e></c><c>/<!-- -->x</c><c/><c xlink:href="/y" xmlns:xlink="http://www.w3.org/1999/xlink"/></a>',
    )
    assert led.urls == ["http://site.test/x", "http://site.test/y"]
    assert led.tally.counts["bad_url:pages.p.follow.p"] == 2


def test_only_href_and_src_are_addresses_in_xml() -> None:
    body = '<a><b data="5" action="run" src="i.png"/></a>'
    assert values("'@data'", body, "b") == ["5"]
    assert values("'@action'", body, "b") == ["run"]
    assert values("'@src'", body, "b") == ["http://site.test/dir/i.png"]


def test_next() -> None:
    plan = crawled.plan("pages: {p: {format: xml, next: '//link[@rel=\"next\"]'}}")
    body = '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="?page=2"/></feed>'
    assert crawled.lead(plan, body).urls == ["http://site.test/?page=2"]


def test_a_prefix_that_the_document_does_not_declare_is_noted() -> None:
    page = read("e:\n  each: //entry\n  fields: {t: title, v: no:title}", ATOM, "xml")
    assert page.noted("prefix:pages.p.items.e.fields.v") == ["no:"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("e: {table: //t, fields: {a: x}}", "a table stands in HTML, and this is XML"),
        ("e: {fields: {a: {js: x}}}", "js reads the scripts of an HTML page, and this is XML"),
        ("e: {fields: {a: 're:test(x)'}}", "EXSLT functions are not there"),
        ("e: {fields: {a: '//x['}}", 'a "]" is missing'),
        ("e: {each: //x, fields: {a: /y}}", "looks at the whole page"),
    ],
)
def test_what_makes_no_sense_is_told(rule: str, said: str) -> None:
    (problem,) = problems(rule, "xml")
    assert said in problem


def _quoted(selector: str) -> str:
    return selector if selector.startswith("{") else f"'{selector}'"
