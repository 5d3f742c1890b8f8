"""Which requests are one and which are two (public cases C03 and C04)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Hit, Site, html

LOTS = """
name: lots
site: {{sleep: 0s, robots: ignore}}
start: {{list: "{url}"}}
pages:
  list:
    follow: {{lot: a}}
  lot:
    items:
      lot: {{fields: {{title: h1}}}}
"""


def links(*hrefs: str) -> str:
    return "".join(f'<p><a href="{href}">x</a></p>' for href in hrefs)


def followed(site: Site, crawl: CommandLine, *hrefs: str) -> list[str]:
    """The request targets that a list page with these links leads to, in the order of the alphabet."""
    site.fallback = html("<h1>lot</h1>")
    site.pages["/list/"] = links(*hrefs)
    run = crawl(LOTS.format(url=site.url("/list/")))
    assert run.exit == 0, run.output
    assert len(run.items) == len(site.targets()) - 1
    return sorted(site.targets()[1:])


def test_c03_an_encoded_number_sign_is_part_of_the_path(site: Site, crawl: CommandLine) -> None:
    hrefs = ["/file/lot%20%231", "/file/lot%20%232", "/file/lot%20%231#top"]
    assert followed(site, crawl, *hrefs) == ["/file/lot%20%231", "/file/lot%20%232"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/a%2Fb", "/a/b"),
        ("/a%3Fb", "/a?b"),
        ("/a%25b", "/a%b"),
        ("/a%26b?x", "/a&b?x"),
        ("/s?x=a%26b=1", "/s?x=a&b=1"),
        ("/s?x=1%2B1", "/s?x=1+1"),
        ("/s?a=1&b=2", "/s?b=2&a=1"),
        ("/s?a=1", "/s?a=1&a=1"),
        ("/s?a", "/s?a="),
        ("/Case", "/case"),
        ("/dir", "/dir/"),
        ("/a//b", "/a/b"),
        ("/a;v=1", "/a;v=2"),
    ],
)
def test_different_pages_stay_apart(site: Site, crawl: CommandLine, first: str, second: str) -> None:
    assert len(followed(site, crawl, first, second)) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/caf%C3%A9", "/café"),
        ("/caf%c3%a9", "/caf%C3%A9"),
        ("/%7Ebo", "/~bo"),
        ("/a/../b", "/b"),
        ("/a/./b", "/a/b"),
        ("b", "/list/b"),
        ("/a b", "/a%20b"),
        ("/a#one", "/a#two"),
        ("/a?utm_source=mail", "/a"),
        ("/a?x=1&gclid=9", "/a?x=1"),
    ],
)
def test_spellings_of_one_page_are_one_request(site: Site, crawl: CommandLine, first: str, second: str) -> None:
    assert len(followed(site, crawl, first, second)) == 1


GRAPHQL = """
name: rows
site: {{sleep: 0s}}
start:
  rows:
    - {{url: "{url}", body: {{page: 1, size: 2}}}}
    - {{url: "{url}", body: {{size: 2, page: 2}}}}
pages:
  rows:
    format: json
    next: {{body: page}}
    items:
      row: {{each: items, key: name, fields: {{name: '@'}}}}
"""


def test_c04_the_body_tells_requests_apart_and_key_order_does_not(site: Site, crawl: CommandLine) -> None:
    pages = {1: ["a", "b"], 2: ["c", "d"]}
    site.pages["/graphql"] = lambda hit: {"items": pages.get(hit.json["page"], [])}
    run = crawl(GRAPHQL.format(url=site.url("/graphql")))
    assert run.exit == 0, run.output
    sent = [hit.json for hit in site.log.pages()]
    assert sorted(body["page"] for body in sent) == [1, 2, 3]
    assert all(body["size"] == 2 for body in sent)
    assert [item["name"] for item in run.items] == ["a", "b", "c", "d"]
    # page 2 once as a seed and once as the page after page 1; page 3 after each of them is one request
    assert run.report["duplicates"] >= 1


BODIES = """
name: bodies
site: {{sleep: 0s}}
start:
  page:
{requests}
pages:
  page:
    format: json
    items:
      answer: {{fields: {{method: method, target: target}}}}
"""


def sent(site: Site, crawl: CommandLine, *requests: str) -> list[Hit]:
    lines = "\n".join(f"    - {{url: '{site.url('/echo')}', {request}}}" for request in requests)
    run = crawl(BODIES.format(requests=lines))
    assert run.exit == 0, run.output
    return site.log.pages()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("body: {a: 1}", "body: {a: 2}"),
        ("body: {a: 1}", "body: {a: '1'}"),
        ("body: {a: [1, 2]}", "body: {a: [2, 1]}"),
        ("body: {a: 1}", "form: {a: 1}"),
        ("form: {a: 1}", "form: {a: 2}"),
        ("form: {a: 1}", "params: {a: 1}"),
        ("method: GET", "method: POST"),
        ("headers: {X-Page: '1'}", "headers: {X-Page: '2'}"),
    ],
)
def test_requests_that_ask_for_something_else(site: Site, crawl: CommandLine, first: str, second: str) -> None:
    assert len(sent(site, crawl, first, second)) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("body: {a: 1, b: {c: 2, d: 3}}", "body: {b: {d: 3, c: 2}, a: 1}"),
        ("body: {a: 1}, method: POST", "body: {a: 1}"),
        ("headers: {X-Page: '1'}", "headers: {x-page: '1'}"),
        ("method: GET", "priority: 0"),
    ],
)
def test_requests_that_ask_for_the_same(site: Site, crawl: CommandLine, first: str, second: str) -> None:
    assert len(sent(site, crawl, first, second)) == 1
