"""The files of a run that programs read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from yamlcrawl.model.frontier import Ended, State, Stats, Verdict
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.reports.json_report import write_failures, write_report, write_skipped
from yamlcrawl.reports.report import tell

MakeStats = Callable[..., Stats]


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_report_has_stable_keys(plan: CrawlPlan, stats: MakeStats, tmp_path: Path) -> None:
    verdict = Verdict(2, ("price is empty",))
    report = tell(plan, stats({"filled:book.price": 1}), verdict, run=3, files={"failures": "f"})
    path = write_report(tmp_path, report)
    assert path.name == "report.json"
    told = json.loads(path.read_text())
    assert (
        list(told)
        == (
            "version name run state exit reasons limit started seconds pages attempts retries duplicates "
            "bytes waiting outcomes sitemaps feeds downloads parsed items silent losses notices chains offsite "
            "excluded guards hosts parked targets files"
        ).split()
    )
    assert told["items"]["book"] == {
        "items": 3,
        "matched": 3,
        "doubles": 0,
        "rejected": 0,
        "fields": {
            "name": {"filled": 3, "of": 3, "share": 1.0},
            "price": {"filled": 1, "of": 3, "share": 0.3333},
        },
    }
    assert (told["version"], told["exit"], told["run"], told["seconds"]) == (1, 2, 3, 2.0)
    assert told["started"] == "2025-12-01T12:00:00Z"
    assert told["targets"] == [{"to": "out/books.csv.rejected", "items": 3, "state": "rejected"}]


@pytest.mark.parametrize(
    ("state", "code", "told"),
    [("finishing", 0, "done"), ("finishing", 2, "done"), ("finishing", 3, "failed"), ("stopping", 75, "stopped")],
)
def test_the_state_is_the_one_to_come(state: str, code: int, told: str, plan: CrawlPlan, stats: MakeStats) -> None:
    assert tell(plan, stats(state=State(state)), Verdict(code)).state == told


def test_findings_carry_samples_without_secrets(plan: CrawlPlan, stats: MakeStats) -> None:
    report = tell(
        plan, stats({"offsite:x.test": 4, "cut:url": 2}, notes={"cut:url": ["http://a/?k=s3cr3t"]}), Verdict(0)
    )
    (guard,) = report.guards
    assert (guard.of, guard.count, guard.samples) == ("url", 2, ("http://a/?k=***",))
    assert report.offsite == {"x.test": 4}


def test_robots_that_were_read_are_no_notice(plan: CrawlPlan, stats: MakeStats) -> None:
    counts = {"robots:ok": 3, "robots:robots_unreachable": 1, "robots:warning": 1}
    assert [found.of for found in tell(plan, stats(counts), Verdict(0)).notices] == ["warning"]


def test_failures_are_a_line_each(plan: CrawlPlan, failed: Callable[..., Ended], tmp_path: Path) -> None:
    path = write_failures(
        tmp_path, [failed("http://a.test/?k=s3cr3t"), failed(outcome="timeout", reason="read")], plan.secrets
    )
    assert read(path) == [
        {
            "url": "http://a.test/?k=***",
            "page": "list",
            "outcome": "server_error",
            "reason": "500 Internal Server Error",
            "status": 500,
            "attempts": 3,
            "via": "start.list",
            "parent": "",
            "purpose": "page",
        },
        {**read(path)[1], "url": "http://shop.test:8080/", "outcome": "timeout", "reason": "read"},
    ]
    assert write_failures(tmp_path, [], plan.secrets).read_text() == ""
    assert [file.name for file in tmp_path.iterdir()] == ["failures.jsonl"]


def test_skipped_links_are_sampled(plan: CrawlPlan, stats: MakeStats, tmp_path: Path) -> None:
    counts = {"offsite:x.test": 900, "excluded:pages.list.follow.book": 2, "shorter_way": 1, "cut:url": 1}
    notes = {
        "offsite:x.test": ["http://x.test/1", "http://x.test/2"],
        "excluded:pages.list.follow.book": ["http://shop.test/x"],
        "shorter_way": ["http://shop.test/y"],
    }
    lines = read(write_skipped(tmp_path, stats(counts, notes=notes), plan.secrets))
    assert lines[0] == {
        "url": "http://x.test/1",
        "rule": "x.test",
        "reason": "leaves the scope (site.hosts)",
        "count": 900,
    }
    assert [line["rule"] for line in lines] == ["x.test", "x.test", "pages.list.follow.book", "shorter_way"]
