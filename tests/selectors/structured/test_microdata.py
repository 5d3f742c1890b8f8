"""Microdata by the HTML standard."""

from __future__ import annotations

from typing import Any

import pytest

from tests.selectors.structured.marked import Marked, cut, found

DIR = "http://site.test/dir/"


def product(inner: str) -> dict[str, Any]:
    (node,) = found(f'<div itemscope itemtype="http://schema.org/Product">{inner}</div>', "Product")
    assert node.pop("@type") == "Product"
    return node


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<b itemprop=x> a <br> b<script>1</script></b>", "a b"),
        ("<b itemprop=x></b>", ""),
        ("<b itemprop=x content=' 1.50 '>$1.50</b>", "1.50"),
        ("<meta itemprop=x content=1>", "1"),
        ("<a itemprop=x href='../a#b'>t</a>", "http://site.test/a#b"),
        ("<a itemprop=x href='mailto:a@b.test'>t</a>", "mailto:a@b.test"),
        ("<link itemprop=x href=' https://schema.org/InStock '>", "https://schema.org/InStock"),
        ("<area itemprop=x href=a>", DIR + "a"),
        ("<img itemprop=x src=a.png>", DIR + "a.png"),
        ("<video itemprop=x src=a></video>", DIR + "a"),
        ("<audio itemprop=x src=a></audio>", DIR + "a"),
        ("<iframe itemprop=x src=a></iframe>", DIR + "a"),
        ("<embed itemprop=x src=a>", DIR + "a"),
        ("<object itemprop=x data=a></object>", DIR + "a"),
        ("<data itemprop=x value=7>seven</data>", "7"),
        ("<meter itemprop=x value=3.5 max=5>3.5 of 5</meter>", "3.5"),
        ("<time itemprop=x datetime=2020-01-02>Jan 2</time>", "2020-01-02"),
        ("<time itemprop=x>2020-01-02</time>", "2020-01-02"),
        ("<time itemprop=x content=PT1H>1 h</time>", "PT1H"),
    ],
)
def test_what_an_element_says(element: str, value: str) -> None:
    assert product(element) == {"x": value}


@pytest.mark.parametrize(
    "element", ["<img itemprop=x>", "<a itemprop=x>t</a>", "<meta itemprop=x>", "<b itemprop>t</b>"]
)
def test_what_says_nothing(element: str) -> None:
    assert product(element) == {}


def test_several_names_and_several_values() -> None:
    inner = "<b itemprop='x  y x'>1</b><i itemprop=y>2<u itemprop='http://schema.org/z'>3</u></i>"
    assert product(inner) == {"x": "1", "y": ["1", "23"], "z": "3"}


def test_items_inside_items() -> None:
    page = """
      <article itemscope itemtype="https://schema.org/Product http://schema.org/Book https://a.test/T" itemid="/7#a">
        <h1 itemprop=name>Anvil</h1>
        <div itemprop=offers itemscope itemtype="http://schema.org/Offer"><b itemprop=price>7</b>
          <div itemscope itemtype="http://schema.org/Person"><b itemprop=name>Jo</b></div></div>
      </article>"""
    offer = {"@type": "Offer", "price": "7"}
    (node,) = found(page, "Book")
    assert node == {
        "@type": ["Product", "Book", "https://a.test/T"],
        "@id": "http://site.test/7#a",
        "name": "Anvil",
        "offers": offer,
    }
    assert found(page, "Offer") == [offer]
    assert found(page, "any") == [node, {"@type": "Person", "name": "Jo"}]


def test_itemref_brings_properties_in_the_order_of_the_page() -> None:
    page = """
      <p id=one><b itemprop=x>1</b></p>
      <div itemscope itemtype="http://schema.org/Product" itemref="two one nobody one"><b itemprop=x>2</b></div>
      <p id=two itemprop=x>3</p>
      <p id=two itemprop=x>not the first of that id</p>"""
    assert found(page, "Product") == [{"@type": "Product", "x": ["1", "2", "3"]}]


def test_an_item_that_is_referred_to_gives_no_properties() -> None:
    page = """
      <div itemscope itemtype="http://schema.org/Product" itemref="other"><b itemprop=x>1</b></div>
      <div id=other itemscope itemtype="http://schema.org/Brand"><b itemprop=x>2</b></div>"""
    assert found(page, "Product") == [{"@type": "Product", "x": "1"}]


def test_circles_of_itemref_end() -> None:
    page = """
      <div id=a itemprop=p itemscope itemtype="http://schema.org/Person" itemref="a b"><b itemprop=n>A</b></div>
      <div id=b itemprop=p itemscope itemtype="http://schema.org/Person" itemref="a"><b itemprop=n>B</b></div>"""
    first, second = found(page, "Person")
    assert first == {"@type": "Person", "n": "A", "p": {"@type": "Person", "p": None, "n": "B"}}
    assert second["p"]["n"] == "A"


def test_parts_that_are_referred_to_again_and_again_end() -> None:
    parts = "".join(f"<b itemprop=x>{n}</b>" for n in range(2000))
    items = '<div itemscope itemtype="http://schema.org/Product" itemref=parts></div>' * 2000
    page = Marked(f"<div id=parts>{parts}</div>{items}")
    nodes = page.find("Product")
    assert len(nodes) == 2000
    assert len(nodes[0]["x"]) == 2000
    assert len(page.reports) == 1


def test_items_that_hold_each_other_do_not_fill_the_memory() -> None:
    pairs = "".join(
        f"<p id=n{n}{side} itemprop=p itemscope itemtype=http://schema.org/Person itemref='n{n + 1}a n{n + 1}b'></p>"
        for n in range(60)
        for side in "ab"
    )
    nodes = cut(pairs, "Person")
    assert len(nodes) == 120
    assert nodes[0]["p"][0]["p"][1]["@type"] == "Person"


def test_many_levels_are_cut() -> None:
    level = '<div itemprop=p itemscope itemtype="http://schema.org/Person"><b itemprop=n>x</b>'
    nodes = cut(level * 1000, "Person")
    assert len(nodes) == 1000
    depth, node = 0, nodes[0]
    while node:
        depth, node = depth + 1, node.get("p")
    assert depth == 100


def test_json_ld_comes_first_for_each_type() -> None:
    page = """
      <script type="application/ld+json">{"@type": "Recipe", "name": "Soup"}</script>
      <div itemscope itemtype="http://schema.org/Recipe"><b itemprop=name>Soup</b></div>
      <div itemscope itemtype="http://schema.org/Offer"><b itemprop=price>7</b></div>"""
    assert found(page, "Recipe") == [{"@type": "Recipe", "name": "Soup"}]
    assert found(page, "Offer") == [{"@type": "Offer", "price": "7"}]
    assert [node["@type"] for node in found(page, "any")] == ["Recipe", "Recipe", "Offer"]


def test_an_element_shows_what_begins_in_it() -> None:
    offers = "".join(
        f"<li itemprop=o itemscope itemtype='http://schema.org/Offer'><b itemprop=p>{n}</b></li>" for n in "12"
    )
    page = Marked(f"<ul itemscope itemtype='http://schema.org/Product'>{offers}</ul>")
    assert [node["p"] for node in page.find("Offer")] == ["1", "2"]
    assert [node["p"] for node in page.find("Offer", within="//li[2]")] == ["2"]
    assert [node["p"] for node in page.find("any", within="//li[2]")] == ["2"]
    assert page.find("Product", within="//li[2]") == []
