"""A crawl on a virtual clock, and short ways to make what goes in and out of a frontier."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from yamlcrawl.frontiers.sqlite import SqliteFrontier
from yamlcrawl.model.frontier import Exchange, Frontier, HostPlan, Lease, Limits, Opened, Opening
from yamlcrawl.model.item import Item, order_bytes
from yamlcrawl.model.outcome import Outcome, Robots
from yamlcrawl.model.request import Request

START = 1_800_000_000.0


@dataclass
class Clock:
    now: float = START

    def __call__(self) -> float:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += seconds


def request(url: str, **more: Any) -> Request:
    """A page request; a bare path lies on a.test."""
    if url.startswith("/"):
        url = f"http://a.test{url}"
    return Request(url=url, canonical=url, **{"page": "p", "via": "start.p", **more})


def item(value: str, key: str | None = None, place: str = "", kind: str = "book") -> Item:
    return Item(
        kind=kind,
        text=f'{{"v": "{value}"}}',
        key=order_bytes((key,)) if key is not None else b"",
        place=order_bytes((place or value,)),
        url=f"http://a.test/{value}",
        fetched_at=START,
    )


@dataclass
class Crawl:
    """One run, and a way to open its store again as a new process would."""

    clock: Clock
    store: Frontier
    again: Callable[[Frontier], Frontier]
    opening: Opening

    def begin(self, *urls: str | Request, last: bool = True) -> None:
        self.store.open(self.opening)
        self.store.add([request(u) if isinstance(u, str) else u for u in urls], len(urls), last=last)

    def die(self, opening: Opening | None = None) -> Opened:
        """The process ends without a word; another one opens the store."""
        self.store = self.again(self.store)
        self.opening = opening or self.opening
        return self.store.open(self.opening)

    def claim(self, want: int = 100) -> list[Lease]:
        return list(self.store.exchange((), want).leases)

    def paths(self, want: int = 100) -> list[str]:
        """What is handed out now."""
        return [lease.request.url.removeprefix("http://a.test") for lease in self.claim(want)]

    def one(self) -> Lease:
        (lease,) = self.claim(1)
        return lease

    def done(self, lease: Lease, name: str = "ok", *, want: int = 0, **more: Any) -> Exchange:
        """The lease ends."""
        return self.store.exchange([ended(lease, name, **more)], want)

    def count(self, name: str) -> int:
        return self.store.stats().counts.get(name, 0)

    def streamed(self) -> list[str]:
        lease = self.store.target_acquire("t")
        assert lease is not None
        return [row.text for row in self.store.items(lease, 1000)]


def ended(lease: Lease, name: str = "ok", **more: Any) -> Outcome:
    """An outcome of the lease; `again=True` puts it back as one attempt more."""
    if more.get("again") is True:
        more["again"] = replace(lease.request, attempt=lease.request.attempt + 1, front=True)
    for name_ in ("links", "items"):
        if name_ in more:
            more[name_] = tuple(request(x) if isinstance(x, str) else x for x in more[name_])
    return Outcome(lease.token, lease.request, name, **more)


def open_to_all(lease: Lease, rules: str | None = "", **more: Any) -> Outcome:
    return Outcome(lease.token, lease.request, "ok", robots=Robots(rules, **more))


def opening(
    *, sleep: float = 0.0, per_host: int = 100, robots: bool = False, targets: tuple[str, ...] = ("t",), **limits: Any
) -> Opening:
    return Opening(
        name="shop",
        digest={"pages.p": "1"},
        limits=Limits(**limits),
        host=lambda _key: HostPlan(sleep, per_host),
        robots=robots,
        start_hosts=frozenset({"a.test"}),
        targets=targets,
    )


Make = Callable[..., Crawl]


def abandoned(store: Frontier, folder: Path, clock: Clock) -> SqliteFrontier:
    """A new store on the same file after the process of the old one died: it said nothing, its locks are free."""
    assert isinstance(store, SqliteFrontier)
    store._db.close()
    store._outbox._connection = None
    if store._lock is not None:
        os.close(store._lock._file)
    return SqliteFrontier(folder, clock, read_ahead=store._read_ahead)
