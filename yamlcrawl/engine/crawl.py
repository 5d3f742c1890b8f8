"""A plan, a frontier and a way to fetch, made into a verdict."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from queue import SimpleQueue

from yamlcrawl.engine.crew import Broken, Crew, Event
from yamlcrawl.engine.endings import Ending
from yamlcrawl.engine.finish import Judge, Report, finish
from yamlcrawl.engine.listeners import Listeners
from yamlcrawl.engine.loop import Loop
from yamlcrawl.engine.relay import Relay
from yamlcrawl.engine.stop import Stop
from yamlcrawl.errors import Exit, RefusedError, YamlcrawlError
from yamlcrawl.model.frontier import Frontier, Opened, State, Verdict
from yamlcrawl.model.listener import Listener
from yamlcrawl.model.plan import CrawlPlan, Fetcher

log = logging.getLogger(__name__)

SEEDS = 1000
"""Start requests that are added in one transaction."""
FLUSH = 1.5
"""Seconds that streaming targets get after a stop; what they did not take they get at the resume."""


def crawl(
    plan: CrawlPlan,
    frontier: Frontier,
    opened: Opened,
    *,
    fetcher: Callable[[], Fetcher],
    judge: Judge,
    report: Report,
    listeners: Iterable[Listener] = (),
    stop: Stop | None = None,
    clock: Callable[[], float] = time.time,
) -> Verdict:
    """Crawl until nothing is left, a limit is reached or somebody stops it; how the run is judged.

    The frontier is open (its state says where to go on) and stays open. Exit 75 or 130 in the verdict: stopped, a
    resume goes on. Raises TargetError for a lost target and whatever broke otherwise, the state marked `failed`, and
    RefusedError, with the state as it was, for a target that is not as this run left it.
    """
    told = Listeners(listeners)
    told.tell(lambda listener: listener.started(plan, opened))
    run = _Run(plan, frontier, fetcher, judge, report, told, stop or Stop(), clock)
    try:
        verdict = run.crawl(opened)
    except RefusedError:
        # a file that somebody changed since: nothing has failed, the state is as it was
        run.abandon()
        raise
    except BaseException:
        run.abandon()
        if not run.finishing:  # then the state stays as it is, and a resume goes on with the targets that are left
            with suppress(YamlcrawlError):
                frontier.end(State.FAILED)
        raise
    told.tell(lambda listener: listener.finished(verdict, frontier.stats()))
    return verdict


def _never(_fingerprint: int) -> bool:
    """With a limit on depth the store must hear of every link: a known page may have been reached by a longer way."""
    return False


@dataclass(slots=True)
class _Run:
    """One process's part in a crawl, from the first seed to the verdict."""

    plan: CrawlPlan
    frontier: Frontier
    fetcher: Callable[[], Fetcher]
    judge: Judge
    report: Report
    told: Listeners
    stop: Stop
    clock: Callable[[], float]
    inbox: SimpleQueue[Event] = field(default_factory=SimpleQueue)
    relays: list[Relay] = field(default_factory=list)
    finishing: bool = False
    """Nothing is left to fetch; targets are being written."""

    def crawl(self, opened: Opened) -> Verdict:
        self.stop.on_wish(lambda: self.inbox.put(None))
        streaming = [target for target in self.plan.targets if target.streaming]
        self.relays = [Relay(self.frontier, t, lambda error: self.inbox.put(Broken(error))) for t in streaming]
        for relay in self.relays:
            relay.start()
        self.finishing = opened.state is State.FINISHING or self._fetch(opened) is State.FINISHING
        if self.finishing and self._deliver():
            return finish(self.frontier, self.plan.targets, self.judge, self.report)
        return self._leave()

    def abandon(self) -> None:
        """Tell the relays to end after the batch in work."""
        for relay in self.relays:
            relay.leave()

    def _fetch(self, opened: Opened) -> State:
        for name in self.frontier.stats().counts:
            if name.startswith("scope:"):
                self.plan.site.widen(name.removeprefix("scope:"))
        if not opened.seeded and not self._seed(opened.seed_position):
            return State.STOPPING
        ending = Ending(self.plan, self.clock)
        known = self.frontier.known if self.plan.limits.depth is None else _never
        crew = Crew(self.plan, self.fetcher, ending, known, self.inbox, self.clock)
        crew.start()
        state = State.STOPPING
        try:
            state = Loop(self.plan, self.frontier, crew, self.inbox, self.told, self.stop, log.error).run()
        finally:
            crew.end(patience=5.0 if state is State.FINISHING else 0.0)
        return state

    def _seed(self, position: int) -> bool:
        """Add the start requests that are not in yet; False if somebody stopped it."""
        seeds = islice(self.plan.seeds(), position, None)
        while not self.stop.wishes:
            some = list(islice(seeds, SEEDS))
            position += len(some)
            last = len(some) < SEEDS
            self.frontier.add(some, position, last=last)
            if last:
                return True
        return False

    def _deliver(self) -> bool:
        """Wait until every relay has delivered everything; False if somebody stopped it. Raises what a relay raised."""
        for relay in self.relays:
            relay.drain()
        while not self.stop.wishes:
            ended = all(relay.join(0.02) for relay in self.relays)
            self._raise_broken()
            if ended:
                return True
        return False

    def _raise_broken(self) -> None:
        while not self.inbox.empty():
            event = self.inbox.get_nowait()
            if isinstance(event, Broken):
                raise event.error

    def _leave(self) -> Verdict:
        """End before it is done: targets are flushed, the state is kept."""
        verdict = Verdict(self.stop.exit if self.stop.wishes else Exit.STOPPED, ("stopped before it was done",))
        if self.stop.at_once:
            return verdict
        for relay in self.relays:
            relay.drain()
        deadline = time.monotonic() + FLUSH
        while time.monotonic() < deadline and not self.stop.at_once:
            if all(relay.join(0.02) for relay in self.relays):
                break
        self.abandon()
        self._raise_broken()
        self.report(verdict)
        return verdict
