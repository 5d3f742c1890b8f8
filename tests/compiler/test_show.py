"""A plan in sentences."""

from __future__ import annotations

from tests.compiler.crawled import loaded, plan
from yamlcrawl.compiler.show import explain, explain_url

TEXT = """
description: Books and their prices
vars: {lang: [de, fr, it, es]}
site: {sleep: 2s, hosts: img.test}
limits: {pages: 100, errors: 5%}
start: {list: {url: 'http://site.test/${lang}', params: {k: '${env.KEY}'}}}
pages:
  list:
    next: {param: page, max: 9}
    follow:
      book: {each: article, any: [h3 a, a], carry: {price: .price}, include: /b/**, exclude: '*.pdf'}
  book:
    items:
      book: {key: upc, fields: {upc: {css: .upc, required: true}, tags: {each: .tag}, n: {css: i, type: integer}}}
pipelines: [books.csv, '-']
"""


def test_the_plan_is_told_in_sentences() -> None:
    told = explain(loaded(TEXT), plan(TEXT, {"KEY": "s3cr3t"}))
    for sentence in (
        "t: Books and their prices",
        "list: 4 requests",
        "http://site.test/de?k=***",
        "site.test: one request at a time (site.per_host), 2 s between two (site.sleep)",
        "an hour gives at most 1,800 pages",
        "robots.txt is obeyed (site.robots)",
        "the parameter page counts up by 1, up to 9",
        "leads to book: h3 a or a in each article; only /b/**; not *.pdf; carries price",
        "gives book: one for the page; told apart by upc",
        "upc: text, required",
        "tags: a list of text",
        "n: integer",
        "price: carried",
        "into books.csv: book, written whole when the run ends well",
        "to standard output: book, as they come",
        "at 100 pages, 5% errors (limits)",
        "Secrets of the environment go to the start hosts alone",
    ):
        assert sentence in told
    assert "s3cr3t" not in told


def test_what_gives_an_item_depends_on_the_format() -> None:
    text = (
        "pages: {p: {format: csv, follow: {q: Page}, items: {row: {fields: {a: A}}}}, "
        "q: {items: {line: {table: '#t', fields: {a: {column: A}}}, dish: {schema: [Recipe, Menu], fields: {b: name}}}}"
        "}"
    )
    told = explain(loaded(text), plan(text))
    assert "gives row: one for each row" in told
    assert "gives line: one for each row of #t" in told
    assert "gives dish: one for each Recipe or else Menu of its structured data" in told
    assert "b: as the JSON has it" in told


def test_a_url_is_told_with_the_rules_that_take_it() -> None:
    crawl = plan(TEXT, {"KEY": "s3cr3t"})
    told = explain_url(crawl, "HTTP://SITE.test/b/%7e?utm_source=x#top")
    assert "remembered as http://site.test/b/~" in told
    assert "in scope: site.test is a host of the start" in told
    assert "pages.list.follow.book: takes it" in told
    assert "http://site.test/robots.txt decides" in told


def test_a_url_is_told_what_a_sitemap_makes_of_it() -> None:
    start = "start: {p: {sitemap: 'http://site.test/s.xml', include: /news/**}}"
    crawl = plan(f"{start}\npages: {{p: {{items: {{x: {{fields: {{t: h1}}}}}}}}}}")
    assert "start.p: takes it where it is listed, and reads it as p" in explain_url(crawl, "http://site.test/news/1")
    assert "start.p: leaves it out: no pattern of include takes it" in explain_url(crawl, "http://site.test/shop")


def test_a_url_is_told_why_not() -> None:
    crawl = plan(TEXT, {"KEY": "s3cr3t"})
    assert "no pattern of include takes it" in explain_url(crawl, "http://site.test/c")
    assert "a pattern of exclude takes it" in explain_url(crawl, "http://img.test/b/x.pdf")
    assert "in scope: img.test is among the hosts" in explain_url(crawl, "http://img.test/b/x.pdf")
    assert "out of scope: other.test" in explain_url(crawl, "http://other.test/")
    assert "(limits.guards.repeats)" in explain_url(crawl, "http://site.test/b/b/b/b")
    assert "denied: 10.0.0.1 is no public address" in explain_url(crawl, "http://10.0.0.1/")
    assert "no address that can be fetched" in explain_url(crawl, "mailto:jo@site.test")
    assert "start.list: a start request, read as list" in explain_url(crawl, next(iter(crawl.seeds())).url)
