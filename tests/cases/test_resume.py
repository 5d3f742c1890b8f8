"""Stop and go on (public case C37): every page's items once, whatever ended the run."""

from __future__ import annotations

import signal
import time
from collections import Counter

import pytest

from tests.commandline import CommandLine, Ran, Running
from tests.site import Site, html

SPEC = """
name: ids
site: {{sleep: 0s, threads: 4, per_host: 4}}
start: {{list: "{url}"}}
pages:
  list:
    follow: {{page: a}}
  page:
    items:
      item: {{fields: {{id: {{css: h1, type: integer}}}}}}
pipelines: [ids.jsonl, {{to: live.jsonl, mode: append}}]
"""
THREADS = 4


@pytest.fixture
def sixty(site: Site) -> Site:
    """60 pages with one item each, 0.1 s a page."""
    site.latency = 0.1
    site.pages["/"] = "".join(f'<a href="/{n}">x</a>' for n in range(1, 61))
    site.fallback = lambda hit: html(f"<h1>{hit.path[1:]}</h1>")
    return site


def check(site: Site, run: Ran, kills: int = 1) -> None:
    """All 60 ids in both outputs, each once, and hardly a page fetched twice."""
    assert run.exit == 0, run.output
    assert [item["id"] for item in sorted(run.items, key=lambda item: item["id"])] == list(range(1, 61))
    assert sorted(item["id"] for item in run.lines("live.jsonl")) == list(range(1, 61))
    twice = sum(n - 1 for n in Counter(site.targets()).values())
    assert twice <= 2 * THREADS * kills


def interrupted(site: Site, crawl: CommandLine, *signals: signal.Signals) -> Ran:
    running: Running = crawl.start(SPEC.format(url=site.url()))
    assert running.until(site.reached(25))
    for number in signals:
        running.send(number)
    return running.end()


@pytest.mark.parametrize(
    ("signals", "code"),
    [
        ([signal.SIGINT], 130),
        ([signal.SIGINT, signal.SIGINT], 130),
        ([signal.SIGTERM], 75),
        ([signal.SIGTERM, signal.SIGTERM], 75),
    ],
    ids=["ctrl-c", "ctrl-c twice", "sigterm", "sigterm twice"],
)
def test_c37abd_signals(sixty: Site, crawl: CommandLine, signals: list[signal.Signals], code: int) -> None:
    ran = interrupted(sixty, crawl, *signals)
    assert ran.exit == code, ran.output
    assert "Traceback" not in ran.output
    assert "yamlcrawl run spec.yml --resume" in ran.stderr
    assert not (ran.folder / "ids.jsonl").exists()
    assert len(sixty.log) < 55
    check(sixty, crawl(SPEC.format(url=sixty.url()), "--resume"))


def test_c37c_kill_9(sixty: Site, crawl: CommandLine) -> None:
    assert interrupted(sixty, crawl, signal.SIGKILL).exit == -signal.SIGKILL
    check(sixty, crawl(SPEC.format(url=sixty.url()), "--resume"))


def test_again_and_again(sixty: Site, crawl: CommandLine) -> None:
    spec = SPEC.format(url=sixty.url())
    kinds = [signal.SIGKILL, signal.SIGINT, signal.SIGKILL, signal.SIGTERM]
    for n, number in enumerate(kinds):
        running = crawl.start(spec, "--resume")  # with nothing to resume it is a new run
        assert running.until(sixty.reached(12 * (n + 1)))
        running.send(number)
        running.end()
    check(sixty, crawl(spec, "--resume"), kills=len(kinds))


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("css: h1, type: integer", "css: h1", "pages.page"),
        ("follow: {page: a}", "follow: {page: 'a[href]'}", "pages.list"),
        ("fields: {id:", "fields: {nr:", "pages.page"),
    ],
)
def test_c37_a_changed_spec_is_refused_with_the_keys(
    sixty: Site, crawl: CommandLine, old: str, new: str, key: str
) -> None:
    """The case wants a flag that goes on all the same; this language refuses and names what differs."""
    interrupted(sixty, crawl, signal.SIGINT)
    before = len(sixty.log)
    text = SPEC.format(url=sixty.url())
    assert old in text
    ran = crawl(text.replace(old, new), "--resume")
    assert ran.exit == 1, ran.output
    assert key in ran.stderr
    assert "--fresh" in ran.stderr
    assert len(sixty.log) == before
    check(sixty, crawl(text, "--resume"))


def test_speed_and_limits_may_change(sixty: Site, crawl: CommandLine) -> None:
    interrupted(sixty, crawl, signal.SIGTERM)
    text = SPEC.format(url=sixty.url()).replace("threads: 4, per_host: 4", "threads: 2, per_host: 2")
    check(sixty, crawl(text + "limits: {time: 1h}\n", "--resume"))


def test_a_second_run_on_a_running_crawl_is_refused(sixty: Site, crawl: CommandLine) -> None:
    spec = SPEC.format(url=sixty.url())
    running = crawl.start(spec)
    assert running.until(sixty.reached(5))
    sixty.latency = 3.0  # so that it still runs, however long the others take to start
    for flags in ([], ["--resume"], ["--fresh"]):
        second = crawl(spec, *flags)
        assert second.exit == 1, second.output
        assert "stop" in second.stderr
    sixty.latency = 0.05
    check(sixty, running.end(), kills=0)


def test_stop_from_another_process_ends_it_in_good_order(sixty: Site, crawl: CommandLine) -> None:
    running = crawl.start(SPEC.format(url=sixty.url()))
    assert running.until(sixty.reached(20))
    sixty.latency = 1.0
    stopped = crawl.command("stop", "spec.yml")
    sixty.latency = 0.05
    assert stopped.exit == 0, stopped.output
    assert running.end().exit == 75
    assert len(sixty.log) < 55
    check(sixty, crawl(SPEC.format(url=sixty.url()), "--resume"))


def test_ctrl_c_again_and_again_is_an_interruption_like_any_other(sixty: Site, crawl: CommandLine) -> None:
    running = crawl.start(SPEC.format(url=sixty.url()))
    assert running.until(sixty.reached(20))
    running.send(signal.SIGINT)
    while running.process.poll() is None:
        time.sleep(0.02)
        running.send(signal.SIGINT)
    assert running.end().exit == 130
    check(sixty, crawl(SPEC.format(url=sixty.url()), "--resume"))
