"""`demo` crawls the shop that ships with yamlcrawl, whole."""

from __future__ import annotations

import csv
import re
import shlex

from tests.commandline import CommandLine
from yamlcrawl.demo.catalogue import PRODUCTS


def test_the_demo_crawls_the_whole_shop(crawl: CommandLine) -> None:
    ran = crawl.command("demo")
    assert ran.exit == 0, ran.output
    with (ran.folder / "yamlcrawl-demo/products.csv").open(encoding="utf-8", newline="") as file:
        products = {row["sku"]: row for row in csv.DictReader(file)}
    assert products.keys() == {product.sku for product in PRODUCTS}
    for product in PRODUCTS:
        row = products[product.sku]
        price = "" if product.price == "on request" else product.price.removeprefix("€ ").replace(",", "")
        assert (row["name"], row["price"], row["stock"]) == (product.name, price, str(product.stock))
        assert row["before"] == product.before.removeprefix("€ ")
    reviews = ran.lines("yamlcrawl-demo/reviews.jsonl")
    assert {review["id"] for review in reviews} == {review.id for p in PRODUCTS for review in p.reviews}


def test_it_ends_with_three_commands_that_work(crawl: CommandLine) -> None:
    shown = crawl.command("demo").stdout
    assert "in yamlcrawl-demo/products.csv" in shown
    commands = [shlex.split(line, comments=True) for line in re.findall(r"^  yamlcrawl (.*)$", shown, re.MULTILINE)]
    assert [command[0] for command in commands] == ["explain", "try", "demo"]
    for command in commands[:2]:
        done = crawl.command(*command)
        assert done.exit == 0, done.output
    assert re.search(r'sku +"p02"', done.stdout)


def test_a_spec_that_was_changed_stays(crawl: CommandLine) -> None:
    crawl.command("demo")
    spec = crawl.folder / "yamlcrawl-demo" / "shop.yml"
    spec.write_text(spec.read_text(encoding="utf-8").replace("description: Every", "description: Each"), "utf-8")
    assert crawl.command("demo").exit == 0
    assert "description: Each" in spec.read_text(encoding="utf-8")
