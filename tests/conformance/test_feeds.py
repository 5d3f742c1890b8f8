"""RSS, RDF and Atom, in feedparser's words."""

from __future__ import annotations

from tests.commandline import CommandLine
from tests.conformance.suite import Suite, assert_conforms, rows_of
from tests.site import Answer, Site


def test_feeds(site: Site, crawl: CommandLine) -> None:
    cases = {case["id"]: case for case in rows_of("feeds/feedparser.jsonl")}
    suite = Suite(site, crawl, "feeds")
    for name, case in cases.items():
        page = Answer(case["xml"].encode(), headers=[("Content-Type", "application/xml")])
        suite.add(name, page, {"fields": {"value": expression(case["scope"], case["path"])}}, format="feed")
    found = suite.crawl_all()
    verdicts = {
        name: [row["value"] for row in found[name]] == [wanted(case["expected"], site)] for name, case in cases.items()
    }
    assert_conforms("feeds", verdicts)


def wanted(expected: object, site: Site) -> object:
    """The value as a field without a type gives it, served from where this site is."""
    if not isinstance(expected, str):
        return expected
    return " ".join(expected.split()).replace("http://127.0.0.1:8097/", site.url("/")) or None


def expression(scope: str, path: list[str]) -> str:
    """The JMESPath of a case: ``entries[0].links[0].href``."""
    top = "feed" if scope == "feed" else "entries[0]"
    return top + "".join(f"[{step}]" if step.isdecimal() else f".{step}" for step in path)
