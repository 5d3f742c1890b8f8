"""Signs of life: few lines in a log, a view on a terminal, events for programs."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from yamlcrawl.model.frontier import HostState, Limits, Opened, State, Stats, Verdict
from yamlcrawl.model.item import Item
from yamlcrawl.model.outcome import Outcome
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.reports.live import LiveView, remaining, view
from yamlcrawl.reports.log import JsonLog, Lines
from yamlcrawl.reports.progress import watch
from yamlcrawl.reports.status import StatusLines, status

OPENED = Opened(State.RUNNING, "w", 0.0, 0, seeded=False)
MakeStats = Callable[..., Stats]
MakeOutcome = Callable[..., Outcome]


class Clock:
    """Seconds that pass when a test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def crawl(
    pages: int, pause: float, plan: CrawlPlan, stats: MakeStats, outcome: MakeOutcome
) -> tuple[list[str], list[float]]:
    """The lines that a crawl of so many pages, so many seconds apart, writes to a log; and when."""
    clock, stream = Clock(), io.StringIO()
    lines = StatusLines(stream, clock)
    lines.started(plan, OPENED)
    times = [clock.now]
    for number in range(pages):
        clock.now += pause
        lines.page_ok(outcome())
        before = stream.tell()
        lines.tick(lambda done=number + 1: stats({"pages": done}, elapsed=clock.now - 1000))
        if stream.tell() > before:
            times.append(clock.now)
    lines.finished(Verdict(0), stats({"pages": pages}, elapsed=clock.now - 1000))
    return stream.getvalue().splitlines(), [*times, clock.now]


@pytest.mark.parametrize("pause", [0.001, 0.1, 1.0, 2.0])
def test_a_log_of_500_pages_is_short_and_alive(
    pause: float, plan: CrawlPlan, stats: MakeStats, outcome: MakeOutcome
) -> None:
    lines, times = crawl(500, pause, plan, stats, outcome)
    assert len(lines) <= 60
    assert max(b - a for a, b in pairwise(times)) <= 30
    assert [line for line in lines if "400 pages" in line]
    assert lines[0] == "shop: begins"
    assert lines[-1].startswith("shop: 500 pages")
    assert all(character.isprintable() for line in lines for character in line)


def test_a_fast_crawl_does_not_flood_the_log(plan: CrawlPlan, stats: MakeStats, outcome: MakeOutcome) -> None:
    lines, _ = crawl(20_000, 0.0001, plan, stats, outcome)
    assert len(lines) <= 25


def test_the_line_says_what_is_asked_for(stats: MakeStats) -> None:
    counts = {"pages": 120, "bytes": 1_200_000, "outcome:timeout": 2, "outcome:not_found": 9, "outcome:server_error": 1}
    assert status(stats({**counts, "item:book": 115}, elapsed=12.0, open=40)) == (
        "120 pages, 3 errors, 40 queued, 115 items, 1.2 MB, 12.0 s, 10.0 pages/s, 100.0 kB/s, 10.0 kB/page"
    )


def test_robots_and_retries_are_no_pages(plan: CrawlPlan, stats: MakeStats, outcome: MakeOutcome) -> None:
    clock, stream = Clock(), io.StringIO()
    lines = StatusLines(stream, clock)
    lines.started(plan, OPENED)
    robots = replace(outcome(), request=Request("http://a.test/robots.txt", "", purpose="robots"))
    tried_again = replace(outcome("timeout"), again=Request("http://a.test/", "", page="list"))
    for _ in range(150):
        lines.page_ok(robots)
        lines.page_failed(tried_again)
        lines.tick(stats)
    assert stream.getvalue() == "shop: begins\n"
    for _ in range(100):
        lines.page_failed(outcome("timeout"))
    lines.tick(stats)
    assert len(stream.getvalue().splitlines()) == 2


def test_who_watches_depends_on_the_stream() -> None:
    assert isinstance(watch(io.StringIO()), StatusLines)
    assert isinstance(watch(Terminal()), LiveView)
    assert isinstance(watch(Terminal(), log="json"), JsonLog)


