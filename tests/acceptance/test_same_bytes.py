"""The same site gives the same bytes, whatever the number of threads and the order of the answers."""

from __future__ import annotations

import random
from pathlib import Path

from tests.commandline import CommandLine
from tests.site import Hit, Page, Site, html

SPEC = """
name: tree
site: {{sleep: 0s, threads: {threads}, per_host: {threads}}}
start: {{page: "{url}"}}
pages:
  page:
    follow: {{page: a}}
    items:
      page: {{fields: {{url: {{from: url}}, title: h1, links: {{xpath: 'count(//a/@href)', type: integer}}}}}}
      row: {{each: li, key: id, fields: {{id: {{css: ':scope', type: integer}}, at: {{from: url}}}}}}
pipelines: [{{to: pages.jsonl, items: [page]}}, {{to: rows.csv, items: [row]}}, all.json]
"""
PAGES = 300
OUTPUTS = ("pages.jsonl", "rows.csv", "all.json")


def test_one_thread_and_sixteen_write_the_same(site: Site, tmp_path: Path) -> None:
    rng = random.Random(5)

    def page(hit: Hit) -> Page:
        number = int(hit.path.strip("/") or 0)
        links = {3 * number + n for n in (1, 2, 3)} | {number * 7 % PAGES, number // 2}
        anchors = "".join(f'<a href="/{n}">x</a>' for n in sorted(links) if 0 < n < PAGES)
        # each row stands on several pages: of equal keys the least by URL is kept, not the first that came
        rows = "".join(f"<li>{(number * n) % 100}</li>" for n in range(5))
        return html(f"<h1>{number}</h1>{anchors}{rows}", delay=rng.random() / 50)

    site.fallback = page
    written = []
    for threads in (1, 16, 5):
        folder = tmp_path / str(threads)
        folder.mkdir()
        site.log.clear()
        run = CommandLine(folder)(SPEC.format(url=site.url(), threads=threads))
        assert run.exit == 0, run.output
        assert len(site.targets()) == len(set(site.targets())) == PAGES
        assert len(run.lines("pages.jsonl")) == PAGES
        assert site.log.most_in_air <= threads
        written.append({name: (folder / name).read_bytes() for name in OUTPUTS})
    assert site.log.most_in_air > 1
    assert written[0] == written[1] == written[2]
    assert written[0]["rows.csv"].count(b"\r\n") in (0, 101)
