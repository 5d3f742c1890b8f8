"""The frontier in one SQLite file: durable, and the same for one process and for several."""

from __future__ import annotations

import heapq
import random
import sqlite3
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from yamlcrawl import urls
from yamlcrawl.errors import StoreError
from yamlcrawl.frontiers import limits as bounds
from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.database import (
    COUNTING,
    DELAYED,
    ENDED,
    FREE,
    LEASED,
    NEEDS_PAGE,
    TABLES,
    VERSION,
    WAITING,
    connect,
    create,
    transaction,
)
from yamlcrawl.frontiers.hosts import LONGEST_DELAY, Begun, Host, Schedule
from yamlcrawl.frontiers.known import Known
from yamlcrawl.frontiers.opening import ENDED as ENDED_STATES
from yamlcrawl.frontiers.opening import UNFINISHED, check_action, check_add, check_digest, check_end, lost_finish
from yamlcrawl.frontiers.outbox import Outbox, sorted_items
from yamlcrawl.frontiers.queues import Gate, Queue, lane_name, queue_name, rank, robots_request
from yamlcrawl.frontiers.workers import WorkerLock, is_alive
from yamlcrawl.model.frontier import (
    Clock,
    Ended,
    Exchange,
    FinishLease,
    HostState,
    ItemRow,
    Lease,
    Opened,
    Opening,
    State,
    Stats,
    TargetLease,
    Verdict,
)
from yamlcrawl.model.item import Item
from yamlcrawl.model.outcome import Outcome, Result, Robots, Token
from yamlcrawl.model.request import Request
from yamlcrawl.model.tally import NOTES_EACH

FILE = "frontier.db"
FAR = 24 * 3600.0
"""Seconds; a stored time that lies farther ahead comes from a clock that was wrong, and is cut to this."""
CHECKPOINT = 1.0
"""Seconds between two checkpoints."""
FRESH = 0.25
"""Seconds for which leases are given from what was read ahead, before the file is looked at again."""
SHOWN_HOSTS = 20
"""Hosts in `Stats.hosts`."""


@dataclass(slots=True)
class Held:
    """A lease of this worker."""

    random: int
    queue: Queue
    asked: Queue | None
    free: int


@dataclass(slots=True)
class Ahead:
    """Leases of one host that were read ahead and stay in the store until a slot is free."""

    leases: deque[Lease]
    rank: int
    """The last one's; a request that comes in before it sends them all back to the queue."""


@dataclass(slots=True)
class Link:
    """A request that is about to be added, as far as it can be prepared outside the transaction."""

    request: Request
    fingerprint: int | None
    payload: str
    asked: Queue | None = None


@dataclass(slots=True)
class Batch:
    """What a transaction will write in few statements."""

    ends: list[tuple[Any, ...]]
    agains: list[tuple[Any, ...]]
    links: list[Link]
    counts: defaultdict[str, int]
    notes: list[tuple[str, str]]
    ended: list[tuple[Held, Begun, Outcome]]
    sweeps: dict[Queue, None]
    fingerprints: list[int]

    @classmethod
    def empty(cls) -> Batch:
        """One with nothing to write."""
        return cls([], [], [], defaultdict(int), [], [], {}, [])


