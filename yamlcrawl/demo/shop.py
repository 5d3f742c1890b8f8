"""The pages of the demo shop: from what was asked to what is answered, without a network."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from urllib.parse import parse_qs, urlsplit

from yamlcrawl.demo.catalogue import BY_SKU, CATEGORIES, PRODUCTS, Product

PER_PAGE = 4
"""Products on a page of a category."""
REVIEWS_AT_ONCE = 2
"""Reviews in one answer of the API."""

ROBOTS = """\
User-agent: *
Disallow: /basket
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the shop answers."""

    body: str
    status: int = 200
    media_type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


def answer(target: str) -> Answer:
    """The answer to a GET for the path and query.

    >>> answer("/product/p02").status, answer("/old/espresso-cup").headers["Location"], answer("/product/p99").status
    (200, '/product/p02', 404)
    """
    parts = urlsplit(target)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    match parts.path.strip("/").split("/"):
        case [""]:
            return _front()
        case ["robots.txt"]:
            return Answer(ROBOTS, media_type="text/plain")
        case ["shelf", category] if category in CATEGORIES:
            return _shelf(category, query)
        case ["product", sku] if sku in BY_SKU:
            return _detail(BY_SKU[sku])
        case ["old", "espresso-cup"]:
            return Answer("", 301, headers={"Location": "/product/p02"})
        case ["api", "reviews"] if query.get("product") in BY_SKU:
            return _reviews(BY_SKU[query["product"]], query)
        case ["basket"]:
            return _page("Your basket", ["<p>It is empty.</p>"])
    return Answer(_page("Not here", ["<p>We have looked everywhere.</p>"]).body, 404)


def _page(title: str, lines: Iterable[str]) -> Answer:
    shelves = " · ".join(f'<a href="/shelf/{path}">{name}</a>' for path, name in CATEGORIES.items())
    body = "\n".join(lines)
    return Answer(
        f"<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<title>{escape(title)} – Tea &amp; Thistle</title>\n"
        f'<nav><a href="/">Tea &amp; Thistle</a> {shelves} <a rel=nofollow href="/basket">Basket</a></nav>\n'
        f"<main>\n<h1>{escape(title)}</h1>\n{body}\n</main>\n</html>\n"
    )


def _front() -> Answer:
    return _page(
        "A shop for tea",
        [
            "<p>Cups, pots, and what goes into them.</p>",
            '<p>Everybody asks for the <a class=pick href="/old/espresso-cup">espresso cup</a>',
            'and for the <a class=pick href="/product/p99">teapot of the year</a>, which is sold out.</p>',
        ],
    )


def _shelf(category: str, query: dict[str, str]) -> Answer:
    products = [product for product in PRODUCTS if product.category == category]
    page = int(query["page"]) if query.get("page", "").isdecimal() else 1
    shown = products[(page - 1) * PER_PAGE : page * PER_PAGE]
    lines = ["<ul class=shelf>", *map(_tile, shown), "</ul>"]
    if page * PER_PAGE < len(products):
        lines.append(f'<a rel=next href="/shelf/{category}?page={page + 1}">more</a>')
    return _page(CATEGORIES[category], lines)


def _tile(product: Product) -> str:
    before = f" <s>{product.before}</s>" if product.before else ""
    name = f'<a href="{product.path}?utm_source=shelf">{escape(product.name)}</a>'
    return f"<li class=product>{name} <span class=price>{product.price}</span>{before}</li>"


def _detail(product: Product) -> Answer:
    stock = f"{product.stock} in stock" if product.stock else "sold out"
    return _page(
        product.name,
        [
            f'<article data-sku="{product.sku}">',
            f"<p class=crumb>{CATEGORIES[product.category]}</p>",
            f"<p class=price>{product.price}</p>",
            f"<p class=stock>{stock}</p>",
            f"<p class=text>{escape(product.text)}</p>",
            "<ul class=tags>" + "".join(f"<li>{tag}</li>" for tag in product.tags) + "</ul>",
            f'<a class=reviews href="/api/reviews?product={product.sku}">{len(product.reviews)} reviews</a>',
            "</article>",
        ],
    )


def _reviews(product: Product, query: dict[str, str]) -> Answer:
    start = int(query["after"]) if query.get("after", "").isdecimal() else 0
    end = start + REVIEWS_AT_ONCE
    reviews = [review._asdict() for review in product.reviews[start:end]]
    after = str(end) if end < len(product.reviews) else None
    body = {"product": product.sku, "reviews": reviews, "after": after}
    return Answer(json.dumps(body, ensure_ascii=False), media_type="application/json")
