"""Pages of other projects: charsets, base addresses, broken HTML."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.parsers.test_html import answer
from tests.shared import FOLDER, cases
from yamlcrawl.parsers.html import html_parser

MISNESTED = (
    '<a href="blah">aba<table><a href="foo">br<tr><td></td></tr>x</table>aoe',
    "<!DOCTYPE html><body>" + "<br>".join(f"<a href='#{n}'><nobr>{n}<nobr></a>" for n in (1, 2, 3)),
)
"""Links that overlap a table or nobr: the tree library does not open them anew."""


@pytest.mark.parametrize("case", [*cases("encoding/html5lib.jsonl"), *cases("encoding/labels.jsonl")])
def test_charsets(case: dict[str, Any]) -> None:
    body = base64.b64decode(case["body_base64"])
    if "UTF-16" in case["content_type"] and b"\0<" not in body and b"<\0" not in body:
        pytest.skip("its tags are ASCII: no UTF-16, whatever its header says")
    tree = html_parser()(answer(body, case["content_type"])).tree
    assert tree.xpath("string(//*[@id='probe'])") == case["probe_text"]


@pytest.mark.parametrize("case", cases("encoding/w3c.jsonl"))
def test_mark_before_header_before_meta(case: dict[str, Any]) -> None:
    body = (FOLDER / "encoding" / case["file"]).read_bytes()
    tree = html_parser()(answer(body, case["content_type"])).tree
    assert tree.xpath(f"string({case['probe_xpath']})") == case["probe_value"]


@pytest.mark.parametrize("case", cases("html/html5lib-trees.jsonl"))
def test_links_of_broken_html(case: dict[str, Any]) -> None:
    found = html_parser()(answer(case["html"].encode())).tree.xpath("//a/@href")
    assert set(found) == set(case["a_href"])
    if case["html"] not in MISNESTED:
        assert found == case["a_href"]
