"""Limits are exact, and nothing starts after them."""

from __future__ import annotations

import pytest

from tests.frontiers.crawling import Make, ended, item, open_to_all, opening, request
from yamlcrawl.model.frontier import State


def test_pages_are_exact(make: Make) -> None:
    crawl = make(pages=3)
    crawl.begin("/1", "/2", "/3", "/4")
    leases = crawl.claim()
    assert len(leases) == 3
    assert crawl.claim() == []
    exchange = crawl.store.exchange([ended(lease, links=[f"{lease.request.url}/x"]) for lease in leases], 9)
    assert (exchange.leases, exchange.state, exchange.reason) == ((), State.FINISHING, "limits.pages")
    stats = crawl.store.stats()
    assert (stats.counts["pages"], stats.open, stats.reason) == (3, 4, "limits.pages")


def test_a_limit_that_cuts_nothing_is_not_named(make: Make) -> None:
    crawl = make(pages=1)
    crawl.begin("/1")
    assert crawl.done(crawl.one()).reason == ""
    assert crawl.store.stats().reason == ""


def test_redirects_retries_and_robots_cost_no_page(make: Make) -> None:
    crawl = make(pages=2, robots=True)
    crawl.begin("/1", "/2", "/3")
    crawl.store.exchange([open_to_all(crawl.one())], 0)
    first, second = crawl.claim()
    crawl.done(first, "moved", links=[request("/target", redirects=1, front=True)])
    crawl.done(second, "timeout", again=True)
    assert crawl.paths() == ["/2", "/target"]
    assert crawl.count("pages") == 2


def test_a_page_without_contact_is_given_back(make: Make) -> None:
    crawl = make(pages=1)
    crawl.begin("/1", "/2")
    assert crawl.done(crawl.one(), "robots_denied", contact=False).state == State.RUNNING
    lease = crawl.one()
    crawl.store.release([lease.token])
    assert crawl.count("pages") == 0
    crawl.done(crawl.one())
    assert crawl.store.stats().state == State.FINISHING


def test_a_retry_that_is_given_back_keeps_its_page(make: Make) -> None:
    crawl = make(pages=1)
    crawl.begin("/1", "/2")
    crawl.done(crawl.one(), "timeout", again=True)
    crawl.store.release([crawl.one().token])
    assert crawl.count("pages") == 1
    assert crawl.paths() == ["/1"]


def test_no_robots_txt_is_asked_for_pages_that_cannot_start(make: Make) -> None:
    crawl = make(pages=1, robots=True)
    crawl.begin("/1", "http://b.test/")
    robots = crawl.claim()
    crawl.store.exchange([open_to_all(lease) for lease in robots], 0)
    (page,) = crawl.claim()
    crawl.done(page, links=["http://c.test/"])
    assert crawl.store.stats().state == State.FINISHING


def test_items_are_exact(make: Make) -> None:
    crawl = make(items=3)
    crawl.begin("/1", "/2", "/3")
    first, second, _ = crawl.claim(3)
    crawl.done(first, items=[item("a"), item("b")])
    exchange = crawl.done(second, items=[item("c"), item("d"), item("e")], want=9)
    assert (exchange.leases, exchange.reason) == ((), "limits.items")
    assert crawl.count("item:book") == 3
    assert len(crawl.streamed()) == 3


def test_doubles_do_not_count_as_items(make: Make) -> None:
    crawl = make(items=2)
    crawl.begin("/1", "/2")
    crawl.done(crawl.one(), items=[item("a", key="1"), item("b", key="1"), item("c", key="2"), item("d", key="3")])
    assert (crawl.count("item:book"), crawl.count("double:book")) == (2, 1)


def test_depth_is_exact(make: Make) -> None:
    crawl = make(depth=1)
    crawl.begin("/0")
    crawl.done(crawl.one(), links=[request("/1", depth=1)])
    crawl.done(crawl.one(), links=[request("/2", depth=2), request("/3", depth=2)])
    assert crawl.count("outcome:limit") == 2
    assert crawl.store.stats().state == State.FINISHING


def test_with_a_depth_limit_a_host_goes_level_by_level(make: Make) -> None:
    crawl = make(depth=5)
    crawl.begin("/a", "/b")
    a, b = crawl.claim()
    crawl.done(a, links=[request("/a1", depth=1, priority=9)])
    assert crawl.paths() == []
    crawl.done(b, links=[request("/b1", depth=1)])
    assert crawl.paths() == ["/a1", "/b1"]


