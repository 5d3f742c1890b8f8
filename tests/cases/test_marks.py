"""Pages and links that ask crawlers to stay away."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Answer, Site

SPEC = """
name: marks
site: {{sleep: 0s, user_agent: "shopbot/1.0 (+https://shop.test)"}}
start: {{page: "{url}"}}
pages:
  page:
    follow:
      page: {{css: {css}, nofollow: {nofollow}}}
    items:
      page: {{noindex: {noindex}, fields: {{url: {{from: url}}, title: title}}}}
"""

PAGES = {
    "/": '<title>start</title><a href=/a>a</a><a rel="ugc NOFOLLOW" href=/b>b</a><a href=/c>c</a>',
    "/a": '<title>a</title><META NAME=Robots CONTENT="NoIndex, follow"><a href=/d>d</a>',
    "/b": "<title>b</title>",
    "/c": "<title>c</title><meta name=shopbot content=none><a href=/e>e</a>",
    "/d": "<title>d</title>",
    "/e": "<title>e</title>",
}


def run(site: Site, crawl: CommandLine, nofollow: str, noindex: str, css: str = "a") -> set[str]:
    site.pages.update(PAGES)
    ran = crawl(SPEC.format(url=site.url(), nofollow=nofollow, noindex=noindex, css=css))
    assert ran.exit == 0, ran.output
    return {item["title"] for item in ran.items}


def test_by_default_marks_are_for_search_engines(site: Site, crawl: CommandLine) -> None:
    assert run(site, crawl, "ignore", "ignore") == {"start", "a", "b", "c", "d", "e"}


@pytest.mark.parametrize("css", ["a", "a@href"])
def test_nofollow_of_a_link_and_of_a_page(site: Site, crawl: CommandLine, css: str) -> None:
    assert run(site, crawl, "obey", "ignore", css) == {"start", "a", "c", "d"}


def test_noindex_takes_the_items_and_not_the_links(site: Site, crawl: CommandLine) -> None:
    assert run(site, crawl, "ignore", "obey") == {"start", "b", "d", "e"}


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("noindex", False),
        ("nosnippet, NONE", False),
        ("shopbot: noindex, nofollow", False),
        ("otherbot: noindex", True),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST", True),
        ("max-snippet: 20, noindex", False),
    ],
)
def test_the_header_says_it_too(site: Site, crawl: CommandLine, value: str, kept: bool) -> None:
    site.pages["/x"] = Answer("<title>x</title>", headers=[("X-Robots-Tag", value)])
    site.pages["/"] = "<title>start</title><a href=/x>x</a>"
    ran = crawl(SPEC.format(url=site.url(), nofollow="obey", noindex="obey", css="a"))
    assert ran.exit == 0, ran.output
    assert ("x" in {item["title"] for item in ran.items}) is kept


def test_what_is_left_out_is_counted(site: Site, crawl: CommandLine) -> None:
    site.pages.update(PAGES)
    ran = crawl(SPEC.format(url=site.url(), nofollow="obey", noindex="obey", css="a"))
    assert ran.exit == 0, ran.output
    assert "2 links marked nofollow, or on pages marked so (nofollow: obey)" in ran.output
    assert "2 rejected" in ran.output


def test_pages_that_all_say_noindex_are_a_good_run(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = "<title>start</title><meta name=robots content=noindex>"
    ran = crawl(SPEC.format(url=site.url(), nofollow="obey", noindex="obey", css="a"))
    assert ran.exit == 0, ran.output
    assert ran.items == []
