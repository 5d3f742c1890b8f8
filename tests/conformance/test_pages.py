"""Real pages that other projects saved: one spec for each set, every listed value."""

from __future__ import annotations

from html import unescape
from typing import Any

from tests.commandline import CommandLine
from tests.conformance.suite import Suite, assert_conforms, rows_of
from tests.shared import FOLDER
from tests.site import Answer, Site

METADATA = {
    "title": ["h1.title-large", "meta[property='og:title']@content", "title"],
    "description": ["meta[property='og:description']@content", "meta[name=description]@content"],
    "image": "meta[property='og:image']@content",
    "url": ["meta[property='og:url']@content", "link[rel=canonical]@href"],
    "lang": "html@lang",
    "publisher": "meta[property='og:site_name']@content",
    "author": "meta[name=author]@content",
}


def saved(file: str) -> Answer:
    """The page as it was saved, with no charset in the header."""
    return Answer((FOLDER / "pages" / file).read_bytes(), headers=[("Content-Type", "text/html")])


def folded(value: Any) -> Any:
    """The value as the cases are to be compared: entities read, white space folded."""
    return " ".join(unescape(value).split()) if isinstance(value, str) else value


def test_metadata(site: Site, crawl: CommandLine) -> None:
    cases = {case["file"]: case for case in rows_of("pages/metadata.jsonl")}
    suite = Suite(site, crawl, "metadata")
    for file in cases:
        suite.add(file, saved(file), {"fields": METADATA})
    found = suite.crawl_all()
    verdicts = {
        f"{file} {name}": [folded(row[name]) for row in found[file]] == [folded(value)]
        for file, case in cases.items()
        for name, value in case["expected"].items()
    }
    assert_conforms("metadata", verdicts)


def test_legacy_encodings(site: Site, crawl: CommandLine) -> None:
    cases = {case["file"]: case for case in rows_of("pages/marked-legacy.jsonl")}
    suite = Suite(site, crawl, "legacy pages")
    for file in cases:
        suite.add(file, saved(file), {"fields": {"text": "body"}})
    found = suite.crawl_all()
    verdicts = {
        f"{file} {text}": all(folded(text) in folded(row["text"]) for row in found[file]) and len(found[file]) == 1
        for file, case in cases.items()
        for text in case["body_text_contains"]
    }
    assert_conforms("legacy pages", verdicts)
