"""The threads of a crawl: many that fetch, few that parse. They know the inbox, not the frontier."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue

from yamlcrawl.engine.bodies import Bodies
from yamlcrawl.engine.endings import Ending
from yamlcrawl.engine.read import Reader
from yamlcrawl.engine.session import Session
from yamlcrawl.engine.visit import Fetched, Visitor
from yamlcrawl.model.frontier import Lease
from yamlcrawl.model.outcome import Outcome, Token
from yamlcrawl.model.plan import CrawlPlan, Fetcher

PARSERS = max(2, min(4, os.cpu_count() or 2))
BODIES_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class Sent:
    """A request has left."""

    token: Token
    at: float


@dataclass(frozen=True, slots=True)
class Freed:
    """A host's last byte has come, and the thread that fetched is free."""

    token: Token
    at: float


@dataclass(frozen=True, slots=True)
class Idle:
    """A thread that fetches is free."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A thread died of something that is no page's fault."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The crawl cannot go on, by the site's doing."""

    reason: str


Event = Sent | Freed | Idle | Outcome | Broken | GivenUp | None
"""What threads tell the loop; None only wakes it."""

IDLE = Idle()


class Crew:
    """Starts the threads, hands leases to those that are idle, ends them."""

    def __init__(
        self,
        plan: CrawlPlan,
        fetcher: Callable[[], Fetcher],
        ending: Ending,
        known: Callable[[int], bool],
        inbox: SimpleQueue[Event],
        clock: Callable[[], float],
    ) -> None:
        self._plan, self._fetcher, self._ending, self._known = plan, fetcher, ending, known
        self._session = Session(plan, plan.login, lambda why: inbox.put(GivenUp(why))) if plan.login else None
        self._inbox, self._clock = inbox, clock
        self._ready: SimpleQueue[Lease | None] = SimpleQueue()
        self._bodies: Bodies[Fetched] = Bodies(PARSERS, BODIES_BYTES)
        self._fetching = [self._thread(f"fetch-{n}", self._fetch) for n in range(plan.site.threads)]
        self._parsing = [self._thread(f"parse-{n}", self._parse) for n in range(PARSERS)]

    def start(self) -> None:
        """Start all threads; each one that fetches tells that it is idle."""
        for thread in (*self._parsing, *self._fetching):
            thread.start()

    def hand(self, lease: Lease) -> None:
        """Give a lease to a thread that is idle."""
        self._ready.put(lease)

    def take_back(self) -> list[Lease]:
        """The leases that no thread has begun."""
        leases = []
        while True:
            try:
                if lease := self._ready.get_nowait():
                    leases.append(lease)
            except Empty:
                return leases

    def end(self, patience: float) -> None:
        """Let idle threads go; wait for the others so many seconds (a thread in a slow answer is left behind)."""
        if self._session is not None:
            self._session.leave()
        self._bodies.close()
        for _ in self._fetching:
            self._ready.put(None)
        for thread in (*self._fetching, *self._parsing):
            thread.join(patience)

    def _thread(self, name: str, work: Callable[[], None]) -> threading.Thread:
        return threading.Thread(target=self._guarded, args=(work,), name=name, daemon=True)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self._inbox.put(Broken(error))

    def _fetch(self) -> None:
        post, clock = self._inbox.put, self._clock
        fetcher = self._fetcher()
        try:
            visitor = Visitor(self._plan, fetcher, self._ending, self._session)
            post(IDLE)
            while lease := self._ready.get():
                result = visitor.visit(lease, self._on_sent(lease))
                if isinstance(result, Outcome):
                    post(result)
                    post(IDLE)
                    continue
                # where the answer may say how the host is to be asked, its outcome frees the host
                after = IDLE if result.tells_pace else Freed(lease.token, clock())
                self._bodies.put(result)
                post(after)
        finally:
            fetcher.close()

    def _on_sent(self, lease: Lease) -> Callable[[float], None] | None:
        return partial(self._sent, lease.token) if lease.paced else None

    def _sent(self, token: Token, at: float) -> None:
        self._inbox.put(Sent(token, at))

    def _parse(self) -> None:
        reader = Reader(self._plan, self._ending, self._known, self._session)
        while fetched := self._bodies.get():
            self._inbox.put(reader.read(fetched))
