"""The frontier: what is left to fetch, what was seen, who may be contacted when, what is not yet delivered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from yamlcrawl.model.outcome import Outcome, Result, Token
from yamlcrawl.model.request import Request

Clock = Callable[[], float]
"""Seconds since the epoch."""


class State(StrEnum):
    """Where a crawl is; kept in the frontier, so that others can read it."""

    INIT = "init"
    """Seeds are being added."""
    RUNNING = "running"
    STOPPING = "stopping"
    FINISHING = "finishing"
    """Nothing is left to fetch; targets are being written."""
    DONE = "done"
    STOPPED = "stopped"
    """Ended before it was done; can be resumed."""
    FAILED = "failed"
    ABANDONED = "abandoned"
    """Set aside by a run that began anew; never gone on with."""


@dataclass(frozen=True, slots=True)
class HostPlan:
    """How a host is treated."""

    sleep: float
    """Seconds (see `site.sleep`)."""
    per_host: int
    max_wait: float = 600.0
    """Seconds; no back-off of a failing host is longer (`retry.max_wait`)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop; None is no limit. Pages, items and depth are exact."""

    pages: int | None = None
    items: int | None = None
    depth: int | None = None
    time: float | None = None
    """Seconds of running, summed over resumes."""
    errors: int | None = None
    error_share: float | None = None
    """0.05 is 5 %; judged from 50 pages on."""
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """What a frontier is told when it is opened."""

    name: str
    digest: Mapping[str, str]
    """Dotted key of the plan to a hash of its meaning; what differs between two names the changed keys."""
    limits: Limits
    host: Callable[[str], HostPlan]
    """Host key (see `urls.host_key`) to how it is treated."""
    robots: bool
    """Put robots.txt before the first URL of each origin."""
    start_hosts: frozenset[str]
    """Host keys; where one of these is given up or its robots.txt is out of reach, the crawl fails."""
    lease: float = 60.0
    """Seconds after which a silent worker's leases expire: max(60, 2 x total timeout)."""
    targets: tuple[str, ...] = ()
    """Names of the streaming targets that must acknowledge the last item."""
    started: float = 0.0
    """Only for a new run: its `now`."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What a frontier says when it is opened."""

    state: State
    worker: str
    started: float
    """When the run began (`now` and `today` of the spec), also after a resume."""
    seed_position: int
    """How many seeds were added; None of them need be added again."""
    seeded: bool


@dataclass(frozen=True, slots=True)
class Lease:
    """A request that was handed out."""

    token: Token
    request: Request
    host: str
    rules: str | None = ""
    """The robots.txt of its origin ("" allows all); the same object for all leases of an origin."""
    paced: bool = False
    """`host_sent` is wanted: the host has a sleep and more than one slot, so the next start counts from this one."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What comes back from one exchange."""

    results: tuple[Result, ...]
    """One for each outcome that was given, in order."""
    leases: tuple[Lease, ...]
    state: State
    wake_after: float | None
    """Seconds until something may be due; None while only a completion can change that."""
    open: int
    """Requests that wait or are leased."""
    reason: str = ""
    """Why nothing new starts: ``limits.pages`` and so on; empty while nothing is cut."""


class TargetLease(NamedTuple):
    """The right to write to a target, held by one relay."""

    target: str
    worker: str
    position: int
    """The last item that was acknowledged (its number, 0 for none)."""
    part: Any
    """What the target said with that acknowledgement (JSON): lengths, hashes; None at first."""


class FinishLease(NamedTuple):
    """The right to judge and to write the `replace` targets, held by one worker."""

    worker: str
    verdict: Verdict | None
    """The stored one, where somebody judged already."""
    written: frozenset[str]
    """`replace` targets that are in place."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the run is judged; stored once, before any `replace` target is written."""

    exit: int
    reasons: tuple[str, ...] = ()
    """For people, one line each; the first decides the exit code."""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item as the frontier gives it to a target."""

    number: int
    kind: str
    text: str
    """JSON object on one line."""
    url: str
    fetched_at: float


@dataclass(frozen=True, slots=True)
class HostState:
    """A host as `status` and the live view show it."""

    key: str
    waiting: int
    in_air: int
    due_in: float
    """Seconds; 0 when it may be asked now."""
    reason: str = ""
    """Why it waits: sleep, Retry-After, back-off, rest, given up."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A request that did not end well, for failures.jsonl."""

    url: str
    page: str
    outcome: str
    reason: str
    status: int
    attempts: int
    via: str
    parent: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Stats:
    """Everything that is counted; exact at the end."""

    state: State
    counts: Mapping[str, int]
    """See `model.tally`."""
    notes: Mapping[str, Sequence[str]]
    open: int
    waiting: int
    leased: int
    elapsed: float
    """Seconds of running, summed over resumes."""
    started: float
    reason: str = ""
    """Which limit cut the run, empty where none did."""
    hosts: Sequence[HostState] = field(default_factory=tuple)
    """Those with something waiting, at most 20, the fullest first."""
    failed_hosts: Mapping[str, str] = field(default_factory=dict)
    """Host or origin that was given up, and why."""
    verdict: Verdict | None = None
    backlog: int = 0
    """Items that the slowest streaming target has not acknowledged."""


