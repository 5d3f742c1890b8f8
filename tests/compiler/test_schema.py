"""`schema` as an item rule, and as a selector wherever one may stand."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from tests.compiler import crawled
from tests.compiler.page import problems, read


def script(data: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


OFFERS = {
    "@type": "Product",
    "name": "Anvil",
    "offers": [{"@type": "Offer", "price": "1,234.50"}, {"@type": "Offer", "price": 7.50, "url": "/buy#now"}],
}


def test_one_item_for_each_node() -> None:
    page = read(
        "offer: {schema: Offer, fields: {price: price, title: {css: h1, from: page}}}", "<h1>T</h1>" + script(OFFERS)
    )
    assert page.items == [{"price": "1,234.50", "title": "T"}, {"price": Decimal("7.50"), "title": "T"}]
    assert page.counts["match:offer"] == 2


def test_types_are_tried_in_order() -> None:
    page = read("x: {schema: [Recipe, Product], fields: {name: name}}", script(OFFERS))
    assert page.items == [{"name": "Anvil"}]


def test_a_type_that_is_not_there_matches_nothing() -> None:
    page = read("x: {schema: Recipe, fields: {name: name}}", script(OFFERS))
    assert page.items == []
    assert page.counts["tried:pages.p.items.x.schema"] == 1
    assert "hit:pages.p.items.x.schema" not in page.counts


def test_a_node_of_microdata_reads_like_one_of_json_ld() -> None:
    html = """
      <base href="http://cdn.test/">
      <div itemscope itemtype="http://schema.org/Product"><h1 itemprop=name>Anvil</h1><img itemprop=image src=a.png>
        <p itemprop=offers itemscope itemtype="http://schema.org/Offer"><meta itemprop=price content=7.50></p></div>"""
    rule = "x: {schema: Product, fields: {name: name, image: image, price: {json: offers.price, type: number}}}"
    item = {"name": "Anvil", "image": "http://cdn.test/a.png", "price": Decimal("7.50")}
    assert read(rule, html).item == item
    node = {"@type": "Product", "name": "Anvil", "image": item["image"], "offers": {"@type": "Offer", "price": 7.50}}
    assert read(rule, script(node)).item["price"] == Decimal("7.5")


def test_a_field_reads_inside_the_node() -> None:
    fields = """
x:
  fields:
    title: h1
    name: {schema: Product, json: name}
    prices: {each: {schema: Product, json: 'offers[].price'}}
    first: {schema: Offer, json: price, type: number, locale: en}
    named: [{schema: Recipe, json: name}, {schema: [Recipe, Product], json: name}]
    whole: {schema: Offer, type: json}
    urls: {each: {schema: Offer}, json: url, type: url}
    parts: {each: {schema: Offer}, fields: {price: price, url: {json: url, default: none}}}
"""
    item = read(fields, "<h1>T</h1>" + script(OFFERS)).item
    assert item == {
        "title": "T",
        "name": "Anvil",
        "prices": ["1,234.50", Decimal("7.5")],
        "first": Decimal("1234.50"),
        "named": "Anvil",
        "whole": OFFERS["offers"][0],
        "urls": ["http://site.test/buy"],
        "parts": [{"price": "1,234.50", "url": "none"}, {"price": Decimal("7.5"), "url": "/buy#now"}],
    }


def test_inside_an_each_the_nodes_of_that_element_alone() -> None:
    card = (
        "<article><h2>{0}</h2><p itemscope itemtype='http://schema.org/Offer'><b itemprop=price>{0}</b></p></article>"
    )
    html = script(OFFERS) + card.format(1) + card.format(2) + "<article><h2>3</h2></article>"
    whole = "{schema: Product, json: name, from: page}"
    rule = f"x: {{each: article, fields: {{n: h2, price: {{schema: Offer, json: price}}, all: {whole}}}}}"
    assert [(item["n"], item["price"], item["all"]) for item in read(rule, html).items] == [
        ("1", "1", "Anvil"),
        ("2", "2", "Anvil"),
        ("3", None, "Anvil"),
    ]


def test_numbers_are_in_the_form_of_machines() -> None:
    price = "schema: Offer, json: price"
    rule = f"x: {{fields: {{a: {{{price}, type: number}}, b: {{any: [{{{price}}}], type: number}}}}}}"
    page = read(rule, script({"@type": "Offer", "price": "1.234"}))
    assert page.item == {"a": Decimal("1.234"), "b": Decimal("1.234")}


def test_a_broken_script_is_noted_once_and_the_rest_counts() -> None:
    rule = "x: {fields: {name: {schema: Product, json: name}, price: {schema: Offer, json: price}, h: h1}}"
    page = read(rule, '<script type="application/ld+json">{"a": tru}</script><h1>T</h1>' + script(OFFERS))
    assert page.item == {"name": "Anvil", "price": "1,234.50", "h": "T"}
    (note,) = page.noted("schema:pages.p.items.x.fields.name.schema")
    assert note.startswith("JSON-LD that is broken: expecting value in line 1: 'tru}' on http://site.test/")


def test_links_come_out_of_nodes() -> None:
    plan = crawled.plan("""
pages:
  p:
    next: {schema: ItemList, json: next}
    follow:
      q: {each: {schema: ListItem}, json: url, carry: {place: position}}
  q: {items: {x: {fields: {t: h1}}}}
""")
    items = [{"@type": "ListItem", "position": n, "url": f"/q/{n}"} for n in (1, 2)]
    led = crawled.lead(plan, script({"@type": "ItemList", "itemListElement": items, "next": "?page=2"}))
    assert led.urls == ["http://site.test/q/1", "http://site.test/q/2", "http://site.test/?page=2"]
    assert [request.carry for request in led.requests[:2]] == [{"place": 1}, {"place": 2}]


def test_a_script_of_json_ld_that_css_finds_is_read_as_leniently() -> None:
    rule = """
x:
  fields:
    name: {css: 'script[type="application/ld+json"]', json: name}
    broken: {css: '#b', json: name}
    two: {css: '#c', json: '[1].name'}
"""
    html = """<script type="application/ld+json">/* a */ {"name": "Anvil",}</script>
      <script id=b type="application/ld+json">{"name": }</script>
      <script id=c type="application/ld+json">{"name": "a"} {"name": "b"}</script>"""
    assert read(rule, html).item == {"name": "Anvil", "broken": None, "two": "b"}


def test_what_is_read_inside_fits_one_kind() -> None:
    said = "some of these give elements and others data, and what is read inside cannot fit both"
    rule = """
x: {each: [{schema: Offer}, article], fields: {a: price}}
y:
  fields:
    b: {each: [{schema: Offer, json: price}, .price]}
    c: {each: [{schema: Offer}, .offer], json: price}
    d: {each: [.offer, {schema: Offer}], fields: {price: price}}
"""
    assert problems(rule) == [
        f"pages.p.items.{path}: {said} | write one rule or field for each"
        for path in ("x.each", "y.fields.c.each", "y.fields.d.each")
    ]


def test_a_table_is_an_element() -> None:
    assert problems("x: {table: {schema: Table}, fields: {a: {column: A}}}") == [
        "pages.p.items.x.table: a table is an element, and this finds none | say css or xpath; for data say each"
    ]


def test_what_is_no_element_cannot_be_taken_out() -> None:
    rule = "x: {fields: {a: {css: p, remove: [b, {schema: Offer}, 'i@title']}}}"
    assert problems(rule) == [
        f"pages.p.items.x.fields.a.remove.{n}: remove takes elements out, and this finds none | name the element itself"
        for n in (1, 2)
    ]
