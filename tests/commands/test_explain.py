"""`explain` and `schema`: the language and a plan in words."""

import json

SPEC = """
name: shop
start: {list: http://shop.test/}
pages:
  list:
    next: a.next
    follow: {product: {css: a, include: /p/*}}
  product: {items: {product: {fields: {name: h1}}}}
"""


def test_a_plan_is_told_in_sentences_with_what_politeness_costs(crawl):
    crawl.write(SPEC)
    ran = crawl.command("explain", "spec.yml")
    assert ran.exit == 0, ran.output
    for said in ("http://shop.test/", "a.next", "/p/*", "Columns of product", "shop.jsonl", "site.sleep"):
        assert said in ran.stdout


def test_a_url_is_judged_by_every_rule(crawl):
    crawl.write(SPEC)
    inside = crawl.command("explain", "spec.yml", "http://shop.test/p/1").stdout
    assert "pages.list.follow.product: takes it" in inside
    outside = crawl.command("explain", "spec.yml", "http://other.test/p/1").stdout
    assert "site.hosts" in outside


def test_a_key_is_told_with_its_default_and_a_wrong_one_with_the_nearest(crawl):
    assert "default: 1s" in crawl.command("explain", "site.sleep").stdout
    crawl.write(SPEC)
    assert "default: 1s" in crawl.command("explain", "spec.yml", "sleep").stdout
    ran = crawl.command("explain", "site.slep")
    assert ran.exit == 1
    assert "sleep" in ran.stderr


def test_the_schema_is_json_on_the_screen_or_in_a_file(crawl):
    ran = crawl.command("schema")
    assert json.loads(ran.stdout)["title"] == "yamlcrawl spec"
    assert crawl.command("schema", "--output", "s.json").exit == 0
    assert json.loads((ran.folder / "s.json").read_text(encoding="utf-8")) == json.loads(ran.stdout)
    assert crawl.command("schema", "--output", "no/s.json").exit == 1
