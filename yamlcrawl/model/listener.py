"""Who is told what happens in a crawl: progress, logs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from yamlcrawl.model.frontier import Opened, Stats, Verdict
from yamlcrawl.model.item import Item
from yamlcrawl.model.outcome import Outcome
from yamlcrawl.model.plan import CrawlPlan


class Listener(Protocol):
    """Told by the engine's thread, after the store has committed what is told; a listener that raises is dropped."""

    def started(self, plan: CrawlPlan, opened: Opened) -> None:
        """The crawl begins or goes on."""

    def page_ok(self, outcome: Outcome) -> None:
        """A request ended without an error (redirects and robots.txt too)."""

    def page_failed(self, outcome: Outcome) -> None:
        """A request failed; `outcome.final` is false where it is tried again."""

    def item(self, item: Item) -> None:
        """A page gave an item (a double, or one over a limit, may be told and not kept)."""

    def tick(self, stats: Callable[[], Stats]) -> None:
        """About once a second, and after each batch; `stats` costs a query, so ask it seldom."""

    def finished(self, verdict: Verdict, stats: Stats) -> None:
        """The crawl has ended, well or not."""
