"""A frontier in memory: the reference that the durable stores are compared with, and enough for tests."""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from yamlcrawl import urls
from yamlcrawl.frontiers import limits as bounds
from yamlcrawl.frontiers.heaps import Heaps, Row
from yamlcrawl.frontiers.hosts import Begun, Host, host_states
from yamlcrawl.frontiers.opening import ENDED, UNFINISHED, check_action, check_add, check_digest, check_end, lost_finish
from yamlcrawl.frontiers.queues import (
    Gate,
    Queue,
    brings_other,
    page_depth,
    queue_name,
    rank,
    robots_of,
    robots_request,
    unreadable,
)
from yamlcrawl.frontiers.shelf import Shelf
from yamlcrawl.model.frontier import (
    Clock,
    Ended,
    Exchange,
    FinishLease,
    ItemRow,
    Lease,
    Opened,
    Opening,
    State,
    Stats,
    TargetLease,
    Verdict,
)
from yamlcrawl.model.outcome import Outcome, Result, Token, is_error
from yamlcrawl.model.request import Request
from yamlcrawl.model.tally import NOTES_EACH


class MemoryFrontier:
    """All of a crawl in lists and dicts; `open` on the same object again is what a new process would see.

    The promises are those of `model.frontier.Frontier`.
    """

    def __init__(self, clock: Clock = time.time) -> None:
        self._clock = clock
        self._state = State.INIT
        self._worker = ""
        self._opens = 0
        self._digest: Mapping[str, str] = {}
        self._started = 0.0
        self._ticked = 0.0
        self._seeded = False
        self._seed_position = 0
        self._heaps = Heaps()
        self._seen: dict[int, Row] = {}
        self._counts: defaultdict[str, int] = defaultdict(int)
        self._notes: defaultdict[str, list[str]] = defaultdict(list)
        self._totals = bounds.Totals()
        self._reason = ""
        self._shelf = Shelf(self._totals, self._add, self._note)
        self._finisher = ""
        self._verdict: Verdict | None = None
        self._written: set[str] = set()

    def open(self, opening: Opening) -> Opened:
        """Begin or go on."""
        now = self._clock()
        if self._opens:
            check_digest(self._digest, opening.digest)
        else:
            self._started = opening.started or now
        self._opens += 1
        self._opening, self._worker, self._digest, self._ticked = opening, f"memory-{self._opens}", opening.digest, now
        self._depth_first = opening.limits.depth is not None
        if self._state in UNFINISHED and self._verdict is None:
            self._state = State.RUNNING if self._seeded else State.INIT
        self._finisher = ""
        self._shelf.open(opening.limits.items, opening.targets)
        self._rebuild(now)
        return Opened(self._state, self._worker, self._started, self._seed_position, self._seeded)

    def _rebuild(self, now: float) -> None:
        """Whatever a process keeps for itself: clocks, slots, order; leases of before come back as contacted."""
        self._heaps.open(self._opening, now)
        self._marks: deque[tuple[Token, float, bool]] = deque()
        self._leases: dict[int, int] = {}
        for row in self._heaps.rows.values():
            if row.outcome:
                continue
            row.free, row.counting, row.waiting = row.free or row.counting, False, True
            row.rank = rank(row.request, depth_first=self._depth_first)
            self._put_back(row)
        for host in self._heaps.hosts.values():
            self._heaps.schedule.list(host)

    def add(self, requests: Sequence[Request], seed_position: int | None = None, *, last: bool = False) -> int:
        """Add seeds."""
        check_add(self._state)
        self._tick()
        new = sum(self._insert(request) for request in requests)
        if seed_position is not None:
            self._seed_position = seed_position
        if last:
            self._seeded = True
            if self._state == State.INIT:
                self._state = State.RUNNING
        self._decide()
        return new

    def exchange(self, outcomes: Sequence[Outcome], want: int) -> Exchange:
        """Commit the outcomes, then lease up to `want` requests."""
        self._tick()
        self._mark()
        settled = [self._settle(outcome) for outcome in outcomes]
        for outcome, begun in zip(outcomes, settled, strict=True):
            if begun is not None:
                self._gain(outcome)
        for outcome, begun in zip(outcomes, settled, strict=True):
            if begun is not None:
                self._judge(outcome, begun)
        results = tuple([Result.STALE if begun is None else Result.COMMITTED for begun in settled])
        closed = self._closed()
        leases = () if closed or self._state not in (State.INIT, State.RUNNING) else tuple(self._claim(want))
        self._decide()
        return Exchange(results, leases, self._state, self._wake_after(closed), self._open, closed or self._cut())

    def host_sent(self, token: Token, at: float) -> None:
        """The request has left."""
        self._marks.append((token, at, False))

    def host_free(self, token: Token, at: float) -> None:
        """Its last byte has come."""
        self._marks.append((token, at, True))

    def _mark(self) -> None:
        while self._marks:
            token, at, freed = self._marks.popleft()
            if self._leases.get(token.number) != token.random:
                continue
            host = self._heaps.rows[token.number].queue.host
            (host.free if freed else host.sent)(token.number, at)
            self._heaps.schedule.list(host)

    def release(self, tokens: Sequence[Token]) -> State:
        """Give leases back without contact."""
        self._tick()
        self._mark()
        for token in tokens:
            row = self._unlease(token)
            if row is None:
                continue
            self._end_on_host(row, contact=False)
            self._put_back(row)
        self._decide()
        return self._state

    @property
    def ahead(self) -> int:
        """Always 0: an exchange costs nothing here."""
        return 0

    @property
    def known(self) -> Callable[[int], bool]:
        """Whether the fingerprint was added; with a depth limit never, since a shorter way may matter."""
        return (lambda _fingerprint: False) if self._depth_first else self._seen.__contains__

    # completions

    def _unlease(self, token: Token) -> Row | None:
        if self._leases.get(token.number) != token.random:
            return None
        del self._leases[token.number]
        return self._heaps.rows[token.number]

    def _settle(self, outcome: Outcome) -> Begun | None:
        """The request itself: ended, or put back. None where its lease is gone."""
        row = self._unlease(outcome.token)
        if row is None:
            return None
        self._count(outcome)
        begun = self._end_on_host(row, contact=outcome.contact)
        if outcome.contact:
            row.attempts += 1
        if (download := outcome.download) is not None:
            self._shelf.end_download(download, outcome.file)
        if outcome.again is None:
            self._end(row, outcome.name, outcome.reason, outcome.status, error=outcome.error)
        else:
            self._counts["retries"] += 1
            row.request = outcome.again
            row.rank = rank(row.request, depth_first=self._depth_first)
            row.not_before = self._clock() + outcome.wait if outcome.wait > 0 else 0.0
            self._put_back(row)
        return begun

    def _gain(self, outcome: Outcome) -> None:
        """What it led to."""
        for link in outcome.links:
            self._insert(link, asked=self._heaps.rows[outcome.token.number].asked)
        self._shelf.add(outcome.items)

    def _judge(self, outcome: Outcome, begun: Begun) -> None:
        """What it says of its origin and its host."""
        row = self._heaps.rows[outcome.token.number]
        host = row.queue.host
        if row.asked is not None and outcome.final:
            self._read_robots(row.asked, outcome)
        if outcome.contact and host.judge(outcome.name, begun, self._clock(), outcome.host_wait):
            self._end_host(host)
        self._heaps.schedule.list(host)

    def _count(self, outcome: Outcome) -> None:
        for name, n in outcome.counts.items():
            self._counts[name] += n
        for name, text in outcome.notes:
            self._note(name, text)
        if outcome.contact:
            self._counts["attempts"] += 1
        self._counts["bytes"] += outcome.received
        self._totals.bytes += outcome.received

    def _add(self, name: str, n: int) -> None:
        self._counts[name] += n

    def _note(self, name: str, text: str) -> None:
        if len(self._notes[name]) < NOTES_EACH:
            self._notes[name].append(text)

    def _end_on_host(self, row: Row, *, contact: bool) -> Begun:
        """Slot, clock and page of a lease that ends."""
        if contact:
            row.free = row.free or row.counting
        elif row.counting:
            self._totals.pages -= 1
            if self._opening.limits.pages is not None:
                self._heaps.wake_all()
        row.counting = False
        return row.queue.host.end(row.number, self._clock(), contact=contact)

    def _end(self, row: Row, name: str, reason: str, status: int = 0, *, error: bool) -> None:
        row.waiting, row.outcome, row.reason, row.status, row.error = False, name, reason, status, error
        if not bounds.counts_as_page(row.request.purpose):
            self._counts[f"{row.request.purpose}:{name}"] += 1
            return
        self._counts[f"outcome:{name}"] += 1
        self._totals.errors += error
        self._totals.ended += name not in bounds.WRONG_WAY

    def _end_waiting(self, row: Row, name: str, reason: str) -> None:
        """End a request that will never be sent."""
        if row.request.seed:
            self._counts[f"seed:{row.request.page}"] += 1
        if row.request.purpose == "file":
            self._shelf.end_download(row.request.of or row.request.fingerprint, None)
        self._end(row, name, reason, error=is_error(name, row.request))

    def _put_back(self, row: Row) -> None:
        row.waiting = True
        if not self._end_if_hopeless(row):
            self._heaps.put(row, self._clock())

    def _end_if_hopeless(self, row: Row) -> bool:
        if row.queue.host.given_up:
            self._end_waiting(row, "host_unavailable", row.queue.host.given_up)
            if row.asked is not None and row.asked.host is not row.queue.host:
                self._deny(row.asked, row.queue.host.given_up)
        elif row.queue.gate == Gate.DENIED:
            self._end_waiting(row, "robots_unreachable", row.queue.denied)
        else:
            return False
        return True

    # requests

    def _insert(self, request: Request, asked: Queue | None = None) -> bool:
        """Add a request unless it is known; whether it was new."""
        stands_outside = request.purpose in bounds.OUTSIDE
        if not stands_outside:
            known = self._seen.get(request.fingerprint)
            if known is not None:
                self._meet_again(known, request)
                return False
            depth = self._opening.limits.depth
            if depth is not None and request.depth > depth:
                self._counts["outcome:limit"] += 1
                return False
        queue = self._heaps.queue(queue_name(request), urls.host_key(request.url))
        order = rank(request, depth_first=self._depth_first)
        for_queue = asked if request.purpose == "robots" else None
        row = self._heaps.add(request, queue, for_queue, order, free=not bounds.needs_page(request))
        if not stands_outside:
            self._seen[request.fingerprint] = row
        if not self._end_if_hopeless(row):
            self._heaps.put(row, self._clock())
        return True

    def _meet_again(self, row: Row, request: Request) -> None:
        """A request that is known: counted, and taken as a shorter way where a depth limit makes that matter."""
        self._counts["duplicates"] += 1
        if brings_other(row.request, request):
            self._counts[f"carry:{request.via}"] += 1
            self._note(f"carry:{request.via}", request.url)
        if not self._depth_first or request.depth >= row.request.depth:
            return
        if not row.waiting:
            self._counts["shorter_way"] += 1
            self._note("shorter_way", request.url)
            return
        row.request = replace(row.request, depth=request.depth)
        row.rank = rank(row.request, depth_first=True)
        if not row.delayed:
            self._heaps.put(row, self._clock())

    # robots.txt and hosts that are given up

    def _read_robots(self, queue: Queue, outcome: Outcome) -> None:
        robots = robots_of(outcome)
        if robots is None:
            return
        if robots.rules is None:
            self._deny(queue, unreadable(outcome))
            return
        queue.gate, queue.rules, queue.read_at = Gate.OPEN, robots.rules, self._clock()
        if queue.host.heed(robots.delay, self._clock()):
            self._end_host(queue.host)
        self._heaps.schedule.list(queue.host)

    def _deny(self, queue: Queue, reason: str) -> None:
        queue.gate, queue.denied = Gate.DENIED, reason
        for row in self._heaps.waiting():
            if row.queue is queue:
                self._end_waiting(row, "robots_unreachable", reason)

    def _end_host(self, host: Host) -> None:
        for row in self._heaps.waiting():
            if row.queue.host is host:
                self._end_if_hopeless(row)

    # claims

    def _claim(self, want: int) -> Iterator[Lease]:
        now = self._clock()
        while want > 0 and (host := self._heaps.schedule.pop(now)) is not None:
            self._heaps.promote(host, now)
            rows = self._take(host, min(want, host.room), now)
            host.ready = len(rows) > 0
            if rows:
                self._heaps.schedule.serve(host)
            for row in rows:
                yield self._lease(row)
            want -= len(rows)
            self._heaps.schedule.list(host)

    def _take(self, host: Host, n: int, now: float) -> list[Row]:
        """The first n requests of a host that may start."""
        taken: list[Row] = []
        while len(taken) < n:
            row = self._first(host, now)
            if row is None:
                break
            row.waiting = False
            row.counting = not row.free
            self._totals.pages += row.counting
            host.start(row.number, page_depth(row.request))
            taken.append(row)
        return taken

    def _first(self, host: Host, now: float) -> Row | None:
        free = bounds.pages_left(self._opening.limits, self._totals) == 0
        heads = [(queue, row) for queue in self._heaps.queues_of(host) if (row := self._heaps.head(queue, free=free))]
        if self._depth_first:
            depths = [row.request.depth for queue, row in heads if not queue.is_lane]
            depths += [begun.depth for begun in host.begun.values() if begun.depth is not None]
            heads = [(q, row) for q, row in heads if q.is_lane or row.request.depth <= min(depths)]
        best: Row | None = None
        for queue, row in heads:
            if self._opening.robots and queue.wants_robots(now):
                return self._ask_robots(queue)
            if queue.is_lane:
                return row
            if queue.gate == Gate.ASKED and self._opening.robots:
                continue
            if best is None or (row.rank, row.number) < (best.rank, best.number):
                best = row
        return best

    def _ask_robots(self, queue: Queue) -> Row:
        queue.gate = Gate.ASKED
        self._insert(robots_request(queue.name), asked=queue)
        return self._heaps.rows[len(self._heaps.rows)]

    def _lease(self, row: Row) -> Lease:
        token = Token(row.number, random.getrandbits(62))
        self._leases[row.number] = token.random
        queue = row.queue
        rules = "" if row.asked is not None or not self._opening.robots else queue.rules
        return Lease(token, row.request, queue.host.key, rules or "", queue.host.paced)

    # limits and the end

    def _tick(self) -> None:
        now = self._clock()
        if self._state not in ENDED:
            self._totals.elapsed += max(0.0, now - self._ticked)
        self._ticked = now

    def _closed(self) -> str:
        """Why nothing starts, for good or until targets have caught up."""
        return bounds.reached(self._opening.limits, self._totals) or bounds.backlogged(
            self._shelf.backlog, self._shelf.behind
        )

    def _cut(self) -> str:
        """Whether the page limit keeps something from starting."""
        if bounds.pages_left(self._opening.limits, self._totals) == 0 and self._heaps.waiting():
            return "limits.pages"
        return ""

    def _startable(self) -> bool:
        if bounds.reached(self._opening.limits, self._totals):
            return False
        all_pages = bounds.pages_left(self._opening.limits, self._totals) != 0
        return any(all_pages or (row.free and row.asked is None) for row in self._heaps.waiting())

    def _decide(self) -> None:
        self._shelf.settle()
        if self._leases:
            return
        if self._state == State.STOPPING:
            self._state = State.STOPPED
        elif self._state == State.RUNNING and not self._startable():
            self._reason = bounds.reached(self._opening.limits, self._totals) or self._cut()
            self._state = State.FINISHING
            self._shelf.flush()

    def _wake_after(self, closed: str) -> float | None:
        if self._state not in (State.INIT, State.RUNNING):
            return None
        now = self._clock()
        limit = self._opening.limits.time
        end = None if limit is None else now + limit - self._totals.elapsed
        return bounds.wake_after(closed, self._heaps.schedule.next, end, now)

    @property
    def _open(self) -> int:
        return len(self._leases) + len(self._heaps.waiting())

    def control(self, action: str) -> State:
        """Stop."""
        check_action(action)
        self._tick()
        if self._state in (State.INIT, State.RUNNING):
            self._state = State.STOPPING
            self._decide()
        return self._state

    def give_up(self, reason: str) -> None:
        """Nothing new starts."""
        self._totals.failed = reason

    # targets

    def target_acquire(self, target: str) -> TargetLease | None:
        """Take the right to write."""
        return self._shelf.acquire(target, self._worker)

    def items(self, lease: TargetLease, limit: int) -> list[ItemRow]:
        """The next items."""
        return self._shelf.read(lease, limit)

    def target_ack(self, lease: TargetLease, last: int, part: Any) -> TargetLease | None:
        """Remember what is durable."""
        return self._shelf.ack(lease, last, part)

    def sorted_items(self, kinds: Sequence[str], order: Sequence[str] | None) -> Iterator[ItemRow]:
        """The kept item of each key."""
        return self._shelf.sorted(kinds, order)

    # the end

    def finish(self) -> FinishLease | None:
        """Take the right to finish."""
        if self._state != State.FINISHING:
            return None
        self._finisher = self._worker
        return FinishLease(self._worker, self._verdict, frozenset(self._written))

    def _check_finisher(self, lease: FinishLease) -> None:
        if lease.worker != self._finisher:
            raise lost_finish()

    def verdict(self, lease: FinishLease, verdict: Verdict) -> Verdict:
        """Store the verdict."""
        self._check_finisher(lease)
        self._verdict = self._verdict or verdict
        return self._verdict

    def written(self, lease: FinishLease, target: str) -> None:
        """A target is in place."""
        self._check_finisher(lease)
        self._written.add(target)

    def end(self, state: State) -> None:
        """The last state."""
        check_end(state, self._shelf.lacking())
        self._tick()
        self._state = state

    # watching

    def stats(self) -> Stats:
        """All counters."""
        self._mark()
        now = self._clock()
        counts = dict(self._counts)
        counts["pages"] = self._totals.pages
        waiting = self._heaps.waiting()
        running = 0.0 if self._state in ENDED else max(0.0, now - self._ticked)
        reason = self._reason if self._state in ENDED else self._closed() or self._cut()
        return Stats(
            state=self._state,
            counts={name: n for name, n in counts.items() if n},
            notes=dict(self._notes),
            open=self._open,
            waiting=len(waiting),
            leased=len(self._leases),
            elapsed=self._totals.elapsed + running,
            started=self._started,
            reason=reason,
            hosts=host_states(self._heaps.hosts, Counter(row.queue.host.key for row in waiting), now),
            failed_hosts=self._failed_hosts(),
            verdict=self._verdict,
            backlog=self._shelf.behind,
        )

    def _failed_hosts(self) -> dict[str, str]:
        hosts = {host.key: host.given_up for host in self._heaps.hosts.values() if host.given_up}
        return hosts | {q.name: q.denied for q in self._heaps.queues.values() if q.gate == Gate.DENIED}

    def ended(self) -> Iterator[Ended]:
        """The requests that ended in an error."""
        for row in self._heaps.rows.values():
            if row.error:
                request = row.request
                yield Ended(
                    request.url, request.page, row.outcome, row.reason, row.status, row.attempts, request.via,
                    request.parent, request.purpose,
                )  # fmt: skip

    def close(self) -> None:
        """Let go; what is leased comes back when the store is opened again."""
