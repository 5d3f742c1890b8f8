"""Pages of other projects: the links of broken HTML."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parsers.test_html import answer
from tests.shared import cases
from yamlcrawl.parsers.html import html_parser

MISNESTED = (
    '<a href="blah">aba<table><a href="foo">br<tr><td></td></tr>x</table>aoe',
    "<!DOCTYPE html><body>" + "<br>".join(f"<a href='#{n}'><nobr>{n}<nobr></a>" for n in (1, 2, 3)),
)
"""Links that overlap a table or nobr: the tree library does not open them anew."""


@pytest.mark.parametrize("case", cases("html/html5lib-trees.jsonl"))
def test_links_of_broken_html(case: dict[str, Any]) -> None:
    found = html_parser()(answer(case["html"].encode())).tree.xpath("//a/@href")
    assert set(found) == set(case["a_href"])
    if case["html"] not in MISNESTED:
        assert found == case["a_href"]
