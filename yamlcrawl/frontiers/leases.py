"""The leases of one worker: handed out, marked as sent and free, ended."""

from __future__ import annotations

import random
import sqlite3
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.database import COUNTING, FREE, LEASED, NEEDS_PAGE, WAITING
from yamlcrawl.frontiers.hosts import Begun
from yamlcrawl.frontiers.origins import Origins
from yamlcrawl.frontiers.progress import Progress
from yamlcrawl.frontiers.queues import Queue
from yamlcrawl.model.frontier import Lease
from yamlcrawl.model.outcome import Token


@dataclass(slots=True)
class Held:
    """A lease of this worker."""

    random: int
    queue: Queue
    asked: Queue | None
    """For robots.txt: the queue whose gate it opens."""
    free: int
    """As `request.free`."""


class Leases:
    """What the worker holds, by the number of the request."""

    def __init__(self, db: sqlite3.Connection, worker: int, progress: Progress, origins: Origins) -> None:
        self._db = db
        self._worker = worker
        self._progress = progress
        self._origins = origins
        self._held: dict[int, Held] = {}
        self._marks: deque[tuple[Token, float, bool]] = deque()

    def find(self, token: Token) -> Held | None:
        """The lease; None where it is gone."""
        held = self._held.get(token.number)
        return held if held is not None and held.random == token.random else None

    def counting(self, numbers: Iterable[int]) -> int:
        """How many of these took a page of `limits.pages`."""
        return sum(self._held[number].free == COUNTING for number in numbers)

    def mark(self, token: Token, at: float, *, freed: bool) -> None:
        """The request has left, or its last byte has come; from any thread, heard with `hear`."""
        self._marks.append((token, at, freed))

    def hear(self) -> None:
        """Tell the hosts what was marked."""
        while self._marks:
            token, at, freed = self._marks.popleft()
            held = self.find(token)
            if held is None:
                continue
            host = held.queue.host
            (host.free if freed else host.sent)(token.number, at)
            self._origins.touch(host)

    def grant(self, rows: Sequence[tuple[Any, ...]]) -> list[Lease]:
        """Lease these requests, given as `waiting` reads them."""
        leases, origins, totals = [], self._origins, self._progress.totals
        for _, number, free, depth, queue_number, asked, text in rows:
            queue = origins.by_number[queue_number]
            held = Held(random.getrandbits(62), queue, origins.by_number.get(asked), FREE if free == FREE else COUNTING)
            self._held[number] = held
            totals.pages += held.free == COUNTING
            rules = "" if held.asked is not None or not origins.gated(queue) else origins.rules(queue)
            request = payload.load(text, depth)
            leases.append(Lease(Token(number, held.random), request, queue.host.key, rules, queue.host.paced))
        self._db.executemany(
            f"UPDATE request SET state = {LEASED}, worker = {self._worker},"  # noqa: S608
            f" free = CASE free WHEN {NEEDS_PAGE} THEN {COUNTING} ELSE free END WHERE id = ?",
            [(row[1],) for row in rows],
        )
        self._progress.leased += len(leases)
        return leases

    def end(self, number: int, held: Held, *, contact: bool) -> Begun:
        """Slot, clock and page of a lease that ends."""
        del self._held[number]
        self._progress.leased -= 1
        if contact:
            held.free = FREE
        elif held.free == COUNTING:
            held.free = NEEDS_PAGE
            self._give_page_back()
        self._origins.touch(held.queue.host)
        return held.queue.host.end(number, self._progress.now, contact=contact)

    def _give_page_back(self) -> None:
        self._progress.totals.pages -= 1
        if self._progress.limits.pages is not None:
            self._origins.wake_all()

    def undo(self, numbers: Sequence[int]) -> None:
        """Take leases back that nobody was given."""
        for number in numbers:
            if self._held.pop(number).free == COUNTING:
                self._give_page_back()
            self._progress.leased -= 1
        self.put_back(numbers)

    def put_back(self, numbers: Iterable[int]) -> None:
        """Let the requests wait again, as if they had never been leased."""
        self._db.executemany(
            f"UPDATE request SET state = {WAITING}, worker = NULL,"  # noqa: S608
            f" free = CASE free WHEN {COUNTING} THEN {NEEDS_PAGE} ELSE free END WHERE id = ?",
            [(number,) for number in numbers],
        )

    def lose(self) -> None:
        """Another worker has taken them all back."""
        for number, held in self._held.items():
            if number in held.queue.host.begun:
                held.queue.host.end(number, self._progress.now, contact=True)
        self._held.clear()
