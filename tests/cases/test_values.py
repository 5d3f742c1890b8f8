"""Text as people see it, nought as a value, numbers as people write them (public cases C20, C21)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Site

SPEC = """
name: texts
site: {{sleep: 0s}}
start: {{page: "{url}"}}
pages:
  page:
    items:
      row:
        fields:
{fields}
"""


def read(site: Site, crawl: CommandLine, page: str, *fields: str) -> dict[str, object]:
    """The one item that these fields give on the page."""
    site.pages["/"] = page
    run = crawl(SPEC.format(url=site.url(), fields="\n".join(f"          {field}" for field in fields)))
    assert run.exit in (0, 2), run.output
    (item,) = run.items if run.exit == 0 else run.lines("texts.jsonl.rejected")
    return item


PAGE = """<p id="a">North gate<br>South gate</p>
<p id="b">1&nbsp;299&nbsp;kr</p>
<p id="c"><span>Tel</span>
   555</p>
<p id="d">wo<b>rd</b></p>
<p id="e">0</p>
<p id="f">   </p>"""


def test_c20_line_breaks_hard_blanks_and_inline_tags(site: Site, crawl: CommandLine) -> None:
    item = read(site, crawl, PAGE, *[f"{name}: '#{name}'" for name in "abcdef"])
    assert item == {
        "a": "North gate South gate",
        "b": "1 299 kr",
        "c": "Tel 555",
        "d": "word",
        "e": "0",
        "f": None,
    }


def test_c20_nought_is_a_value_and_blanks_are_none(site: Site, crawl: CommandLine) -> None:
    item = read(
        site,
        crawl,
        PAGE,
        "nought: {css: '#e', type: integer, default: 7, required: true}",
        "blank: {css: '#f', default: none}",
        "first: ['#f', '#e']",
        "listed: {each: 'p', css: ':scope'}",
    )
    assert item["nought"] == 0
    assert item["blank"] == "none"
    assert item["first"] == "0"


def test_c20_a_blank_text_counts_as_unfilled(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = PAGE
    run = crawl(SPEC.format(url=site.url(), fields="          e: '#e'\n          f: '#f'"))
    assert run.exit == 2, run.output  # a field that is empty in every item
    assert "f is empty in every item" in run.stderr
    assert {name: field["filled"] for name, field in run.report["items"]["row"]["fields"].items()} == {"e": 1, "f": 0}


@pytest.mark.parametrize(
    ("markup", "text", "lines"),
    [
        ("a<br/>b", "a b", "a\nb"),
        ("<div>a</div><div>b</div>", "a b", "a\nb"),
        ("<ul><li>a</li><li>b</li></ul>", "a b", "a\nb"),
        ("<span>a</span><span>b</span>", "ab", "ab"),
        ("<i>a</i> <i>b</i>", "a b", "a b"),
        ("a\n\n   b\tc", "a b c", "a b c"),
        ("a<!-- no -->b", "ab", "ab"),
        ("a<script>var no;</script>b", "ab", "ab"),
        ("a<style>p {}</style>b", "ab", "ab"),
        ("&nbsp;a&nbsp;&nbsp;b&nbsp;", "a b", "a b"),
        ("a&shy;b", "a\u00adb", "a\u00adb"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;", "&lt;b&gt;"),
        ("<b>0</b>", "0", "0"),
        ("a<wbr>b", "ab", "ab"),
        ("<p>a</p>\n<p>b</p>", "a b", "a\nb"),
    ],
)
def test_text_is_what_a_browser_shows(site: Site, crawl: CommandLine, markup: str, text: str, lines: str) -> None:
    page = f'<div id="x">{markup}</div>'
    item = read(site, crawl, page, "text: '#x'", "lines: {css: '#x', type: multiline}")
    assert item["text"] == text
    got = str(item["lines"])
    assert [line for line in got.split("\n") if line] == lines.split("\n")


@pytest.mark.parametrize(
    ("value", "kind", "wanted"),
    [
        ("0", "integer", 0),
        ("0", "number", 0),
        ("0.0", "number", 0.0),
        ("0", "text", "0"),
        ("-0", "integer", 0),
        ("false", "boolean", False),
        ("00", "text", "00"),
    ],
)
def test_what_is_falsy_is_kept(site: Site, crawl: CommandLine, value: str, kind: str, wanted: object) -> None:
    page = f'<h1>x</h1><p id="x">{value}</p>'
    item = read(site, crawl, page, "h: h1", f"x: {{css: '#x', type: {kind}, default: '1', required: true}}")
    assert item["x"] == wanted
    assert type(item["x"]) is type(wanted) or kind == "number"


def test_falsy_json_values_are_kept(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = {"nought": 0, "no": False, "blank": " ", "none": None, "empty": [], "point": 0.5}
    names = ["nought", "no", "blank", "none", "empty", "point"]
    text = SPEC.format(url=site.url(), fields="\n".join(f"          {n}: {{json: {n}, default: gone}}" for n in names))
    run = crawl(text.replace("  page:\n    items", "  page:\n    format: json\n    items"))
    assert run.exit == 0, run.output
    assert run.items == [{"nought": 0, "no": False, "blank": "gone", "none": "gone", "empty": "gone", "point": 0.5}]


@pytest.mark.parametrize(
    ("locale", "text", "wanted"),
    [
        ("en", "2,468,135.790", "2468135.790"),
        ("en", "7.125", "7.125"),
        ("en", "1'299.50", "1299.50"),
        ("de", "7.125", "7125"),
        ("sv", "1\u00a0299,50 kr", "1299.50"),
        ("de", "1.299,-", "1299"),
        ("de", "−12,5", "-12.5"),
        (None, "1,299.50", "1299.50"),
    ],
)
def test_c21_numbers_of_a_locale(site: Site, crawl: CommandLine, locale: str | None, text: str, wanted: str) -> None:
    site.pages["/"] = f'<p id="x">{text}</p>'
    told = f", locale: {locale}" if locale else ""
    run = crawl(SPEC.format(url=site.url(), fields=f"          x: {{css: '#x', type: number{told}}}"))
    assert run.exit == 0, run.output
    assert (run.folder / "texts.jsonl").read_text(encoding="utf-8") == f'{{"x": {wanted}}}\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("7.125", "ambiguous: 7125 or 7.125"),
        ("12,345", "ambiguous: 12345 or 12.345"),
        ("n/a", "there is no number in it"),
    ],
)
def test_c21_nothing_is_guessed_and_nothing_is_lost_without_a_word(
    site: Site, crawl: CommandLine, text: str, why: str
) -> None:
    page = f'<h1>x</h1><p id="x">{text}</p>'
    site.pages["/"] = page
    run = crawl(SPEC.format(url=site.url(), fields="          h: h1\n          x: {css: '#x', type: number}"))
    assert run.exit == 2, run.output
    assert run.lines("texts.jsonl.rejected") == [{"h": "x", "x": None}]
    assert f"'{text}' ({why})" in run.stderr


def test_markdown_and_the_main_text_of_a_page(site: Site, crawl: CommandLine) -> None:
    pytest.importorskip("markdownify", reason="the extra markdown is not installed")
    pytest.importorskip("trafilatura", reason="the extra article is not installed")
    story = "The bridge has been closed since the flood of last March, and repairs begin in May, said the mayor."
    body = f'<nav><a href="/">Home</a></nav><article><h1>The bridge</h1><p>{story} <a href="map">Map</a></p></article>'
    fields = ["text: {from: page, type: article}", "mark: {css: article, type: markdown}"]
    item = read(site, crawl, f"<title>News</title>{body}<footer>Imprint</footer>", *fields)
    assert item == {
        "text": f"The bridge\n{story} Map",
        "mark": f"# The bridge\n\n{story} [Map]({site.url('/map')})",
    }


def test_what_has_no_main_text_is_reported_and_nothing_else_is_said(site: Site, crawl: CommandLine) -> None:
    pytest.importorskip("trafilatura", reason="the extra article is not installed")
    site.pages["/"] = "<title>x</title>" + "<div>" * 1500 + "deep"
    fields = "          h: title\n          x: {from: page, type: article}"
    run = crawl(SPEC.format(url=site.url(), fields=fields))
    assert run.exit == 2, run.output
    assert run.lines("texts.jsonl.rejected") == [{"h": "x", "x": None}]
    assert "no main text was found, on http://" in run.stderr
    assert run.stdout == ""
