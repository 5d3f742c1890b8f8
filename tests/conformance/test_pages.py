"""Real pages that other projects saved: one spec for each set, every listed value."""

from __future__ import annotations

from html import unescape
from typing import Any

from tests.commandline import ROOT, CommandLine
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
    if isinstance(value, list):
        return [folded(one) for one in value]
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


FIELDS = {"title": "name", "canonical_url": "url", "site_name": "site"}
"""The names of the cases to those of the spec, where they differ."""
PARTS = {
    "name": ["name"],
    "ingredients": ["ingredients"],
    "steps": ["steps"],
    "yield": ["yield"],
    "times": ["prep_time", "cook_time", "total_time"],
}
WITHOUT = {
    "yield": {"gesund-aktiv.com"},
    "times": {"felix.kitchen", "gesund-aktiv.com", "nrk.no", "thecookingguy.com"},
}
"""The sites whose pages do not say it."""


def test_recipes(site: Site, crawl: CommandLine) -> None:
    cases = {case["file"]: case for case in rows_of("pages/recipes.jsonl")}
    paths = {f"/r{number}": file for number, file in enumerate(cases)}
    for path, file in paths.items():
        site.pages[path] = saved(file)
    site.pages["/"] = "<main>" + "".join(f"<a rel=recipe href={path}>{path}</a>" for path in paths) + "</main>"
    spec = (ROOT / "specs" / "recipes.yml").read_text(encoding="utf-8").replace("https://recipes.example", site.url(""))
    spec = spec.replace("pipelines: recipes.json", "pipelines: {to: recipes.jsonl, meta: true}")
    ran = crawl(spec, "--set", "site.sleep=0s")
    assert ran.exit == 0, ran.output
    found = {paths[row["_url"].removeprefix(site.url(""))]: row for row in ran.items}
    verdicts = {
        f"{file} {name}": folded(found[file][FIELDS.get(name, name)]) == folded(value)
        for file, case in cases.items()
        for name, value in case["expected"].items()
    }
    assert_conforms("recipes", verdicts)
    for name, fields in PARTS.items():
        said = {case["host"] for file, case in cases.items() if any(found[file][field] for field in fields)}
        assert said == {case["host"] for case in cases.values()} - WITHOUT.get(name, set())
