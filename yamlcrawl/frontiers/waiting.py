"""What waits in the queues, read in the order in which it may start."""

from __future__ import annotations

import heapq
import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Any

from yamlcrawl.frontiers.database import DELAYED, FREE, WAITING
from yamlcrawl.frontiers.hosts import Host
from yamlcrawl.frontiers.origins import Origins
from yamlcrawl.frontiers.progress import Progress
from yamlcrawl.frontiers.queues import Gate, Queue

COLUMNS = "rank, id, free, depth, queue, asked, payload"
"""Of a row, which `Leases.grant` takes."""
_HEADS = f"SELECT {COLUMNS} FROM request WHERE queue = ? AND state = 0"  # noqa: S608
_FREE, _DEPTH, _ASKED = 2, 3, 5


class Waiting:
    """The reading side of the table of requests."""

    def __init__(self, db: sqlite3.Connection, progress: Progress, origins: Origins) -> None:
        self._db = db
        self._progress = progress
        self._origins = origins

    def heads(self, queue: Queue, n: int, floor: int | None) -> list[tuple[Any, ...]]:
        """The first n rows of a queue that may start: within the page limit, and none deeper than the floor."""
        rows = self._heads(queue, n, self._progress.pages_left)
        return rows if floor is None else [row for row in rows if row[_DEPTH] <= floor]

    def _heads(self, queue: Queue, n: int, budget: int | None) -> list[tuple[Any, ...]]:
        if budget is None or budget >= n:
            return self._db.execute(f"{_HEADS} ORDER BY rank, id LIMIT ?", (queue.number, n)).fetchall()
        free = self._db.execute(f"{_HEADS} AND free = 1 ORDER BY rank, id LIMIT ?", (queue.number, n)).fetchall()
        paid = self._db.execute(
            f"{_HEADS} AND free = 0 ORDER BY rank, id LIMIT ?", (queue.number, budget)
        ).fetchall() if budget else []  # fmt: skip
        return list(heapq.merge(free, paid))[:n]

    def robots(self, lane: Queue, n: int) -> list[tuple[Any, ...]]:
        """The first n robots.txt requests, those left out that would open a gate for nothing."""
        rows = self._heads(lane, n, None)
        if self._progress.pages_left != 0:
            return rows
        return [row for row in rows if self._has_free(row[_ASKED])]

    def pages(self, queues: Sequence[Queue], n: int, floor: int | None) -> list[tuple[Any, ...]]:
        """The first n rows of the queues whose gate is open, the page limit shared out among them."""
        open_ones = [q for q in queues if not q.is_lane and (q.gate == Gate.OPEN or not self._origins.gated(q))]
        rows = [row for queue in open_ones for row in self.heads(queue, n, floor)]
        if len(open_ones) > 1:
            rows.sort(key=lambda row: row[:2])
        budget = self._progress.pages_left
        if budget is None:
            return rows[:n]
        chosen: list[tuple[Any, ...]] = []
        for row in rows:
            if len(chosen) < n and (row[_FREE] == FREE or budget > 0):
                budget -= row[_FREE] != FREE
                chosen.append(row)
        return chosen

    def floor(self, host: Host, queues: Sequence[Queue]) -> int | None:
        """The least depth of what waits or is in work on a host; None where depths have no order."""
        if not self._progress.depth_first:
            return None
        depths = [begun.depth for begun in host.begun.values() if begun.depth is not None]
        depths += [row[_DEPTH] for queue in queues if not queue.is_lane for row in self.heads(queue, 1, None)]
        return min(depths, default=0)

    def _has_free(self, queue: int) -> bool:
        """Whether something waits there that no page limit holds back."""
        return bool(
            self._db.execute(
                "SELECT EXISTS (SELECT 1 FROM request WHERE queue = ?1 AND state = 0 AND free = 1)"
                " OR EXISTS (SELECT 1 FROM request WHERE queue = ?1 AND state = 2 AND free = 1)",
                (queue,),
            ).fetchone()[0]
        )

    @property
    def startable(self) -> bool:
        """Whether anything may start, now or later."""
        if self._progress.open == 0 or self._progress.reached:
            return False
        queues = self._origins.queues.values()
        return self._progress.pages_left != 0 or any(self._has_free(q.number) for q in queues if not q.is_lane)

    def promote(self, queue: Queue, now: float) -> float | None:
        """Let the delayed ones whose time has come take their place; when the next one's comes."""
        self._db.execute(
            f"UPDATE request SET state = {WAITING} WHERE queue = ? AND state = 2 AND not_before <= ?",  # noqa: S608
            (queue.number, now),
        )
        first: float | None = self._db.execute(
            "SELECT min(not_before) FROM request WHERE queue = ? AND state = 2", (queue.number,)
        ).fetchone()[0]
        return first

    def by_host(self) -> Counter[str]:
        """How many requests wait on each host."""
        waiting: Counter[str] = Counter()
        for state in (WAITING, DELAYED):
            for number, n in self._db.execute(
                f"SELECT queue, count(*) FROM request WHERE state = {state} GROUP BY queue"  # noqa: S608
            ):
                waiting[self._origins.by_number[number].host.key] += n
        return waiting
