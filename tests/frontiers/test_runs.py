"""Run folders: what is begun, gone on with, refused and set aside."""

from __future__ import annotations

import sqlite3
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.frontiers.crawling import Clock, abandoned, ended, item, opening, request
from yamlcrawl.errors import RefusedError
from yamlcrawl.frontiers.runs import KEPT, Begun, Runs, StoredTarget, names
from yamlcrawl.frontiers.sqlite import FILE
from yamlcrawl.model.frontier import Opening, State, Verdict


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / ".yamlcrawl", "shop", Clock())


def finish(begun: Begun) -> None:
    begun.frontier.add([], last=True)
    lease = begun.frontier.finish()
    assert lease is not None
    begun.frontier.verdict(lease, Verdict(0))
    begun.frontier.end(State.DONE)
    begun.frontier.close()


def changed(**keys: str) -> Opening:
    return replace(opening(), digest={"pages.p": "1", **keys})


def test_the_first_run_has_number_1_and_a_folder_for_its_owner_alone(runs: Runs) -> None:
    begun = runs.begin(opening())
    assert (begun.number, begun.opened.state, begun.resumed) == (1, State.INIT, False)
    assert (runs.folder / ".gitignore").read_text() == "*\n"
    assert stat.S_IMODE(runs.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((begun.folder / FILE).stat().st_mode) == 0o600
    assert names(runs.folder.parent) == ["shop"]


@pytest.mark.parametrize("mode", ["plain", "resume", "fresh"])
def test_after_a_finished_run_comes_a_new_one(runs: Runs, mode: Any) -> None:
    finish(runs.begin(opening()))
    assert runs.begin(changed(more="x"), mode).number == 2


@pytest.mark.parametrize("mode", ["plain", "resume", "fresh"])
def test_a_run_that_died_before_its_first_word_is_none(runs: Runs, mode: Any) -> None:
    finish(runs.begin(opening()))
    folder = runs.folder / "runs" / "2"
    folder.mkdir()
    sqlite3.connect(folder / FILE).execute("PRAGMA journal_mode=WAL").connection.close()
    assert [run.number for run in runs.all()] == [1]
    begun = runs.begin(opening(), mode)
    assert (begun.number, begun.resumed, begun.opened.state) == (2, False, State.INIT)


@pytest.mark.parametrize("mode", ["plain", "resume", "fresh"])
def test_a_live_run_is_left_alone(runs: Runs, mode: Any) -> None:
    runs.begin(opening())
    with pytest.raises(RefusedError, match="yamlcrawl stop shop"):
        runs.begin(opening(), mode)


def test_an_unfinished_run_is_refused_with_both_ways_out(runs: Runs) -> None:
    runs.begin(opening()).frontier.close()
    with pytest.raises(RefusedError, match=r"--resume.*--fresh"):
        runs.begin(opening())


@pytest.mark.parametrize("end", ["close", "die", "stop"])
def test_an_unfinished_run_is_gone_on_with(runs: Runs, end: str) -> None:
    begun = runs.begin(opening())
    begun.frontier.add([request("/1")], 1, last=True)
    if end == "stop":
        begun.frontier.control("stop")
    if end == "die":
        abandoned(begun.frontier, begun.folder, Clock())
    else:
        begun.frontier.close()
    again = runs.begin(opening(), "resume")
    assert (again.number, again.opened.state, again.resumed) == (1, State.RUNNING, True)
    assert len(again.frontier.exchange((), 9).leases) == 1


def test_a_changed_spec_is_not_gone_on_with(runs: Runs) -> None:
    runs.begin(changed(**{"start.a": "1"})).frontier.close()
    with pytest.raises(RefusedError, match=r"pages\.q, start\.a"):
        runs.begin(changed(**{"start.a": "2", "pages.q": "1"}), "resume")
    assert not runs.all()[0].is_live


def test_fresh_settles_the_targets_and_begins_anew(runs: Runs) -> None:
    begun = runs.begin(opening())
    begun.frontier.add([request("/1")], 1, last=True)
    (lease,) = begun.frontier.exchange((), 1).leases
    begun.frontier.exchange([ended(lease, items=[item("a"), item("b"), item("c")])], 0)
    target = begun.frontier.target_acquire("t")
    assert target is not None
    begun.frontier.target_ack(target, 1, {"length": 9})
    begun.frontier.close()

    def refuse(_target: StoredTarget) -> None:
        raise RefusedError("somebody wrote there")

    with pytest.raises(RefusedError, match="somebody"):
        runs.begin(opening(), "fresh", refuse)
    settled = []
    again = runs.begin(opening(), "fresh", lambda t: settled.append((t.name, t.part, [row.text for row in t.rows])))
    assert settled == [("t", {"length": 9}, [item("b").text, item("c").text])]
    assert (again.number, again.opened.state) == (2, State.INIT)
    assert runs.all()[0].stats().state == State.ABANDONED


def test_a_failed_run_is_finished_by_its_verdict(runs: Runs) -> None:
    begun = runs.begin(opening())
    begun.frontier.end(State.FAILED)
    begun.frontier.close()
    assert runs.all()[0].is_unfinished
    again = runs.begin(opening(), "resume")
    again.frontier.add([], last=True)
    lease = again.frontier.finish()
    assert lease is not None
    again.frontier.verdict(lease, Verdict(3, ("the start host is out of reach",)))
    again.frontier.end(State.FAILED)
    again.frontier.close()
    assert not runs.all()[0].is_unfinished
    assert runs.begin(opening()).number == 2


def test_a_stop_from_outside_reaches_the_crawl(runs: Runs) -> None:
    begun = runs.begin(opening())
    begun.frontier.add([request("/1"), request("/2")], 2, last=True)
    (lease,) = begun.frontier.exchange((), 1).leases
    run = runs.newest
    assert run is not None
    assert run.stop() == State.STOPPING
    exchange = begun.frontier.exchange([ended(lease)], 9)
    assert (exchange.state, exchange.leases) == (State.STOPPED, ())
    assert run.stats().counts["outcome:ok"] == 1


def test_a_stop_of_a_dead_run_ends_it(runs: Runs) -> None:
    begun = runs.begin(opening())
    abandoned(begun.frontier, begun.folder, Clock())
    run = runs.newest
    assert run is not None
    assert run.stop() == State.STOPPED


def test_ten_runs_are_kept(runs: Runs) -> None:
    for _ in range(KEPT + 2):
        finish(runs.begin(opening()))
    assert [run.number for run in runs.all()] == list(range(3, KEPT + 3))


def test_a_trial_leaves_nothing_to_resume(runs: Runs) -> None:
    runs.begin(opening()).frontier.close()
    for _ in range(2):
        trial = runs.trial(opening())
        assert trial.opened.seed_position == 0
        trial.frontier.add([request("/1")], 1, last=True)
        with pytest.raises(RefusedError, match="running"):
            runs.trial(opening())
        trial.frontier.close()
    assert [run.number for run in runs.all()] == [1]


def test_a_damaged_file_is_told_and_can_be_set_aside(runs: Runs) -> None:
    begun = runs.begin(opening())
    begun.frontier.close()
    (begun.folder / FILE).write_bytes(b"no database, but a text that is long enough to look like one" * 99)
    with pytest.raises(RefusedError, match="--fresh"):
        runs.begin(opening(), "resume")
    assert runs.begin(opening(), "fresh").opened.state == State.INIT


def test_a_file_of_a_newer_version_is_told(runs: Runs) -> None:
    begun = runs.begin(opening())
    begun.frontier.close()
    with sqlite3.connect(begun.folder / FILE) as db:
        db.execute("PRAGMA user_version=999")
    db.close()
    with pytest.raises(RefusedError, match="newer version"):
        runs.begin(opening(), "resume")
