"""Sitemaps of every form: what is asked for is what they list."""

from __future__ import annotations

import gzip
import json
from urllib.parse import urlsplit

from tests.commandline import CommandLine
from tests.conformance.suite import assert_conforms, rows_of
from tests.shared import FOLDER
from tests.site import Answer, Site, html


def test_sitemaps(site: Site, crawl: CommandLine) -> None:
    listed: dict[str, tuple[bytes, list[str]]] = {}
    for case in rows_of("sitemap/cases.jsonl"):
        listed[case["file"]] = (FOLDER / "sitemap" / case["file"]).read_bytes(), case["urls"]
    for case in rows_of("sitemap/inline.jsonl"):
        listed[case["test"]] = case["body"].encode(), [entry["loc"] for entry in case["entries"]]
    starts, wanted = [], {}
    for number, (case, (body, urls)) in enumerate(listed.items()):
        here = site.url(f"/{number}")
        site.pages[f"/{number}/map"] = Answer(moved(body, urls, here), headers=[("Content-Type", "text/xml")])
        starts.append({"sitemap": f"{here}/map"})
        wanted[case] = {f"/{number}/map", *(f"/{number}{url.removeprefix(origin(url))}" for url in urls)}
    spec = {
        "name": "sitemaps",
        "site": {"sleep": "0s", "robots": "ignore", "retry": 0},
        "start": {"page": starts},
        "pages": {"page": {"items": {"page": {"fields": {"title": "h1"}}}}},
    }
    site.fallback = html("<h1>page</h1>")
    crawl(json.dumps(spec))
    asked = set(site.targets())
    verdicts = {
        case: {target for target in asked if target.startswith(f"/{number}/")} == wanted[case]
        for number, case in enumerate(listed)
    }
    assert_conforms("sitemap", verdicts)


def moved(body: bytes, urls: list[str], to: str) -> bytes:
    """The sitemap with its addresses on the test site."""
    packed = body.startswith(b"\x1f\x8b")
    text = gzip.decompress(body) if packed else body
    for place in sorted({origin(url) for url in urls}):
        text = text.replace(place.encode(), to.encode())
    return gzip.compress(text) if packed else text


def origin(url: str) -> str:
    """Scheme and host as they are written."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
