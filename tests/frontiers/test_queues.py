"""Order, what was seen, and robots.txt."""

from __future__ import annotations

import pytest

from tests.frontiers.crawling import Make, ended, open_to_all, request
from yamlcrawl.errors import RefusedError
from yamlcrawl.model.frontier import State
from yamlcrawl.model.request import Body


def test_priority_then_depth_then_order_of_discovery(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", request("/deep", depth=2), request("/first", priority=1), "/2", request("/last", priority=-1))
    assert crawl.paths() == ["/first", "/1", "/2", "/deep", "/last"]


def test_redirects_and_retries_come_first_within_their_rank(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2", request("/high", priority=1))
    high, one = crawl.claim(2)
    crawl.done(high, "moved", links=[request("/target", priority=1, redirects=1, front=True)])
    crawl.done(one, "timeout", again=True)
    assert crawl.paths() == ["/target", "/1", "/2"]


def test_a_request_is_handed_out_once(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/1", "/2")
    assert crawl.paths() == ["/1", "/2"]
    assert crawl.paths() == []
    assert crawl.count("duplicates") == 1


def test_links_of_a_page_are_added_once(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), links=["/2", "/1", "/3", "/2"])
    assert crawl.paths() == ["/2", "/3"]
    assert crawl.count("duplicates") == 2


@pytest.mark.parametrize(
    "other",
    [
        {"method": "POST"},
        {"page": "q"},
        {"headers": (("Accept", "text/csv"),)},
        {"body": Body("form", [["a", "1"]])},
        {"again": 1},
    ],
)
def test_what_tells_requests_apart(make: Make, other: dict[str, object]) -> None:
    crawl = make()
    crawl.begin("/1", request("/1", **other))
    assert len(crawl.paths()) == 2


def test_known_is_what_was_added(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    crawl.done(crawl.one(), links=["/2"])
    assert [crawl.store.known(request(path).fingerprint) for path in ("/1", "/2", "/3")] == [True, True, False]


def test_links_of_a_stale_page_stay_unknown(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    lease = crawl.one()
    crawl.store.release([lease.token])
    crawl.done(lease, links=["/2"])
    assert not crawl.store.known(request("/2").fingerprint)
    crawl.done(crawl.one(), links=["/2"])
    assert crawl.paths() == ["/2"]


def test_all_of_a_request_is_kept(make: Make) -> None:
    crawl = make()
    whole = request(
        "/1",
        method="POST",
        headers=(("X", "1"),),
        body=Body("json", {"q": [1, None, "ä\ud800"]}),
        depth=3,
        priority=-2,
        carry={"price": None, "n": 1},
        vars={"year": "2024"},
        seed=True,
        step=True,
        parent="http://a.test/",
        again=2,
        secrets=("KEY",),
    )
    crawl.begin(whole)
    crawl.die()
    assert crawl.one().request == whole


def test_robots_txt_goes_first_and_opens_its_origin(make: Make) -> None:
    crawl = make(robots=True, sleep=1.0, per_host=1)
    crawl.begin("/1", "/2")
    robots = crawl.one()
    assert (robots.request.url, robots.request.purpose) == ("http://a.test/robots.txt", "robots")
    crawl.store.host_free(robots.token, crawl.clock.now)
    crawl.clock.forward(5)
    assert crawl.paths() == []
    crawl.store.exchange([open_to_all(robots, "Disallow: /x")], 0)
    lease = crawl.one()
    assert (lease.request.url, lease.rules) == ("http://a.test/1", "Disallow: /x")
    assert crawl.count("pages") == 1
    assert crawl.count("outcome:ok") == 0


def test_leases_of_an_origin_share_the_text_of_its_rules(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("/1", "/2")
    crawl.store.exchange([open_to_all(crawl.one(), "Disallow: /x")], 0)
    one, two = crawl.claim()
    assert one.rules is two.rules


def test_http_and_https_have_a_robots_txt_each(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("http://a.test/1", "https://a.test/1", "http://a.test:8000/1")
    urls = {lease.request.url for lease in crawl.claim()}
    assert urls == {"http://a.test/robots.txt", "https://a.test/robots.txt", "http://a.test:8000/robots.txt"}


def test_a_robots_txt_that_moved_opens_the_origin_that_was_asked(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("/1")
    moved = request("http://b.test/robots.txt", page="", purpose="robots", redirects=1)
    crawl.done(crawl.one(), "moved", links=[moved])
    target = crawl.one()
    assert (target.request.url, target.host) == ("http://b.test/robots.txt", "b.test")
    crawl.store.exchange([open_to_all(target, "Disallow: /y")], 0)
    assert [(lease.request.url, lease.rules) for lease in crawl.claim()] == [("http://a.test/1", "Disallow: /y")]


def test_robots_txt_stands_outside_what_was_seen(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("/robots.txt")
    robots = crawl.one()
    assert robots.request.purpose == "robots"
    crawl.store.exchange([open_to_all(robots)], 0)
    assert crawl.paths() == ["/robots.txt"]


def test_a_robots_txt_out_of_reach_ends_its_origin(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin(request("/1", seed=True), "/2", "https://a.test/3")
    plain, secure = sorted(crawl.claim(), key=lambda lease: lease.request.url)
    crawl.store.exchange([open_to_all(secure), open_to_all(plain, None)], 0)
    (other,) = crawl.claim()
    assert other.request.url == "https://a.test/3"
    crawl.done(other, links=["/late"])
    stats = crawl.store.stats()
    assert stats.state == State.FINISHING
    assert stats.counts["outcome:robots_unreachable"] == 3
    assert stats.counts["seed:p"] == 1
    assert set(stats.failed_hosts) == {"http://a.test:80"}
    assert [e.outcome for e in crawl.store.ended() if e.purpose == "page"] == ["robots_unreachable"] * 3


def test_a_robots_txt_that_ends_without_rules_denies(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("/1")
    crawl.done(crawl.one(), "redirect_loop", reason="again and again")
    assert crawl.store.stats().failed_hosts == {"http://a.test:80": "its robots.txt cannot be read: again and again"}
    assert crawl.store.stats().state == State.FINISHING


def test_a_robots_txt_is_tried_again(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("/1")
    crawl.done(crawl.one(), "server_error", again=True, wait=2.0)
    assert crawl.paths() == []
    crawl.clock.forward(2)
    assert crawl.paths() == ["/robots.txt"]


def test_rules_hold_for_a_day(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("/1", "/2", "/3")
    crawl.store.exchange([open_to_all(crawl.one(), "old")], 0)
    crawl.clock.forward(24 * 3600)
    assert crawl.one().rules == "old"
    crawl.clock.forward(1)
    robots = crawl.one()
    assert robots.request.purpose == "robots"
    assert crawl.paths() == []
    crawl.store.exchange([open_to_all(robots, "new")], 0)
    assert crawl.one().rules == "new"


def test_a_crawl_delay_raises_the_sleep(make: Make) -> None:
    crawl = make(robots=True, sleep=1.0, per_host=1)
    crawl.begin("/1", "/2")
    robots = crawl.one()
    crawl.store.host_free(robots.token, crawl.clock.now)
    crawl.store.exchange([open_to_all(robots, delay=5.0)], 0)
    crawl.clock.forward(5)
    page = crawl.one()
    crawl.store.host_free(page.token, crawl.clock.now)
    crawl.done(page)
    crawl.clock.forward(4.9)
    assert crawl.paths() == []
    crawl.die()
    crawl.clock.forward(4.9)
    assert crawl.paths() == []
    crawl.clock.forward(0.1)
    assert crawl.paths() == ["/2"]


def test_a_host_that_wants_a_longer_delay_is_skipped(make: Make) -> None:
    crawl = make(robots=True)
    crawl.begin("/1")
    crawl.store.exchange([open_to_all(crawl.one(), delay=61.0)], 0)
    stats = crawl.store.stats()
    assert stats.counts["outcome:host_unavailable"] == 1
    assert "61 s" in stats.failed_hosts["a.test"]
    assert stats.state == State.FINISHING


def test_without_robots_nothing_is_asked(make: Make) -> None:
    crawl = make(robots=False)
    crawl.begin("/1")
    assert crawl.paths() == ["/1"]


def test_hosts_take_turns(make: Make) -> None:
    crawl = make(sleep=1.0, per_host=1)
    crawl.begin("http://a.test/1", "http://a.test/2", "http://b.test/1", "http://b.test/2")
    first = crawl.claim()
    assert [lease.host for lease in first] == ["a.test", "b.test"]
    for lease in reversed(first):
        crawl.store.host_free(lease.token, crawl.clock.now)
        crawl.store.exchange([ended(lease)], 0)
        crawl.clock.forward(0.1)
    crawl.clock.forward(1)
    assert [lease.host for lease in crawl.claim()] == ["b.test", "a.test"]


def test_carry_that_differs_is_counted(make: Make) -> None:
    crawl = make()
    crawl.begin("/1")
    links = [request("/2", carry={"n": n}, via="pages.p.follow.q") for n in (1, 1, 2)]
    crawl.done(crawl.one(), links=links)
    assert crawl.count("carry:pages.p.follow.q") == 1
    assert crawl.store.stats().notes["carry:pages.p.follow.q"] == ["http://a.test/2"]


def test_seeds_are_not_added_to_a_run_that_has_ended(make: Make) -> None:
    crawl = make()
    crawl.begin()
    with pytest.raises(RefusedError):
        crawl.store.add([request("/1")])


def test_seeding_goes_on_where_it_stopped(make: Make) -> None:
    crawl = make()
    crawl.begin("/1", "/2", last=False)
    opened = crawl.die()
    assert (opened.state, opened.seed_position, opened.seeded) == (State.INIT, 2, False)
    assert crawl.store.add([request("/2"), request("/3")], 3, last=True) == 1
    assert crawl.paths() == ["/1", "/2", "/3"]
    assert crawl.die().seeded
