"""How hard a host is hit (public cases C10 and C11). Every time here is a lower bound, read from the server's log."""

from __future__ import annotations

import time
from email.utils import formatdate
from itertools import pairwise

import pytest

from tests.commandline import CommandLine
from tests.site import Hit, Page, Site, html

SPEC = """
name: pages
site: {{sleep: 0s, robots: ignore, private_addresses: allow, retry: {retry}}}
start:
  page:
{starts}
pages:
  page:
    items:
      page: {{fields: {{title: h1, url: {{from: url}}}}}}
"""


def spec(*urls: str, retry: str = "{times: 2, wait: 50ms}") -> str:
    return SPEC.format(retry=retry, starts="\n".join(f'    - "{url}"' for url in urls))


def waits(site: Site, target: str) -> list[float]:
    """Seconds from each answer to the next request for the target."""
    hits = [hit for hit in site.log if hit.target == target]
    return [later.arrived - (hit.answered or 0.0) for hit, later in pairwise(hits)]


def test_c10a_seconds_are_waited_for_and_other_hosts_go_on(site: Site, crawl: CommandLine) -> None:
    pages = {f"/{n}": f"<h1>{n}</h1>" for n in range(1, 4)}
    site.pages.update(pages)
    others = [site.url(f"/{n}", "127.0.0.2") for n in range(1, 4)]
    run = crawl(spec(site.url("/retry-after/2"), site.url("/1"), *others))
    assert run.exit == 0, run.output
    told, again = [hit for hit in site.log if hit.target == "/retry-after/2"]
    assert told.answered is not None
    assert again.arrived - told.answered >= 2.0
    assert not [h for h in site.log.pages("127.0.0.1") if told.answered < h.arrived < told.answered + 2.0]
    assert all(hit.arrived < told.answered + 2.0 for hit in site.log.pages("127.0.0.2"))
    assert sorted(item["title"] for item in run.items) == ["1", "1", "2", "3", "ok"]
    assert run.report["attempts"] >= 6


def test_c10b_a_date_is_waited_for(site: Site, crawl: CommandLine) -> None:
    until: list[float] = []

    def page(hit: Hit) -> Page:
        if until:
            return "<h1>ok</h1>"
        until.append(float(int(time.time()) + 3))
        return html("<h1>later</h1>", 503, headers=[("Retry-After", formatdate(until[0], usegmt=True))])

    site.pages["/"] = page
    run = crawl(spec(site.url("/")))
    assert run.exit == 0, run.output
    assert site.log.hits[1].wall >= until[0] - 0.01
    assert [item["title"] for item in run.items] == ["ok"]


def test_c10c_a_wait_of_centuries_is_cut_and_the_run_ends(site: Site, crawl: CommandLine) -> None:
    target = "/retry-after/31536000000?times=99"
    run = crawl(spec(site.url(target), retry="{times: 1, wait: 50ms, max_wait: 100ms}"))
    assert run.exit == 3, run.output
    assert len(site.log) == 7  # the first, five that are told to wait, one retry
    assert min(waits(site, target)) >= 0.1
    (failure,) = run.failures
    assert failure["outcome"] == "throttled"
    assert "429" in str(failure)
    assert "31536000000" in str(failure)
    assert failure["attempts"] == 7


@pytest.mark.parametrize("value", ["soon", "Wed, 21 Oct 2015 07:28:00 GMT", "", "-5", "1.5x", "9" * 400, "٣"])
def test_c10de_nonsense_and_the_past_are_as_if_nothing_was_said(site: Site, crawl: CommandLine, value: str) -> None:
    answers = iter([html("<h1>later</h1>", 429, headers=[("Retry-After", value.encode().decode("latin-1"))])])
    site.pages["/"] = lambda hit: next(answers, html("<h1>ok</h1>"))
    run = crawl(spec(site.url("/"), retry="{times: 2, wait: 300ms, max_wait: 400ms}"))
    assert run.exit == 0, run.output
    assert len(site.log) == 2
    assert waits(site, "/")[0] >= 0.15  # the back-off of a retry, with its jitter
    assert [item["title"] for item in run.items] == ["ok"]


JITTER = 0.05
"""Seconds by which the server may notice one start later than the next: it has threads of its own."""

POLITE = """
name: polite
site: {{sleep: {sleep}, threads: 8, private_addresses: allow, retry: {{times: 2, wait: 10ms}}}}
start:
  page:
{starts}
pages:
  page:
    follow: {{page: a}}
    items:
      page: {{fields: {{title: h1}}}}
"""


def test_c11_the_delay_is_for_the_host_whatever_the_threads(site: Site, crawl: CommandLine) -> None:
    """robots.txt is paced like any page, so a host with four pages is asked five times."""
    site.fallback = html("<h1>ok</h1>")
    urls = [site.url(f"/{n}") for n in range(1, 5)] + [site.url(f"/{n}", "127.0.0.2") for n in (1, 2)]
    run = crawl(POLITE.format(sleep="1s", starts="\n".join(f'    - "{url}"' for url in urls)))
    assert run.exit == 0, run.output
    first, second = "127.0.0.1", "127.0.0.2"
    assert len(site.log.pauses(first)) == 4
    assert len(site.log.pauses(second)) == 2
    assert min(site.log.pauses(first) + site.log.pauses(second)) >= 1.0
    # side by side: the second host is done before the first has had its fourth request
    order = [hit.host for hit in site.log]
    assert order.index(second) <= 2
    assert (
        max(n for n, host in enumerate(order) if host == second) < [n for n, h in enumerate(order) if h == first][3] + 2
    )


def test_retries_redirects_and_slow_answers_keep_the_gap(site: Site, crawl: CommandLine) -> None:
    links = ["/flaky/2", "/redirect/3", "/slow?ms=150", "/status/404", "/cut", "/1", "/2"]
    site.pages["/"] = "<h1>ok</h1>" + "".join(f'<a href="{link}">x</a>' for link in links)
    run = crawl(POLITE.format(sleep="200ms", starts=f'    - "{site.url()}"'))
    assert run.exit == 0, run.output
    assert min(site.log.pauses("127.0.0.1")) >= 0.2
    assert site.log.most_in_air == 1
    assert len(site.log) >= 15


def test_with_more_at_once_the_delay_is_between_two_starts(site: Site, crawl: CommandLine) -> None:
    site.fallback = html("<h1>ok</h1>", delay=0.5)
    starts = "\n".join(f'    - "{site.url(f"/{n}")}"' for n in range(8))
    run = crawl(POLITE.format(sleep="100ms, per_host: 3", starts=starts))
    assert run.exit == 0, run.output
    gaps = site.log.starts("127.0.0.1")
    assert min(gaps) >= 0.1 - JITTER
    assert sum(gaps) >= 0.1 * len(gaps) - JITTER
    assert 2 <= site.log.most_in_air <= 3
