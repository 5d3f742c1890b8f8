"""How far a crawl has come: its one row in the file, read first and written last in every transaction."""

from __future__ import annotations

import sqlite3

from yamlcrawl.frontiers import limits as bounds
from yamlcrawl.frontiers.opening import ENDED
from yamlcrawl.model.frontier import Clock, Limits, State


class Progress:
    """State, totals and counts of the crawl; between two transactions as they were at the end of the last one."""

    def __init__(self, db: sqlite3.Connection, limits: Limits, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self.limits = limits
        self.depth_first = limits.depth is not None
        """No page before the shallower ones of its host."""
        self.state = State.INIT
        self.totals = bounds.Totals()
        self.now = 0.0
        """When the row was read last."""
        self.open = 0
        """Requests that wait or are leased."""
        self.leased = 0
        self.seeded = False
        """No more seeds will come."""
        self.reason = ""
        """Why it came to its end."""
        self.item_bytes = 0
        self._delivered: tuple[int, int] | None = None
        """Items and bytes that the slowest streaming target has; None without one."""

    def read(self, worker: int) -> bool:
        """Read the row; whether the worker is still known there, or was taken for dead."""
        totals = self.totals
        state, totals.pages, totals.items, totals.bytes, totals.errors, totals.ended, totals.elapsed, *rest = (
            self._db.execute(
                "SELECT state, pages, items, bytes, errors, ended, elapsed, ticked, open, leased, item_bytes, seeded,"
                " reason, (SELECT min(items) FROM target WHERE wanted), (SELECT min(bytes) FROM target WHERE wanted),"
                " EXISTS (SELECT 1 FROM worker WHERE id = ?) FROM crawl",
                (worker,),
            ).fetchone()
        )
        self.state = State(state)
        ticked, self.open, self.leased, self.item_bytes, self.seeded, self.reason, items, size, alive = rest
        self._delivered = None if items is None else (items, size)
        self.now = self._clock()
        if self.state not in ENDED:
            totals.elapsed += max(0.0, self.now - ticked)
        return bool(alive)

    def write(self) -> None:
        """Write the row."""
        totals = self.totals
        self._db.execute(
            "UPDATE crawl SET state = ?, pages = ?, items = ?, bytes = ?, errors = ?, ended = ?, elapsed = ?,"
            " ticked = ?, open = ?, leased = ?, item_bytes = ?, reason = ?, seeded = ?",
            (
                self.state.value, totals.pages, totals.items, totals.bytes, totals.errors, totals.ended,
                totals.elapsed, self.now, self.open, self.leased, self.item_bytes, self.reason, self.seeded,
            ),
        )  # fmt: skip

    def recount(self, state: State, now: float) -> None:
        """Write the row after leases were taken back; what is open is counted from the requests."""
        waiting, leased, delayed = self._db.execute(
            "SELECT (SELECT count(*) FROM request WHERE state = 0), (SELECT count(*) FROM request WHERE state = 1),"
            " (SELECT count(*) FROM request WHERE state = 2)"
        ).fetchone()
        self._db.execute(
            "UPDATE crawl SET state = ?, ticked = ?, depth_first = ?, open = ?, leased = ?",
            (state.value, now, self.depth_first, waiting + leased + delayed, leased),
        )

    @property
    def fetches(self) -> bool:
        """Whether requests may start in this state."""
        return self.state in (State.INIT, State.RUNNING)

    @property
    def end(self) -> float | None:
        """When `limits.time` will be reached; None without one."""
        return None if self.limits.time is None else self.now + self.limits.time - self.totals.elapsed

    @property
    def pages_left(self) -> int | None:
        """How many more page requests may begin; None for any number."""
        return bounds.pages_left(self.limits, self.totals)

    @property
    def reached(self) -> str:
        """The limit after which nothing starts any more; empty for none."""
        return bounds.reached(self.limits, self.totals)

    @property
    def closed(self) -> str:
        """Why nothing starts, for good or until targets have caught up."""
        reached = self.reached
        if reached or self._delivered is None:
            return reached
        items, size = self._delivered
        return bounds.backlogged(self.item_bytes - size, self.totals.items - items)

    @property
    def cut(self) -> str:
        """Whether the page limit keeps something from starting."""
        return "limits.pages" if self.pages_left == 0 and self.open > self.leased else ""
