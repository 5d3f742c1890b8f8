"""When a host may be asked: sleep, slots, Retry-After, back-off, rests."""

from __future__ import annotations

import pytest

from tests.frontiers.crawling import Crawl, Make, ended, open_to_all, request
from yamlcrawl.model.frontier import Lease, State


def fetched(crawl: Crawl, lease: Lease, name: str = "ok", **more: object) -> None:
    """The whole life of a lease, in no time."""
    crawl.store.host_sent(lease.token, crawl.clock.now)
    crawl.store.host_free(lease.token, crawl.clock.now)
    crawl.done(lease, name, **more)


def test_with_one_slot_the_sleep_begins_with_the_end(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("/1", "/2")
    lease = crawl.one()
    crawl.clock.forward(10)
    assert crawl.store.exchange((), 9).wake_after is None
    crawl.store.host_free(lease.token, crawl.clock.now)
    exchange = crawl.store.exchange((), 9)
    assert (exchange.leases, exchange.wake_after) == ((), 1.0)
    crawl.clock.forward(0.75)
    exchange = crawl.store.exchange((), 9)
    assert (exchange.leases, exchange.wake_after) == ((), 0.25)
    crawl.clock.forward(0.25)
    assert crawl.paths() == ["/2"]


def test_the_time_of_the_end_counts_not_the_time_it_is_told(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("/1", "/2")
    lease = crawl.one()
    crawl.store.host_free(lease.token, crawl.clock.now + 0.5)
    crawl.clock.forward(1.25)
    assert crawl.paths() == []
    crawl.clock.forward(0.25)
    assert crawl.paths() == ["/2"]


def test_an_end_that_nobody_told_is_the_completion(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("/1", "/2")
    lease = crawl.one()
    crawl.clock.forward(5)
    assert crawl.done(lease, want=9).wake_after == 1.0
    crawl.clock.forward(1)
    assert crawl.paths() == ["/2"]


def test_with_more_slots_the_sleep_lies_between_two_starts(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=2)
    crawl.begin("/1", "/2", "/3")
    (first,) = crawl.claim()
    assert first.paced
    crawl.clock.forward(3)
    assert crawl.store.exchange((), 9).leases == ()
    crawl.store.host_sent(first.token, crawl.clock.now)
    assert crawl.store.exchange((), 9).wake_after == 1.0
    crawl.clock.forward(1)
    (second,) = crawl.claim()
    crawl.store.host_sent(second.token, crawl.clock.now)
    crawl.clock.forward(1)
    assert crawl.paths() == []  # both slots are taken
    crawl.store.host_free(first.token, crawl.clock.now)
    assert crawl.paths() == ["/3"]


def test_without_a_sleep_only_slots_count(make: Make) -> None:
    crawl = make(sleep=0.0, per_host=2)
    crawl.begin("/1", "/2", "/3", "/4")
    first, second = crawl.claim()
    assert not first.paced
    assert crawl.paths() == []
    crawl.store.host_free(second.token, crawl.clock.now)
    assert crawl.paths() == ["/3"]
    crawl.done(first)
    assert crawl.paths() == ["/4"]


def test_http_and_https_share_a_clock_and_another_port_does_not(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("http://a.test/1", "https://a.test/2", "http://a.test:81/3")
    assert [lease.host for lease in crawl.claim()] == ["a.test", "a.test:81"]


@pytest.mark.parametrize("how", ["release", "outcome"])
def test_without_contact_slot_and_clock_are_as_before(make: Make, how: str) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("/1", "/2")
    lease = crawl.one()
    if how == "release":
        crawl.store.release([lease.token])
    else:
        crawl.done(lease, "robots_denied", contact=False)
    assert len(crawl.paths()) == 1


def test_a_death_counts_as_contact(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1, pages=2)
    crawl.begin("/1", "/2")
    dead = crawl.one()
    crawl.die()
    assert crawl.store.exchange((), 9).wake_after == 1.0
    crawl.clock.forward(1)
    lease = crawl.one()
    assert lease.request.url == dead.request.url
    assert crawl.count("pages") == 1
    fetched(crawl, lease)
    crawl.clock.forward(1)
    assert crawl.paths() == ["/2"]


def test_a_retry_waits_for_its_time_and_lets_others_go(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2")
    exchange = crawl.done(crawl.one(), "timeout", again=True, wait=4.0, want=1)
    (other,) = exchange.leases
    assert other.request.url.endswith("/2")
    assert crawl.done(other, want=9).wake_after == 4.0
    crawl.clock.forward(3.75)
    assert crawl.store.exchange((), 9).wake_after == 0.25
    crawl.clock.forward(0.25)
    assert crawl.one().request.attempt == 1
    assert crawl.count("retries") == 1


def test_a_time_to_wait_for_outlives_the_process(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), "timeout", again=True, wait=4.0)
    crawl.die()
    exchange = crawl.store.exchange((), 9)
    assert (exchange.leases, exchange.wake_after) == ((), 4.0)
    crawl.clock.forward(4)
    assert crawl.paths() == ["/1"]


@pytest.mark.parametrize("dies", [False, True])
def test_retry_after_holds_the_whole_host(make: Make, dies: bool) -> None:
    crawl = make()
    crawl.begin("/1", "/2", "/3")
    crawl.done(crawl.one(), "throttled", again=True, host_wait=30.0)
    if dies:
        crawl.die()
    assert crawl.store.exchange((), 9).wake_after == 30.0
    crawl.clock.forward(29)
    assert crawl.claim() == []
    crawl.clock.forward(1)
    probe = crawl.one()
    assert crawl.claim() == []  # one goes first
    assert len(crawl.done(probe, want=9).leases) == 2


def test_retry_after_of_one_host_holds_no_other(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("/1", "/2", "http://b.test/1", "http://b.test/2")
    a, b = crawl.claim()
    crawl.store.exchange([ended(a, "throttled", host_wait=30.0), ended(b)], 0)
    crawl.clock.forward(1)
    assert [lease.host for lease in crawl.claim()] == ["b.test"]


def test_one_failure_stalls_nobody(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2", "/3")
    crawl.done(crawl.one(), "server_error")
    assert crawl.paths() == ["/2", "/3"]


def test_failures_in_a_row_double_the_wait(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin(*(f"/{i}" for i in range(20)))
    waits = []
    for _ in range(10):
        fetched(crawl, crawl.one(), "server_error")
        wait = crawl.store.exchange((), 9).wake_after
        assert wait is not None
        waits.append(wait)
        crawl.clock.forward(wait)
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 600]


def test_a_success_ends_the_streak_and_opens_the_slots(make: Make) -> None:
    crawl = make(per_host=2)
    crawl.begin(*(f"/{i}" for i in range(9)))
    first, second = crawl.claim()
    crawl.store.exchange([ended(first, "timeout"), ended(second, "timeout")], 0)
    crawl.clock.forward(2)
    (probe,) = crawl.claim()
    assert crawl.store.exchange((), 9).wake_after is None
    assert len(crawl.done(probe, want=9).leases) == 2


def test_failures_of_what_was_in_the_air_count_as_one(make: Make) -> None:
    crawl = make(per_host=16)
    crawl.begin(*(f"/{i}" for i in range(40)))
    exchange = crawl.store.exchange([ended(lease, "timeout") for lease in crawl.claim()], 9)
    assert exchange.wake_after == 2.0


def test_a_404_is_no_failure_of_the_host(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("/1", "/2", "/3", "/4")
    for _ in range(3):
        fetched(crawl, crawl.one(), "not_found")
        crawl.clock.forward(1)
    assert crawl.paths() == ["/4"]


@pytest.mark.parametrize("dies", [False, True])
def test_after_three_rests_the_host_is_given_up(make: Make, dies: bool) -> None:
    crawl = make()
    crawl.begin(*(request(f"/{i}", seed=True) for i in range(30)))
    waits = []
    while crawl.store.stats().state == State.RUNNING:
        crawl.done(crawl.one(), "network_error")
        if dies:
            crawl.die()
        waits.append(crawl.store.exchange((), 0).wake_after or 0.0)
        crawl.clock.forward(waits[-1])
    assert waits == [0, 2, 4, 8, 16, 32, 64, 128, 256, 600, 600, 600, 0]
    stats = crawl.store.stats()
    assert set(stats.failed_hosts) == {"a.test"}
    assert stats.counts["outcome:host_unavailable"] == 30 - 13
    assert stats.counts["seed:p"] == 30 - 13


def test_a_success_between_the_rests_starts_the_count_anew(make: Make) -> None:
    crawl = make()
    crawl.begin(*(f"/{i}" for i in range(60)))
    for name in ["timeout"] * 12 + ["ok"] + ["timeout"] * 12:
        crawl.done(crawl.one(), name)
        crawl.clock.forward(600)
    assert not crawl.store.stats().failed_hosts
    crawl.done(crawl.one(), "timeout")
    assert crawl.store.stats().failed_hosts


def test_what_is_added_to_a_host_that_was_given_up_ends(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("/1", "http://b.test/")
    a, b = sorted(crawl.claim(), key=lambda lease: lease.host)
    crawl.store.exchange([open_to_all(a, delay=100.0), open_to_all(b)], 0)
    crawl.done(crawl.one(), links=["/2", "/3"])
    assert crawl.count("outcome:host_unavailable") == 3
    assert crawl.store.stats().state == State.FINISHING


def test_a_retry_on_a_host_that_was_given_up_ends(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("http://a.test/1", "https://a.test/2")
    plain, secure = sorted(crawl.claim(), key=lambda lease: lease.request.url)
    (page,) = crawl.store.exchange([open_to_all(plain)], 9).leases
    crawl.store.exchange([open_to_all(secure, delay=100.0)], 0)
    crawl.done(page, "timeout", again=True, wait=1.0)
    assert crawl.count("outcome:host_unavailable") == 2
    assert crawl.store.stats().state == State.FINISHING


def test_stats_say_why_a_host_waits(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("/1", "/2")
    lease = crawl.one()
    assert crawl.store.stats().hosts[0].in_air == 1
    crawl.done(lease, "throttled", host_wait=5.0)
    (host,) = crawl.store.stats().hosts
    assert (host.key, host.waiting, host.in_air, host.due_in, host.reason) == ("a.test", 1, 0, 5.0, "Retry-After")
