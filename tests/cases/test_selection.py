"""Selectors that look right and are not (public cases C16 and C17)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Site

CARDS = """<h1>Cards</h1>
<div class="card"><h3>Alpha</h3><a href="/a">x</a></div>
<div class="card"><h3>Beta</h3><a href="/b">x</a></div>"""

ROWS = """
name: cards
site: {{sleep: 0s}}
start: {{list: "{url}"}}
pages:
  list:
    items:
      card:
        each: .card
        fields:
{fields}
"""


def spec(site: Site, *fields: str) -> str:
    site.pages["/"] = CARDS
    return ROWS.format(url=site.url(), fields="\n".join(f"          {field}" for field in fields))


def test_c16_an_absolute_xpath_inside_an_item_is_refused_with_the_hint(site: Site, crawl: CommandLine) -> None:
    run = crawl(spec(site, "name: {xpath: //h3/text()}", "link: {xpath: //a/@href}"))
    assert run.exit == 1, run.output
    assert len(site.log) == 0
    for line, field, hint in ((11, "name", ".//h3/text()"), (12, "link", ".//a/@href")):
        assert f"spec.yml:{line}:" in run.stderr
        assert f"pages.list.items.card.fields.{field}.xpath" in run.stderr
        assert hint in run.stderr
    assert "from: page" in run.stderr


@pytest.mark.parametrize(
    "field",
    [
        "name: {xpath: /html/body//h3}",
        "name: [.none, {xpath: //h3}]",
        "name: {any: [{xpath: //h3}]}",
        "name: {each: {xpath: //h3}}",
        "name: {fields: {inner: {xpath: //h3}}}",
        "name: {each: a, fields: {inner: {xpath: //h3}}}",
        "name: {css: ':scope', remove: {xpath: //h3}}",
        "name: {xpath: .//h4 | //h3}",
        "name: {xpath: '(//h3)[1]'}",
        "name: {xpath: string(//h3)}",
    ],
)
def test_wherever_it_stands(site: Site, crawl: CommandLine, field: str) -> None:
    run = crawl(spec(site, field))
    assert run.exit == 1, run.output
    assert len(site.log) == 0
    assert "spec.yml:11:" in run.stderr
    assert ".//h3" in run.stderr or "./" in run.stderr


def test_in_a_link_rule_and_its_carry_too(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = CARDS
    text = f"""
name: cards
start: {{list: "{site.url()}"}}
pages:
  list:
    follow:
      card:
        each: .card
        xpath: //a/@href
        carry: {{name: {{xpath: //h3}}}}
  card:
    items: {{card: {{fields: {{title: h1}}}}}}
"""
    run = crawl(text)
    assert run.exit == 1, run.output
    assert "spec.yml:9:" in run.stderr
    assert "spec.yml:10:" in run.stderr


def test_what_is_meant_for_the_whole_page_says_so(site: Site, crawl: CommandLine) -> None:
    fields = ["name: {xpath: .//h3/text()}", "link: {xpath: .//a/@href}", "head: {xpath: //h1, from: page}"]
    run = crawl(spec(site, *fields))
    assert run.exit == 0, run.output
    assert run.items == [
        {"name": "Alpha", "link": site.url("/a"), "head": "Cards"},
        {"name": "Beta", "link": site.url("/b"), "head": "Cards"},
    ]


TABLE = """
name: stock
site: {{sleep: 0s}}
start: {{page: "{url}"}}
pages:
  page:
    items:
      row: {{fields: {{name: h1, qty: {selector}}}}}
"""
BARE = '<h1>x</h1><table id="t"><tr><th>Qty</th><td>42</td></tr></table>'
FULL = '<h1>x</h1><table id="t"><tbody><tr><th>Qty</th><td>42</td></tr></tbody></table>'
COPIED = [
    "{css: '#t > tbody > tr > td'}",
    "{css: 'table tbody td'}",
    """{xpath: "//table[@id='t']/tbody/tr/td/text()"}""",
    """{xpath: "//*[@id='t']/tbody/tr[1]/td"}""",
]


@pytest.mark.parametrize("selector", COPIED)
def test_c17_a_tbody_that_the_page_does_not_have_is_named(site: Site, crawl: CommandLine, selector: str) -> None:
    site.pages["/"] = BARE
    run = crawl(TABLE.format(url=site.url(), selector=selector))
    if run.exit == 0:
        assert run.items == [{"name": "x", "qty": "42"}]
        return
    assert run.exit == 2, run.output
    said = next(line for line in run.stderr.splitlines() if "tbody" in line)
    assert "spec.yml:8:" in run.stderr
    assert "qty" in run.stderr
    assert said


@pytest.mark.parametrize("selector", COPIED)
def test_c17_a_page_that_has_one_works(site: Site, crawl: CommandLine, selector: str) -> None:
    site.pages["/"] = FULL
    run = crawl(TABLE.format(url=site.url(), selector=selector))
    assert run.exit == 0, run.output
    assert run.items == [{"name": "x", "qty": "42"}]
    assert "tbody" not in run.stderr
