"""RDFa as pages use it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.selectors.structured.marked import BASE, cut, found

DIR = "http://site.test/dir/"


def product(inner: str, attributes: str = "") -> dict[str, Any]:
    (node,) = found(f'<div vocab="http://schema.org/" typeof="Product" {attributes}>{inner}</div>', "Product")
    assert node.pop("@type") == "Product"
    return node


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<b property=x> a <br> b</b>", "a b"),
        ("<b property='schema:x'>a</b>", "a"),
        ("<b property='https://schema.org/x'>a</b>", "a"),
        ("<b property=x content=' 1.50 '>$1.50</b>", "1.50"),
        ("<meta property=x content=1>", "1"),
        ("<a property=x href=a#b>t</a>", DIR + "a#b"),
        ("<a property=x href='tel:+1'>t</a>", "tel:+1"),
        ("<b property=x datatype=''>t</b>", "t"),
        ("<img property=x src=a.png>", DIR + "a.png"),
        ("<b property=x resource=r>t</b>", DIR + "r"),
        ("<time property=x datetime=2020-01-02>Jan 2</time>", "2020-01-02"),
        ("<link rel=x href=a>", DIR + "a"),
        ("<b property='x foo:y'>t</b>", "t"),
        ("<a rel='nofollow'><b property=x>t</b></a>", "t"),
    ],
)
def test_what_an_element_says(element: str, value: str) -> None:
    assert product(element)["x"] == value


def test_content_beside_an_address_is_said_of_what_is_there() -> None:
    page = '<div vocab="http://schema.org/" typeof=Product><a property=x href=a content=c>t</a></div>'
    assert found(page, "Product") == [{"@type": "Product"}]
    assert found(page, "any") == [{"@type": "Product"}, {"@id": DIR + "a", "x": "c"}]


def test_nodes_inside_nodes() -> None:
    page = """
      <div vocab="http://schema.org/" typeof="Product Book" resource="#p">
        <h1 property=name>Anvil</h1>
        <div property=offers typeof=Offer><b property=price>7</b><b property=price>8</b></div>
        <div rel=brand><i typeof=Brand><b property=name>ACME</b></i></div>
        <div rel=author resource="#jo" typeof=Person><b property=name>Jo</b></div>
      </div>"""
    offer = {"@type": "Offer", "price": ["7", "8"]}
    (node,) = found(page, "Product")
    assert node == {
        "@id": BASE + "#p",
        "@type": ["Product", "Book"],
        "name": "Anvil",
        "offers": offer,
        "brand": {"@type": "Brand", "name": "ACME"},
        "author": {"@id": BASE + "#jo", "@type": "Person", "name": "Jo"},
    }
    assert found(page, "Offer") == [offer]
    assert found(page, "any") == [node]


def test_an_address_stands_for_the_typed_node_of_that_name() -> None:
    page = """
      <div vocab="http://schema.org/">
        <p typeof=Product><a property=maker href="#acme">ACME</a><a property=url href="/p">more</a></p>
        <p typeof=Brand resource="#acme"><b property=name>ACME</b></p>
      </div>"""
    brand = {"@id": BASE + "#acme", "@type": "Brand", "name": "ACME"}
    assert found(page, "Product") == [{"@type": "Product", "maker": brand, "url": "http://site.test/p"}]


def test_circles_end() -> None:
    page = """
      <div vocab="http://schema.org/">
        <p typeof=Person resource="#a"><a property=knows href="#b"></a><a property=url href="#a"></a></p>
        <p typeof=Person resource="#b"><a property=knows href="#a"></a></p>
      </div>"""
    first, second = found(page, "Person")
    name = BASE + "#a"
    there = {"@id": BASE + "#b", "@type": "Person", "knows": {"@id": name}}
    assert first == {"@id": name, "@type": "Person", "knows": there, "url": name}
    assert second["knows"]["@type"] == "Person"


def test_prefixes_are_those_of_the_page() -> None:
    page = """
      <div prefix="s: http://schema.org/ dbp: http://a.test/" typeof="s:Product dbp:Thing">
        <b property="s:name dbp:name unknown:name nothing">x</b></div>"""
    (node,) = found(page, "http://a.test/Thing")
    assert node == {
        "@type": ["Product", "http://a.test/Thing"],
        "name": "x",
        "http://a.test/name": "x",
        "unknown:name": "x",
    }


def test_a_vocabulary_is_taken_back() -> None:
    page = '<div vocab="http://schema.org/" typeof=Product><p vocab=""><b property=name>x</b></p></div>'
    assert found(page, "Product") == [{"@type": "Product"}]


def test_what_is_said_of_the_page() -> None:
    page = '<head><meta property="og:title" content="Soup"><meta property="og:image" content="a.png"></head>'
    said = {"@id": BASE, "http://ogp.me/ns#title": "Soup", "http://ogp.me/ns#image": "a.png"}
    assert found(page, "any") == [said]
    assert found(page, "WebPage") == []


def test_backwards_links() -> None:
    page = """
      <div vocab="http://schema.org/" typeof=Product><b property=name>x</b>
        <a rev=itemOffered resource="#o" typeof=Offer><b property=price>7</b></a></div>"""
    (offer,) = found(page, "Offer")
    assert offer["itemOffered"] == {"@type": "Product", "name": "x"}


def test_many_levels_are_cut() -> None:
    level = "<div property=p typeof=Person><b property=n>x</b>"
    nodes = cut('<div vocab="http://schema.org/">' + level * 900, "Person")
    assert len(nodes) == 900
    depth, node = 0, nodes[0]
    while node:
        depth, node = depth + 1, node.get("p")
    assert depth == 100