class SqliteFrontier:
    """A run's `frontier.db`; the promises are those of `model.frontier.Frontier`.

    Clocks and slots of hosts live in this object; everything else, and what must outlive the process, is in the file.
    With `read_ahead` requests to hosts without a delay are leased before they are asked for, at most a host's slots
    again: then an exchange without outcomes needs no transaction. After a death such a lease counts as begun.
    Raises StoreError when the file cannot be written; what was committed before is safe, and the object is of no
    more use.
    """

    def __init__(self, folder: Path, clock: Clock = time.time, *, read_ahead: bool = True) -> None:
        self._folder = folder
        self._path = folder / FILE
        self._clock = clock
        self._read_ahead = read_ahead
        self._marks: deque[tuple[Token, float, bool]] = deque()
        self._known = Known()
        self._held: dict[int, Held] = {}
        self._ahead: dict[str, Ahead] = {}
        self._queues: dict[str, Queue] = {}
        self._by_number: dict[int, Queue] = {}
        self._queues_of: defaultdict[str, list[Queue]] = defaultdict(list)
        self._hosts: dict[str, Host] = {}
        self._stored_hosts: dict[str, tuple[Any, ...]] = {}
        self._noted: Counter[str] = Counter()
        self._schedule = Schedule()
        self._touched: set[Host] = set()
        """Hosts whose place in the schedule may have changed."""
        self._totals = bounds.Totals()
        self._lock: WorkerLock | None = None
        self._lost: StoreError | None = None
        """Why the file and this object may differ; only `close` is of use then."""

    # opening

    def open(self, opening: Opening) -> Opened:
        """Begin or go on."""
        self._opening = opening
        self._depth_first = opening.limits.depth is not None
        create(self._path)
        self._db = connect(self._path, synchronous="NORMAL")
        self._lock = WorkerLock(self._folder)
        try:
            with self._transaction():
                self._create_tables()
                return self._take_over(self._lock.name)
        except BaseException:
            self._db.close()
            self._lock.close()
            raise

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._lost is not None:
            raise self._lost
        try:
            with transaction(self._db, self._path):
                yield
        except StoreError as error:
            self._lost = error
            raise

    def _create_tables(self) -> None:
        if self._db.execute("PRAGMA user_version").fetchone()[0]:
            return
        for statement in TABLES.split(";"):
            if statement.strip():
                self._db.execute(statement)
        self._db.execute(f"PRAGMA user_version={VERSION}")
        now = self._clock()
        self._db.execute(
            "INSERT INTO crawl(id, name, digest, started, state, ticked, depth_first) VALUES (1, ?, ?, ?, ?, ?, ?)",
            (
                self._opening.name,
                payload.encode(dict(self._opening.digest)),
                self._opening.started or now,
                State.INIT.value,
                now,
                self._depth_first,
            ),
        )

    def _take_over(self, name: str) -> Opened:
        """Check that it is the same crawl, enter as a worker, and take back what dead workers held."""
        now = self._clock()
        digest, state, started, position, seeded, verdict, depth_first = self._db.execute(
            "SELECT digest, state, started, seed_position, seeded, verdict, depth_first FROM crawl"
        ).fetchone()
        check_digest(payload.decode(digest), self._opening.digest)
        if state in UNFINISHED and verdict is None:
            state = State.RUNNING.value if seeded else State.INIT.value
        self._worker = self._db.execute("INSERT INTO worker(lock) VALUES (?) RETURNING id", (name,)).fetchone()[0]
        self._outbox = Outbox(self._path, self._worker)
        for other, lock in self._db.execute("SELECT id, lock FROM worker WHERE id <> ?", (self._worker,)).fetchall():
            if not is_alive(self._folder, lock):
                self._bury(other)
        if bool(depth_first) != self._depth_first:
            self._rank_anew()
        self._db.execute("UPDATE crawl SET ticked = ?", (now,))
        self._wish_targets()
        self._load_hosts(now)
        self._recount(state, now)
        self._state, self._checked, self._checkpointed = State(state), now, now
        self._read()
        return Opened(self._state, name, started, position, bool(seeded))

    def _bury(self, worker: int) -> None:
        """Take back what a dead worker held; its requests count as sent."""
        self._db.execute(
            "UPDATE request SET state = ?, worker = NULL, free = ? WHERE worker = ? AND state = 1 AND free <> ?",
            (WAITING, FREE, worker, FREE),
        )
        self._db.execute(
            "UPDATE request SET state = ?, worker = NULL WHERE worker = ? AND state = 1", (WAITING, worker)
        )
        self._db.execute("UPDATE target SET worker = NULL WHERE worker = ?", (worker,))
        self._db.execute("UPDATE crawl SET finisher = NULL WHERE finisher = ?", (worker,))
        self._db.execute("DELETE FROM worker WHERE id = ?", (worker,))

    def _rank_anew(self) -> None:
        """The depth limit came or went, so what waits has another order."""
        rows = self._db.execute("SELECT id, depth, payload FROM request WHERE state <> ?", (ENDED,)).fetchall()
        ranked = [
            (rank(payload.load(text, depth), depth_first=self._depth_first), number) for number, depth, text in rows
        ]
        self._db.executemany("UPDATE request SET rank = ? WHERE id = ?", ranked)

    def _wish_targets(self) -> None:
        self._db.execute("UPDATE target SET wanted = 0")
        for name in self._opening.targets:
            self._db.execute("INSERT INTO target(name) VALUES (?) ON CONFLICT DO UPDATE SET wanted = 1", (name,))

    def _load_hosts(self, now: float) -> None:
        stored = {row[0]: row for row in self._db.execute("SELECT * FROM host")}
        for number, name, key, gate, read_at, denied in self._db.execute(
            "SELECT id, name, host, gate, read_at, denied FROM queue ORDER BY id"
        ).fetchall():
            host = self._hosts.get(key)
            if host is None:
                host = self._host(key)
                if key in stored:
                    _, host.delay, host.until, host.why, host.failures, host.rests, careful, host.given_up = stored[key]
                    host.careful = bool(careful)
                    host.until = min(host.until, now + FAR)
                    self._stored_hosts[key] = _stored(host)
                if host.pause:
                    host.next_start = now + host.pause
            self._enter(Queue(number, name, host, Gate(gate), None, read_at, denied))
        for number, first in self._db.execute(
            "SELECT queue, min(not_before) FROM request WHERE state = 2 GROUP BY queue"
        ).fetchall():
            host = self._by_number[number].host
            host.later = min(first, now + FAR) if host.later is None else min(host.later, first)
        self._db.execute("UPDATE request SET not_before = ? WHERE state = 2 AND not_before > ?", (now + FAR, now + FAR))
        batch = Batch.empty()
        self._totals = bounds.Totals()
        self._read()
        for queue in self._queues.values():
            if queue.host.given_up or queue.gate == Gate.DENIED:
                self._sweep(queue, batch)
            self._schedule.list(queue.host)
        self._write_counts(batch)
        self._write_crawl()

    def _host(self, key: str) -> Host:
        host = self._hosts[key] = Host(key, self._opening.host(key))
        return host

    def _enter(self, queue: Queue) -> Queue:
        self._queues[queue.name] = self._by_number[queue.number] = queue
        mine = self._queues_of[queue.host.key]
        mine.append(queue)
        mine.sort(key=lambda q: (not q.is_lane, q.number))  # robots.txt first
        return queue

    def _recount(self, state: str, now: float) -> None:
        waiting, leased, delayed = self._db.execute(
            "SELECT (SELECT count(*) FROM request WHERE state = 0), (SELECT count(*) FROM request WHERE state = 1),"
            " (SELECT count(*) FROM request WHERE state = 2)"
        ).fetchone()
        self._db.execute(
            "UPDATE crawl SET state = ?, ticked = ?, depth_first = ?, open = ?, leased = ?",
            (state, now, self._depth_first, waiting + leased + delayed, leased),
        )

    # what every transaction reads first and writes last

    def _read(self) -> None:
        """The totals as they are now; where this worker was taken for dead, its leases are gone."""
        totals = self._totals
        state, totals.pages, totals.items, totals.bytes, totals.errors, totals.ended, totals.elapsed, *rest = (
            self._db.execute(
                "SELECT state, pages, items, bytes, errors, ended, elapsed, ticked, open, leased, item_bytes, seeded,"
                " reason, (SELECT min(items) FROM target WHERE wanted), (SELECT min(bytes) FROM target WHERE wanted),"
                " EXISTS (SELECT 1 FROM worker WHERE id = ?) FROM crawl",
                (self._worker,),
            ).fetchone()
        )
        self._state = State(state)
        ticked, self._open, self._leased, self._item_bytes, self._seeded, self._reason, items, size, alive = rest
        self._delivered = None if items is None else (items, size)
        self._now = self._clock()
        if self._state not in ENDED_STATES:
            totals.elapsed += max(0.0, self._now - ticked)
        if not alive:
            self._lose_leases()

    def _lose_leases(self) -> None:
        """Another worker has taken everything of this one back: begin anew as a worker of the same name."""
        for number, held in self._held.items():
            if number in held.queue.host.begun:
                held.queue.host.end(number, self._now, contact=True)
        self._held.clear()
        self._ahead.clear()
        self._db.execute("INSERT INTO worker(id, lock) VALUES (?, ?)", (self._worker, self._lock and self._lock.name))

    def _write_crawl(self) -> None:
        totals = self._totals
        self._db.execute(
            "UPDATE crawl SET state = ?, pages = ?, items = ?, bytes = ?, errors = ?, ended = ?, elapsed = ?,"
            " ticked = ?, open = ?, leased = ?, item_bytes = ?, reason = ?, seeded = ?",
            (
                self._state.value, totals.pages, totals.items, totals.bytes, totals.errors, totals.ended,
                totals.elapsed, self._now, self._open, self._leased, self._item_bytes, self._reason, self._seeded,
            ),
        )  # fmt: skip

    def _write_counts(self, batch: Batch) -> None:
        self._db.executemany(
            "INSERT INTO counter(name, n) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET n = n + excluded.n",
            [(payload.storable(name), n) for name, n in batch.counts.items() if n],
        )
        for name, text in batch.notes:
            if self._noted[name] < NOTES_EACH:
                self._noted[name] += 1
                self._db.execute(
                    "INSERT INTO note(name, text) SELECT ?1, ?2 WHERE (SELECT count(*) FROM note WHERE name = ?1) < ?3",
                    (payload.storable(name), payload.storable(text), NOTES_EACH),
                )

    def _write_hosts(self, hosts: Iterable[Host]) -> None:
        for host in hosts:
            stored = _stored(host)
            if self._stored_hosts.get(host.key, _HEALTHY) != stored:
                self._stored_hosts[host.key] = stored
                self._db.execute("INSERT OR REPLACE INTO host VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (host.key, *stored))

    # seeds, completions, claims

    def add(self, requests: Sequence[Request], seed_position: int | None = None, *, last: bool = False) -> int:
        """Add seeds."""
        batch = Batch.empty()
        batch.links = [_link(request) for request in requests]
        with self._transaction():
            self._read()
            check_add(self._state)
            new = self._write_links(batch)
            if seed_position is not None:
                self._db.execute("UPDATE crawl SET seed_position = ?", (seed_position,))
            if last:
                self._seeded = True
                if self._state == State.INIT:
                    self._state = State.RUNNING
            self._finish_batch(batch)
        self._known.update(batch.fingerprints)
        return new

    def _finish_batch(self, batch: Batch) -> None:
        self._sweep_all(batch)
        self._decide()
        self._write_counts(batch)
        self._write_crawl()

    def exchange(self, outcomes: Sequence[Outcome], want: int) -> Exchange:
        """Commit the outcomes, then lease up to `want` requests."""
        self._mark()
        if not outcomes and (leases := self._from_ahead(want)):
            return Exchange((), tuple(leases), self._state, self._wake_after(""), self._open)
        prepared = [self._prepare(outcome) for outcome in outcomes]
        batch = Batch.empty()
        with self._transaction():
            self._read()
            results = tuple([self._complete(outcome, links, batch) for outcome, links in prepared])
            self._write(batch)
            self._sweep_all(batch)
            closed = self._closed()
            running = self._state in (State.INIT, State.RUNNING)
            self._give_ahead_back(all_of_it=bool(closed) or not running)
            leases = self._claim(want) if running and not closed else []
            self._finish_batch(batch)
        self._known.update(batch.fingerprints)
        self._checked = self._now
        self._checkpoint()
        wake_after = self._wake_after(closed)
        return Exchange(results, tuple(leases), self._state, wake_after, self._open, closed or self._cut())

    def _checkpoint(self) -> None:
        if self._now - self._checkpointed >= CHECKPOINT or self._now < self._checkpointed:
            self._checkpointed = self._now
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def host_sent(self, token: Token, at: float) -> None:
        """The request has left."""
        self._marks.append((token, at, False))

    def host_free(self, token: Token, at: float) -> None:
        """Its last byte has come."""
        self._marks.append((token, at, True))

    def _mark(self) -> None:
        while self._marks:
            token, at, freed = self._marks.popleft()
            held = self._held.get(token.number)
            if held is None or held.random != token.random:
                continue
            host = held.queue.host
            (host.free if freed else host.sent)(token.number, at)
            self._touched.add(host)

    def release(self, tokens: Sequence[Token]) -> State:
        """Give leases back without contact."""
        self._mark()
        batch = Batch.empty()
        with self._transaction():
            self._read()
            for token in tokens:
                held = self._held.get(token.number)
                if held is None or held.random != token.random:
                    continue
                self._end_lease(token.number, held, contact=False)
                self._give_ahead_back_of(held.queue.host)
                self._put_back([token.number])
                batch.sweeps.update(dict.fromkeys(self._hopeless(held.queue)))
            self._finish_batch(batch)
        return self._state

    def _put_back(self, numbers: Iterable[int]) -> None:
        self._db.executemany(
            f"UPDATE request SET state = {WAITING}, worker = NULL,"  # noqa: S608
            f" free = CASE free WHEN {COUNTING} THEN {NEEDS_PAGE} ELSE free END WHERE id = ?",
            [(number,) for number in numbers],
        )

    @property
    def ahead(self) -> int:
        """How many leases were read ahead and could start now."""
        self._mark()
        return sum(min(len(ahead.leases), self._hosts[key].room) for key, ahead in self._ahead.items())

    @property
    def known(self) -> Callable[[int], bool]:
        """Whether the fingerprint is surely known; with a depth limit never, since a shorter way may matter."""
        return (lambda _fingerprint: False) if self._depth_first else self._known

    # completions

    def _prepare(self, outcome: Outcome) -> tuple[Outcome, list[Link]]:
        """What needs no lock."""
        return outcome, [_link(link) for link in outcome.links]

    def _complete(self, outcome: Outcome, links: list[Link], batch: Batch) -> Result:
        number = outcome.token.number
        held = self._held.get(number)
        if held is None or held.random != outcome.token.random:
            return Result.STALE
        begun = self._end_lease(number, held, contact=outcome.contact)
        self._count(outcome, batch)
        if outcome.again is None:
            self._end(number, outcome, batch)
        else:
            self._again(number, held, outcome.again, outcome, batch)
        for link in links:
            link.asked = held.asked
        batch.links += links
        batch.ended.append((held, begun, outcome))
        return Result.COMMITTED

    def _end_lease(self, number: int, held: Held, *, contact: bool) -> Begun:
        """Slot, clock and page of a lease that ends."""
        del self._held[number]
        self._leased -= 1
        if contact:
            held.free = FREE
        elif held.free == COUNTING:
            held.free = NEEDS_PAGE
            self._give_page_back()
        self._touched.add(held.queue.host)
        return held.queue.host.end(number, self._now, contact=contact)

    def _give_page_back(self) -> None:
        self._totals.pages -= 1
        if self._opening.limits.pages is not None:
            for host in self._hosts.values():
                host.ready = True
            self._touched.update(self._hosts.values())

    def _count(self, outcome: Outcome, batch: Batch) -> None:
        counts = batch.counts
        for name, n in outcome.counts.items():
            counts[name] += n
        batch.notes += outcome.notes
        counts["attempts"] += outcome.contact
        counts["bytes"] += outcome.received
        self._totals.bytes += outcome.received

    def _end(self, number: int, outcome: Outcome, batch: Batch) -> None:
        reason = payload.storable(outcome.reason)
        batch.ends.append((outcome.name, outcome.status, reason, outcome.error, outcome.contact, number))
        self._open -= 1
        self._count_end(outcome.request.purpose, outcome.name, outcome.error, 1, batch)

    def _count_end(self, purpose: str, name: str, error: bool, n: int, batch: Batch) -> None:
        if purpose in bounds.OUTSIDE:
            batch.counts[f"{purpose}:{name}"] += n
            return
        batch.counts[f"outcome:{name}"] += n
        self._totals.errors += n * error
        self._totals.ended += n * (name not in bounds.WRONG_WAY)

    def _again(self, number: int, held: Held, request: Request, outcome: Outcome, batch: Batch) -> None:
        batch.counts["retries"] += 1
        state, not_before, host = WAITING, None, held.queue.host
        if outcome.wait > 0:
            state, not_before = DELAYED, self._now + outcome.wait
            host.later = not_before if host.later is None else min(host.later, not_before)
        order = rank(request, depth_first=self._depth_first)
        self._make_way(held.queue, order)
        text = payload.dump(request)
        batch.agains.append((state, not_before, held.free, order, text, outcome.contact, number))

    def _hopeless(self, queue: Queue) -> list[Queue]:
        """The queues whose requests have no hope, as far as this one and its host are concerned."""
        if queue.host.given_up:
            return self._queues_of[queue.host.key]
        return [queue] if queue.gate == Gate.DENIED else []

    def _write(self, batch: Batch) -> None:
        db = self._db
        db.executemany(
            f"UPDATE request SET state = {ENDED}, worker = NULL, outcome = ?, status = ?, reason = ?, error = ?,"  # noqa: S608
            " attempts = attempts + ? WHERE id = ?",
            batch.ends,
        )
        if batch.agains:
            db.executemany(
                "UPDATE request SET state = ?, not_before = ?, worker = NULL, free = ?, rank = ?, payload = ?,"
                " attempts = attempts + ? WHERE id = ?",
                batch.agains,
            )
        if batch.links:
            self._write_links(batch)
        self._write_items([item for _, _, outcome in batch.ended for item in outcome.items], batch)
        for held, begun, outcome in batch.ended:
            self._judge(held, begun, outcome, batch)
        hosts = {held.queue.host for held, _, _ in batch.ended}
        self._write_hosts(hosts | {held.asked.host for held, _, _ in batch.ended if held.asked})

    def _judge(self, held: Held, begun: Begun, outcome: Outcome, batch: Batch) -> None:
        """What it says of its origin and its host."""
        if held.asked is not None and outcome.final:
            self._read_robots(held.asked, outcome, batch)
        host = held.queue.host
        if outcome.contact:
            host.judge(outcome.name, begun, self._now, outcome.host_wait)
        batch.sweeps.update(dict.fromkeys(self._hopeless(held.queue)))

    # requests

    def _write_links(self, batch: Batch) -> int:
        """Add those that are not known yet; how many were new."""
        stored = self._look_up([link for link in batch.links if link.fingerprint is not None and self._looks(link)])
        fresh: dict[int, Link] = {}
        links: list[Link] = []
        for link in batch.links:
            fingerprint = link.fingerprint
            if fingerprint is None:
                links.append(link)
            elif fingerprint in fresh:
                self._meet_twin(fresh, link, batch)
            elif fingerprint in stored:
                self._meet_again(stored[fingerprint], link.request, batch)
            elif self._known(fingerprint) and not self._depth_first:
                batch.counts["duplicates"] += 1
            elif self._opening.limits.depth is not None and link.request.depth > self._opening.limits.depth:
                batch.counts["outcome:limit"] += 1
            else:
                fresh[fingerprint] = link
                links.append(link)
        new = self._insert(links, batch)
        batch.counts["duplicates"] += len(links) - new
        self._open += new
        batch.fingerprints += fresh
        return new

    def _looks(self, link: Link) -> bool:
        """Whether it has to be compared with the request that it may be equal to."""
        return self._depth_first or bool(link.request.carry)

    def _insert(self, links: Sequence[Link], batch: Batch) -> int:
        rows = []
        for link in links:
            request = link.request
            name = queue_name(request)
            queue = self._queues.get(name) or self._new_queue(name, urls.host_key(request.url))
            free = NEEDS_PAGE if bounds.needs_page(request) else FREE
            asked = link.asked.number if link.asked is not None and request.purpose == "robots" else None
            order = rank(request, depth_first=self._depth_first)
            rows.append((link.fingerprint, queue.number, order, request.depth, free, asked, link.payload))
            queue.host.ready = True
            self._touched.add(queue.host)
            self._make_way(queue, order)
            if queue.host.given_up or queue.gate == Gate.DENIED:
                batch.sweeps[queue] = None
        before = self._db.total_changes
        self._db.executemany(
            "INSERT OR IGNORE INTO request(fp, queue, rank, depth, state, free, asked, payload)"  # noqa: S608
            f" VALUES (?, ?, ?, ?, {WAITING}, ?, ?, ?)",
            rows,
        )
        return self._db.total_changes - before

    def _new_queue(self, name: str, host_key: str) -> Queue:
        (number,) = self._db.execute(
            "INSERT INTO queue(name, host) VALUES (?, ?) RETURNING id", (name, host_key)
        ).fetchone()
        return self._enter(Queue(number, name, self._hosts.get(host_key) or self._host(host_key)))

    def _look_up(self, links: Sequence[Link]) -> dict[int, tuple[int, int, int, str]]:
        """Number, depth, state and payload of those that are stored."""
        if not links:
            return {}
        rows = self._db.execute(
            "SELECT fp, id, depth, state, payload FROM request WHERE fp IN (SELECT value FROM json_each(?))",
            (payload.encode([link.fingerprint for link in links]),),
        )
        return {fp: (number, depth, state, text) for fp, number, depth, state, text in rows.fetchall()}

    def _meet_twin(self, fresh: dict[int, Link], link: Link, batch: Batch) -> None:
        """Two equal requests in one batch: the first one stands, with the shorter way of the two."""
        assert link.fingerprint is not None
        twin = fresh[link.fingerprint]
        batch.counts["duplicates"] += 1
        self._compare_carry(twin.request, link.request, batch)
        if self._depth_first and link.request.depth < twin.request.depth:
            twin.request = replace(twin.request, depth=link.request.depth)

    def _meet_again(self, stored: tuple[int, int, int, str], request: Request, batch: Batch) -> None:
        """A request that is known: counted, and taken as a shorter way where a depth limit makes that matter."""
        number, depth, state, text = stored
        batch.counts["duplicates"] += 1
        known = payload.load(text, depth)
        self._compare_carry(known, request, batch)
        if not self._depth_first or request.depth >= depth:
            return
        if state not in (WAITING, DELAYED):
            batch.counts["shorter_way"] += 1
            batch.notes.append(("shorter_way", request.url))
            return
        order = rank(replace(known, depth=request.depth), depth_first=True)
        self._db.execute(
            "UPDATE request SET depth = ?1, rank = ?2 WHERE id = ?3 AND depth > ?1", (request.depth, order, number)
        )

    def _compare_carry(self, known: Request, request: Request, batch: Batch) -> None:
        if request.carry and known.carry and request.carry != known.carry:
            batch.counts[f"carry:{request.via}"] += 1
            batch.notes.append((f"carry:{request.via}", request.url))

    # robots.txt and hosts that are given up

    def _read_robots(self, queue: Queue, outcome: Outcome, batch: Batch) -> None:
        robots = outcome.robots
        if robots is None:
            if any(link.purpose == "robots" for link in outcome.links):
                return
            robots = Robots(None)
        if robots.rules is None:
            self._deny(queue, f"its robots.txt cannot be read: {outcome.reason or outcome.name}", batch)
            return
        queue.gate, queue.rules, queue.read_at = Gate.OPEN, robots.rules, self._now
        self._write_gate(queue)
        host = queue.host
        self._give_ahead_back_of(host)
        if robots.delay is not None and robots.delay > LONGEST_DELAY:
            host.give_up(f"its robots.txt asks for {robots.delay:g} s between two requests")
            batch.sweeps.update(dict.fromkeys(self._hopeless(queue)))
        elif robots.delay is not None:
            host.slow_down(robots.delay, self._now)
        host.ready = True
        self._touched.add(host)

    def _write_gate(self, queue: Queue) -> None:
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

    def _deny(self, queue: Queue, reason: str, batch: Batch) -> None:
        queue.gate, queue.denied = Gate.DENIED, reason
        self._write_gate(queue)
        batch.sweeps[queue] = None

    def _sweep_all(self, batch: Batch) -> None:
        for queue in list(batch.sweeps):
            self._sweep(queue, batch)
        batch.sweeps.clear()

    def _sweep(self, queue: Queue, batch: Batch) -> None:
        """End everything that waits in a queue that has no hope."""
        host = queue.host
        outcome, reason = ("host_unavailable", host.given_up) if host.given_up else ("robots_unreachable", queue.denied)
        self._give_ahead_back_of(host)
        waiting = self._db.execute(
            "SELECT id, asked, json_extract(payload, '$.purpose'),"
            " iif(json_extract(payload, '$.seed'), json_extract(payload, '$.page'), NULL)"
            " FROM request WHERE queue = ?1 AND state = 0"
            " UNION ALL SELECT id, asked, json_extract(payload, '$.purpose'),"
            " iif(json_extract(payload, '$.seed'), json_extract(payload, '$.page'), NULL)"
            " FROM request WHERE queue = ?1 AND state = 2",
            (queue.number,),
        ).fetchall()
        self._db.executemany(
            f"UPDATE request SET state = {ENDED}, outcome = ?, status = 0, reason = ?, error = 1 WHERE id = ?",  # noqa: S608
            [(outcome, payload.storable(reason), number) for number, *_ in waiting],
        )
        self._open -= len(waiting)
        for purpose, n in Counter(purpose or "page" for _, _, purpose, _ in waiting).items():
            self._count_end(purpose, outcome, True, n, batch)
        for page, n in Counter(page for *_, page in waiting if page is not None).items():
            batch.counts[f"seed:{page}"] += n
        for _, asked, *_ in waiting:
            gate = self._by_number.get(asked)
            if gate is not None and gate.host is not host:
                self._deny(gate, reason, batch)
                self._sweep(gate, batch)

    # items

    def _write_items(self, items: Sequence[Item], batch: Batch) -> None:
        limit, totals, rows = self._opening.limits.items, self._totals, []
        here: set[tuple[str, bytes]] = set()
        for item in items:
            if limit is not None and totals.items >= limit:
                break
            double = bool(item.key) and ((item.kind, item.key) in here or self._has_key(item))
            if item.key:
                here.add((item.kind, item.key))
            if item.null_key:
                batch.counts[f"null_key:{item.kind}"] += 1
            text = payload.storable(item.text)
            if double:
                batch.counts[f"double:{item.kind}"] += 1
            else:
                batch.counts[f"item:{item.kind}"] += 1
                totals.items += 1
                self._item_bytes += len(text)
            url = payload.storable(item.url)
            rows.append((item.kind, text, url, item.fetched_at, item.key, item.place, double))
        if rows:
            self._db.executemany(
                "INSERT INTO item(kind, text, url, fetched_at, key, place, double) VALUES (?, ?, ?, ?, ?, ?, ?)", rows
            )

    def _has_key(self, item: Item) -> bool:
        found = self._db.execute(
            "SELECT 1 FROM item WHERE kind = ? AND key = ? AND key <> x'' LIMIT 1", (item.kind, item.key)
        )
        return found.fetchone() is not None

    # claims

    def _claim(self, want: int) -> list[Lease]:
        leases: list[Lease] = []
        self._list_touched()
        while len(leases) < want and (host := self._schedule.pop(self._now)) is not None:
            self._promote(host)
            leases += self._claim_of(host, min(want - len(leases), host.room))
            self._schedule.list(host)
        return leases

    def _list_touched(self) -> None:
        for host in self._touched:
            self._schedule.list(host)
        self._touched.clear()

    def _claim_of(self, host: Host, n: int) -> list[Lease]:
        """Up to n leases of the host; where it has no delay, others are read ahead."""
        if host.key in self._ahead and any(self._asks(queue) for queue in self._queues_of[host.key]):
            self._give_ahead_back_of(host)
        ahead = self._ahead.get(host.key) or Ahead(deque(), 0)
        leases = [ahead.leases.popleft() for _ in range(min(n, len(ahead.leases)))]
        short, slots = n - len(leases), host.plan.per_host
        extra = slots - len(ahead.leases) if self._reads_ahead(host) and len(ahead.leases) * 2 <= slots else 0
        if short or extra:
            more = self._take(host, short + extra)
            leases += more[:short]
            ahead.leases += more[short:]
            ahead.rank = max([rank(lease.request, depth_first=False) for lease in more[short:]], default=ahead.rank)
        for lease in leases:
            self._start(host, lease)
        if ahead.leases:
            self._ahead[host.key] = ahead
        else:
            self._ahead.pop(host.key, None)
        host.ready = len(leases) > 0
        if leases:
            self._schedule.serve(host)
        return leases

    def _asks(self, queue: Queue) -> bool:
        return self._opening.robots and queue.wants_robots(self._now)

    def _make_way(self, queue: Queue, order: int) -> None:
        """A request of that rank comes into the queue: nothing that was read ahead may go before a better one."""
        ahead = self._ahead.get(queue.host.key)
        if ahead is not None and (order < ahead.rank or queue.is_lane):
            self._give_ahead_back_of(queue.host)

    def _reads_ahead(self, host: Host) -> bool:
        """Not where something else may have to go first, or where the last pages have to be shared out exactly."""
        if host.pause or host.careful or host.given_up or self._depth_first or not self._read_ahead:
            return False
        left = self._pages_left()
        return left is None or left > 4 * host.plan.per_host

    def _start(self, host: Host, lease: Lease) -> None:
        request = lease.request
        host.start(lease.token.number, request.depth if request.purpose == "page" else None)

    def _from_ahead(self, want: int) -> list[Lease]:
        """Leases without a transaction, as long as what is known of the crawl is fresh."""
        now = self._clock()
        limit = self._opening.limits.time
        elapsed = self._totals.elapsed + now - self._checked
        if not self._ahead or not 0 <= now - self._checked < FRESH or (limit is not None and elapsed >= limit):
            return []
        leases: list[Lease] = []
        for key in list(self._ahead):
            host, ahead = self._hosts[key], self._ahead[key].leases
            while ahead and len(leases) < want and host.room and host.due <= now:
                leases.append(ahead.popleft())
                self._schedule.serve(host)
                self._start(host, leases[-1])
            if not ahead:
                del self._ahead[key]
            self._schedule.list(host)
        return leases

    def _give_ahead_back(self, *, all_of_it: bool) -> None:
        for key in list(self._ahead):
            host = self._hosts[key]
            if all_of_it or host.pause or host.careful or host.given_up:
                self._give_ahead_back_of(host)

    def _give_ahead_back_of(self, host: Host) -> None:
        ahead = self._ahead.pop(host.key, None)
        if ahead is None:
            return
        for lease in ahead.leases:
            if self._held.pop(lease.token.number).free == COUNTING:
                self._give_page_back()
            self._leased -= 1
        self._put_back([lease.token.number for lease in ahead.leases])
        host.ready = True
        self._touched.add(host)

    def _promote(self, host: Host) -> None:
        """Let delayed requests whose time has come take their place in the queue."""
        if host.later is None or host.later > self._now:
            return
        host.later = None
        self._give_ahead_back_of(host)
        for queue in self._queues_of[host.key]:
            self._db.execute(
                f"UPDATE request SET state = {WAITING} WHERE queue = ? AND state = 2 AND not_before <= ?",  # noqa: S608
                (queue.number, self._now),
            )
            first = self._db.execute(
                "SELECT min(not_before) FROM request WHERE queue = ? AND state = 2", (queue.number,)
            ).fetchone()[0]
            if first is not None:
                host.later = first if host.later is None else min(host.later, first)
        host.ready = True

    def _take(self, host: Host, n: int) -> list[Lease]:
        """The first n requests of a host that may start, leased."""
        taken: list[Lease] = []
        queues = self._queues_of[host.key]
        floor = self._floor(host, queues) if self._depth_first else None
        if queues and queues[0].is_lane:
            taken += self._lease(self._robots_first(queues[0], n))
        for queue in queues:
            if len(taken) < n and self._asks(queue) and self._heads(queue, 1, floor):
                taken += self._lease([self._ask_robots(queue)])
        if len(taken) < n:
            taken += self._lease(self._pages_first(queues, n - len(taken), floor))
        return taken

    def _pages_left(self) -> int | None:
        return bounds.pages_left(self._opening.limits, self._totals)

    def _robots_first(self, lane: Queue, n: int) -> list[tuple[Any, ...]]:
        rows = self._heads(lane, n, None, budget=None)
        if self._pages_left() != 0:
            return rows
        return [row for row in rows if self._has_free(row[_ASKED])]

    def _has_free(self, queue: int) -> bool:
        """Whether something waits there that no page limit holds back."""
        return bool(
            self._db.execute(
                "SELECT EXISTS (SELECT 1 FROM request WHERE queue = ?1 AND state = 0 AND free = 1)"
                " OR EXISTS (SELECT 1 FROM request WHERE queue = ?1 AND state = 2 AND free = 1)",
                (queue,),
            ).fetchone()[0]
        )

    def _pages_first(self, queues: Sequence[Queue], n: int, floor: int | None) -> list[tuple[Any, ...]]:
        open_ones = [q for q in queues if not q.is_lane and (q.gate == Gate.OPEN or not self._gated(q))]
        rows = [row for queue in open_ones for row in self._heads(queue, n, floor)]
        if len(open_ones) > 1:
            rows.sort(key=lambda row: row[:2])
        budget = self._pages_left()
        if budget is None:
            return rows[:n]
        chosen: list[tuple[Any, ...]] = []
        for row in rows:
            if len(chosen) < n and (row[_FREE] == FREE or budget > 0):
                budget -= row[_FREE] != FREE
                chosen.append(row)
        return chosen

    def _gated(self, queue: Queue) -> bool:
        return self._opening.robots and queue.name.startswith(("http:", "https:"))

    def _heads(self, queue: Queue, n: int, floor: int | None, budget: int | None = -1) -> list[tuple[Any, ...]]:
        """The first n requests that wait in a queue, those left out that the page limit holds back."""
        budget = self._pages_left() if budget == -1 else budget
        if budget is None or budget >= n:
            rows = self._db.execute(f"{_HEADS} ORDER BY rank, id LIMIT ?", (queue.number, n)).fetchall()
        else:
            free = self._db.execute(f"{_HEADS} AND free = 1 ORDER BY rank, id LIMIT ?", (queue.number, n)).fetchall()
            paid = self._db.execute(
                f"{_HEADS} AND free = 0 ORDER BY rank, id LIMIT ?", (queue.number, budget)
            ).fetchall() if budget else []  # fmt: skip
            rows = list(heapq.merge(free, paid))[:n]
        return rows if floor is None else [row for row in rows if row[_DEPTH] <= floor]

    def _floor(self, host: Host, queues: Sequence[Queue]) -> int:
        """The least depth of what waits or is in work on a host."""
        depths = [begun.depth for begun in host.begun.values() if begun.depth is not None]
        depths += [row[_DEPTH] for queue in queues if not queue.is_lane for row in self._heads(queue, 1, None)]
        return min(depths, default=0)

    def _ask_robots(self, queue: Queue) -> tuple[Any, ...]:
        queue.gate = Gate.ASKED
        self._write_gate(queue)
        link = _link(robots_request(queue.name), queue)
        name = lane_name(queue.host.key)
        lane = self._queues.get(name) or self._new_queue(name, queue.host.key)
        order = rank(link.request, depth_first=self._depth_first)
        self._open += 1
        row: tuple[Any, ...] = self._db.execute(
            "INSERT INTO request(queue, rank, depth, state, free, asked, payload)"  # noqa: S608
            f" VALUES (?, ?, 0, {WAITING}, {FREE}, ?, ?) RETURNING rank, id, free, depth, queue, asked, payload",
            (lane.number, order, queue.number, link.payload),
        ).fetchone()
        return row

    def _lease(self, rows: Sequence[tuple[Any, ...]]) -> list[Lease]:
        leases = []
        for _, number, free, depth, queue_number, asked, text in rows:
            queue = self._by_number[queue_number]
            held = Held(random.getrandbits(62), queue, self._by_number.get(asked), FREE if free == FREE else COUNTING)
            self._held[number] = held
            self._totals.pages += held.free == COUNTING
            rules = "" if held.asked is not None or not self._gated(queue) else self._rules(queue)
            request = payload.load(text, depth)
            leases.append(Lease(Token(number, held.random), request, queue.host.key, rules, queue.host.paced))
        self._db.executemany(
            f"UPDATE request SET state = {LEASED}, worker = {self._worker},"  # noqa: S608
            f" free = CASE free WHEN {NEEDS_PAGE} THEN {COUNTING} ELSE free END WHERE id = ?",
            [(row[1],) for row in rows],
        )
        self._leased += len(leases)
        return leases

    def _rules(self, queue: Queue) -> str:
        if queue.rules is None:
            queue.rules = self._db.execute("SELECT rules FROM queue WHERE id = ?", (queue.number,)).fetchone()[0] or ""
        return queue.rules

    # limits and the end

    def _closed(self) -> str:
        """Why nothing starts, for good or until targets have caught up."""
        reached = bounds.reached(self._opening.limits, self._totals)
        if reached or self._delivered is None:
            return reached
        items, size = self._delivered
        return bounds.backlogged(self._item_bytes - size, self._totals.items - items)

    def _cut(self) -> str:
        """Whether the page limit keeps something from starting."""
        return "limits.pages" if self._pages_left() == 0 and self._open > self._leased else ""

    def _startable(self) -> bool:
        if self._open == 0 or bounds.reached(self._opening.limits, self._totals):
            return False
        return self._pages_left() != 0 or any(self._has_free(q.number) for q in self._queues.values() if not q.is_lane)

    def _decide(self) -> None:
        if self._leased:
            return
        if self._state == State.STOPPING:
            self._state = State.STOPPED
        elif self._state == State.RUNNING and self._seeded and not self._startable():
            self._reason = bounds.reached(self._opening.limits, self._totals) or self._cut()
            self._state = State.FINISHING

    def _wake_after(self, closed: str) -> float | None:
        if self._state not in (State.INIT, State.RUNNING) or closed.startswith("limits."):
            return None
        self._list_touched()
        now = self._clock()
        due = now + bounds.BACKLOG_PAUSE if closed else self._schedule.next
        limit = self._opening.limits.time
        end = None if limit is None else self._now + limit - self._totals.elapsed
        times = [time for time in (due, end) if time is not None]
        return max(0.0, min(times) - now) if times else None

    def control(self, action: str) -> State:
        """Stop."""
        check_action(action)
        with self._transaction():
            self._read()
            if self._state in (State.INIT, State.RUNNING):
                self._state = State.STOPPING
                self._give_ahead_back(all_of_it=True)
                self._decide()
            self._write_crawl()
        return self._state

    # targets

    def target_acquire(self, target: str) -> TargetLease | None:
        """Take the right to write."""
        return self._outbox.acquire(target)

    def items(self, lease: TargetLease, limit: int) -> list[ItemRow]:
        """The next items; none where the lease was lost."""
        return self._outbox.items(lease, limit)

    def target_ack(self, lease: TargetLease, last: int, part: Any) -> TargetLease | None:
        """Remember what is durable."""
        return self._outbox.ack(lease, last, part)

    def sorted_items(self, kinds: Sequence[str], order: Sequence[str] | None) -> Iterator[ItemRow]:
        """The kept item of each key."""
        return sorted_items(self._path, kinds, order)

    # the end

    def finish(self) -> FinishLease | None:
        """Take the right to finish."""
        with self._transaction():
            state, finisher, verdict = self._db.execute("SELECT state, finisher, verdict FROM crawl").fetchone()
            if state != State.FINISHING or finisher not in (None, self._worker):
                return None
            self._db.execute("UPDATE crawl SET finisher = ?", (self._worker,))
            written = self._db.execute("SELECT target FROM written").fetchall()
        return FinishLease(str(self._worker), _verdict(verdict), frozenset(target for (target,) in written))

    @contextmanager
    def _durably(self) -> Iterator[None]:
        """A transaction that outlives a power cut."""
        self._db.execute("PRAGMA synchronous=FULL")
        try:
            with self._transaction():
                yield
        finally:
            self._db.execute("PRAGMA synchronous=NORMAL")

    def _check_finisher(self, lease: FinishLease) -> None:
        (finisher,) = self._db.execute("SELECT finisher FROM crawl").fetchone()
        if finisher != self._worker or lease.worker != str(self._worker):
            raise lost_finish()

    def verdict(self, lease: FinishLease, verdict: Verdict) -> Verdict:
        """Store the verdict."""
        with self._durably():
            self._check_finisher(lease)
            self._db.execute("UPDATE crawl SET verdict = coalesce(verdict, ?)", (payload.encode(asdict(verdict)),))
            return _verdict(self._db.execute("SELECT verdict FROM crawl").fetchone()[0]) or verdict

    def written(self, lease: FinishLease, target: str) -> None:
        """A target is in place."""
        with self._durably():
            self._check_finisher(lease)
            self._db.execute("INSERT OR IGNORE INTO written VALUES (?)", (target,))

    def end(self, state: State) -> None:
        """The last state."""
        with self._durably():
            self._read()
            lacking = self._db.execute(
                "SELECT name, (SELECT count(*) FROM item WHERE number > position AND double = 0) FROM target"
                " WHERE wanted"
            )
            check_end(state, dict(lacking.fetchall()))
            self._state = state
            self._write_crawl()

    # watching

    def stats(self) -> Stats:
        """All counters."""
        self._mark()
        self._db.execute("BEGIN")
        try:
            return self._stats()
        finally:
            self._db.execute("COMMIT")

    def _stats(self) -> Stats:
        stats = read_stats(self._db, self._clock())
        ahead = [lease.token.number for ahead in self._ahead.values() for lease in ahead.leases]
        counts = dict(stats.counts)
        counts["pages"] = counts.get("pages", 0) - sum(self._held[number].free == COUNTING for number in ahead)
        return replace(
            stats,
            counts={name: n for name, n in counts.items() if n},
            leased=stats.leased - len(ahead),
            waiting=stats.waiting + len(ahead),
            reason=stats.reason if stats.state in ENDED_STATES else self._closed() or self._cut(),
            hosts=self._host_states(),
        )

    def _host_states(self) -> list[HostState]:
        waiting: Counter[str] = Counter()
        for state in (WAITING, DELAYED):
            for number, n in self._db.execute(
                f"SELECT queue, count(*) FROM request WHERE state = {state} GROUP BY queue"  # noqa: S608
            ):
                waiting[self._by_number[number].host.key] += n
        for key, ahead in self._ahead.items():
            waiting[key] += len(ahead.leases)
        now = self._clock()
        return [
            HostState(key, n, len(host.air), max(0.0, host.due - now), host.reason(now))
            for key, n in sorted(waiting.items(), key=lambda entry: (-entry[1], entry[0]))[:SHOWN_HOSTS]
            for host in (self._hosts[key],)
        ]

    def ended(self) -> Iterator[Ended]:
        """The requests that ended in an error."""
        last = 0
        while rows := self._db.execute(
            "SELECT id, depth, payload, outcome, reason, status, attempts FROM request"
            " WHERE error = 1 AND id > ? ORDER BY id LIMIT 1000",
            (last,),
        ).fetchall():
            for last, depth, text, outcome, reason, status, attempts in rows:  # noqa: B007
                r = payload.load(text, depth)
                yield Ended(r.url, r.page, outcome, reason, status, attempts, r.via, r.parent, r.purpose)

    def close(self) -> None:
        """Give back what this worker holds; what was in the air counts as sent."""
        if self._lost is None:
            with self._transaction():
                self._read()
                self._give_ahead_back(all_of_it=True)
                self._write_crawl()
                self._bury(self._worker)
                self._recount(self._state.value, self._now)
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._outbox.close()
        self._db.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None


_HEADS = "SELECT rank, id, free, depth, queue, asked, payload FROM request WHERE queue = ? AND state = 0"
_FREE, _DEPTH, _ASKED = 2, 3, 5
_HEALTHY = (0.0, 0.0, "", 0, 0, False, "")


def _stored(host: Host) -> tuple[Any, ...]:
    return (host.delay, host.until, host.why, host.failures, host.rests, host.careful, host.given_up)


def _link(request: Request, asked: Queue | None = None) -> Link:
    fingerprint = None if request.purpose in bounds.OUTSIDE else request.fingerprint
    return Link(request, fingerprint, payload.dump(request), asked)


def _verdict(text: str | None) -> Verdict | None:
    if text is None:
        return None
    stored = payload.decode(text)
    return Verdict(stored["exit"], tuple(stored["reasons"]), stored["changed"])


def read_stats(db: sqlite3.Connection, now: float) -> Stats:
    """The counters as another process may read them too; without the hosts, which only their worker knows."""
    state, started, elapsed, ticked, pages, opened, leased, reason, verdict, items = db.execute(
        "SELECT state, started, elapsed, ticked, pages, open, leased, reason, verdict, items FROM crawl"
    ).fetchone()
    counts = dict(db.execute("SELECT name, n FROM counter").fetchall())
    counts["pages"] = pages
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for name, text in db.execute("SELECT name, text FROM note ORDER BY id").fetchall():
        notes[name].append(text)
    slowest = db.execute("SELECT min(items) FROM target WHERE wanted").fetchone()[0]
    failed = dict(db.execute("SELECT key, given_up FROM host WHERE given_up <> ''").fetchall())
    failed |= dict(db.execute("SELECT name, denied FROM queue WHERE gate = ?", (int(Gate.DENIED),)).fetchall())
    running = 0.0 if state in ENDED_STATES else max(0.0, now - ticked)
    return Stats(
        state=State(state),
        counts=counts,
        notes=dict(notes),
        open=opened,
        waiting=opened - leased,
        leased=leased,
        elapsed=elapsed + running,
        started=started,
        reason=reason,
        failed_hosts=failed,
        verdict=_verdict(verdict),
        backlog=0 if slowest is None else items - slowest,
    )
