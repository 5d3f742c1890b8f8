"""Each format of the manual: its body, its spec and its rows stand one below the other, and are true."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.commandline import ROOT, CommandLine
from tests.parsers.pdfs import made
from tests.site import Answer, Site
from yamlcrawl.extras import is_installed
from yamlcrawl.parsers.media import FORMS

SECTION = re.compile(
    r"^#### `(\w+)`[^\n]*\n(?:(?!^####).)*?^```\w+\n(.*?)^```$\s*^```yaml\n(.*?)^```$\s*^```json\n(.*?)^```$",
    re.M | re.S,
)
MEDIA = {"xml": "application/xml", "feed": "application/rss+xml", "csv": "text/csv", "text": "text/plain"}
ORIGIN = "https://manual.example"


def sections() -> Iterator[Any]:
    manual = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    for name, body, spec, rows in SECTION.findall(manual):
        yield pytest.param(MEDIA[name], body.encode(), spec, rows, id=name)
        if name == "text":
            absent = pytest.mark.skipif(not is_installed("pdf"), reason="the extra pdf is not installed")
            yield pytest.param(
                "application/pdf", made(body), spec.replace("format: text", "format: pdf"), rows, id="pdf", marks=absent
            )


@pytest.mark.parametrize(("media", "body", "spec", "rows"), list(sections()))
def test_the_example_of_a_format(media: str, body: bytes, spec: str, rows: str, site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = Answer(body, headers=[("Content-Type", media)])
    ran = crawl(f"name: manual\nsite: {{sleep: 0s}}\nstart: {{page: '{site.url()}'}}\n{spec}")
    assert ran.exit == 0, ran.output
    wanted = rows.replace(ORIGIN, site.url("").rstrip("/"))
    assert ran.items == [json.loads(row) for row in wanted.splitlines()]


def test_every_format_has_its_example() -> None:
    assert {param.id for param in sections()} == FORMS.keys() - {"html", "json"}


@pytest.mark.parametrize("page_format", [name for name in FORMS if name not in ("html", "text")])
def test_an_error_page_is_told_and_the_rest_still_counts(page_format: str, site: Site, crawl: CommandLine) -> None:
    site.pages["/error"] = Answer(b"<!DOCTYPE html><h1>Sorry</h1>", headers=[("Content-Type", "text/html")])
    site.pages["/"] = "<h1>Good</h1><a href='/error'>data</a>"
    ran = crawl(
        f"name: error\nsite: {{sleep: 0s}}\nstart: {{page: '{site.url()}'}}\npages:\n"
        "  page: {follow: {data: a}, items: {good: {fields: {title: h1}}}}\n"
        f"  data: {{format: {page_format}, items: {{row: {{fields: {{a: a}}}}}}}}\n"
        "pipelines: {to: good.jsonl, items: [good]}\nexpect: {row: {min: 0}}\n"
    )
    assert ran.lines("good.jsonl") == [{"title": "Good"}]
    (failure,) = ran.failures
    assert failure["outcome"] == "wrong_format"
    assert "it begins with" in failure["reason"]


@pytest.mark.parametrize("page_format", list(FORMS))
def test_an_empty_body_gives_nothing_and_is_no_error(page_format: str, site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = Answer(b"", headers=[("Content-Type", "text/plain")])
    ran = crawl(
        f"name: empty\nsite: {{sleep: 0s}}\nstart: {{page: '{site.url()}'}}\npages:\n"
        f"  page: {{format: {page_format}, items: {{row: {{fields: {{a: a}}}}}}}}\n"
    )
    assert ran.exit == 2, ran.output
    assert ran.report["outcomes"] == {"ok": 1}
    assert ran.failures == []
    assert ran.report["items"]["row"]["items"] == 0
