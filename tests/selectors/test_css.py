"""CSS selectors as XPath."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.css import attribute_of, to_xpath
from yamlcrawl.selectors.xpath import compile_xpath

PAGE = etree.HTML(
    '<div id=d class=x title="a@b, c"><p>one</p><p class=last>two <b>Price (net)</b></p><a href=/u data-n=5>u</a></div>'
)


def found(selector: str, node: Any = PAGE, *, inside: bool = False) -> list[str]:
    matches = compile_xpath(to_xpath(selector, inside=inside))(node)
    return [m if isinstance(m, str) else m.get("id") or m.get("class") or m.tag for m in matches]


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        ("a@href", ["/u"]),
        ("a@data-n, div@title", ["a@b, c", "5"]),
        ('div[title="a@b, c"]', ["d"]),
        ('div[title="a@b, c"]@id', ["d"]),
        (":is(p, a)@class", ["last"]),
        ('b:contains("Price (")', ["b"]),
        ("p:has(b)", ["last"]),
        ("a@HREF", ["/u"]),
    ],
)
def test_attributes_and_the_everyday_extras(selector: str, matches: list[str]) -> None:
    assert found(selector) == matches


def test_inside_an_each_the_element_itself_is_scope_and_nothing_else_is_seen() -> None:
    div = PAGE.xpath("//div")[0]
    assert found(":scope", div, inside=True) == ["d"]
    assert found(":scope.x > p:last-of-type", div, inside=True) == ["last"]
    assert found("@title", div, inside=True) == ["a@b, c"]
    assert found("div", div, inside=True) == []
    assert found("body", div, inside=True) == []


@pytest.mark.parametrize(
    ("selector", "name"),
    [("a@href", "href"), ("a[href]", None), ("a, b@src", "src"), ("@x", "x"), ("a[b='@c']", None)],
)
def test_the_attribute_a_selector_ends_in(selector: str, name: str | None) -> None:
    assert attribute_of(selector) == name


@pytest.mark.parametrize(
    ("selector", "what", "fix"),
    [
        ("", "is empty", "name an element"),
        ("a,", "empty part", "drop the comma"),
        ("a@", 'ends in "@"', "a@href"),
        (".price >", "it ends where a selector should follow", ""),
        ("a::attr(href)", "::attr is no CSS", "@href"),
        ("p::text", "::text is no CSS", "drop it"),
        ("li:first", ":first is unknown", "drop it"),
        ("+ p", 'begins with "+"', ":scope + p"),
        ("a[href", "", ""),
        ("a:contain('x')", ":contain is unknown", ":contains"),
    ],
)
def test_what_is_wrong_is_told_with_a_way_out(selector: str, what: str, fix: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        to_xpath(selector)
    assert what in caught.value.what
    assert fix in caught.value.fix