def test_a_parked_request_lets_the_next_level_begin(make: Make) -> None:
    crawl = make(depth=5)
    crawl.begin("/a", "/b")
    a, b = crawl.claim()
    crawl.done(a, "timeout", again=True, wait=9.0)
    crawl.done(b, links=[request("/b1", depth=1)])
    assert crawl.paths() == ["/b1"]


def test_the_shorter_way_counts(make: Make) -> None:
    crawl = make(depth=5)
    crawl.begin("/a", "http://b.test/")
    a, b = sorted(crawl.claim(), key=lambda lease: lease.host)
    crawl.done(a, links=[request("/x", depth=3), request("/y", depth=1)])
    assert not crawl.store.known(request("/x").fingerprint)
    crawl.done(b, links=[request("/x", depth=1)])
    assert [(lease.request.url[-1], lease.request.depth) for lease in crawl.claim()] == [("x", 1), ("y", 1)]
    assert crawl.count("shorter_way") == 0


def test_a_shorter_way_that_comes_too_late_is_counted(make: Make) -> None:
    crawl = make(depth=5)
    crawl.begin(request("/a", depth=2), "http://b.test/")
    a, b = sorted(crawl.claim(), key=lambda lease: lease.host)
    crawl.done(a)
    crawl.done(b, links=["/a"])
    assert crawl.count("shorter_way") == 1
    assert crawl.store.stats().notes["shorter_way"] == ["http://a.test/a"]


@pytest.mark.parametrize("dies", [False, True])
def test_time_is_running_time_over_all_resumes(make: Make, dies: bool) -> None:
    crawl = make(time=10.0)
    crawl.begin("/1", "/2", "/3")
    crawl.done(crawl.one())
    crawl.clock.forward(4)
    assert crawl.store.exchange((), 0).reason == ""
    if dies:
        crawl.clock.forward(100)
        crawl.die()
    crawl.clock.forward(5.5)
    exchange = crawl.store.exchange((), 0)
    assert exchange.wake_after == 0.0
    (lease,) = crawl.claim(1)
    crawl.clock.forward(0.5)
    exchange = crawl.store.exchange((), 9)
    assert (exchange.leases, exchange.reason, exchange.wake_after) == ((), "limits.time", None)
    crawl.done(lease)
    stats = crawl.store.stats()
    assert (stats.state, stats.reason, stats.elapsed) == (State.FINISHING, "limits.time", 10.0)


def test_nobody_sleeps_past_the_end_of_the_time(make: Make) -> None:
    crawl = make(time=10.0)
    crawl.begin("/1")
    assert crawl.done(crawl.one(), "timeout", again=True, wait=60.0, want=9).wake_after == 10.0
    crawl.clock.forward(10)
    assert crawl.store.exchange((), 1).state == State.FINISHING


def test_bytes(make: Make) -> None:
    crawl = make(bytes=100)
    crawl.begin("/1", "/2", "/3")
    assert crawl.done(crawl.one(), received=99, want=0).reason == ""
    assert crawl.done(crawl.one(), received=1, want=9).reason == "limits.bytes"
    assert (crawl.count("bytes"), crawl.store.stats().state) == (100, State.FINISHING)


def test_errors_end_it_when_final(make: Make) -> None:
    crawl = make(errors=2)
    crawl.begin(*(f"/{i}" for i in range(9)))
    crawl.done(crawl.one(), "client_error")
    crawl.done(crawl.one(), "not_found")
    crawl.done(crawl.one(), "wrong_format", again=True)
    assert crawl.store.exchange((), 0).reason == ""
    assert crawl.done(crawl.one(), "wrong_format", want=9).reason == "limits.errors"


def test_a_share_of_errors_is_judged_from_50_pages_on(make: Make) -> None:
    crawl = make(error_share=0.1)
    crawl.begin(*(f"/{i}" for i in range(60)))
    leases = crawl.claim(55)
    crawl.store.exchange([ended(lease, "client_error") for lease in leases[:10]], 0)
    crawl.store.exchange([ended(lease) for lease in leases[10:49]], 0)
    assert crawl.store.exchange((), 0).reason == ""
    assert crawl.done(leases[49], want=9).reason == "limits.errors"


def test_a_limit_may_be_raised_by_a_resume(make: Make) -> None:
    crawl = make(pages=2)
    crawl.begin("/1", "/2", "/3", last=False)
    for lease in crawl.claim():
        crawl.done(lease)
    crawl.die(opening(pages=3))
    assert crawl.paths() == ["/3"]


def test_a_depth_limit_may_come_with_a_resume(make: Make) -> None:
    crawl = make()
    crawl.begin(request("/deep", depth=1, priority=5), "/flat", last=False)
    crawl.die(opening(depth=3))
    assert crawl.paths() == ["/flat"]
