"""A layout that changed overnight, and everything else that a run must not keep to itself (public case C30)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Site, drop, html

SPEC = """name: notices
site: {{sleep: 0s, retry: 0}}
start: {{list: "{url}"}}
pages:
  list:
    items:
      card:
        each: .card
        fields:
          name: {{css: h3, required: true}}
          price: .now
{expect}"""
CARDS = "".join(f'<div class="card"><h3>n{n}</h3><b class="now">{n}.50</b></div>' for n in range(3))


def run(site: Site, crawl: CommandLine, expect: str = "") -> Ran:
    return crawl(SPEC.format(url=site.url("/"), expect=expect))


def test_c30a_the_page_as_the_spec_expects(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = CARDS
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert len(ran.items) == 3
    assert "name 100 %   price 100 %" in ran.stderr
    assert "no match" not in ran.stderr


def test_c30b_rows_that_are_not_there_any_more(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = CARDS.replace('class="card"', 'class="tile"')
    ran = run(site, crawl)
    assert ran.exit == 2, ran.output
    said = "spec.yml:8:15  card: rows .card matched nothing on 1 of 1 pages"
    assert said in ran.stderr
    assert said in ran.report["reasons"]
    assert ran.report["silent"][0]["where"] == "spec.yml:8:15"
    assert run(site, crawl, "expect: {card: {min: 0}}").exit == 0


def test_c30c_a_field_that_is_not_there_any_more(site: Site, crawl: CommandLine) -> None:
    """Where the case warns only, the language misses a field that is always empty, unless the spec allows it."""
    site.pages["/"] = CARDS.replace('class="now"', 'class="price-now"')
    ran = run(site, crawl)
    assert ran.exit == 2, ran.output
    assert len(ran.lines("notices.jsonl.rejected")) == 3
    assert "price 0 %" in ran.stderr
    assert "spec.yml:11:18  card: price is empty in every item (3 items)" in ran.stderr
    assert "no match  spec.yml:11:18  card.price: .now matched nothing on 1 of 1 pages (list)" in ran.stderr
    allowed = run(site, crawl, "expect: {card: {filled: {price: 0%}}}")
    assert allowed.exit == 0, allowed.output
    assert "card.price: .now matched nothing" in allowed.stderr


def test_c30c_a_field_that_is_there_too_seldom(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = CARDS.replace('class="now">0', 'class="price-now">0')
    ran = run(site, crawl, "expect: {card: {filled: {price: 90%}}}")
    assert ran.exit == 2, ran.output
    assert "card: price is filled in 66.7 % of the items, 90 % are expected" in ran.stderr


@pytest.mark.parametrize("why", ["500", "refused"])
def test_c30d_e_a_start_page_that_cannot_be_had(site: Site, crawl: CommandLine, why: str) -> None:
    site.pages["/"] = html("oops", 500) if why == "500" else drop()
    ran = run(site, crawl)
    assert ran.exit == 3, ran.output
    assert "no start request for list was ok" in ran.stderr
    assert ("500" if why == "500" else "network_error") in ran.stderr
    assert not (ran.folder / "notices.jsonl").exists()


def test_c30e_a_host_that_refuses_the_connection(crawl: CommandLine) -> None:
    ran = crawl(SPEC.format(url="http://127.0.0.1:9/", expect=""))
    assert ran.exit == 3, ran.output
    assert "127.0.0.1" in ran.stderr
    assert "refused" in ran.stderr


LOSSES = """name: shop
site: {{sleep: 0s}}
start: {{list: "{url}"}}
pages:
  list:
    follow: {{other: .gone a}}
    items:
      card:
        each: .card
        where: "price == null || price > `2`"
        fields:
          name: {{css: h3, required: true}}
          price: {{css: .now, type: number}}
          stock: {{css: i, map: {{In: "yes", Out: "no"}}}}
          title: [h3.title, h3]
          sizes: {{each: u, fields: {{w: b, h: {{css: s, required: true}}}}}}
  other: {{}}
expect: {{card: {{filled: {{sizes: 0%}}}}}}
"""
LOSSY = """<div class=card><h3>Mug</h3><b class=now>12.50</b><i>In</i><u><b>1</b></u></div>
<div class=card><h3>Cup</h3><b class=now>soon</b><i>Maybe</i></div>
<div class=card><b class=now>3</b><i>Out</i></div>
<div class=card><h3>cheap</h3><b class=now>1</b><i>Out</i></div>"""


def test_each_loss_is_named_with_its_line_its_count_and_a_sample(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = LOSSY
    ran = crawl(LOSSES.format(url=site.url("/")))
    assert ran.exit == 0, ran.output
    url = site.url("/")
    for line in (
        "spec.yml:13:18  card.price: 1 could not be read as the field's type, e.g. 'soon' (there is no number in it)",
        f"spec.yml:14:32  card.stock: 1 not listed in map, e.g. 'Maybe' on {url}",
        f"spec.yml:12:17  card.name: 1 rejected: it is required, and was not there, e.g. {url}",
        f"spec.yml:10:16  card: 1 rejected by where, e.g. {url}",
        f"spec.yml:16:46  card.sizes.h: 1 rejected (records): it is required, and was not there, e.g. {url}",
        "spec.yml:6:21  list to other: .gone a matched nothing on 1 of 1 pages (list)",
        "spec.yml:15:19  card.title: h3.title matched nothing on 1 of 1 pages (list)",
    ):
        assert line in ran.stderr, ran.stderr
    told = {(loss["name"], loss["of"].rpartition("card.")[2]): loss for loss in ran.report["losses"]}
    assert {key: (loss["where"], loss["count"]) for key, loss in told.items()} == {
        ("cast", "fields.price"): ("spec.yml:13:18", 1),
        ("unmapped", "fields.stock.map"): ("spec.yml:14:32", 1),
        ("rejected", "fields.name"): ("spec.yml:12:17", 1),
        ("rejected", "where"): ("spec.yml:10:16", 1),
        ("rejected", "fields.sizes.fields.h"): ("spec.yml:16:46", 1),
    }
    assert all(loss["samples"] and url in loss["samples"][0] for loss in told.values())
    assert [one["selector"] for one in ran.report["silent"]] == ["s", ".gone a", "h3.title"]
