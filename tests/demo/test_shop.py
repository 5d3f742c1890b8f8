"""The demo shop answers as a small shop does, with its broken places where they are meant to be."""

from __future__ import annotations

import json
import re
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from yamlcrawl.demo.catalogue import CATEGORIES, PRODUCTS
from yamlcrawl.demo.server import shop
from yamlcrawl.demo.shop import answer


def hrefs(path: str) -> list[str]:
    return re.findall(r'href="([^"]+)"', answer(path).body)


def test_every_product_stands_on_one_shelf() -> None:
    found = []
    for category in CATEGORIES:
        page: str | None = f"/shelf/{category}"
        while page:
            links = hrefs(page)
            found += [link for link in links if link.startswith("/product/")]
            page = next((link for link in links if "?page=" in link), None)
    assert sorted(found) == sorted(f"{product.path}?utm_source=shelf" for product in PRODUCTS)


def test_every_link_is_answered_but_the_one_that_is_meant_to_be_broken() -> None:
    seen, todo = set(), ["/"]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += hrefs(path)
    assert {path for path in seen if answer(path).status == 404} == {"/product/p99"}
    assert {path for path in seen if answer(path).status == 301} == {"/old/espresso-cup"}


def test_the_api_gives_every_review_once() -> None:
    for product in PRODUCTS:
        got, after = [], "0"
        while after:
            page = json.loads(answer(f"/api/reviews?product={product.sku}&after={after}").body)
            got += [review["id"] for review in page["reviews"]]
            after = page["after"]
        assert got == [review.id for review in product.reviews]
    ids = [review.id for product in PRODUCTS for review in product.reviews]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", ["/shelf/hats", "/product/", "/api/reviews", "/api/reviews?product=x", "/%00"])
def test_what_is_not_there_is_404(path: str) -> None:
    assert answer(path).status == 404


def test_it_is_served_on_a_free_port() -> None:
    with shop() as first, shop() as second:
        assert first != second
        with urlopen(f"{first}/robots.txt") as reply:
            assert reply.headers["Content-Type"] == "text/plain"
            assert b"Disallow: /basket" in reply.read()
        with pytest.raises(HTTPError) as error:
            urlopen(f"{second}/product/p99")
        error.value.close()
        assert error.value.code == 404
