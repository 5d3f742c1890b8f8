"""Small whole crawls: what is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

from tests.commandline import CommandLine
from tests.conformance.suite import assert_conforms, rows_of
from tests.shared import FOLDER
from tests.site import Answer, Hit, Site, html


def test_crawls(site: Site, crawl: CommandLine) -> None:
    verdicts = {}
    for number, case in enumerate(rows_of("crawl/sites.jsonl")):
        folder, name = FOLDER / "crawl" / case["site"], f"s{number}.test"
        host = site.host(name)
        host.robots = read(folder / "robots.txt")
        host.fallback = lambda hit, folder=folder: file_of(folder, hit)
        run(site, crawl, site.url(f"/{case['start']}", name), case.get("max_depth"))
        asked = sorted(target.removeprefix("/") for target in site.targets(name))
        verdicts[f"{case['site'].removeprefix('sites/')}/{case['start']}"] = asked == case["expected_requests"]
    for case in rows_of("crawl/meta-robots.jsonl"):
        name = f"m{case['id']}.test"
        host = site.host(name)
        host.pages["/"] = case["html"].replace("http://www.nutch.org/", site.url("/", name))
        host.pages["/next.html"] = "<title>next</title>"
        items = run(site, crawl, site.url("/", name), None)
        left = site.url("/", name) not in items, "/next.html" not in site.targets(name)
        verdicts[f"meta-robots {case['id']}"] = left == (case["noindex"], case["nofollow"])
    assert_conforms("crawl", verdicts)


def run(site: Site, crawl: CommandLine, start: str, depth: int | None) -> list[str]:
    """Crawl from there; the addresses of the items."""
    links = [
        {"css": "a, area, frame, iframe, base", "nofollow": "obey"},
        # to a browser, and so to the parser, what stands in noframes is text
        {"xpath": "//noframes//text()", "regex": 'href="([^"]*)"'},
    ]
    fields = {"url": {"from": "url"}, "title": "title"}
    spec = {
        "name": "crawl",
        "site": {"sleep": "0s", "retry": 0},
        "limits": {} if depth is None else {"depth": depth},
        "start": {"page": start},
        "pages": {"page": {"follow": {"page": links}, "items": {"page": {"noindex": "obey", "fields": fields}}}},
    }
    ran = crawl(json.dumps(spec))
    found = ran.folder / "crawl.jsonl"
    return (
        [json.loads(line)["url"] for line in found.read_text(encoding="utf-8").splitlines()] if found.exists() else []
    )


def read(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.is_file() else None


def file_of(folder: Path, hit: Hit) -> Answer:
    """The file that a plain file server would send."""
    file = folder / unquote(hit.path).removeprefix("/")
    if not file.is_file():
        return html("<h1>Not found</h1>", 404)
    return Answer(file.read_bytes(), headers=[("Content-Type", "text/html")])
