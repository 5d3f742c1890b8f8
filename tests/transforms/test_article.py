"""The main text of pages."""

from __future__ import annotations

import logging

import pytest

from yamlcrawl.transforms.article import NoArticle, main_text

pytest.importorskip("trafilatura", reason="the extra article is not installed")

SAYS = "The town council met on Monday to speak about the bridge, which has been closed since the flood of last March."
PAGE = f"""<html><head><title>News</title></head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<article><h1>The bridge</h1><p>{SAYS}</p><p>Repairs begin in   May,
said the mayor, and should last until the autumn of next year.</p>
<ul><li>one lane</li><li>no lorries</li></ul></article>
<footer>All rights reserved</footer></body></html>"""
TEXT = f"""The bridge
{SAYS}
Repairs begin in May, said the mayor, and should last until the autumn of next year.
- one lane
- no lorries"""


def test_menus_and_footers_are_left_out() -> None:
    assert main_text(PAGE) == TEXT


def test_what_was_read_before_plays_no_part() -> None:
    assert [main_text(PAGE) for _ in range(5)] == [TEXT] * 5


@pytest.mark.parametrize("page", ["", "<html></html>", "<p>hi</p>", "<html><body>" + "<div>" * 5000 + "deep"])
def test_a_page_without_main_text(
    page: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(NoArticle):
        main_text(page)
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")
