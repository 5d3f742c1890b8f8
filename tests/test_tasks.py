"""Everyday jobs, each a spec, a small site and the rows that must come out: `tests/tasks/`.

A file has `spec`; `site`, an address (`POST ADDRESS PART`, where the body must hold the part) to HTML, a JSON value or
`!answer`; `rows`, a file to its rows in order; and where it matters `exit`, `says` (a part of the output), `asked` (the
request targets, in any order), `env` (variables), `hidden` (texts that are found nowhere afterwards), `gaps` (a host to
the least seconds between two of its requests) and `needs` (an extra to its library). `https://NAME.example` stands for
a host of the site; in a row, `!ago 3 days America/Chicago` for that moment, counted from now in that zone.

An `!answer` has `body`, `status`, `type`, `location`, `set_cookie`; where it names a `cookie`, requests without it are
sent to `/login`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

from tests.commandline import CommandLine
from tests.site import Answer, Hit, Site, html, redirect

TASKS = sorted((Path(__file__).parent / "tasks").glob("*.yml"))
ORIGIN = re.compile(r"https://([a-z]+)\.example\b")


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.stem)
def test_the_job_is_done(task: Path, site: Site, crawl: CommandLine) -> None:
    text = located(task.read_text(encoding="utf-8"), site)
    job, rows_of = yaml.load(text, Job), yaml.load(text, AsWritten)["rows"]
    for extra, library in job.get("needs", {}).items():
        pytest.importorskip(library, reason=f"the extra {extra} is not installed")
    serve(job["site"], site)
    for name, content in job.get("files", {}).items():
        (crawl.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (crawl.folder / name).write_text(content, encoding="utf-8")
    polite = "gaps" in job
    crawl.write(job["spec"])
    command = [job.get("command", "run"), "spec.yml", *([] if polite else ["--set", "site.sleep=0s"])]
    ran = crawl.command(*command, env=job.get("env"))
    assert ran.exit == job.get("exit", 0), ran.output
    for file, rows in rows_of.items():
        assert written(ran.folder / file) == rows
    assert job.get("says", "") in ran.output
    assert [place for text in job.get("hidden", []) for place in ran.holds(text)] == []
    assert sorted(site.targets()) == sorted(job.get("asked", site.targets()))
    for host, gap in job.get("gaps", {}).items():
        times = [hit.arrived for hit in site.log.hits if hit.host == host]
        assert len(times) > 1
        assert min(b - a for a, b in pairwise(times)) >= gap


def located(text: str, site: Site) -> str:
    """The job on the site's own hosts."""
    return ORIGIN.sub(lambda found: f"http://{found[1]}.test:{site.port}", text)


def serve(pages: dict[str, Any], site: Site) -> None:
    """Put the pages where they belong."""
    posted: defaultdict[tuple[str, str], list[tuple[str, Any]]] = defaultdict(list)
    for address, body in pages.items():
        method, _, rest = address.partition(" ") if address.startswith("POST ") else ("GET", "", address)
        url, _, part = rest.partition(" ")
        host, _, target = url.removeprefix("http://").partition("/")
        if method == "POST":
            posted[host.partition(":")[0], f"/{target}"].append((part, body))
        else:
            site.host(host.partition(":")[0]).pages[f"/{target}"] = body
    for (host, target), answers in posted.items():
        got = site.host(host).pages.get(target)
        site.host(host).pages[target] = lambda hit, answers=answers, got=got: (
            by_body(hit, answers) if hit.method == "POST" or got is None else got
        )


def by_body(hit: Hit, answers: list[tuple[str, Any]]) -> Any:
    """The answer whose part stands in the request's body, blanks apart."""
    sent = hit.body.decode().replace(" ", "")
    found = next((body for part, body in answers if part in sent), html("not so", 400))
    return found(hit) if isinstance(found, Told) else found


@dataclass
class Told:
    """An answer that is more than a body; see `!answer`."""

    body: str = ""
    status: int = 200
    type: str = "text/html; charset=utf-8"
    location: str = ""
    set_cookie: str = ""
    cookie: str = ""

    def __call__(self, hit: Hit) -> Answer:
        if self.cookie not in (hit.header("cookie") or ""):
            return redirect("/login")
        headers = [("Content-Type", self.type)]
        headers += [("Location", self.location)] if self.location else []
        headers += [("Set-Cookie", self.set_cookie)] if self.set_cookie else []
        return Answer(self.body, self.status, headers)


class Ago:
    """Equal to a moment in ISO 8601 that lies so many days or hours back, within minutes, with the zone's offset."""

    def __init__(self, count: str, unit: str, zone: str) -> None:
        self.back, self.zone = timedelta(**{unit: int(count)}), ZoneInfo(zone)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str):
            return NotImplemented
        moment, expected = datetime.fromisoformat(other), datetime.now(self.zone) - self.back
        return moment.utcoffset() == expected.utcoffset() and abs(moment - expected) < timedelta(minutes=5)

    __hash__ = None  # type: ignore[assignment]


class Job(yaml.SafeLoader):
    """Reads `!ago` and `!answer` besides what YAML has."""


Job.add_constructor("!ago", lambda loader, node: Ago(*loader.construct_scalar(node).split()))
Job.add_constructor("!answer", lambda loader, node: Told(**loader.construct_mapping(node)))


class AsWritten(Job):
    """Reads decimals as the text they are written in."""


AsWritten.add_constructor("tag:yaml.org,2002:float", AsWritten.construct_yaml_str)


def written(file: Path) -> list[Any]:
    """The rows of a file, decimals as they are written."""
    return [json.loads(line, parse_float=str) for line in file.read_text(encoding="utf-8").splitlines()]
