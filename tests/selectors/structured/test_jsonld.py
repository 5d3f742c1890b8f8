"""JSON-LD as sites write it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from tests.selectors.structured.marked import Marked, cut, found

SOUP = {"@type": "Recipe", "name": "Soup"}


def script(data: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    "data",
    [
        SOUP,
        [SOUP],
        [None, 3, "x", [SOUP][0]],
        {"@graph": [SOUP]},
        {"@context": "https://schema.org", "@graph": SOUP},
        {"@type": "WebPage", "mainEntity": SOUP},
        {"@type": "ItemList", "itemListElement": [{"item": [SOUP]}]},
        {"@type": "http://schema.org/Recipe", "http://schema.org/name": "Soup"},
        {"@type": "https://schema.org/Recipe", "schema:name": "Soup"},
        {"@context": {"s": "https://schema.org/"}, "@type": "s:Recipe", "s:name": "Soup"},
        {"@context": ["x", {"kind": "@type", "title": "schema:name"}], "kind": "Recipe", "title": "Soup"},
        {
            "@context": {"@vocab": "https://schema.org/"},
            "@type": "Recipe",
            "name": {"@value": "Soup", "@language": "en"},
        },
        {"@type": "X", "part": {"@list": [SOUP]}},
    ],
)
def test_a_node_is_found_wherever_it_stands(data: Any) -> None:
    assert found(script(data), "Recipe") == [SOUP]


def test_several_types_of_one_node() -> None:
    both = {"@type": ["NewsArticle", "https://schema.org/Recipe"], "name": "Soup"}
    assert found(script(both), "Recipe") == [{"@type": ["NewsArticle", "Recipe"], "name": "Soup"}]


def test_types_have_their_exact_name_and_are_tried_in_order() -> None:
    page = script([{"@type": "NewsArticle", "name": "a"}, {"@type": "BlogPosting", "name": "b"}])
    assert found(page, "Article") == []
    assert [node["name"] for node in found(page, "Article", "BlogPosting", "NewsArticle")] == ["b"]


def test_a_type_of_another_vocabulary_is_whole() -> None:
    page = script({"@context": {"@vocab": "http://other.test/"}, "@type": "Recipe", "name": "x"})
    assert found(page, "Recipe") == []
    assert found(page, "http://other.test/Recipe") == [{"@type": "http://other.test/Recipe", "name": "x"}]


@pytest.mark.parametrize(
    "text",
    [
        '<!-- {"@type": "Recipe", "name": "Soup"} -->',
        '<!--\n{"@type": "Recipe", "name": "Soup"}\n//-->',
        '//<![CDATA[\n{"@type": "Recipe", "name": "Soup"}\n//]]>',
        '/* <![CDATA[ */ {"@type": "Recipe", "name": "Soup"} /* ]]> */',
        '<![CDATA[{"@type": "Recipe", "name": "Soup"}]]>',
        '// soup\n{"@type": "Recipe", /* a "name" */ "name": "Soup"}',
        '<!-- soup --> {"@type": "Recipe", "name": "Soup"}',
        '{"@type": "Recipe", "name": "Soup",}',
        '[{"@type": "Recipe", "name": "Soup",},\n]',
        '{"@type": "Recipe", "name": "Soup"};',
        '{"@type": "X"}\n{"@type": "Recipe", "name": "Soup"}',
        "{&quot;@type&quot;: &quot;Recipe&quot;, &quot;name&quot;: &quot;Soup&quot;}",
        '\ufeff{"@type": "Recipe", "name": "Soup"}',
    ],
)
def test_wrappings_and_slips_are_read(text: str) -> None:
    assert found(script(text), "Recipe") == [SOUP]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ('"a\nb\tc"', "a\nb\tc"),
        ('"Jo\\\'s"', "Jo's"),
        ('"Fish &amp; Chips"', "Fish & Chips"),
        ('"Jo&#8217;s"', "Jo’s"),
        ('"<b>Fish &amp; Chips</b>"', "<b>Fish &amp; Chips</b>"),
        ('"http://a.test/?a=1&copy=2"', "http://a.test/?a=1&copy=2"),
        ('"// no comment /* at all */ <!-- x -->, ]"', "// no comment /* at all */ <!-- x -->, ]"),
        ("12.50", Decimal("12.50")),
        ("NaN", None),
    ],
)
def test_texts_and_numbers(written: str, name: Any) -> None:
    # the comma at the end has each of them read the hard way too
    for end in ("", ","):
        (node,) = found(script(f'{{"@type": "Recipe", "name": {written}{end}}}'), "Recipe")
        assert node["name"] == name
        assert str(node["name"]) == str(name)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ('{"@type": "Recipe", "name": ', "JSON-LD that is broken: expecting value in line 1: ''"),
        ("{{ template }}", "broken: expecting property name"),
        ('{"@type": "Recipe"', "broken: expecting ',' delimiter"),
        ("[" * 100_000, "broken: nested too deeply"),
        ('{"a": 1e999999999}', "broken: a number that is too long"),
        ('{"a": ' + "9" * 5000 + "}", "broken: a number that is too long"),
        ('{"a":' * 400 + "1" + "}" * 400, "nested more than 100 levels deep"),
        ('{"@graph": [' * 300 + "]}" * 300, "nested more than 100 levels deep"),
    ],
)
def test_what_is_broken_is_reported_and_the_rest_counts(broken: str, said: str) -> None:
    page = Marked(script(broken) + script(SOUP))
    assert page.find("Recipe") == [SOUP]
    (report,) = page.reports
    assert said in report


def test_empty_scripts_and_other_scripts_say_nothing() -> None:
    other = f'<script type="application/json">{json.dumps(SOUP)}</script><script>{json.dumps(SOUP)}</script>'
    assert found(script("") + script(" null ") + script("[]") + other, "Recipe") == []
    assert found(f'<script type=" Application/LD+JSON; charset=utf-8">{json.dumps(SOUP)}</script>', "Recipe") == [SOUP]


def test_a_bare_reference_is_replaced_by_what_it_names() -> None:
    person = {"@id": "#jo", "@type": "Person", "name": "Jo", "image": {"@id": "http://site.test/dir/page.html#pic"}}
    recipe = SOUP | {"author": [{"@id": "#jo"}, {"@id": "#nobody"}, {"@type": "Person", "@id": "#jo"}]}
    picture = {"@id": "#pic", "url": "/jo.png"}
    full = person | {"image": picture}
    nodes = found(script({"@graph": [recipe, person]}) + script(picture), "Recipe")
    assert nodes == [SOUP | {"author": [full, {"@id": "#nobody"}, full]}]
    assert found(script([recipe, person]), "Person") == [person]


def test_circles_of_references_end() -> None:
    a = {"@id": "#a", "@type": "Person", "knows": {"@id": "#b"}}
    b = {"@id": "#b", "@type": "Person", "knows": [{"@id": "#a"}, {"@id": "#b"}]}
    first, second = found(script([a, b]), "Person")
    assert first == a | {"knows": {"@id": "#b", "@type": "Person", "knows": [{"@id": "#a"}, {"@id": "#b"}]}}
    assert second == b | {"knows": [{"@id": "#a", "@type": "Person", "knows": {"@id": "#b"}}, {"@id": "#b"}]}


def count(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, list) else 1


def test_references_do_not_fill_the_memory() -> None:
    names = [f"#{n}" for n in range(300)]
    everyone = [{"@id": n, "@type": "Person", "knows": [{"@id": other} for other in names]} for n in names]
    nodes = cut(script(everyone), "Person")
    assert len(nodes) == 300
    assert nodes[0]["knows"][1]["@type"] == "Person"
    assert sum(map(count, nodes)) < 1_000_000


def test_a_long_chain_of_references_is_cut() -> None:
    chain = [{"@id": f"#{n}", "@type": "Person", "knows": {"@id": f"#{n + 1}"}} for n in range(10_000)]
    node = cut(script(chain), "Person")[0]
    json.dumps(node)
    assert node["knows"]["knows"]["knows"]["@id"] == "#3"


def test_the_same_node_twice_is_one() -> None:
    stub = {"@id": "#soup", "@type": "Recipe", "name": "Soup"}
    full = stub | {"recipeYield": "4"}
    other = {"@id": "#soup", "@type": "Recipe", "name": "Cake"}
    assert found(script(stub) + script(full) + script(stub), "Recipe") == [full]
    assert found(script([stub, other]), "Recipe") == [stub, other]
    assert found(script([SOUP, SOUP]), "Recipe") == [SOUP, SOUP]


def test_a_property_under_two_names_has_both_values() -> None:
    page = script({"@type": "Recipe", "name": "Soup", "schema:name": ["Broth"], "http://other.test/name": "x"})
    assert found(page, "Recipe") == [{"@type": "Recipe", "name": ["Soup", "Broth"], "http://other.test/name": "x"}]


def test_a_megabyte_is_read() -> None:
    products = [{"@type": "Product", "name": f"p{n}", "offers": {"@type": "Offer", "price": n}} for n in range(15_000)]
    text = json.dumps(products)
    assert len(text) > 1_000_000
    assert found(script(text), "Offer")[-1] == {"@type": "Offer", "price": 14_999}
    assert len(found(script(text[:-1] + ",]"), "Product")) == 15_000


@pytest.mark.parametrize("sign", ["/*", "<!--", '"', '\\"', ",", "//", "&quot;", "<![CDATA[", "[{"])
def test_signs_that_never_end_end(sign: str) -> None:
    page = Marked(script("{" + sign * 200_000) + script(SOUP))
    assert page.find("Recipe") == [SOUP]
    assert len(page.reports) == 1
