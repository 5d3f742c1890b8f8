"""Which requests start next: hosts in turn, in each robots.txt first, then pages in their order."""

from __future__ import annotations

import sqlite3

from yamlcrawl.frontiers.ahead import Ahead
from yamlcrawl.frontiers.batch import Link
from yamlcrawl.frontiers.database import FREE, WAITING
from yamlcrawl.frontiers.hosts import Host
from yamlcrawl.frontiers.leases import Leases
from yamlcrawl.frontiers.origins import Origins
from yamlcrawl.frontiers.progress import Progress
from yamlcrawl.frontiers.queues import Gate, Queue, lane_name, page_depth, rank, robots_request
from yamlcrawl.frontiers.waiting import COLUMNS, Waiting
from yamlcrawl.model.frontier import Lease


class Claims:
    """Hands out leases."""

    def __init__(
        self,
        db: sqlite3.Connection,
        progress: Progress,
        origins: Origins,
        waiting: Waiting,
        leases: Leases,
        ahead: Ahead,
    ) -> None:
        self._db = db
        self._progress = progress
        self._origins = origins
        self._waiting = waiting
        self._leases = leases
        self._ahead = ahead

    def claim(self, want: int) -> list[Lease]:
        """Up to `want` leases, of hosts that are due."""
        leases: list[Lease] = []
        schedule = self._origins.schedule
        self._origins.list_touched()
        while len(leases) < want and (host := schedule.pop(self._progress.now)) is not None:
            self._promote(host)
            leases += self._claim_of(host, min(want - len(leases), host.room))
            schedule.list(host)
        return leases

    def _claim_of(self, host: Host, n: int) -> list[Lease]:
        """Up to n leases of the host; where it has no delay, others are read ahead."""
        if host in self._ahead and any(self._asks(queue) for queue in self._origins.queues_of[host.key]):
            self._ahead.give_back_of(host)
        leases = self._ahead.pop(host, n)
        short, extra = n - len(leases), self._ahead.lack(host)
        if short or extra:
            more = self._take(host, short + extra)
            leases += more[:short]
            self._ahead.keep(host, more[short:])
        for lease in leases:
            host.start(lease.token.number, page_depth(lease.request))
        host.ready = len(leases) > 0
        if leases:
            self._origins.schedule.serve(host)
        return leases

    def _asks(self, queue: Queue) -> bool:
        return self._origins.asks(queue, self._progress.now)

    def _promote(self, host: Host) -> None:
        """Let delayed requests whose time has come take their place in the queue."""
        if host.later is None or host.later > self._progress.now:
            return
        self._ahead.give_back_of(host)
        firsts = [self._waiting.promote(queue, self._progress.now) for queue in self._origins.queues_of[host.key]]
        host.later = min([first for first in firsts if first is not None], default=None)
        host.ready = True

    def _take(self, host: Host, n: int) -> list[Lease]:
        """The first n requests of a host that may start, leased."""
        taken: list[Lease] = []
        queues = self._origins.queues_of[host.key]
        floor = self._waiting.floor(host, queues)
        if queues and queues[0].is_lane:
            taken += self._leases.grant(self._waiting.robots(queues[0], n))
        for queue in queues:
            if len(taken) < n and self._asks(queue) and self._waiting.heads(queue, 1, floor):
                taken += self._ask_robots(queue)
        if len(taken) < n:
            taken += self._leases.grant(self._waiting.pages(queues, n - len(taken), floor))
        return taken

    def _ask_robots(self, queue: Queue) -> list[Lease]:
        queue.gate = Gate.ASKED
        self._origins.write_gate(queue)
        link = Link.to(robots_request(queue.name), queue)
        name = lane_name(queue.host.key)
        lane = self._origins.queues.get(name) or self._origins.new_queue(name, queue.host.key)
        order = rank(link.request, depth_first=self._progress.depth_first)
        self._progress.open += 1
        row = self._db.execute(
            "INSERT INTO request(queue, rank, depth, state, free, asked, payload)"  # noqa: S608
            f" VALUES (?, ?, 0, {WAITING}, {FREE}, ?, ?) RETURNING {COLUMNS}",
            (lane.number, order, queue.number, link.payload),
        ).fetchone()
        return self._leases.grant([row])