class Frontier(Protocol):
    """What is still to be fetched, and when it may be.

    One thread of a process talks to it (the engine's), but for the methods of the relays (`target_acquire`, `items`,
    `target_ack`), which one more thread may call at the same time. It owns no thread, and its clock is an argument.
    """

    def open(self, opening: Opening) -> Opened:
        """Begin or go on; counts what is open anew. Leases of dead workers come back, their hosts wait one sleep."""

    def add(self, requests: Sequence[Request], seed_position: int | None = None, *, last: bool = False) -> int:
        """Add seeds, remember how many were added in all; the number that was new. `last` ends seeding.

        The state is `init` until then and `running` afterwards. Refused (RefusedError) after done.
        """

    def exchange(self, outcomes: Sequence[Outcome], want: int) -> Exchange:
        """One transaction: outcomes are committed, each with its links and items, then up to `want` leases are given.

        An outcome whose token is gone changes nothing (STALE). Links that are known are counted as duplicates, and a
        link whose depth is over the limit is counted as ``outcome:limit``. Decides *done*: with nothing open that
        may still start, the state becomes `finishing` (or `stopped` while stopping).
        """

    def host_sent(self, token: Token, at: float) -> None:
        """The request has left at that time: the next start on the host is at least `sleep` later (per_host > 1)."""

    def host_free(self, token: Token, at: float) -> None:
        """Its last byte has come at that time: the slot is free, and with per_host 1 the sleep begins."""

    def release(self, tokens: Sequence[Token]) -> State:
        """Give leases back without contact: clock, slot and page count are as before."""

    @property
    def ahead(self) -> int:
        """How many leases an exchange without outcomes can give at once, without a transaction."""

    @property
    def known(self) -> Callable[[int], bool]:
        """Whether a fingerprint is surely known; may forget, never invents, and is safe from any thread."""

    def target_acquire(self, target: str) -> TargetLease | None:
        """Take the right to write to a streaming target; None while another worker has it."""

    def items(self, lease: TargetLease, limit: int) -> list[ItemRow]:
        """The next items after the lease's position, doubles left out; all of them are durable before this returns."""

    def target_ack(self, lease: TargetLease, last: int, part: Any) -> TargetLease | None:
        """What the target has made durable; gives the lease with its new position, None if the lease was lost."""

    def sorted_items(self, kinds: Sequence[str], order: Sequence[str] | None) -> Iterator[ItemRow]:
        """The kept item of each key, streamed: by these fields, else by key, else by place; kinds as given."""

    def finish(self) -> FinishLease | None:
        """Take the right to finish; None while another worker has it. Only in `finishing`."""

    def verdict(self, lease: FinishLease, verdict: Verdict) -> Verdict:
        """Store the verdict durably unless there is one; the one that stands."""

    def written(self, lease: FinishLease, target: str) -> None:
        """A `replace` target is in place, durably."""

    def end(self, state: State) -> None:
        """`done` or `failed`, once all targets are; refused (RefusedError) while a streaming target lacks items."""

    def control(self, action: str) -> State:
        """``stop`` (no new claims) from this or another process; the state after it."""

    def give_up(self, reason: str) -> None:
        """Nothing new starts from now on, and what is leased ends it: ``finishing``, with that reason in the stats.

        Remembered by this worker only until then; a run that is gone on with finds out anew.
        """

    def stats(self) -> Stats:
        """All counters, at a moment between two transactions."""

    def ended(self) -> Iterator[Ended]:
        """The requests that ended in an error, in the order of discovery."""

    def close(self) -> None:
        """Give back what this worker holds; the state stays."""
