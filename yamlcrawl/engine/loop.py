"""The loop: the one thread that talks to the store, between the threads that fetch and parse and the frontier."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from queue import Empty, SimpleQueue

from yamlcrawl.engine.crew import Broken, Crew, Event, Freed, GivenUp, Idle, Sent
from yamlcrawl.engine.listeners import Listeners
from yamlcrawl.engine.stop import Stop
from yamlcrawl.errors import YamlcrawlError
from yamlcrawl.model.frontier import Exchange, Frontier, State
from yamlcrawl.model.outcome import Outcome, Result
from yamlcrawl.model.plan import CrawlPlan

BATCH = 32
"""Outcomes a transaction, at most."""
LATEST = 0.05
"""Seconds that an outcome waits for others."""
TICK = 1.0
"""Seconds after which the store is looked at in any case: another process may have asked to stop."""
GRACE = 3.0
"""Seconds that work in the air gets after a stop."""


class StalledError(YamlcrawlError):
    """No request started for very long although some could."""


class Loop:
    """Gathers what threads tell, exchanges it for leases, hands these out, until the frontier says it is over."""

    def __init__(
        self,
        plan: CrawlPlan,
        frontier: Frontier,
        crew: Crew,
        inbox: SimpleQueue[Event],
        listeners: Listeners,
        stop: Stop,
        log: Callable[[str], None],
    ) -> None:
        self._frontier, self._crew, self._inbox = frontier, crew, inbox
        self._listeners, self._stop, self._log = listeners, stop, log
        self._threads = plan.site.threads
        self._patience = max(10 * plan.site.timeout.total, 120.0)
        self._outcomes: list[Outcome] = []
        self._oldest = 0.0
        self._idle = 0
        self._in_flight = 0
        self._wake_at = 0.0
        self._stopping = 0.0
        self._last_start = time.monotonic()

    def run(self) -> State:
        """The state in which nothing is left to do here: `finishing`, `stopped`, or `stopping` when left at once."""
        state = State.RUNNING
        while state in (State.RUNNING, State.STOPPING):
            self._gather()
            if self._stop.wishes:
                if not self._stopping:
                    self._begin_to_stop()
                if self._stop.at_once or time.monotonic() - self._stopping > GRACE:
                    return State.STOPPING
            if exchange := self._exchange():
                state = exchange.state
        return state

    def _gather(self) -> None:
        """Wait for something to happen, then take all that has."""
        now = time.monotonic()
        until = now + TICK
        if self._outcomes:
            until = min(until, self._oldest + LATEST)
        if self._idle:
            until = min(until, self._wake_at)
        try:
            self._take(self._inbox.get(timeout=max(0.0, until - now)))
            while True:
                self._take(self._inbox.get_nowait())
        except Empty:
            pass

    def _take(self, event: Event) -> None:
        match event:
            case Outcome():
                if not self._outcomes:
                    self._oldest = time.monotonic()
                self._outcomes.append(event)
            case Freed(token, at):
                self._frontier.host_free(token, at)
                self._idle += 1
                self._wake_at = 0.0
            case Idle():
                self._idle += 1
            case Sent(token, at):
                self._frontier.host_sent(token, at)
                self._wake_at = 0.0
            case GivenUp(reason):
                self._frontier.give_up(reason)
                self._wake_at = 0.0
            case Broken(error):
                raise error
            case None:
                self._wake_at = 0.0

    def _exchange(self) -> Exchange | None:
        """One exchange, if it is time for one."""
        now = time.monotonic()
        want = 0 if self._stopping else min(self._idle, 2 * self._threads - self._in_flight)
        ahead = self._frontier.ahead
        full = len(self._outcomes) >= min(BATCH, self._threads)
        late = bool(self._outcomes) and (now - self._oldest >= LATEST or bool(self._stopping))
        if self._outcomes and (full or late or (self._idle and want > ahead)):
            return self._settle(want)
        if want > 0 and (ahead or now >= self._wake_at):
            return self._settle(min(want, ahead) if ahead else want, outcomes=False)
        if now >= self._wake_at:
            return self._settle(0, outcomes=False)
        return None

    def _settle(self, want: int, *, outcomes: bool = True) -> Exchange:
        given = self._outcomes if outcomes else []
        if outcomes:
            self._outcomes = []
        exchange = self._frontier.exchange(given, max(0, want))
        now = time.monotonic()
        self._in_flight += len(exchange.leases) - len(given)
        self._idle -= len(exchange.leases)
        for lease in exchange.leases:
            self._crew.hand(lease)
        if exchange.leases or not self._in_flight:
            self._last_start = now
        self._wake_at = now + min(TICK, exchange.wake_after if exchange.wake_after is not None else TICK)
        for outcome, result in zip(given, exchange.results, strict=True):
            if result is Result.COMMITTED:
                self._tell(outcome)
        self._listeners.tell(lambda listener: listener.tick(self._frontier.stats))
        if now - self._last_start > self._patience:
            self._stalled()
        return exchange

    def _tell(self, outcome: Outcome) -> None:
        if outcome.error or not outcome.final:
            self._listeners.tell(lambda listener: listener.page_failed(outcome))
        else:
            self._listeners.tell(lambda listener: listener.page_ok(outcome))
        for item in outcome.items:
            self._listeners.tell(lambda listener, item=item: listener.item(item))  # type: ignore[misc]

    def _begin_to_stop(self) -> None:
        self._stopping = time.monotonic()
        self._frontier.control("stop")
        leases = self._crew.take_back()
        self._frontier.release([lease.token for lease in leases])
        self._in_flight -= len(leases)
        self._idle += len(leases)
        self._wake_at = 0.0

    def _stalled(self) -> None:
        for thread, frame in sys._current_frames().items():
            self._log(f"thread {thread}:\n{''.join(traceback.format_stack(frame))}")
        raise StalledError(
            f"no request started for {self._patience:.0f} s although some could; what each thread does is in the log",
            "resume with --resume; if it happens again, please report it with the log",
        )
