"""A page completes in one step, or not at all; its items are delivered in order and sorted at the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from tests.frontiers.crawling import Make, ended, item, request
from yamlcrawl.model.frontier import State
from yamlcrawl.model.outcome import Result


def test_everything_of_a_page_is_kept(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    notes = [("cast:a", str(i)) for i in range(7)]
    exchange = crawl.done(
        crawl.one(), links=["/2"], items=[item("a")], counts={"hit:x": 2}, notes=tuple(notes), received=9
    )
    assert exchange.results == (Result.COMMITTED,)
    crawl.die()
    stats = crawl.store.stats()
    assert stats.counts == {
        "pages": 1, "attempts": 1, "bytes": 9, "hit:x": 2, "item:book": 1, "outcome:ok": 1
    }  # fmt: skip
    assert stats.notes == {"cast:a": ["0", "1", "2", "3", "4"]}
    assert crawl.paths() == ["/2"]
    assert crawl.streamed() == [item("a").text]


@pytest.mark.parametrize("gone", ["completed", "released", "died", "twice at once"])
def test_a_lease_that_is_gone_changes_nothing(make: Make, gone: str) -> None:
    crawl = make()
    crawl.begin("/1", "/2")
    lease = crawl.one()
    page = ended(lease, items=[item("a")], links=["/3"], counts={"hit:x": 1}, received=5)
    if gone == "completed":
        crawl.store.exchange([page], 0)
    elif gone == "released":
        crawl.store.release([lease.token])
        (again,) = crawl.claim(1)
        assert again.token.number == lease.token.number
    elif gone == "died":
        crawl.die()
    else:
        assert crawl.store.exchange([page, page], 0).results == (Result.COMMITTED, Result.STALE)
    before = crawl.store.stats()
    assert crawl.store.exchange([page], 0).results == (Result.STALE,)
    assert crawl.store.stats() == before
    assert crawl.store.release([lease.token]) == State.RUNNING
    assert crawl.store.stats() == before


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ({"vars": {"word": "a"}}, {"vars": {"word": "b"}}, 1),
        ({"vars": {"word": "a"}}, {"vars": {"word": "a"}}, 0),
        ({"carry": {"n": 1}}, {"carry": {"n": 2}}, 1),
        ({"carry": {"n": 1}}, {}, 0),
    ],
)
def test_two_ways_to_a_page_that_bring_other_values_are_told(
    make: Make, first: dict[str, Any], second: dict[str, Any], told: int
) -> None:
    crawl = make()
    crawl.begin("/1", "/2")
    one, two = crawl.claim(2)
    crawl.done(one, links=[request("/both", **first)])
    crawl.done(two, links=[request("/both", **second)])
    stats = crawl.store.stats()
    assert stats.counts.get("carry:start.p", 0) == told
    assert len(stats.notes.get("carry:start.p", ())) == told


def test_an_error_is_listed_with_all_that_is_known(make: Make) -> None:
    crawl = make()
    crawl.begin(request("/1", parent="http://a.test/0"), "/2", "/3")
    crawl.done(crawl.one(), "timeout", again=True, status=0)
    crawl.done(crawl.one(), "server_error", status=503, reason="503 Service Unavailable \ud800")
    crawl.clock.forward(10)
    crawl.done(crawl.one(), "not_found", status=404)
    crawl.done(crawl.one())
    (error,) = crawl.store.ended()
    assert (error.url, error.outcome, error.status, error.attempts) == ("http://a.test/1", "server_error", 503, 2)
    assert (error.page, error.via, error.parent, error.purpose) == ("p", "start.p", "http://a.test/0", "page")
    assert error.reason.startswith("503 Service Unavailable")


def test_a_404_of_a_start_request_is_an_error(make: Make) -> None:
    crawl = make()
    crawl.begin(request("/1", seed=True), request("/2", step=True), "/3")
    for lease in crawl.claim():
        crawl.done(lease, "not_found")
    assert [e.url[-1] for e in crawl.store.ended()] == ["1", "2"]


def test_items_come_in_the_order_of_commitment_without_doubles(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2")
    one, two = crawl.claim()
    crawl.done(two, items=[item("b", key="k"), item("c")])
    crawl.done(one, items=[item("a", key="k"), item("d", key="l"), item("e", key="l")])
    assert crawl.streamed() == [item(v).text for v in "bcd"]
    assert (crawl.count("item:book"), crawl.count("double:book")) == (3, 2)


def test_a_null_key_is_no_double(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[replace(item(v), null_key=True) for v in "ab"])
    assert (crawl.count("item:book"), crawl.count("null_key:book")) == (2, 2)


def test_the_same_key_of_another_type_is_no_double(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[item("a", key="k"), item("b", key="k", kind="shop")])
    assert crawl.count("double:shop") == 0


def test_of_a_key_the_least_by_place_is_kept_in_sorted_items(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    rows = [item("late", key="b", place="9"), item("x", key="a", place="5"), item("early", key="b", place="1")]
    crawl.done(crawl.one(), items=[*rows, item("other", place="0", kind="shop")])
    kept = [row.text for row in crawl.store.sorted_items(["shop", "book"], None)]
    assert kept == [item(v).text for v in ("other", "x", "early")]


def test_items_without_a_key_are_sorted_by_place(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[item("a", place="2"), item("b", place="1"), item("c", place="3")])
    assert [row.text for row in crawl.store.sorted_items(["book"], None)] == [item(v).text for v in "bac"]


def test_items_are_sorted_by_fields(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[item(v, key=k) for v, k in [("b", "1"), ("a", "3"), ("a", "2"), ("A", "4")]])
    rows = [row.text for row in crawl.store.sorted_items(["book"], ["v"])]
    assert rows == [item(v).text for v in "Aaab"]


def test_text_that_utf8_cannot_hold_is_kept_as_an_escape(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[item("ä\ud800")])
    (text,) = crawl.streamed()
    assert text.encode("utf-8", "backslashreplace").decode() == '{"v": "ä\\ud800"}'


# relays


def test_a_relay_reads_on_after_what_it_acknowledged(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2")
    one, two = crawl.claim()
    crawl.done(one, items=[item(v) for v in "abc"])
    lease = crawl.store.target_acquire("t")
    assert lease is not None
    assert (lease.position, lease.part) == (0, None)
    rows = crawl.store.items(lease, 2)
    assert [row.text for row in rows] == [item(v).text for v in "ab"]
    lease = crawl.store.target_ack(lease, rows[-1].number, {"length": [1, None]})
    assert lease is not None
    crawl.done(two, items=[item("d")])
    assert crawl.store.stats().backlog == 2
    assert [row.text for row in crawl.store.items(lease, 9)] == [item(v).text for v in "cd"]
    crawl.die()
    again = crawl.store.target_acquire("t")
    assert again is not None
    assert (again.position, again.part) == (lease.position, {"length": [1, None]})
    assert crawl.store.items(lease, 9) == []
    assert crawl.store.target_ack(lease, 4, None) is None


def test_an_acknowledgement_that_was_lost_is_written_again(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[item("a")])
    lease = crawl.store.target_acquire("t")
    assert lease is not None
    first = crawl.store.items(lease, 9)
    crawl.die()
    lease = crawl.store.target_acquire("t")
    assert lease is not None
    assert crawl.store.items(lease, 9) == first


def test_a_target_may_remember_something_before_the_first_item(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    lease = crawl.store.target_acquire("t")
    assert lease is not None
    begun = crawl.store.target_ack(lease, lease.position, {"base": 7})
    crawl.done(crawl.one(), items=[item("a")])
    assert begun is not None
    assert len(crawl.store.items(begun, 9)) == 1


def test_targets_are_told_apart(make: Make) -> None:
    crawl = make(targets=("t", "u"))
    crawl.begin("/1")
    crawl.done(crawl.one(), items=[item("a"), item("b")])
    t, u = crawl.store.target_acquire("t"), crawl.store.target_acquire("u")
    assert t is not None
    assert u is not None
    crawl.store.target_ack(t, 2, None)
    assert len(crawl.store.items(u, 9)) == 2
    assert crawl.store.stats().backlog == 2


def test_a_backlog_closes_the_claims_until_it_is_delivered(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yamlcrawl.frontiers.limits.BACKLOG_ITEMS", 3)
    crawl = make()
    crawl.begin("/1", "/2")
    exchange = crawl.done(crawl.one(), items=[item(v) for v in "abcd"], want=9)
    assert (exchange.leases, exchange.reason, exchange.state) == ((), "backlog", State.RUNNING)
    assert exchange.wake_after == 0.25
    lease = crawl.store.target_acquire("t")
    assert lease is not None
    crawl.store.target_ack(lease, 4, None)
    assert crawl.paths() == ["/2"]


def test_a_backlog_of_bytes_counts_too(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yamlcrawl.frontiers.limits.BACKLOG_BYTES", 3)
    crawl = make()
    crawl.begin("/1", "/2")
    assert crawl.done(crawl.one(), items=[item("a")], want=9).reason == "backlog"


def test_without_streaming_targets_there_is_no_backlog(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yamlcrawl.frontiers.limits.BACKLOG_ITEMS", 0)
    crawl = make(targets=())
    crawl.begin("/1", "/2")
    assert len(crawl.done(crawl.one(), items=[item("a")], want=9).leases) == 1


def test_many_pages_in_one_exchange(make: Make) -> None:
    crawl = make()
    crawl.begin(*(f"/{i}" for i in range(50)))
    leases = crawl.claim()
    pages = [ended(lease, items=[item(lease.request.url)], links=["/x", f"{lease.request.url}/y"]) for lease in leases]
    results = crawl.store.exchange(pages, 0).results
    assert results == (Result.COMMITTED,) * 50
    assert crawl.store.stats().open == 51
    assert len(crawl.streamed()) == 50
    assert len(list(chain(crawl.claim(30), crawl.claim(30)))) == 51
