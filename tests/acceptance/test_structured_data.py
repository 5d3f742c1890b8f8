"""Structured data that is broken, huge, circular or endless: the rest of the page counts, and the report says it."""

from __future__ import annotations

import json

from tests.commandline import CommandLine
from tests.site import Site

GOOD = '<script type="application/ld+json">{"@type": "Product", "name": "Anvil"}</script>'
LEVELS = 10_000
SPEC = """
name: shop
site: {{sleep: 0s}}
start: {{page: [{urls}]}}
pages:
  page:
    items:
      product:
        key: [path, name]
        schema: Product
        fields:
          path: {{from: url, regex: '[^/]+$'}}
          name: name
          node: {{json: '@', type: json}}
          title: {{css: h1, from: page}}
"""


def script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def level(n: int) -> str:
    return f'<div itemscope itemtype="http://schema.org/Person" itemprop=p id=n{n}>'


PAGES = {
    "broken": script('{"@type": "Product", "name": "Bro') + GOOD,
    "template": script("{{ product | json }}") + GOOD,
    "deep-json": script('{"a":' * LEVELS + "1" + "}" * LEVELS) + GOOD,
    "deep-lists": script("[" * LEVELS + "]" * LEVELS) + GOOD,
    "huge": script(json.dumps([{"@type": "Offer", "price": n, "name": "x" * 40} for n in range(15_000)])) + GOOD,
    "circles": script(json.dumps({"@id": "#a", "@type": "Product", "name": "Anvil", "isRelatedTo": {"@id": "#a"}})),
    "deep-items": GOOD + "".join(level(n) for n in range(LEVELS)),
    "itemref": (
        '<div itemscope itemtype="http://schema.org/Product" itemref="a b"><b itemprop=name>Anvil</b></div>'
        "<p id=a itemprop=p itemscope itemref='b'></p><p id=b itemprop=p itemscope itemref='a b'></p><p id=a>again</p>"
    ),
    "rdfa": '<div vocab="http://schema.org/"><p typeof=Product resource="#a"><b property=name>Anvil</b>'
    '<a property=isRelatedTo href="#a"></a></p></div>',
}
REPORTED = {"broken", "template", "deep-json", "deep-lists"}


def test_the_rest_counts_and_the_report_says_what_was_broken(site: Site, crawl: CommandLine) -> None:
    site.pages.update({f"/{name}": f"<h1>{name}</h1>{page}" for name, page in PAGES.items()})
    ran = crawl(SPEC.format(urls=", ".join(site.url(f"/{name}") for name in PAGES)))
    assert ran.exit == 0, ran.output
    assert {row["path"]: (row["name"], row["title"]) for row in ran.items} == {name: ("Anvil", name) for name in PAGES}
    (line,) = [loss for loss in ran.report["losses"] if loss["name"] == "schema"]
    assert (line["of"], line["count"]) == ("pages.page.items.product.schema", len(REPORTED))
    assert {sample.rpartition("/")[2] for sample in line["samples"]} == REPORTED
    assert "pieces of structured data that cannot be read" in ran.output
    assert "Traceback" not in ran.output


def test_a_circle_names_itself(site: Site, crawl: CommandLine) -> None:
    site.pages["/circles"] = PAGES["circles"] + "<h1>x</h1>"
    (row,) = crawl(SPEC.format(urls=site.url("/circles"))).items
    assert row["node"] == {"@id": "#a", "@type": "Product", "name": "Anvil", "isRelatedTo": {"@id": "#a"}}
