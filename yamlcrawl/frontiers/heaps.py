"""The requests of a frontier in memory, and where each of them waits."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

from yamlcrawl.frontiers.hosts import Host, Schedule
from yamlcrawl.frontiers.queues import Queue
from yamlcrawl.model.frontier import Opening
from yamlcrawl.model.request import Request


@dataclass(slots=True, eq=False)
class Row:
    """One request for life."""

    number: int
    request: Request
    queue: Queue
    asked: Queue | None = None
    """For robots.txt: the queue whose gate it opens."""
    free: bool = False
    """It needs no page of `limits.pages` to begin."""
    counting: bool = False
    """Its present lease took a page."""
    waiting: bool = True
    not_before: float = 0.0
    rank: int = 0
    outcome: str = ""
    reason: str = ""
    status: int = 0
    attempts: int = 0
    error: bool = False

    @property
    def delayed(self) -> bool:
        """Whether it waits for its time."""
        return self.waiting and self.not_before > 0


@dataclass(slots=True)
class _Waiting:
    """What waits in one queue."""

    ready: list[tuple[int, int, Row]] = field(default_factory=list)
    """A heap of rank and number."""
    delayed: list[tuple[float, int, Row]] = field(default_factory=list)
    """A heap of not-before time and number."""


class Heaps:
    """Rows by number, in the queues of their hosts; an entry of a heap whose row has moved on is passed over."""

    def __init__(self) -> None:
        self.rows: dict[int, Row] = {}
        self.queues: dict[str, Queue] = {}
        self.hosts: dict[str, Host] = {}
        self.schedule = Schedule()
        self._waiting: dict[Queue, _Waiting] = {}

    def open(self, opening: Opening, now: float) -> None:
        """Begin as a new process does: hosts keep what they have earned, slots and order are made anew."""
        self._opening, self.schedule = opening, Schedule()
        self._waiting = {queue: _Waiting() for queue in self.queues.values()}
        for key, host in self.hosts.items():
            plan = opening.host(key)
            fresh = Host(key, plan, host.delay, host.until, host.why, host.failures, host.rests, host.careful)
            fresh.given_up, fresh.next_start = host.given_up, now + fresh.pause if fresh.pause else 0.0
            self.hosts[key] = fresh
        for queue in self.queues.values():
            queue.host = self.hosts[queue.host.key]

    def add(self, request: Request, queue: Queue, asked: Queue | None, rank: int, *, free: bool) -> Row:
        """A new row with the next number; it is not put into its queue yet."""
        row = Row(len(self.rows) + 1, request, queue, asked, free, rank=rank)
        self.rows[row.number] = row
        return row

    def queue(self, name: str, host_key: str) -> Queue:
        """The queue of that name, made if there is none."""
        queue = self.queues.get(name)
        if queue is None:
            host = self.hosts.get(host_key)
            if host is None:
                host = self.hosts[host_key] = Host(host_key, self._opening.host(host_key))
            queue = self.queues[name] = Queue(len(self.queues) + 1, name, host)
            self._waiting[queue] = _Waiting()
        return queue

    def queues_of(self, host: Host) -> list[Queue]:
        """Robots first."""
        mine = [queue for queue in self.queues.values() if queue.host is host]
        return sorted(mine, key=lambda queue: (not queue.is_lane, queue.number))

    def put(self, row: Row, now: float) -> None:
        """Let the row wait in its queue, until its time where that lies ahead."""
        waiting, host = self._waiting[row.queue], row.queue.host
        if row.not_before > now:
            heapq.heappush(waiting.delayed, (row.not_before, row.number, row))
            host.later = row.not_before if host.later is None else min(host.later, row.not_before)
        else:
            row.not_before = 0.0
            heapq.heappush(waiting.ready, (row.rank, row.number, row))
            host.ready = True
        self.schedule.list(host)

    def promote(self, host: Host, now: float) -> None:
        """Let delayed requests whose time has come take their place in the queue."""
        if host.later is None or host.later > now:
            return
        host.later = None
        for queue in self.queues_of(host):
            delayed = self._waiting[queue].delayed
            while delayed and (delayed[0][0] <= now or not delayed[0][2].delayed):
                row = heapq.heappop(delayed)[2]
                if row.delayed:
                    self.put(row, now)
            if delayed:
                host.later = delayed[0][0] if host.later is None else min(host.later, delayed[0][0])

    def wake_all(self) -> None:
        """Let every host be looked at again."""
        for host in self.hosts.values():
            host.ready = True
            self.schedule.list(host)

    def waiting(self) -> list[Row]:
        """The rows that wait, by number."""
        return [row for row in self.rows.values() if row.waiting]

    def head(self, queue: Queue, *, free: bool) -> Row | None:
        """The first request of the queue that may start; with `free` of those that need no page."""
        ready = self._waiting[queue].ready
        while ready and not _stands(ready[0]):
            heapq.heappop(ready)
        if not free:
            return ready[0][2] if ready else None
        rows: Iterator[Row] = (entry[2] for entry in sorted(ready, key=lambda e: e[:2]) if _stands(entry))
        if queue.is_lane:
            return next((row for row in rows if row.asked is not None and self._has_free(row.asked)), None)
        return next((row for row in rows if row.free), None)

    def _has_free(self, queue: Queue) -> bool:
        return any(row.queue is queue and row.free for row in self.waiting())


def _stands(entry: tuple[int, int, Row]) -> bool:
    row = entry[2]
    return row.waiting and not row.delayed and row.rank == entry[0]
