"""How a crawl ends: done is decided in the frontier, and finishing may be entered again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.frontiers.crawling import Crawl, Make, item, opening, request
from yamlcrawl.errors import RefusedError
from yamlcrawl.model.frontier import State, TargetLease, Verdict


def drained(crawl: Crawl, *items: str) -> None:
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[item(v) for v in items])


def target(crawl: Crawl) -> TargetLease:
    lease = crawl.store.target_acquire("t")
    assert lease is not None
    return lease


def test_it_ends_with_its_last_page(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2")
    one, two = crawl.claim()
    assert crawl.done(one).state == State.RUNNING
    exchange = crawl.done(two)
    assert (exchange.state, exchange.open, exchange.wake_after) == (State.FINISHING, 0, None)


def test_it_does_not_end_while_seeds_are_added(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", last=False)
    assert crawl.done(crawl.one()).state == State.INIT
    crawl.store.add([], last=True)
    assert crawl.store.stats().state == State.FINISHING


def test_it_does_not_end_while_something_is_delayed(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    assert crawl.done(crawl.one(), "timeout", again=True, wait=60.0).state == State.RUNNING
    crawl.clock.forward(60)
    assert crawl.done(crawl.one()).state == State.FINISHING


def test_it_ends_with_a_release_under_a_limit(make: Make) -> None:
    crawl = make(items=1)
    crawl.begin("/1", "/2")
    one, two = crawl.claim()
    crawl.done(one, items=[item("a")])
    assert crawl.store.release([two.token]) == State.FINISHING


def test_what_is_open_is_counted_anew(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2", "/3")
    crawl.done(crawl.one(), links=["/3", "/4"])
    crawl.claim(1)
    crawl.die()
    stats = crawl.store.stats()
    assert (stats.open, stats.waiting, stats.leased) == (3, 3, 0)
    for lease in crawl.claim():
        crawl.done(lease)
    assert crawl.store.stats().state == State.FINISHING


def test_a_stop_waits_for_what_is_in_the_air(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2", "/3")
    one, two = crawl.claim(2)
    assert crawl.store.control("stop") == State.STOPPING
    exchange = crawl.done(one, links=["/4"], items=[item("a")], want=9)
    assert (exchange.leases, exchange.state) == ((), State.STOPPING)
    assert crawl.store.release([two.token]) == State.STOPPED
    assert crawl.store.stats().waiting == 3
    assert crawl.die().state == State.RUNNING
    assert sorted(crawl.paths()) == ["/2", "/3", "/4"]


def test_a_stop_with_nothing_in_the_air_is_there_at_once(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    assert crawl.store.control("stop") == State.STOPPED


def test_a_stop_while_seeds_are_added(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", last=False)
    assert crawl.store.control("stop") == State.STOPPED
    assert crawl.die().state == State.INIT


def test_only_stop_is_an_action(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    with pytest.raises(RefusedError, match="pause"):
        crawl.store.control("pause")


def test_nobody_finishes_a_crawl_that_runs(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    assert crawl.store.finish() is None


def test_the_verdict_is_stored_once(make: Make) -> None:
    crawl = make()
    drained(crawl)
    lease = crawl.store.finish()
    assert lease is not None
    assert (lease.verdict, lease.written) == (None, frozenset())
    first = Verdict(2, ("too few books",), changed=True)
    assert crawl.store.verdict(lease, first) == first
    assert crawl.store.verdict(lease, Verdict(0)) == first
    crawl.store.written(lease, "books.csv")
    crawl.die()
    again = crawl.store.finish()
    assert again is not None
    assert (again.verdict, again.written) == (first, frozenset({"books.csv"}))
    assert crawl.store.stats().verdict == first
    with pytest.raises(RefusedError):
        crawl.store.verdict(lease, Verdict(0))


def test_done_waits_for_the_last_item_of_each_target(make: Make) -> None:
    crawl = make()
    drained(crawl, "a", "b")
    with pytest.raises(RefusedError, match="t lacks 2 items"):
        crawl.store.end(State.DONE)
    crawl.store.target_ack(target(crawl), 2, None)
    crawl.store.end(State.DONE)
    assert crawl.store.stats().state == State.DONE
    assert crawl.die().state == State.DONE


def test_a_double_is_nothing_to_wait_for(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[item("a", key="k"), item("b", key="k")])
    crawl.store.target_ack(target(crawl), 1, None)
    crawl.store.end(State.DONE)


def test_a_target_that_is_gone_from_the_spec_is_not_waited_for(make: Make) -> None:
    crawl = make()
    drained(crawl, "a")
    crawl.die(opening(targets=()))
    crawl.store.end(State.DONE)


def test_a_failure_may_come_at_any_time(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.store.end(State.FAILED)
    assert crawl.store.stats().state == State.FAILED
    assert crawl.die().state == State.RUNNING
    assert crawl.paths() == ["/1"]


def test_a_run_ends_as_done_or_failed(make: Make) -> None:
    crawl = make()
    drained(crawl)
    with pytest.raises(RefusedError, match="running"):
        crawl.store.end(State.RUNNING)


def test_another_spec_is_refused_with_its_keys(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    with pytest.raises(RefusedError, match=r"pages\.q"):
        crawl.die(replace(crawl.opening, digest={"pages.p": "1", "pages.q": "2"}))


def test_the_start_of_a_run_outlives_its_process(make: Make) -> None:
    crawl = make()
    crawl.opening = replace(crawl.opening, started=123.0)
    crawl.begin("/1")
    assert crawl.die(replace(crawl.opening, started=456.0)).started == 123.0


def test_after_a_close_all_goes_on(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("/1", "/2")
    crawl.claim()
    crawl.store.close()
    crawl.die()
    crawl.clock.forward(1)
    assert crawl.paths() == ["/1"]


def test_a_late_seed_after_a_stop_is_kept(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", last=False)
    crawl.store.control("stop")
    assert crawl.store.add([request("/2")], 2) == 1
    crawl.die()
    assert crawl.paths() == ["/1", "/2"]
