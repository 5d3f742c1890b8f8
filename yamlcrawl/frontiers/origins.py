"""The origins and hosts of a run as one worker knows them: in memory, each with its row in the file."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.hosts import Host, Schedule
from yamlcrawl.frontiers.queues import Gate, Queue
from yamlcrawl.model.frontier import Opening

FAR = 24 * 3600.0
"""Seconds; a stored time that lies farther ahead comes from a clock that was wrong, and is cut to this."""

_HEALTHY = (0.0, 0.0, "", 0, 0, False, "")


class Origins:
    """Queues by origin, hosts, and the schedule in which the hosts stand.

    Whoever changes something about a host says so with `touch`; the schedule learns of it before it is asked.
    """

    def __init__(self, db: sqlite3.Connection, opening: Opening) -> None:
        self._db = db
        self._opening = opening
        self._stored: dict[str, tuple[Any, ...]] = {}
        """The rows of the hosts as this worker wrote or read them last."""
        self._touched: set[Host] = set()
        self.hosts: dict[str, Host] = {}
        self.queues: dict[str, Queue] = {}
        self.by_number: dict[int, Queue] = {}
        self.queues_of: defaultdict[str, list[Queue]] = defaultdict(list)
        """By the key of their host, the one for robots.txt first."""
        self.schedule = Schedule()

    def load(self, now: float) -> None:
        """Take over what is stored; the clocks begin anew, with one pause."""
        stored = {row[0]: row for row in self._db.execute("SELECT * FROM host")}
        for number, name, key, gate, read_at, denied in self._db.execute(
            "SELECT id, name, host, gate, read_at, denied FROM queue ORDER BY id"
        ).fetchall():
            host = self.hosts.get(key) or self._load_host(key, stored.get(key), now)
            self._enter(Queue(number, name, host, Gate(gate), None, read_at, denied))
        for number, first in self._db.execute(
            "SELECT queue, min(not_before) FROM request WHERE state = 2 GROUP BY queue"
        ).fetchall():
            host = self.by_number[number].host
            host.later = min(first, now + FAR) if host.later is None else min(host.later, first)
        self._db.execute("UPDATE request SET not_before = ? WHERE state = 2 AND not_before > ?", (now + FAR, now + FAR))

    def _load_host(self, key: str, row: tuple[Any, ...] | None, now: float) -> Host:
        host = self._new_host(key)
        if row is not None:
            _, host.delay, host.until, host.why, host.failures, host.rests, careful, host.given_up = row
            host.careful = bool(careful)
            host.until = min(host.until, now + FAR)
            self._stored[key] = _row(host)
        if host.pause:
            host.next_start = now + host.pause
        return host

    def _new_host(self, key: str) -> Host:
        host = self.hosts[key] = Host(key, self._opening.host(key))
        return host

    def _enter(self, queue: Queue) -> Queue:
        self.queues[queue.name] = self.by_number[queue.number] = queue
        mine = self.queues_of[queue.host.key]
        mine.append(queue)
        mine.sort(key=lambda q: (not q.is_lane, q.number))
        return queue

    def new_queue(self, name: str, host_key: str) -> Queue:
        """A queue that is not among `queues` yet."""
        (number,) = self._db.execute(
            "INSERT INTO queue(name, host) VALUES (?, ?) RETURNING id", (name, host_key)
        ).fetchone()
        return self._enter(Queue(number, name, self.hosts.get(host_key) or self._new_host(host_key)))

    def gated(self, queue: Queue) -> bool:
        """Whether its requests wait for the robots.txt of the origin."""
        return self._opening.robots and queue.name.startswith(("http:", "https:"))

    def asks(self, queue: Queue, now: float) -> bool:
        """Whether robots.txt has to be asked for before anything else of it may start."""
        return self._opening.robots and queue.wants_robots(now)

    def rules(self, queue: Queue) -> str:
        """The text of its robots.txt."""
        if queue.rules is None:
            (rules,) = self._db.execute("SELECT rules FROM queue WHERE id = ?", (queue.number,)).fetchone()
            queue.rules = rules or ""
        return queue.rules

    def touch(self, host: Host) -> None:
        """Its place in the schedule may have changed."""
        self._touched.add(host)

    def wake_all(self) -> None:
        """Something may start on any host."""
        for host in self.hosts.values():
            host.ready = True
        self._touched.update(self.hosts.values())

    def list_touched(self) -> None:
        """Bring the schedule up to date."""
        for host in self._touched:
            self.schedule.list(host)
        self._touched.clear()

    def write_hosts(self, hosts: Iterable[Host]) -> None:
        """Store what is known of these hosts' health, where it has changed."""
        for host in hosts:
            row = _row(host)
            if self._stored.get(host.key, _HEALTHY) != row:
                self._stored[host.key] = row
                self._db.execute("INSERT OR REPLACE INTO host VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (host.key, *row))

    def write_gate(self, queue: Queue) -> None:
        """Store whether the origin's requests may start."""
        self._db.execute(
            "UPDATE queue SET gate = ?, rules = ?, read_at = ?, denied = ? WHERE id = ?",
            (
                int(queue.gate),
                None if queue.rules is None else payload.storable(queue.rules),
                queue.read_at,
                payload.storable(queue.denied),
                queue.number,
            ),
        )

    def hopeless(self, queue: Queue) -> list[Queue]:
        """The queues whose requests have no hope, as far as this one and its host are concerned."""
        if queue.host.given_up:
            return self.queues_of[queue.host.key]
        return [queue] if queue.gate == Gate.DENIED else []


def _row(host: Host) -> tuple[Any, ...]:
    return (host.delay, host.until, host.why, host.failures, host.rests, host.careful, host.given_up)
