"""The loop, from the first seed to the verdict, over a frontier in memory and pages in a dict."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.engine.small import HOST, Crawled, Site, make_plan, request, run
from yamlcrawl.engine.stop import Stop
from yamlcrawl.errors import Exit, TargetError
from yamlcrawl.frontiers.memory import MemoryFrontier
from yamlcrawl.model.frontier import HostPlan, Limits, State, Verdict
from yamlcrawl.model.plan import NextRule, RetryPlan, TargetPlan
from yamlcrawl.model.response import Failure


def tree(n: int) -> dict[str, Any]:
    """A site of n pages: / leads to /1 …, each with a title, and every page links back."""
    pages = {f"/{k}": {"title": f"{k:04}", "links": ["/", f"/{2 * k % n or 1}"]} for k in range(1, n)}
    return {"/": {"title": "0000", "links": [f"/{k}" for k in range(1, n)]}, **pages}


@pytest.mark.parametrize("threads", [1, 16])
def test_every_page_is_fetched_once_and_gives_its_item(threads):
    site = Site(tree(60))
    crawled = run(make_plan(site, threads=threads), site)
    assert crawled.titles == [f"{k:04}" for k in range(60)]
    assert sorted(site.asked) == sorted(tree(60))
    assert crawled.outcomes == {"ok": 60}
    assert crawled.verdict == Verdict(0)
    assert crawled.stats.state is State.DONE
    assert crawled.reported == [Verdict(0)]


def test_fetchers_are_opened_and_closed_once_a_thread():
    site = Site(tree(20))
    run(make_plan(site, threads=5), site)
    assert (site.opened, site.closed) == (5, 5)


def test_retry_n_means_n_extra_attempts_and_then_the_page_has_failed():
    site = Site({"/": [500, 500, 500, {"title": "late"}]})
    crawled = run(make_plan(site, retry=RetryPlan(times=2, wait=0.01)), site)
    assert site.asked == ["/"] * 3
    assert crawled.outcomes == {"server_error": 1}
    (failed,) = crawled.ended
    assert (failed.url, failed.outcome, failed.attempts, failed.reason) == (
        f"{HOST}/",
        "server_error",
        3,
        "500 Internal Server Error",
    )


def test_a_page_that_recovers_is_no_failure():
    site = Site({"/": [503, Failure(request("/"), "timeout", "slow"), {"title": "x"}]})
    crawled = run(make_plan(site, retry=RetryPlan(times=2, wait=0.01)), site)
    assert crawled.outcomes == {"ok": 1}
    assert crawled.ended == []
    assert crawled.stats.counts["retries"] == 2


def test_a_final_failure_is_not_tried_again():
    site = Site({"/": Failure(request("/"), "network_error", "certificate expired", final=True)})
    crawled = run(make_plan(site), site)
    assert site.asked == ["/"]
    assert crawled.outcomes == {"network_error": 1}


@pytest.mark.parametrize(
    ("status", "outcome", "errors"),
    [
        (404, "not_found", 0),
        (410, "gone", 0),
        (403, "access_denied", 1),
        (418, "client_error", 1),
        (300, "redirect_broken", 1),
    ],
)
def test_a_status_that_is_not_accepted_is_an_outcome_of_its_own(status, outcome, errors):
    site = Site({"/": {"title": "t", "links": ["/x"]}, "/x": status})
    crawled = run(make_plan(site), site)
    assert crawled.outcomes == {"ok": 1, outcome: 1}
    assert len(crawled.ended) == errors


def test_an_accepted_status_is_read_as_a_page():
    site = Site({"/": {"links": ["/x"]}})
    assert run(make_plan(site, accept=frozenset({404})), site).outcomes == {"ok": 2}


class TestRedirects:
    def test_the_target_is_a_request_of_its_own_with_the_same_depth(self):
        site = Site({"/": (301, {"Location": "/new"}), "/new": {"title": "n", "links": ["/x"]}, "/x": {"title": "x"}})
        crawled = run(make_plan(site, limits=Limits(depth=1)), site)
        assert crawled.outcomes == {"moved": 1, "ok": 2}
        assert crawled.stats.counts["pages"] == 2
        assert crawled.stats.counts["seed_ok:page"] == 1

    def test_a_loop_ends_with_its_name(self):
        site = Site({"/": (302, {"Location": "/b"}), "/b": (302, {"Location": "/"})})
        assert run(make_plan(site), site).outcomes == {"temp_moved": 1, "redirect_loop": 1}

    def test_more_than_the_limit_in_a_row_ends_with_its_name(self):
        site = Site({f"/{n}": (302, {"Location": f"/{n + 1}"}) for n in range(9)})
        crawled = run(make_plan(site, ["/0"], redirects=3), site)
        assert crawled.outcomes == {"temp_moved": 3, "redirect_exceeded": 1}

    @pytest.mark.parametrize("headers", [{}, {"Location": "mailto:x@a.test"}])
    def test_one_without_a_usable_location_is_broken(self, headers):
        site = Site({"/": (302, headers)})
        assert run(make_plan(site), site).outcomes == {"redirect_broken": 1}

    def test_a_link_that_leads_out_of_scope_is_not_followed(self):
        site = Site({"/": {"links": ["/go"]}, "/go": (302, {"Location": "http://ads.test/"})})
        crawled = run(make_plan(site, in_scope=lambda url: "a.test" in url), site)
        assert crawled.outcomes == {"ok": 1, "out_of_scope": 1}
        assert site.asked == ["/", "/go"]

    def test_a_start_that_redirects_takes_its_new_host_into_the_scope(self):
        site = Site({"/": (301, {"Location": "http://www.b.test/"}), "http://www.b.test/": {"title": "w"}})
        widened: list[str] = []
        crawled = run(make_plan(site, in_scope=lambda url: "a.test" in url, widen=widened.append), site)
        assert widened == ["www.b.test"]
        assert crawled.stats.counts["scope:www.b.test"] == 1

    def test_none_at_all_records_the_target_only(self):
        site = Site({"/": (301, {"Location": "/new"}), "/new": {"title": "n"}})
        assert run(make_plan(site, redirects=0), site).outcomes == {"moved": 1}


def test_throttling_holds_the_host_and_costs_no_retry():
    site = Site({"/": [(429, {"Retry-After": "0"}), (503, {"Retry-After": "0"}), {"title": "x"}]})
    crawled = run(make_plan(site, retry=RetryPlan(times=0, wait=0.01)), site)
    assert crawled.outcomes == {"ok": 1}


def test_a_throttled_url_is_given_up_with_the_wait_it_asked_for():
    site = Site({"/": (429, {"Retry-After": "31536000000"})})
    plan = make_plan(site, retry=RetryPlan(times=0, wait=0.01, max_wait=0.01), host=lambda _key: HostPlan(0.001, 1))
    crawled = run(plan, site)
    (failed,) = crawled.ended
    assert failed.outcome == "throttled"
    assert "Retry-After: 31536000000" in failed.reason
    assert failed.status == 429


class TestRobots:
    def test_what_it_denies_is_not_asked_for_and_gives_its_page_back(self):
        rules = b"User-agent: *\nDisallow: /no"
        site = Site({"/robots.txt": rules, "/": {"links": ["/no/1", "/yes"]}, "/yes": {"title": "y"}})
        crawled = run(make_plan(site, robots=True, limits=Limits(pages=2)), site)
        assert site.asked[0] == "/robots.txt"
        assert "/no/1" not in site.asked
        assert crawled.stats.counts["outcome:robots_denied"] == 1
        assert crawled.stats.counts["pages"] == 2

    @pytest.mark.parametrize("answer", [404, 403, 401])
    def test_a_4xx_allows_everything(self, answer):
        site = Site({"/robots.txt": answer, "/": {"title": "t"}})
        assert run(make_plan(site, robots=True), site).titles == ["t"]

    def test_one_that_is_out_of_reach_denies_everything(self):
        site = Site({"/robots.txt": 503, "/": {"title": "t"}})
        crawled = run(make_plan(site, robots=True), site)
        assert site.asked == ["/robots.txt"] * 2
        assert crawled.titles == []
        assert crawled.stats.failed_hosts

    def test_its_redirects_stay_in_its_own_chain(self):
        rules = b"User-agent: *\nDisallow: /x"
        site = Site({"/robots.txt": (301, {"Location": "/r2"}), "/r2": rules, "/": {"links": ["/x"]}})
        crawled = run(make_plan(site, robots=True), site)
        assert crawled.stats.counts["outcome:robots_denied"] == 1
        assert "/x" not in site.asked


def test_a_counter_ends_on_a_404_without_a_failure():
    def follow(view, _items, _links):
        return request("/p2", step=True, via="pages.page.next")

    site = Site({"/": {"title": "1"}})
    rule = NextRule("pages.page.next", follow, frozenset({404}))
    crawled = run(make_plan(site, next=rule), site)
    assert crawled.ended == []
    assert crawled.stats.counts["ended:pages.page.next:404"] == 1


def test_a_chain_that_a_failure_cuts_is_counted_as_cut():
    def follow(view, _items, _links):
        return request("/p2", step=True, via="pages.page.next")

    site = Site({"/": {"title": "1"}, "/p2": 403})
    crawled = run(make_plan(site, next=NextRule("pages.page.next", follow, frozenset({404}))), site)
    assert crawled.stats.counts["ended:pages.page.next:failure"] == 1


@pytest.mark.parametrize("threads", [1, 16])
def test_page_and_item_limits_are_exact(threads):
    for limits, pages, items in ((Limits(pages=17), 17, 17), (Limits(items=23), None, 23)):
        site = Site(tree(60))
        crawled = run(make_plan(site, threads=threads, limits=limits), site)
        assert len(crawled.titles) == items
        assert pages in (None, crawled.stats.counts["pages"])
        assert crawled.stats.reason == ("limits.pages" if pages else "limits.items")
        assert crawled.verdict.exit == 0


@dataclass
class Shelf:
    """A streaming target that remembers; `fails_at` raises at that batch."""

    rows: list[str] = field(default_factory=list)
    parts: list[Any] = field(default_factory=list)
    fails_at: int = -1
    batches: int = 0
    closed: int = 0

    def plan(self) -> TargetPlan:
        return TargetPlan("shelf", "pipelines.0", ("thing",), streaming=True, open=self.open)

    def open(self, part: Any) -> Shelf:
        self.parts.append(part)
        return self

    def begin(self) -> Any:
        return {"base": 0}

    def write(self, rows: Any) -> Any:
        self.batches += 1
        if self.batches == self.fails_at:
            raise TargetError("the disk is full")
        self.rows += [row.text for row in rows]
        return {"length": len(self.rows)}

    def close(self) -> None:
        self.closed += 1


def test_a_streaming_target_gets_every_item_once_before_the_crawl_is_done():
    site, shelf = Site(tree(50)), Shelf()
    run(make_plan(site, targets=(shelf.plan(),)), site)
    assert len(shelf.rows) == len(set(shelf.rows)) == 50
    assert shelf.closed == 1


def test_a_lost_target_ends_the_crawl_and_keeps_the_state():
    site, shelf = Site(tree(50)), Shelf(fails_at=1)
    plan = make_plan(site, targets=(shelf.plan(),))
    frontier = MemoryFrontier()
    with pytest.raises(TargetError, match="disk is full"):
        run(plan, site, frontier)
    assert frontier.stats().state in (State.FAILED, State.FINISHING)  # both are gone on with by a resume


def stopped(wishes: int, **more: Any) -> tuple[Crawled, Site, Stop]:
    site, stop = Site(tree(200), delay=0.02), Stop()

    def press() -> None:
        while len(site.asked) < 20:
            time.sleep(0.005)
        for _ in range(wishes):
            stop.ask(Exit.INTERRUPTED)

    thread = threading.Thread(target=press)
    thread.start()
    crawled = run(make_plan(site, **more), site, stop=stop)
    thread.join()
    return crawled, site, stop


def test_a_stop_ends_in_good_order_with_nothing_left_in_the_air():
    crawled, site, _ = stopped(1)
    assert crawled.verdict.exit == Exit.INTERRUPTED
    assert crawled.stats.state is State.STOPPED
    assert crawled.stats.leased == 0
    assert crawled.outcomes == {"ok": len(site.asked)}
    assert len(site.asked) < 60


def test_a_second_wish_gives_up_at_once():
    crawled, _, stop = stopped(2)
    assert stop.at_once
    assert crawled.verdict.exit == Exit.INTERRUPTED
    assert crawled.stats.state is not State.DONE


def test_sleep_between_two_downloads_is_kept_whatever_the_number_of_threads():
    site = Site(tree(5))
    times: list[float] = []
    fetch = site.fetch

    def timed(asked, on_sent=None):
        times.append(time.monotonic())
        answer = fetch(asked, on_sent)
        times.append(time.monotonic())
        return answer

    site.fetch = timed  # type: ignore[method-assign]
    run(make_plan(site, host=lambda _key: HostPlan(0.05, 1)), site)
    gaps = [start - end for end, start in zip(times[1::2], times[2::2], strict=False)]
    assert len(gaps) == 4
    assert min(gaps) >= 0.05
