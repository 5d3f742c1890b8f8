"""The frontier in one SQLite file: durable, and the same for one process and for several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from yamlcrawl.frontiers import limits as bounds
from yamlcrawl.frontiers.ahead import Ahead
from yamlcrawl.frontiers.batch import Batch, Link
from yamlcrawl.frontiers.claims import Claims
from yamlcrawl.frontiers.completion import Completion
from yamlcrawl.frontiers.counters import Counters
from yamlcrawl.frontiers.ending import Ending
from yamlcrawl.frontiers.entry import Entry, bury, enter
from yamlcrawl.frontiers.gates import Gates
from yamlcrawl.frontiers.hosts import host_states
from yamlcrawl.frontiers.known import Known
from yamlcrawl.frontiers.leases import Leases
from yamlcrawl.frontiers.links import Links
from yamlcrawl.frontiers.opening import ENDED, check_action, check_add, check_end
from yamlcrawl.frontiers.origins import Origins
from yamlcrawl.frontiers.outbox import Outbox, sorted_items
from yamlcrawl.frontiers.progress import Progress
from yamlcrawl.frontiers.stats import read_ended, read_stats
from yamlcrawl.frontiers.store import Store
from yamlcrawl.frontiers.waiting import Waiting
from yamlcrawl.frontiers.workers import WorkerLock
from yamlcrawl.model.frontier import (
    Clock,
    Ended,
    Exchange,
    FinishLease,
    ItemRow,
    Opened,
    Opening,
    State,
    Stats,
    TargetLease,
    Verdict,
)
from yamlcrawl.model.outcome import Outcome, Token
from yamlcrawl.model.request import Request

FILE = "frontier.db"


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
        self._known = Known()
        self._lock: WorkerLock | None = None

    # opening

    def open(self, opening: Opening) -> Opened:
        """Begin or go on."""
        self._store = Store(self._path)
        self._db = self._store.db
        self._lock = WorkerLock(self._folder)
        try:
            with self._store.transaction():
                now = self._clock()
                self._store.create_tables(opening, now)
                entry = enter(self._db, self._folder, self._lock.name, opening, now)
                self._join(opening, entry.worker)
                self._take_over(entry, now)
        except BaseException:
            self._db.close()
            self._lock.close()
            raise
        return Opened(self._progress.state, self._lock.name, entry.started, entry.seed_position, entry.seeded)

    def _join(self, opening: Opening, worker: int) -> None:
        """Make the parts, each from those before it."""
        db = self._db
        self._worker = worker
        self._outbox = Outbox(self._path, worker)
        self._ending = Ending(self._store, worker)
        self._counters = Counters(db)
        self._progress = Progress(db, opening.limits, self._clock)
        self._origins = Origins(db, opening)
        self._waiting = Waiting(db, self._progress, self._origins)
        self._leases = Leases(db, worker, self._progress, self._origins)
        self._ahead = Ahead(self._progress, self._origins, self._leases, wanted=self._read_ahead)
        self._links = Links(db, self._progress, self._origins, self._ahead, self._known)
        self._gates = Gates(db, self._progress, self._origins, self._ahead)
        self._claims = Claims(db, self._progress, self._origins, self._waiting, self._leases, self._ahead)
        self._completion = Completion(
            db, self._progress, self._origins, self._leases, self._ahead, self._links, self._gates
        )

    def _take_over(self, entry: Entry, now: float) -> None:
        """Read what is stored, end what has no hope, and count anew what the dead have left."""
        self._origins.load(now)
        self._read()
        batch = Batch()
        for queue in self._origins.queues.values():
            if self._origins.hopeless(queue):
                batch.sweeps[queue] = None
            self._origins.touch(queue.host)
        self._gates.sweep_all(batch)
        self._write_counts(batch)
        self._write_crawl()
        self._progress.recount(entry.state, now)
        self._read()
        self._ahead.checked = self._store.checkpointed = now

    # what every transaction reads first and writes last

    def _read(self) -> None:
        """The crawl as it is now; where this worker was taken for dead, it begins anew under the same name."""
        if not self._progress.read(self._worker):
            self._leases.lose()
            self._ahead.lose()
            name = self._lock and self._lock.name
            self._db.execute("INSERT INTO worker(id, lock) VALUES (?, ?)", (self._worker, name))

    def _finish_batch(self, batch: Batch) -> None:
        self._gates.sweep_all(batch)
        self._completion.settle(batch)
        self._decide()
        if self._progress.state == State.FINISHING:
            self._completion.flush(batch)
        self._write_counts(batch)
        self._write_crawl()

    def _decide(self) -> None:
        """Stop or come to the end, where nothing is leased any more."""
        progress = self._progress
        if progress.leased:
            return
        if progress.state == State.STOPPING:
            progress.state = State.STOPPED
        elif progress.state == State.RUNNING and progress.seeded and not self._waiting.startable:
            progress.reason = progress.reached or progress.cut
            progress.state = State.FINISHING

    def _write_counts(self, batch: Batch) -> None:
        self._counters.write(batch)

    def _write_crawl(self) -> None:
        self._progress.write()

    # seeds, completions, claims

    def add(self, requests: Sequence[Request], seed_position: int | None = None, *, last: bool = False) -> int:
        """Add seeds."""
        batch = Batch(links=[Link.to(request) for request in requests])
        with self._store.transaction():
            self._read()
            check_add(self._progress.state)
            new = self._links.write(batch)
            if seed_position is not None:
                self._db.execute("UPDATE crawl SET seed_position = ?", (seed_position,))
            if last:
                self._progress.seeded = True
                if self._progress.state == State.INIT:
                    self._progress.state = State.RUNNING
            self._finish_batch(batch)
        self._known.update(batch.fingerprints)
        return new

    def exchange(self, outcomes: Sequence[Outcome], want: int) -> Exchange:
        """Commit the outcomes, then lease up to `want` requests."""
        self._leases.hear()
        progress = self._progress
        if not outcomes and (leases := self._ahead.start(want, self._clock())):
            return Exchange((), tuple(leases), progress.state, self._wake_after(""), progress.open)
        prepared = [(outcome, [Link.to(link) for link in outcome.links]) for outcome in outcomes]
        batch = Batch()
        with self._store.transaction():
            self._read()
            results = tuple([self._completion.complete(outcome, links, batch) for outcome, links in prepared])
            self._write(batch)
            self._gates.sweep_all(batch)
            closed = progress.closed
            self._ahead.give_back(all_of_it=bool(closed) or not progress.fetches)
            leases = self._claims.claim(want) if progress.fetches and not closed else []
            self._finish_batch(batch)
        self._known.update(batch.fingerprints)
        self._ahead.checked = progress.now
        self._store.checkpoint(progress.now)
        wake_after = self._wake_after(closed)
        return Exchange(results, tuple(leases), progress.state, wake_after, progress.open, closed or progress.cut)

    def _write(self, batch: Batch) -> None:
        self._completion.write(batch)

    def _wake_after(self, closed: str) -> float | None:
        if not self._progress.fetches:
            return None
        self._origins.list_touched()
        return bounds.wake_after(closed, self._origins.schedule.next, self._progress.end, self._clock())

    def host_sent(self, token: Token, at: float) -> None:
        """The request has left."""
        self._leases.mark(token, at, freed=False)

    def host_free(self, token: Token, at: float) -> None:
        """Its last byte has come."""
        self._leases.mark(token, at, freed=True)

    def release(self, tokens: Sequence[Token]) -> State:
        """Give leases back without contact."""
        self._leases.hear()
        batch = Batch()
        with self._store.transaction():
            self._read()
            for token in tokens:
                held = self._leases.find(token)
                if held is None:
                    continue
                self._leases.end(token.number, held, contact=False)
                self._ahead.give_back_of(held.queue.host)
                self._leases.put_back([token.number])
                batch.sweep(self._origins.hopeless(held.queue))
            self._finish_batch(batch)
        return self._progress.state

    def control(self, action: str) -> State:
        """Stop."""
        check_action(action)
        with self._store.transaction():
            self._read()
            if self._progress.fetches:
                self._progress.state = State.STOPPING
                self._ahead.give_back(all_of_it=True)
                self._decide()
            self._write_crawl()
        return self._progress.state

    def give_up(self, reason: str) -> None:
        """Nothing new starts."""
        self._progress.totals.failed = reason

    @property
    def ahead(self) -> int:
        """How many leases were read ahead and could start now."""
        self._leases.hear()
        return self._ahead.startable

    @property
    def known(self) -> Callable[[int], bool]:
        """Whether the fingerprint is surely known; with a depth limit never, since a shorter way may matter."""
        return (lambda _fingerprint: False) if self._progress.depth_first else self._known

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
        return self._ending.finish()

    def verdict(self, lease: FinishLease, verdict: Verdict) -> Verdict:
        """Store the verdict."""
        return self._ending.judge(lease, verdict)

    def written(self, lease: FinishLease, target: str) -> None:
        """A target is in place."""
        self._ending.written(lease, target)

    def end(self, state: State) -> None:
        """The last state."""
        with self._store.durably():
            self._read()
            check_end(state, self._ending.lacking())
            self._progress.state = state
            self._write_crawl()

    def close(self) -> None:
        """Give back what this worker holds; what was in the air counts as sent."""
        if self._store.lost is None:
            with self._store.transaction():
                self._read()
                self._ahead.give_back(all_of_it=True)
                self._write_crawl()
                bury(self._db, self._worker)
                self._progress.recount(self._progress.state, self._progress.now)
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._outbox.close()
        self._db.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # watching

    def stats(self) -> Stats:
        """All counters."""
        self._leases.hear()
        self._db.execute("BEGIN")
        try:
            return self._stats()
        finally:
            self._db.execute("COMMIT")

    def _stats(self) -> Stats:
        """What is read ahead waits, as far as others can see."""
        now = self._clock()
        stats, waiting = read_stats(self._db, now), self._waiting.by_host()
        ahead: list[int] = []
        for host, leases in self._ahead:
            waiting[host.key] += len(leases)
            ahead += [lease.token.number for lease in leases]
        pages = stats.counts.get("pages", 0) - self._leases.counting(ahead)
        counts = {**stats.counts, "pages": pages}
        return replace(
            stats,
            counts={name: n for name, n in counts.items() if n},
            leased=stats.leased - len(ahead),
            waiting=stats.waiting + len(ahead),
            reason=stats.reason if stats.state in ENDED else self._progress.closed or self._progress.cut,
            hosts=host_states(self._origins.hosts, waiting, now),
        )

    def ended(self) -> Iterator[Ended]:
        """The requests that ended in an error."""
        return read_ended(self._db)
