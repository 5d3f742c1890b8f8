"""Real documentation sites: every page once, and the same bytes with 1 thread and with 16.

python -m bench.shows.sites [SITE ...]      default: postgres sqlite rust; the sites must be served

A page is what the sites' own rules say (links on the same host and port, without query, ending in .html, .htm or /).
What must come is worked out from the files on disk by `serve-sites`, with no HTTP at all, and so are titles and numbers
of links. The largest number of requests in the air is counted by a relay before the server, which holds each answer
back for 30 ms: nginx on loopback is done with a request before a second one can be sent.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import lxml.html

from bench.shows.proxy import CountingProxy
from bench.shows.sheet import Sheet, serve_sites, timed_run, working_folder

LATENCY = 0.03

SPEC = """
name: {site}
site: {{threads: {threads}, per_host: {threads}, sleep: 0s, meta_refresh: ignore}}
start: {{page: "{start}"}}
pages:
  page:
    follow:
      page: {{css: a, include: [{{regex: '{origin}/[^?]*(?:\\.html?|/)'}}]}}
    items:
      page:
        fields:
          url: {{from: url}}
          title: title
          h1: h1
          links: {{xpath: 'count(//a/@href)', type: integer}}
"""


def spec(site: str, start: str, threads: int) -> str:
    """The crawl of a site."""
    parts = urlsplit(start)
    return SPEC.format(site=site, start=start, threads=threads, origin=re.escape(f"{parts.scheme}://{parts.netloc}"))


def main(names: list[str]) -> None:
    sites = serve_sites()
    sheet = Sheet()
    for name in names:
        show(sheet, sites, name)
    sheet.end()


def show(sheet: Sheet, sites: ModuleType, name: str) -> None:
    """One site."""
    sheet.title(name)
    wanted: dict[str, int] = sites.pages(name)[0]
    sheet.figure("pages by the files", len(wanted))
    start = sites.start_url(name)
    with working_folder() as folder:
        outputs = []
        for threads in (16, 1):
            ran, seconds = timed_run(folder / str(threads), spec(name, start, threads))
            sheet.figure(f"{threads} threads", f"exit {ran.exit}, {seconds:.1f} s, {len(wanted) / seconds:.0f} pages/s")
            sheet.check(f"{name}, {threads} threads: exit 0", ran.exit == 0, ran.stderr[-2000:])
            path = folder / str(threads) / f"{name}.jsonl"
            outputs.append(path.read_bytes() if path.exists() else b"")
            if threads == 16 and path.exists():
                compare(sheet, sites, name, wanted, ran.items)
        sheet.check(f"{name}: 1 and 16 threads give the same bytes", outputs[0] == outputs[1] != b"")
        in_the_air(sheet, folder / "relay", name, start, len(wanted))


def compare(sheet: Sheet, sites: ModuleType, name: str, wanted: dict[str, int], items: list[dict[str, Any]]) -> None:
    """The items against the files."""
    found = {sites.page_key(item["url"]): item for item in items}
    missing = {sites.page_key(url) for url in wanted} - set(found)
    more = set(found) - {sites.page_key(url) for url in wanted}
    sheet.check(f"{name}: every page, and no other", not missing and not more, (sorted(missing)[:5], sorted(more)[:5]))
    sheet.check(f"{name}: none twice", len(found) == len(items), len(items) - len(found))
    links = [url for url, count in wanted.items() if found.get(sites.page_key(url), {}).get("links") != count]
    sheet.check(f"{name}: the number of links of each page", not links, links[:5])
    titles = [url for url in wanted if not same_head(sites.file_of(name, url), found.get(sites.page_key(url)))]
    sheet.check(f"{name}: title and h1 of each page", not titles, titles[:5])


def same_head(path: Path, item: dict[str, Any] | None) -> bool:
    """Whether the item's title and h1 are those of the file, blanks apart."""
    data = path.read_bytes()
    if item is None or not data.strip():
        return item is not None
    tree = lxml.html.fromstring(data, parser=lxml.html.HTMLParser(encoding="utf-8"))
    for name in ("title", "h1"):
        texts = ["".join("".join(map(str, node.itertext())).split()) for node in tree.iterfind(f".//{name}")]
        if "".join((item[name] or "").split()) != next(filter(None, texts), ""):
            return False
    return True


def in_the_air(sheet: Sheet, folder: Path, name: str, start: str, pages: int) -> None:
    """The same crawl once more through a relay that counts."""
    parts = urlsplit(start)
    with CountingProxy(parts.port or 80, LATENCY) as proxy:
        moved = start.replace(f":{parts.port}", f":{proxy.port}")
        ran, seconds = timed_run(folder, spec(name, moved, 16))
        sheet.figure("through the relay", f"exit {ran.exit}, {seconds:.1f} s, {len(proxy.targets)} requests")
        sheet.figure("most requests in the air", proxy.most_in_air)
        sheet.check(f"{name}: at least 12 and at most 16 in the air", 12 <= proxy.most_in_air <= 16, proxy.most_in_air)
        items = ran.items if ran.exit == 0 else []
        sheet.check(f"{name}: as many items through the relay", len(items) == pages, len(items))


if __name__ == "__main__":
    main(sys.argv[1:] or ["postgres", "sqlite", "rust"])
