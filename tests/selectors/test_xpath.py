"""XPath 1.0: values of every kind, and what is refused before the first page."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from lxml import etree

from tests.shared import FOLDER, cases
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.xpath import attribute_of, compile_xpath

PAGE = etree.HTML("<div><h3>Alpha</h3><a href=/a>1.5</a></div><div><h3>Beta</h3><a href=/b>2</a></div>")


@pytest.mark.parametrize("case", cases("xpath/jaxen.jsonl"))
def test_cases_of_other_projects(case: dict[str, Any]) -> None:
    tree = etree.parse(FOLDER / "xpath" / "documents" / case["document"])
    matches = compile_xpath(case["xpath"])(tree.xpath(case["context"])[0])
    if "count" in case:
        assert len(matches) == case["count"]
    else:
        assert _text(matches[0]) == case["string"]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not hasattr(value, "tag"):
        return str(value)
    return "".join(value.itertext()) if isinstance(value.tag, str) else value.text


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("count(//a)", [2]),
        ("sum(//a)", [Decimal("3.5")]),
        ("number(//h3)", []),
        ("1 div 0", []),
        ("string(//h3)", ["Alpha"]),
        ("boolean(//i)", [False]),
        ("//a/@href", ["/a", "/b"]),
        ("//h3/text()[contains(., 'et')]", ["Beta"]),
        ("//h3[not(. = 'Alpha') and (1 or (2))]/text()", ["Beta"]),
        ("//i", []),
    ],
)
def test_values(expression: str, values: list[Any]) -> None:
    assert compile_xpath(expression)(PAGE) == values


@pytest.mark.parametrize(
    ("expression", "fix"),
    [("//h3", ".//h3"), ("/html", "./html"), ("./h3 | //a", "./"), ("count(//a)", "./"), ("string(//h3/text())", "./")],
)
def test_what_would_leave_an_each_is_refused(expression: str, fix: str) -> None:
    compile_xpath(expression)
    with pytest.raises(ExpressionError, match="whole page") as caught:
        compile_xpath(expression, inside=True)
    assert fix in caught.value.fix


@pytest.mark.parametrize("expression", [".//h3", "./a/@href", "a[.//b]", "a[@title='//x']", "string(./a)", "../h3"])
def test_what_stays_inside_is_not(expression: str) -> None:
    compile_xpath(expression, inside=True)


@pytest.mark.parametrize(
    ("expression", "what", "fix"),
    [
        ("//a[", 'a "]" is missing', "add it"),
        ("//a[@x='1]", "a quote is not closed", "close it"),
        ("//a[contain(., 'x')]", "calls contain()", "contains()"),
        ("//a[ends-with(., 'x')]", "calls ends-with()", ""),
        ("//svg:path", "the prefix svg:", "name()"),
        ("//p[re:test(., 'x')]", "the prefix re:", "EXSLT"),
        ("//a[@x=$y]", "the variable $y", "in quotes"),
        ("contains(a)", "invalid number of arguments", "arguments"),
        ("count('a')", "invalid type", "arguments"),
    ],
)
def test_what_is_wrong_is_told_with_a_way_out(expression: str, what: str, fix: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        compile_xpath(expression)
    assert what in caught.value.what
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    ("expression", "name"),
    [("//a/@href", "href"), ("//a/attribute::src", "src"), ("//a[@href]", None), ("//a/@href[. != '']", "href"),
     ("string(//a/@href)", None)],
)  # fmt: skip
def test_the_attribute_an_expression_ends_in(expression: str, name: str | None) -> None:
    assert attribute_of(expression) == name
