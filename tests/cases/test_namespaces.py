"""Feeds with namespaces (public case C15)."""

from __future__ import annotations

from tests.commandline import CommandLine
from tests.site import Answer, Site

FEED = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<entry><title>Bread</title><dc:creator>Ada</dc:creator></entry>
<entry><title>Milk</title><dc:creator>Bo</dc:creator></entry></feed>"""

SPEC = """
name: feed
site: {{sleep: 0s}}
start: {{feed: "{url}"}}
pages:
  feed:
    format: xml
    items:
      entry:
        each: //entry
        fields:
          title: title/text()
          who: {who}
"""


def spec(site: Site, who: str) -> str:
    site.pages["/feed.xml"] = Answer(FEED.encode(), headers=[("Content-Type", "application/atom+xml")])
    return SPEC.format(url=site.url("/feed.xml"), who=who)


def test_c15_names_match_in_any_namespace_and_prefixes_are_the_documents(site: Site, crawl: CommandLine) -> None:
    run = crawl(spec(site, "dc:creator/text()"))
    assert run.exit == 0, run.output
    assert run.items == [{"title": "Bread", "who": "Ada"}, {"title": "Milk", "who": "Bo"}]


def test_c15_a_prefix_that_is_not_declared_is_an_error_that_names_it_and_the_field(
    site: Site, crawl: CommandLine
) -> None:
    run = crawl(spec(site, "dcterms:creator/text()"))
    assert run.exit == 2, run.output
    said = [line for line in run.stderr.splitlines() if "the document does not declare dcterms:" in line]
    assert all("spec.yml:13:" in line for line in said)
    assert any("pages.feed.items.entry.fields.who" in line for line in said)


def test_it_is_an_error_where_no_value_is_expected_too(site: Site, crawl: CommandLine) -> None:
    run = crawl(spec(site, "dcterms:creator") + "expect: {entry: {min: 2, filled: {who: 0%}}}\n")
    assert run.exit == 2, run.output
    assert "does not declare dcterms:" in run.stderr


def test_an_alternative_may_be_for_other_documents(site: Site, crawl: CommandLine) -> None:
    run = crawl(spec(site, "[dcterms:creator, dc:creator]"))
    assert run.exit == 0, run.output
    assert [item["who"] for item in run.items] == ["Ada", "Bo"]