def test_a_terminal_is_left_with_one_line(plan: CrawlPlan, stats: MakeStats, outcome: MakeOutcome) -> None:
    clock, stream = Clock(), Terminal()
    live = LiveView(stream, clock)
    live.started(plan, OPENED)
    live.page_ok(outcome())
    live.page_failed(outcome("timeout"))
    asked: list[int] = []

    def ask() -> Stats:
        asked.append(1)
        return stats({"outcome:timeout": 4})

    for _ in range(5):
        live.tick(ask)
    assert len(asked) == 1
    clock.now += 1
    live.tick(ask)
    assert len(asked) == 2
    assert "timeout 4" in stream.getvalue()
    live.finished(Verdict(0), stats())
    assert stream.getvalue().rstrip().endswith("5.0 kB/page")
    assert sys.stdout is sys.__stdout__ or "rich" not in type(sys.stdout).__module__


def test_the_view_names_hosts_and_why_they_wait(plan: CrawlPlan, stats: MakeStats) -> None:
    from rich.console import Console

    console = Console(file=io.StringIO(), width=120)
    hosts = [HostState("shop.test", 40, 1, 61.0, "Retry-After"), HostState("\x1b[1mb.test", 2, 0, 0.0)]
    limited = replace(plan, limits=Limits(pages=10))
    console.print(view(limited, stats({"pages": 5, "item:book": 9}, hosts=hosts)))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "shop.test  40 waiting, 1 in the air, next in 1 min 1 s (Retry-After)" in text
    assert "book 9" in text
    assert "about 2.0 s to go" in text
    assert "\x1b[1mb" not in text


def test_the_end_is_told_where_it_is_known(plan: CrawlPlan, stats: MakeStats) -> None:
    assert remaining(plan, stats()) is None
    both = replace(plan, limits=Limits(time=10.0, pages=100))
    assert remaining(both, stats({"pages": 1})) == 8.0
    assert remaining(both, stats({"pages": 99})) == pytest.approx(2 / 99)


def test_events_are_json_objects_with_stable_names(plan: CrawlPlan, stats: MakeStats, outcome: MakeOutcome) -> None:
    clock, stream = Clock(), io.StringIO()
    log = JsonLog(stream, clock)
    log.started(plan, OPENED)
    log.page_ok(outcome(status=200, received=5))
    log.page_failed(outcome("timeout", "http://a.test/?k=s3cr3t", reason="read", wait=2.0))
    log.item(Item("book", "{}", url="http://a.test/"))
    log.tick(stats)
    clock.now += 10
    log.tick(stats)
    log.finished(Verdict(2, ("why",)), stats(reason="limits.pages"))
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["started", "page_ok", "page_failed", "item", "progress", "finished"]
    assert events[1] | {"time": 0} == {
        "event": "page_ok",
        "time": 0,
        "url": "http://shop.test/1",
        "page": "list",
        "purpose": "page",
        "outcome": "ok",
        "status": 200,
        "depth": 0,
        "bytes": 5,
        "items": 0,
        "links": 0,
    }
    assert (events[2]["url"], events[2]["reason"], events[2]["attempt"], events[2]["wait"]) == (
        "http://a.test/?k=***",
        "read",
        1,
        2.0,
    )
    assert (events[-1]["exit"], events[-1]["reasons"], events[-1]["limit"]) == (2, ["why"], "limits.pages")


@pytest.mark.parametrize("text", ["\x1b[31m\n::error::x", "##[error]x", "##vso[task]x", "\u202ex\x85", "###[x]"])
def test_a_line_of_json_is_harmless_and_keeps_what_it_says(text: str, plan: CrawlPlan, outcome: MakeOutcome) -> None:
    stream = io.StringIO()
    log = JsonLog(stream, Clock())
    log.page_failed(outcome("server_error", reason=text))
    (line,) = stream.getvalue().splitlines()
    assert line.isprintable()
    assert "##" not in line
    assert json.loads(line)["reason"] == text


def test_what_the_program_logs_is_harmless_too() -> None:
    record = logging.LogRecord("x", logging.WARNING, "", 0, "::error::%s\n", ("s3cr3t",), None)
    secrets = Secrets({"KEY": "s3cr3t"})
    assert Lines(secrets).format(record) == "warning: ::error::***\\n"
    told = json.loads(Lines(secrets, log="json").format(record))
    assert (told["event"], told["level"], told["message"]) == ("log", "warning", "::error::***\n")
    try:
        raise ValueError("bad")
    except ValueError:
        record.exc_info = sys.exc_info()
    assert Lines().format(record).endswith("(ValueError: bad)")
