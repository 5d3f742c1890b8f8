"""A crawl as it goes on, on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from yamlcrawl.model.frontier import Opened, Stats, Verdict
from yamlcrawl.model.item import Item
from yamlcrawl.model.outcome import Outcome
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.status import Clock, status
from yamlcrawl.reports.words import lasted, plain


class LiveView:
    """A few lines at the bottom of a terminal that are drawn anew about once a second, and are gone at the end."""

    def __init__(self, stream: TextIO, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._drawn = clock() - 1.0
        self._console = Console(file=stream, highlight=False, markup=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=True, redirect_stdout=False)
        self._plan: CrawlPlan | None = None

    def started(self, plan: CrawlPlan, opened: Opened) -> None:  # noqa: ARG002 (the protocol's)
        """Begin to draw."""
        self._plan = plan
        self._live.start()

    def page_ok(self, outcome: Outcome) -> None:
        """Everything shown is asked from the store."""

    def page_failed(self, outcome: Outcome) -> None:
        """Everything shown is asked from the store."""

    def item(self, item: Item) -> None:
        """Everything shown is asked from the store."""

    def tick(self, stats: Callable[[], Stats]) -> None:
        """Draw, at most once a second."""
        now = self._clock()
        if now - self._drawn >= 1.0 and self._plan:
            self._drawn = now
            self._live.update(view(self._plan, stats()), refresh=True)

    def finished(self, verdict: Verdict, stats: Stats) -> None:  # noqa: ARG002 (the protocol's)
        """Leave the terminal as it was, but for one last line."""
        self._live.stop()
        self._console.print(Text(f"{self._plan.name if self._plan else ''}: {plain(status(stats))}"), soft_wrap=True)


def view(plan: CrawlPlan, stats: Stats) -> Group:
    """What the live view shows: the status, items, errors by outcome, and the hosts that wait, with why."""
    table = Table.grid(padding=(0, 2))
    kinds = under(stats.counts, "item")
    failed = {name: n for name, n in under(stats.counts, "outcome").items() if name != "ok"}
    for label, parts in (("items", kinds), ("not ok", failed)):
        if parts:
            table.add_row(label, "  ".join(f"{name} {n:,}" for name, n in parts.items()))
    for number, host in enumerate(stats.hosts[:5]):
        due = f", next in {lasted(host.due_in)}" if host.due_in > 0 else ""
        why = f" ({plain(host.reason)})" if host.reason else ""
        table.add_row(
            "" if number else "hosts",
            f"{plain(host.key)}  {host.waiting:,} waiting, {host.in_air} in the air{due}{why}",
        )
    left = remaining(plan, stats)
    ahead = f", about {lasted(left)} to go" if left is not None else ""
    return Group(Text(f"{plan.name}: {status(stats)}{ahead}"), table)


def remaining(plan: CrawlPlan, stats: Stats) -> float | None:
    """Seconds to the end at the rate so far, where a limit says when that is; None where nobody knows."""
    known = []
    if plan.limits.time is not None:
        known.append(plan.limits.time - stats.elapsed)
    pages, items = stats.counts.get("pages", 0), sum(under(stats.counts, "item").values())
    for limit, done in ((plan.limits.pages, pages), (plan.limits.items, items)):
        if limit is not None and done:
            known.append((limit - done) * stats.elapsed / done)
    return max(0.0, min(known)) if known else None
