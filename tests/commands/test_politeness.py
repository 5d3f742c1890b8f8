"""What politeness costs is told from the start requests alone."""

from __future__ import annotations

import pytest

from yamlcrawl.commands.politeness import MANY, cost, span
from yamlcrawl.model.frontier import HostPlan, Limits
from yamlcrawl.model.plan import CrawlPlan, SitePlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.secrets import Secrets


def plan(*urls: str, robots: bool = True, sleep: dict[str, float] | None = None) -> CrawlPlan:
    return CrawlPlan(
        name="t",
        description="",
        digest={},
        seeds=lambda: [Request(url, url, page="p") for url in urls],
        parked=(),
        pages={},
        site=SitePlan(user_agent="t", robots=robots, host=lambda key: HostPlan((sleep or {}).get(key, 1.0), 1)),
        limits=Limits(),
        targets=(),
        expect=(),
        secrets=Secrets(),
        selectors={},
    )


@pytest.mark.parametrize(
    ("urls", "robots", "seconds"),
    [
        ((), True, 0.0),
        (("http://a.test/",), True, 1.0),
        (("http://a.test/",), False, 0.0),
        (("http://a.test/1", "http://a.test/2", "http://a.test/3"), False, 2.0),
        (("http://a.test/1", "https://a.test/2"), True, 3.0),
        (("http://a.test/1", "http://b.test/1", "http://b.test/2"), False, 1.0),
    ],
)
def test_between_two_requests_to_a_host_lies_a_sleep(urls: tuple[str, ...], robots: bool, seconds: float) -> None:
    assert cost(plan(*urls, robots=robots)).seconds == seconds


def test_the_host_that_takes_longest_counts_with_its_own_sleep() -> None:
    told = cost(plan("http://a.test/1", "http://a.test/2", "http://slow.test/1", sleep={"slow.test": 30.0}))
    assert (told.hosts, told.requests, told.seconds, told.sleep) == (2, 3, 30.0, 30.0)
    assert str(told) == (
        "3 start requests to 2 hosts: politeness alone takes at least 30 s, and 30 s for each further page of a host "
        "(site.sleep changes it)"
    )


def test_start_requests_without_end_are_not_waited_for() -> None:
    def endless() -> object:
        while True:
            yield Request("http://a.test/", "http://a.test/", page="p")

    told = cost(plan(), endless())  # type: ignore[arg-type]
    assert told.requests == MANY
    assert str(told).startswith("more than 100,000 start requests to 1 host:")


def test_a_span_has_two_units_at_most() -> None:
    assert [span(s) for s in (0, 59.96, 3600, 86400 + 30)] == ["0 s", "60 s", "1 h", "1 d"]
