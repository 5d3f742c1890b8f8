"""Leases that are read ahead: they stay in the store until a slot of their host is free."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from yamlcrawl.frontiers.hosts import Host
from yamlcrawl.frontiers.leases import Leases
from yamlcrawl.frontiers.origins import Origins
from yamlcrawl.frontiers.progress import Progress
from yamlcrawl.frontiers.queues import Queue, page_depth, rank
from yamlcrawl.model.frontier import Lease

FRESH = 0.25
"""Seconds for which leases are given from what was read ahead, before the file is looked at again."""


@dataclass(slots=True)
class Line:
    """The leases of one host, in order."""

    leases: deque[Lease]
    rank: int
    """The last one's; a request that comes in before it sends them all back to the queue."""


class Ahead:
    """The lines by the key of their host; none is empty."""

    def __init__(self, progress: Progress, origins: Origins, leases: Leases, *, wanted: bool) -> None:
        self._progress = progress
        self._origins = origins
        self._leases = leases
        self._wanted = wanted
        self._lines: dict[str, Line] = {}
        self.checked = 0.0
        """When the file was looked at last."""

    def __contains__(self, host: Host) -> bool:
        return host.key in self._lines

    def __iter__(self) -> Iterator[tuple[Host, list[Lease]]]:
        for key, line in self._lines.items():
            yield self._origins.hosts[key], list(line.leases)

    @property
    def startable(self) -> int:
        """How many could start now."""
        return sum(min(len(line.leases), self._origins.hosts[key].room) for key, line in self._lines.items())

    def start(self, want: int, now: float) -> list[Lease]:
        """Up to `want` without a look at the file, as long as what is known of the crawl is fresh."""
        age, limit = now - self.checked, self._progress.limits.time
        if not self._lines or not 0 <= age < FRESH:
            return []
        if limit is not None and self._progress.totals.elapsed + age >= limit:
            return []
        started: list[Lease] = []
        for key in list(self._lines):
            host, leases = self._origins.hosts[key], self._lines[key].leases
            while leases and len(started) < want and host.room and host.due <= now:
                started.append(leases.popleft())
                self._origins.schedule.serve(host)
                host.start(started[-1].token.number, page_depth(started[-1].request))
            if not leases:
                del self._lines[key]
            self._origins.schedule.list(host)
        return started

    def pop(self, host: Host, n: int) -> list[Lease]:
        """The first n of a host, or as many as there are."""
        line = self._lines.get(host.key)
        if line is None:
            return []
        popped = [line.leases.popleft() for _ in range(min(n, len(line.leases)))]
        if not line.leases:
            del self._lines[host.key]
        return popped

    def lack(self, host: Host) -> int:
        """How many more to read ahead: nothing until half is gone, then up to the host's slots."""
        if not self._reads(host):
            return 0
        line, slots = self._lines.get(host.key), host.plan.per_host
        there = 0 if line is None else len(line.leases)
        return slots - there if there * 2 <= slots else 0

    def _reads(self, host: Host) -> bool:
        """Not where something else may have to go first, or where the last pages have to be shared out exactly."""
        if host.pause or host.careful or host.given_up or self._progress.depth_first or not self._wanted:
            return False
        left = self._progress.pages_left
        return left is None or left > 4 * host.plan.per_host

    def keep(self, host: Host, leases: list[Lease]) -> None:
        """Put these at the end of the host's line."""
        if not leases:
            return
        line = self._lines.setdefault(host.key, Line(deque(), 0))
        line.leases += leases
        line.rank = max([rank(lease.request, depth_first=False) for lease in leases])

    def make_way(self, queue: Queue, order: int) -> None:
        """A request of that rank comes into the queue: nothing that was read ahead may go before a better one."""
        line = self._lines.get(queue.host.key)
        if line is not None and (order < line.rank or queue.is_lane):
            self.give_back_of(queue.host)

    def give_back(self, *, all_of_it: bool) -> None:
        """Give back what may not start any more."""
        for key in list(self._lines):
            host = self._origins.hosts[key]
            if all_of_it or host.pause or host.careful or host.given_up:
                self.give_back_of(host)

    def give_back_of(self, host: Host) -> None:
        """Give back all of one host."""
        line = self._lines.pop(host.key, None)
        if line is None:
            return
        self._leases.undo([lease.token.number for lease in line.leases])
        host.ready = True
        self._origins.touch(host)

    def lose(self) -> None:
        """Another worker has taken them all back."""
        self._lines.clear()
