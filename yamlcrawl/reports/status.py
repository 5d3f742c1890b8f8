"""How a crawl stands, on one line now and then: for logs and pipes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from yamlcrawl.model.frontier import Opened, Stats, Verdict
from yamlcrawl.model.item import Item
from yamlcrawl.model.outcome import OUTCOMES, Outcome
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.words import counted, lasted, plain, size

Clock = Callable[[], float]

OFTEN = 10.0
"""Seconds between two status lines in the first minute."""
SELDOM = 30.0
"""The same afterwards: a log in a CI has a limit, and a reader wants a sign of life."""
FIRST_MINUTE = 60.0
PAGES = 100


def status(stats: Stats) -> str:
    """How things stand, on one line.

    Pages, errors, what waits, items, bytes, time, and what these come to per second and per page.
    """
    pages, received = stats.counts.get("pages", 0), stats.counts.get("bytes", 0)
    seconds = max(stats.elapsed, 0.001)
    return (
        f"{counted(pages, 'page')}, {counted(errors(stats), 'error')}, {stats.open:,} queued, "
        f"{counted(sum(under(stats.counts, 'item').values()), 'item')}, {size(received)}, {lasted(stats.elapsed)}, "
        f"{pages / seconds:.1f} pages/s, {received / seconds / 1000:.1f} kB/s, {size(received / max(pages, 1))}/page"
    )


def errors(stats: Stats) -> int:
    """Requests that ended in an outcome that is always an error."""
    return sum(n for name, n in under(stats.counts, "outcome").items() if name in OUTCOMES and OUTCOMES[name].error)


class StatusLines:
    """A line every 10 s (30 s after a minute), every 100 pages (from 1,000 on every 1,000, and so forth), a last one.

    For logs: no control characters, and few enough lines that a CI keeps them all.
    """

    def __init__(self, stream: TextIO, clock: Clock = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._began = self._last = clock()
        self._pages = 0
        self._told = 0
        self._name = ""

    def started(self, plan: CrawlPlan, opened: Opened) -> None:
        """Say whether it begins or goes on."""
        self._name = plan.name
        self._say("goes on" if opened.seeded else "begins")

    def page_ok(self, outcome: Outcome) -> None:
        """Count the page."""
        self._pages += outcome.request.purpose == "page"

    def page_failed(self, outcome: Outcome) -> None:
        """Count the page if it is not tried again."""
        self._pages += outcome.final and outcome.request.purpose == "page"

    def item(self, item: Item) -> None:
        """Items are counted by the store."""

    def tick(self, stats: Callable[[], Stats]) -> None:
        """Say how things stand, if it is time to."""
        now = self._clock()
        pause = OFTEN if now - self._began < FIRST_MINUTE else SELDOM
        if now - self._last >= pause or self._pages // self._step > self._told // self._step:
            self._last, self._told = now, self._pages
            self._say(status(stats()))

    def finished(self, verdict: Verdict, stats: Stats) -> None:  # noqa: ARG002 (the protocol's)
        """The last line."""
        self._say(status(stats))

    @property
    def _step(self) -> int:
        step = PAGES
        while self._pages >= 10 * step:
            step *= 10
        return step

    def _say(self, text: str) -> None:
        print(f"{self._name}: {plain(text)}", file=self._stream, flush=True)
