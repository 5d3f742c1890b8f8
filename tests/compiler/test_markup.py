"""The types `markdown` and `article` in a spec."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from tests.compiler.page import problems, read
from tests.transforms.test_article import PAGE, SAYS, TEXT
from yamlcrawl import extras

pytest.importorskip("markdownify", reason="the extra markdown is not installed")
pytest.importorskip("trafilatura", reason="the extra article is not installed")

HTML = """<html><head><base href="/docs/"><title>t</title><style>p {}</style></head><body><div id="x">
<!-- no --><h2>Head</h2><p class="ad">Buy</p><p>See
<a href="a.html#b">a</a>, <a href="mailto:x@site.test">mail</a> and <img src="i.png" alt="i">.</p>
<script>var no;</script></div>tail</body></html>"""


def test_addresses_are_absolute_and_scripts_are_left_out() -> None:
    page = read("x: {fields: {text: {css: '#x', remove: [.ad], type: markdown}}}", HTML)
    assert page.item["text"] == (
        "## Head\n\nSee [a](http://site.test/docs/a.html#b), [mail](mailto:x@site.test)"
        " and ![i](http://site.test/docs/i.png)."
    )


def test_the_page_itself_is_left_as_it_was() -> None:
    page = read("x: {fields: {text: {css: '#x', type: markdown}, link: 'a@href', script: script}}", HTML)
    assert page.item["link"] == "http://site.test/docs/a.html#b"
    assert page.item["script"] == "var no;"


def test_text_steps_see_the_markdown_with_its_lines() -> None:
    steps = r"regex: '(?s)^## .*Buy', replace: {regex: '\n\nBuy', with: ''}"
    assert read(f"x: {{fields: {{text: {{css: '#x', type: markdown, {steps}}}}}}}", HTML).item["text"] == "## Head"


def test_every_match_and_alternatives() -> None:
    rules = "x: {fields: {each: {each: p, type: markdown}, any: {any: [.none, h2], type: markdown}}}"
    page = read(rules, HTML)
    assert page.item["each"][0] == "Buy"
    assert page.item["any"] == "## Head"


def test_alternatives_share_the_type_that_says_how_to_read() -> None:
    page = read("x: {fields: {a: {any: [.none, p], type: multiline}, b: {any: [p], type: html}}}", "<p>a<br>b</p>")
    assert page.item == {"a": "a\nb", "b": "a<br>b"}


def test_a_text_is_read_as_html() -> None:
    rules = "x: {fields: {body: {json: body, type: markdown}, none: {json: none, type: markdown}}}"
    page = read(rules, '{"body": "<p>a <b>b</b></p>", "none": " "}', "json")
    assert page.item == {"body": "a **b**", "none": None}


def test_xml_that_holds_html() -> None:
    feed = "<r><a>&lt;p&gt;x &lt;b&gt;y&lt;/b&gt;&lt;/p&gt;</a><c><p>x <i>y</i></p></c></r>"
    page = read("x: {fields: {a: {xpath: //a, type: markdown}, c: {xpath: //c, type: markdown}}}", feed, "xml")
    assert page.item == {"a": "x **y**", "c": "x *y*"}


def test_the_main_text_of_the_page() -> None:
    page = read("x: {fields: {text: {from: page, type: article}}}", PAGE)
    assert page.item["text"] == TEXT
    assert read("x: {fields: {text: {css: article, type: article}}}", PAGE).item["text"] == TEXT
    removed = read("x: {fields: {text: {from: page, remove: [ul, h1], type: article}}}", PAGE).item["text"]
    assert removed.startswith(SAYS)
    assert "lane" not in removed


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("{css: body, type: markdown}", "nested too deeply to be made Markdown, on http"),
        ("{from: page, type: article}", "no main text was found, on http"),
    ],
)
def test_what_cannot_be_made_is_null_and_noted(field: str, why: str) -> None:
    page = read(f"x: {{fields: {{h: title, text: {field}}}}}", "<title>h</title>" + "<div>" * 1500 + "deep")
    assert page.item == {"h": "h", "text": None}
    assert page.noted("cast:pages.p.items.x.fields.text")[0].startswith(why)


@pytest.mark.parametrize("extra", ["markdown", "article"])
def test_a_library_that_is_not_there_is_a_problem(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec

    def find(name: str, *args: Any) -> Any:
        return None if name == extras.EXTRAS[extra] else found(name, *args)

    monkeypatch.setattr(extras, "find_spec", find)
    said = problems(f"x: {{fields: {{text: {{css: p, type: {extra}}}}}}}")
    assert len(said) == 1
    assert "a library is needed" in str(said[0])
    assert f'pip install "yamlcrawl[{extra}]"' in str(said[0])
