"""A column of dates never changes its order half-way (public case C22)."""

from __future__ import annotations

import json

from tests.commandline import CommandLine
from tests.site import Site

SPEC = """
name: dates
site: {{sleep: 0s}}
start: {{page: "{url}"}}
pages:
  page:
    items:
      row: {{each: li, fields: {{raw: '@data-n', day: {{css: span, {how}}}}}}}
"""
COLUMN = ("14/3/2022", "28/3/2022", "4/5/2022", "30/12/2021")


def page(*texts: str) -> str:
    """A list of texts."""
    return "<ul>" + "".join(f"<li data-n={n}><span>{text}</span>" for n, text in enumerate(texts)) + "</ul>"


def test_c22_a_format_reads_every_row_alike(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = page(*COLUMN)
    run = crawl(SPEC.format(url=site.url(), how="type: date, format: '%d/%m/%Y'"))
    assert run.exit == 0, run.output
    assert [item["day"] for item in run.items] == ["2022-03-14", "2022-03-28", "2022-05-04", "2021-12-30"]


def test_c22_without_an_order_no_row_is_guessed(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = page(*COLUMN, "2022-05-04")
    run = crawl(SPEC.format(url=site.url(), how="type: date"))
    assert [item["day"] for item in run.items] == [None, None, None, None, "2022-05-04"]
    assert "4/5/2022" in run.output or "14/3/2022" in run.output
    assert "say format or locale" in run.output


def test_c22_a_locale_has_one_order(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = page(*COLUMN)
    run = crawl(SPEC.format(url=site.url(), how="type: date, locale: en"))
    assert [item["day"] for item in run.items] == [None, None, "2022-04-05", None]
    assert "the order is month, day, year" in run.output


def test_c22_what_does_not_fit_is_told_with_its_text_and_address(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = page(*COLUMN, "next week", "31/2/2022")
    run = crawl(SPEC.format(url=site.url(), how="type: date, format: '%d/%m/%Y'"))
    assert [item["day"] for item in run.items][4:] == [None, None]
    report = json.dumps(run.report, ensure_ascii=False)
    assert "'next week' (it is not written as" in report
    assert "'31/2/2022' (there is no such day or time)" in report
    assert site.url() in report
