"""When a host may be asked: its clock, its slots, and its rests when it fails."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from yamlcrawl.model.frontier import HostPlan, HostState
from yamlcrawl.model.outcome import OUTCOMES

LONGEST_WAIT = 600.0
"""Seconds; no back-off and no rest is longer."""
STREAK = 10
"""Failures in a row after which a host rests."""
RESTS = 3
"""Rests without a success between them after which a host is given up."""
LONGEST_DELAY = 60.0
"""Seconds; a host whose Crawl-delay is longer is skipped."""
SHOWN = 20
"""Hosts in `Stats.hosts`."""
NEUTRAL = frozenset({"proxy_error"})
"""Failures that say nothing about the host, good or bad."""


@dataclass(slots=True)
class Begun:
    """A request that was handed out and has not been completed."""

    wave: int
    """How many waits of its host had begun before."""
    depth: int | None
    """None for robots.txt, which has no part in the rule of depths."""


@dataclass(slots=True, eq=False)
class Host:
    """One host: how it is paced, and what is known of its health.

    With one slot (`per_host: 1`) a start comes at least `pause` after the end of the download before it, with more
    slots at least `pause` after the start before it; there nothing else is handed out until the start is known
    (`sent`). Without a pause only the slots count.

    Failures (the outcomes that speak against a host) are counted in a row. The first has no effect on other
    requests. From the second on the host waits: twice its pause (or 2 s), doubled with each further failure, at most
    `retry.max_wait` and 10 minutes. From the tenth on each failure is a rest of 10 minutes; the failure after the
    third rest gives the host up. The failure of a request that was under way when the last wait began is part of the
    one that began it.
    After a wait (Retry-After too) one request goes first; the others follow when it was good, which ends the streak.
    """

    key: str
    plan: HostPlan
    delay: float = 0.0
    """Crawl-delay, seconds; the largest of its origins."""
    until: float = 0.0
    """No start before this time: Retry-After, back-off, rest."""
    why: str = ""
    """Which of these, as people read it."""
    failures: int = 0
    rests: int = 0
    careful: bool = False
    """One request at a time, until one is good."""
    given_up: str = ""
    """Why everything of the host ends; empty while it does not."""

    wave: int = 0
    """How many waits have begun since the store was opened."""
    next_start: float = 0.0
    """The clock; not stored, so a store that is opened again lets each host wait one pause."""
    ready: bool = True
    """Something may wait that could start now."""
    later: float | None = None
    """When the first of its delayed requests may start."""
    air: set[int] = field(default_factory=set)
    """Numbers of the requests that hold a slot."""
    unsent: set[int] = field(default_factory=set)
    begun: dict[int, Begun] = field(default_factory=dict)
    served: int = 0
    """Its last turn among the hosts."""
    listed: tuple[float, int] | None = None
    """The time and the turn under which it stands in the schedule."""

    @property
    def pause(self) -> float:
        """Seconds between two requests."""
        return max(self.plan.sleep, self.delay)

    @property
    def paced(self) -> bool:
        """Whether the clock counts from the starts, so that `sent` is wanted."""
        return self.plan.per_host > 1 and self.pause > 0

    @property
    def due(self) -> float:
        """The earliest time of the next start, where a slot is free."""
        return max(self.next_start, self.until)

    @property
    def room(self) -> int:
        """How many requests may start when the host is due; 0 while one that is under way has to end first."""
        free = self.plan.per_host - len(self.air)
        if free <= 0 or self.given_up:
            return 0
        if self.careful:
            return 0 if any(begun.wave == self.wave for begun in self.begun.values()) else 1
        if self.pause > 0:
            return 0 if self.unsent and self.paced else 1
        return free

    @property
    def when(self) -> float | None:
        """When something may start, as far as is known; None while only an end or a new request can change that."""
        if not self.room:
            return None
        if self.ready:
            return self.due
        return None if self.later is None else max(self.due, self.later)

    def start(self, number: int, depth: int | None) -> None:
        """Hand one out: it takes a slot."""
        self.air.add(number)
        self.unsent.add(number)
        self.begun[number] = Begun(self.wave, depth)

    def sent(self, number: int, at: float) -> None:
        """It has left at that time."""
        if number not in self.unsent:
            return
        self.unsent.discard(number)
        if self.paced:
            self.next_start = max(self.next_start, at + self.pause)

    def free(self, number: int, at: float) -> None:
        """Its last byte has come at that time, so the slot is free."""
        if number not in self.air:
            return
        self.sent(number, at)
        self.air.discard(number)
        if self.pause > 0 and not self.paced:
            self.next_start = max(self.next_start, at + self.pause)

    def end(self, number: int, now: float, *, contact: bool) -> Begun:
        """It is completed or given back; without contact the clock stays as it was."""
        if contact:
            self.free(number, now)
        self.air.discard(number)
        self.unsent.discard(number)
        self.ready = True
        return self.begun.pop(number)

    def judge(self, outcome: str, begun: Begun, now: float, asked: float) -> bool:
        """What an outcome says about the host; `asked` is the seconds of its Retry-After. Whether that was the end."""
        fresh = begun.wave == self.wave
        if asked > 0:
            self._wait(now + asked, "Retry-After")
        if not OUTCOMES[outcome].host:
            if fresh and outcome not in NEUTRAL:
                self.failures = self.rests = 0
                self.careful = asked > 0
        elif fresh:
            self.failures += 1
            if self.failures >= STREAK:
                self.rests += 1
                self._wait(now + LONGEST_WAIT, "rest")
            elif self.failures > 1:
                wait = (self.pause or 1.0) * 2 ** (self.failures - 1)
                self._wait(now + min(wait, self.plan.max_wait, LONGEST_WAIT), "back-off")
        if fresh and (asked > 0 or self.failures > 1):
            self.wave += 1
            self.careful = True
        if self.rests > RESTS:
            return self.give_up(f"{self.failures} failures in a row, the last one {outcome}")
        return False

    def _wait(self, until: float, why: str) -> None:
        if until > self.until:
            self.until, self.why = until, why

    def give_up(self, why: str) -> bool:
        """From now on everything of the host ends; False where that was so already."""
        if self.given_up:
            return False
        self.given_up = why
        return True

    def heed(self, delay: float | None, now: float) -> bool:
        """What its robots.txt, read at that time, asks for: seconds between two requests. Whether that is too much."""
        self.ready = True
        if delay is not None and delay > LONGEST_DELAY:
            self.give_up(f"its robots.txt asks for {delay:g} s between two requests")
            return True
        if delay is not None:
            self.slow_down(delay, now)
        return False

    def slow_down(self, delay: float, now: float) -> None:
        """Its robots.txt, read at that time, wants so many seconds between two requests; its own download counts."""
        self.delay = max(self.delay, delay)
        self.next_start = max(self.next_start, now + self.pause)

    def reason(self, now: float) -> str:
        """Why it waits, for people; empty where it does not."""
        if self.given_up:
            return f"given up: {self.given_up}"
        if self.until > now:
            return self.why
        return "sleep" if self.next_start > now else ""


def host_states(hosts: Mapping[str, Host], waiting: Mapping[str, int], now: float) -> list[HostState]:
    """The hosts on which most waits, as people see them; `waiting` is the requests that wait, by host."""
    return [
        HostState(key, n, len(host.air), max(0.0, host.due - now), host.reason(now))
        for key, n in sorted(waiting.items(), key=lambda entry: (-entry[1], entry[0]))[:SHOWN]
        for host in (hosts[key],)
    ]


class Schedule:
    """The hosts by the time at which they may be asked.

    >>> schedule = Schedule()
    >>> a = Host("a.test", HostPlan(1.0, 1)); b = Host("b.test", HostPlan(1.0, 1), until=5.0)
    >>> schedule.list(a); schedule.list(b)
    >>> schedule.pop(3.0).key, schedule.pop(3.0), schedule.next
    ('a.test', None, 5.0)
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, str, Host]] = []
        self._turn = count(1)

    def list(self, host: Host) -> None:
        """Enter the host anew, after anything about it has changed."""
        when = host.when
        entry = None if when is None else (when, host.served)
        if entry is not None and entry != host.listed:
            heapq.heappush(self._heap, (*entry, host.key, host))
        host.listed = entry

    def serve(self, host: Host) -> None:
        """The host has had its turn: others that are due as long come before it."""
        host.served = next(self._turn)

    def pop(self, now: float) -> Host | None:
        """The host that is due longest, taken out; None while none is due."""
        when = self.next
        if when is None or when > now:
            return None
        host = heapq.heappop(self._heap)[3]
        host.listed = None
        return host

    @property
    def next(self) -> float | None:
        """When the next host is due; None where none will be by itself."""
        while self._heap and self._heap[0][:2] != self._heap[0][3].listed:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None
