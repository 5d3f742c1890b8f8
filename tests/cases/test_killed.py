"""A run that is killed leaves files whole, and the next one goes on (public case C33, as far as files go)."""

from __future__ import annotations

import json
import signal

from tests.commandline import CommandLine
from tests.site import Site, html

SPEC = """
name: items
site: {{sleep: 0s, threads: 4, per_host: 4}}
start: {{list: "{url}"}}
pages:
  list:
    follow: {{page: a}}
  page:
    items:
      item: {{key: id, fields: {{id: {{css: h1, type: integer}}}}}}
pipelines: [items.jsonl, items.json, items.csv, {{to: live.jsonl, mode: append}}]
"""
PAGES = 200
YESTERDAY = {"items.jsonl": '{"id": -1}\n', "items.json": '[{"id": -1}]\n', "items.csv": "id\n-1\n"}


def test_c33_kill_9_leaves_the_files_of_the_day_before(site: Site, crawl: CommandLine) -> None:
    site.latency = 0.02
    site.pages["/"] = "".join(f'<a href="/{n}">x</a>' for n in range(PAGES))
    site.fallback = lambda hit: html(f"<h1>{hit.path[1:]}</h1>")
    for name, text in YESTERDAY.items():
        (crawl.folder / name).write_text(text)
    spec = SPEC.format(url=site.url())

    running = crawl.start(spec)
    assert running.until(site.reached(80))
    running.send(signal.SIGKILL)
    assert running.end().exit == -signal.SIGKILL
    for name, text in YESTERDAY.items():
        assert (crawl.folder / name).read_text() == text
    beside = [p for p in crawl.folder.iterdir() if p.is_file() and p.name not in {*YESTERDAY, "spec.yml"}]
    for path in beside:
        for line in path.read_text().splitlines()[:-1]:
            json.loads(line)

    # the language wants a word before it goes on: a plain run is refused, with both commands shown
    plain = crawl(spec)
    assert plain.exit == 1, plain.output
    assert "--resume" in plain.stderr
    assert "--fresh" in plain.stderr
    for name, text in YESTERDAY.items():
        assert (crawl.folder / name).read_text() == text

    resumed = crawl(spec, "--resume")
    assert resumed.exit == 0, resumed.output
    wanted = list(range(PAGES))
    assert [item["id"] for item in resumed.lines("items.jsonl")] == wanted
    assert [item["id"] for item in json.loads((crawl.folder / "items.json").read_text())] == wanted
    assert (crawl.folder / "items.csv").read_text().split() == ["id", *map(str, wanted)]
    assert sorted(item["id"] for item in resumed.lines("live.jsonl")) == wanted
    left = {p.name for p in crawl.folder.iterdir() if p.is_file()}
    assert left <= {"spec.yml", "items.jsonl", "items.json", "items.csv", "live.jsonl"}, left


def test_fresh_after_a_kill_cuts_the_append_file_back(site: Site, crawl: CommandLine) -> None:
    site.latency = 0.02
    site.pages["/"] = "".join(f'<a href="/{n}">x</a>' for n in range(PAGES))
    site.fallback = lambda hit: html(f"<h1>{hit.path[1:]}</h1>")
    (crawl.folder / "live.jsonl").write_text('{"id": -1}\n')
    spec = SPEC.format(url=site.url())
    running = crawl.start(spec)
    assert running.until(site.reached(120))
    running.send(signal.SIGKILL)
    running.end()
    run = crawl(spec, "--fresh")
    assert run.exit == 0, run.output
    assert sorted(item["id"] for item in run.lines("live.jsonl")) == [-1, *range(PAGES)]
    assert [item["id"] for item in run.lines("items.jsonl")] == list(range(PAGES))
