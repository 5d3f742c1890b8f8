"""Feeds as the start of a crawl: the pages of their entries."""

from __future__ import annotations

import json

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Answer, Site, html, redirect

SPEC = """
name: news
site: {{sleep: 0s}}
start:
  article: {{feed: "{url}"{more}}}
pages:
  article:
    items:
      article: {{fields: {{url: {{from: url}}, title: h1, from: {{json: referer, from: response}}}}}}
"""

RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title>
<link>{site}/</link>
<item><title>a</title><link>{site}/news/a</link><pubDate>Sat, 01 Mar 2025 10:00:00 GMT</pubDate></item>
<item><title>b</title><guid>{site}/news/b</guid><pubDate>Fri, 28 Feb 2025 10:00:00 +0100</pubDate></item>
<item><title>c</title><link>/shop/c?x=1&amp;y=2</link><pubDate>soon</pubDate></item>
<item><title>d</title></item></channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="{site}/news/"><title>News</title>
<entry><title>a</title><link rel="alternate" href="a"/><published>2024-01-01T00:00:00Z</published>
<updated>2025-03-02T00:00:00Z</updated></entry>
<entry><title>b</title><link rel="enclosure" href="b.mp3"/><link href="b"/><published>2024-01-01</published></entry>
<entry><title>c</title><link href="../shop/c?x=1&amp;y=2"/></entry></feed>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="{site}/"><title>News</title></channel>
<item rdf:about="{site}/news/a"><link>{site}/news/a</link><dc:date>2025-03-02</dc:date></item>
<item rdf:about="{site}/news/b"><link>{site}/news/b</link><dc:date>2024-03-02</dc:date></item>
<item rdf:about="{site}/shop/c"><link>{site}/shop/c?x=1&amp;y=2</link></item></rdf:RDF>"""

JSON_FEED = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "News",
        "items": [
            {
                "id": "1",
                "url": "{site}/news/a",
                "date_published": "2024-01-01T00:00:00Z",
                "date_modified": "2025-04-01",
            },
            {"id": "2", "url": "/news/b", "date_published": "2025-02-28T23:59:59Z"},
            {"id": "3", "url": "/shop/c?x=1&y=2", "external_url": "http://b.test/"},
            {"id": "4", "content_text": "no page of its own"},
        ],
    }
)

FORMS = {
    "rss": (RSS, "application/rss+xml"),
    "atom": (ATOM, "application/atom+xml"),
    "rdf": (RDF, "text/xml"),
    "json": (JSON_FEED, "application/feed+json"),
}


def run(site: Site, crawl: CommandLine, form: str = "rss", more: str = "") -> Ran:
    body, media = FORMS[form]
    text = body.replace("{site}", site.url("").rstrip("/"))
    site.pages.setdefault("/feed", Answer(text, headers=[("Content-Type", media)]))
    site.fallback = lambda hit: html(f"<h1>{hit.target}</h1>")
    return crawl(SPEC.format(url=site.url("/feed"), more=f", {more}" if more else ""))


def titles(ran: Ran, file: str = "news.jsonl") -> list[str]:
    return sorted(item["title"] for item in ran.lines(file))


@pytest.mark.parametrize("form", FORMS)
def test_the_links_of_the_entries_are_pages(site: Site, crawl: CommandLine, form: str) -> None:
    ran = run(site, crawl, form)
    assert ran.exit == 0, ran.output
    assert titles(ran) == ["/news/a", "/news/b", "/shop/c?x=1&y=2"]
    assert ran.items[0]["from"] == site.url("/feed")
    assert ran.report["feeds"] == {"ok": 1}
    assert ran.report["pages"] == 3
    assert ("entries of a feed that have no link" in ran.output) == (form in ("rss", "json"))


@pytest.mark.parametrize("form", FORMS)
def test_since_takes_the_last_change_else_the_publication(site: Site, crawl: CommandLine, form: str) -> None:
    ran = run(site, crawl, form, "since: 2025-03-01")
    assert ran.exit == 0, ran.output
    # c has no date, or one that cannot be read: it is kept
    assert titles(ran) == ["/news/a", "/shop/c?x=1&y=2"]
    assert ("whose date cannot be read" in ran.output) == (form == "rss")


def test_patterns_and_scope_sort_the_links(site: Site, crawl: CommandLine) -> None:
    ran = run(site, crawl, more="include: /news/**, exclude: '*b'")
    assert ran.exit == 0, ran.output
    assert titles(ran) == ["/news/a"]
    assert ran.report["excluded"] == {"start.article": 2}


def test_a_feed_may_have_moved(site: Site, crawl: CommandLine) -> None:
    site.pages["/feed"] = redirect("/rss/new.xml", 301)
    site.pages["/rss/new.xml"] = Answer(ATOM.replace("{site}/news/", "../news/"))
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert titles(ran) == ["/news/a", "/news/b", "/shop/c?x=1&y=2"]


@pytest.mark.parametrize(
    ("answer", "exit_code", "said"),
    [
        ("<h1>Please log in</h1>", 3, "wrong_format: the answer is an HTML page, not a feed"),
        (b"", 3, "wrong_format: the answer is no feed: it is empty"),
        ({"items": [1]}, 3, "wrong_format: the answer is JSON, not a feed"),
        (html("", 404), 3, "not_found: 404 Not Found"),
        ('<?xml version="1.0"?><rss version="2.0"><channel><title>x</title></channel></rss>', 2, "the feed lists no"),
        (
            '<rss version="2.0"><channel><item><link>http://b.test/1</link></item></channel></rss>',
            2,
            "none of the 1 addresses in the feed is let through",
        ),
        (RSS.replace("{site}", "")[:400], 2, "1 feed could not be read whole"),
    ],
)
def test_a_feed_that_leads_nowhere_is_said_clearly(
    site: Site, crawl: CommandLine, answer: str | bytes | Answer, exit_code: int, said: str
) -> None:
    site.pages["/feed"] = answer
    ran = run(site, crawl)
    assert ran.exit == exit_code, ran.output
    assert said in ran.output
