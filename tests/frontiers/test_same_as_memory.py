"""Whatever is done to it, in whatever order and with deaths in between, the durable store answers as memory does."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.frontiers.crawling import Clock, abandoned, item, opening, request
from yamlcrawl.errors import RefusedError
from yamlcrawl.frontiers.memory import MemoryFrontier
from yamlcrawl.frontiers.sqlite import SqliteFrontier
from yamlcrawl.model.files import token
from yamlcrawl.model.frontier import Exchange, Lease, State, TargetLease, Verdict
from yamlcrawl.model.item import Item, Wanted, json_text
from yamlcrawl.model.outcome import Outcome, Robots
from yamlcrawl.model.request import Request

ORIGINS = ["http://a.test", "https://a.test", "http://b.test", "http://c.test:81"]
ALL = 1000

urls = st.builds("{}/{}".format, st.sampled_from(ORIGINS), st.integers(0, 7))
carries = st.sampled_from([{}, {}, {"n": 1}, {"n": 2}])


@st.composite
def requests(draw: st.DrawFn, depth: int | None = None) -> Request:
    redirects = draw(st.sampled_from([0, 0, 0, 1]))
    return request(
        draw(urls),
        depth=draw(st.integers(0, 3)) if depth is None else depth,
        priority=draw(st.sampled_from([0, 0, 0, 5, -5])),
        carry=draw(carries),
        redirects=redirects,
        front=redirects > 0,
        seed=draw(st.booleans()),
    )


def download(url: str) -> Request:
    return request(url, page="", purpose="file")


downloads = st.builds(download, st.builds("{}/f{}".format, st.sampled_from(ORIGINS), st.integers(0, 3)))


@st.composite
def items(draw: st.DrawFn) -> Item:
    kind = draw(st.sampled_from(["book", "shop"]))
    key = draw(st.sampled_from([None, None, "k", "l", "m"]))
    made = item(f"{draw(st.integers(0, 99)):02}", key=key, place=f"{draw(st.integers(0, 999)):03}", kind=kind)
    files = draw(st.lists(downloads, max_size=2)) if draw(st.integers(0, 2)) == 0 else []
    if not files:
        return made
    tokens = json_text([token(wanted.fingerprint) for wanted in files])
    required = draw(st.booleans())
    return replace(
        made,
        text=f'{made.text[:-1]}, "files": {tokens}}}',
        files=tuple(Wanted(wanted.fingerprint, "files", "x.files", required) for wanted in files),
    )


@st.composite
def ends(draw: st.DrawFn) -> dict[str, Any]:
    """How a lease ends, whatever lease it is."""
    name = draw(st.sampled_from(["ok", "ok", "ok", "not_found", "server_error", "timeout", "throttled", "proxy_error"]))
    return {
        "name": name,
        "again": draw(st.booleans()) and name != "ok",
        "wait": draw(st.sampled_from([0.0, 1.0, 4.0])),
        "host_wait": draw(st.sampled_from([0.0, 0.0, 3.0, 20.0])) if name == "throttled" else 0.0,
        "contact": draw(st.sampled_from([True, True, True, False])) if name in ("ok", "timeout") else True,
        "links": tuple(draw(st.lists(requests() | downloads, min_size=1, max_size=5))) if name == "ok" else (),
        "items": tuple(draw(st.lists(items(), min_size=1, max_size=3))) if name == "ok" else (),
        "received": draw(st.integers(0, 9)),
        "robots": draw(st.sampled_from(["open", "open", "open", "slow", "denied", "moved", "skipped"])),
    }


def outcome(lease: Lease, end: dict[str, Any]) -> Outcome:
    again = replace(lease.request, attempt=lease.request.attempt + 1, front=True) if end["again"] else None
    made = Outcome(
        lease.token, lease.request, end["name"], again=again, wait=end["wait"], host_wait=end["host_wait"],
        contact=end["contact"], links=end["links"], items=end["items"], received=end["received"],
        counts={"hit:x": 1}, notes=(("cast:x", lease.request.url),),
    )  # fmt: skip
    if lease.request.purpose == "page":
        return made
    moved = made.links[:1]
    made = replace(made, links=(), items=())
    if again is not None:
        return made
    if lease.request.purpose == "file":
        if made.name == "ok" and end["robots"] == "moved" and not lease.request.of:
            target = replace(download(moved[0].url), of=lease.request.fingerprint, redirects=1)
            return replace(made, name="moved", links=(target,))
        return replace(made, file={"name": lease.request.url} if made.name == "ok" else None)
    answers = {
        "open": Robots("Disallow: /x"), "slow": Robots("", 2.0), "denied": Robots(None), "skipped": Robots("", 90.0)
    }  # fmt: skip
    if end["robots"] == "moved":
        target = request("http://c.test:81/robots.txt", page="", purpose="robots", redirects=1)
        return replace(made, name="moved", links=(target,))
    return replace(made, robots=answers[end["robots"]])


class Killed(BaseException):
    """The process dies here."""


class SameAsMemory(RuleBasedStateMachine):
    @initialize(
        sleep=st.sampled_from([0.0, 0.0, 1.0]),
        per_host=st.sampled_from([1, 2, 8]),
        robots=st.booleans(),
        read_ahead=st.booleans(),
        seeds=st.lists(requests(depth=0), min_size=3, max_size=8),
        last=st.booleans(),
        limits=st.sampled_from(
            [{}, {}, {"pages": 3}, {"pages": 9}, {"items": 4}, {"depth": 2}, {"depth": 2, "pages": 6}, {"errors": 3},
             {"time": 30.0}, {"bytes": 40}]
        ),
    )  # fmt: skip
    def begin(
        self,
        sleep: float,
        per_host: int,
        robots: bool,
        read_ahead: bool,
        seeds: list[Request],
        last: bool,
        limits: dict[str, Any],
    ) -> None:
        self.folder = Path(mkdtemp(prefix="frontier-"))
        self.clock = Clock()
        self.opening = opening(sleep=sleep, per_host=per_host, robots=robots, targets=("t",), **limits)
        self.memory = MemoryFrontier(self.clock)
        self.read_ahead = read_ahead = read_ahead and not robots  # it would think of a robots.txt sooner
        self.sqlite = SqliteFrontier(self.folder, self.clock, read_ahead=read_ahead)
        self.leases: dict[int, tuple[Lease, Lease]] = {}
        self.stale: list[tuple[Lease, Lease]] = []
        self.relay: tuple[TargetLease, TargetLease] | None = None
        assert self.both(lambda store: store.open(self.opening).state) == State.INIT
        self.both(lambda store: store.add(seeds, len(seeds), last=last))

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.sqlite._db.close()
            self.sqlite._outbox.close()
            if self.sqlite._lock is not None:
                self.sqlite._lock.close()
            shutil.rmtree(self.folder)

    def both(self, act: Any) -> Any:
        """The answer that both give."""
        results = []
        for store in (self.memory, self.sqlite):
            try:
                results.append(act(store))
            except RefusedError as error:
                results.append(str(error))
        assert results[0] == results[1]
        return results[0]

    @rule(seeds=st.lists(requests(depth=0), max_size=5), last=st.booleans())
    def add(self, seeds: list[Request], last: bool) -> None:
        self.both(lambda store: store.add(seeds, len(seeds), last=last))

    @rule(data=st.data(), given=st.integers(0, 6), twice=st.booleans(), want=st.sampled_from([ALL, ALL, ALL, 0, 1]))
    def exchange(self, data: st.DataObject, given: int, twice: bool, want: int) -> None:
        pairs = self.some(data, given) + (self.stale[-1:] if twice else [])
        if want == 1 and self.read_ahead:
            want = 0  # what was read ahead may come in another order
        self.complete(data, pairs, want)

    @rule(data=st.data(), want=st.sampled_from([ALL, ALL, 0]))
    def work(self, data: st.DataObject, want: int) -> None:
        """A stretch of an ordinary crawl: whatever is in the air ends, and the time goes on."""
        for _ in range(3):
            self.clock.forward(1.0)
            pairs = list(self.leases.values())
            for store, lease in [(self.memory, a) for a, _ in pairs] + [(self.sqlite, b) for _, b in pairs]:
                store.host_sent(lease.token, self.clock.now)
                store.host_free(lease.token, self.clock.now)
            self.complete(data, pairs, want)

    def complete(self, data: st.DataObject, pairs: list[tuple[Lease, Lease]], want: int) -> None:
        made = [(outcome(pair[0], end), outcome(pair[1], end)) for pair in pairs for end in [data.draw(ends())]]
        mine = self.memory.exchange([a for a, _ in made], want)
        theirs = self.sqlite.exchange([b for _, b in made], want)
        assert mine.results == theirs.results
        self.forget(pairs)
        self.take(self.drained(self.memory, mine, want), self.drained(self.sqlite, theirs, want))

    def drained(self, store: Any, exchange: Exchange, want: int) -> Exchange:
        """All that can be had now; a store may answer with less at once."""
        leases = exchange.leases
        while want == ALL and exchange.leases:
            exchange = store.exchange((), ALL)
            leases += exchange.leases
        return replace(exchange, leases=leases)

    def take(self, mine: Exchange, theirs: Exchange) -> None:
        a, b = ({lease.token.number: lease for lease in exchange.leases} for exchange in (mine, theirs))
        assert {n: bare(lease) for n, lease in a.items()} == {n: bare(lease) for n, lease in b.items()}
        self.leases |= {number: (a[number], b[number]) for number in a}
        assert (mine.state, mine.open, mine.reason) == (theirs.state, theirs.open, theirs.reason)
        if mine.wake_after is not None:  # it may look too early, after a death for instance, but never too late
            assert theirs.wake_after is not None
            assert theirs.wake_after <= mine.wake_after

    def some(self, data: st.DataObject, n: int) -> list[tuple[Lease, Lease]]:
        numbers = data.draw(st.permutations(sorted(self.leases)))[:n]
        return [self.leases[number] for number in numbers]

    def forget(self, pairs: list[tuple[Lease, Lease]]) -> None:
        for pair in pairs:
            self.leases.pop(pair[0].token.number, None)
        self.stale += pairs

    @precondition(lambda self: self.leases)
    @rule(data=st.data(), freed=st.booleans())
    def mark(self, data: st.DataObject, freed: bool) -> None:
        for pair in self.some(data, 2):
            for store, lease in zip((self.memory, self.sqlite), pair, strict=True):
                store.host_sent(lease.token, self.clock.now)
                if freed:
                    store.host_free(lease.token, self.clock.now)

    @precondition(lambda self: self.leases)
    @rule(data=st.data(), n=st.integers(1, 3))
    def release(self, data: st.DataObject, n: int) -> None:
        pairs = self.some(data, n)
        states = [
            store.release([pair[i].token for pair in pairs]) for i, store in enumerate((self.memory, self.sqlite))
        ]
        assert states[0] == states[1]
        self.forget(pairs)

    @rule(seconds=st.sampled_from([0.25, 1.0, 1.0, 4.0, 30.0, 600.0]))
    def forward(self, seconds: float) -> None:
        self.clock.forward(seconds)

    @precondition(lambda self: not self.read_ahead)  # what was read ahead would count as begun
    @rule()
    def die(self) -> None:
        self.sqlite = abandoned(self.sqlite, self.folder, self.clock)
        self.stale += self.leases.values()
        self.leases.clear()
        self.both(lambda store: replace(store.open(self.opening), worker=""))

    @precondition(lambda self: not self.read_ahead)
    @rule(data=st.data(), where=st.sampled_from(["_write", "_decide", "_write_counts", "_write_crawl"]))
    def die_within_an_exchange(self, data: st.DataObject, where: str) -> None:
        pairs = self.some(data, 3)
        page = [outcome(pair[1], data.draw(ends())) for pair in pairs]
        whole = getattr(self.sqlite, where)

        def cut(*args: Any) -> None:
            whole(*args)
            raise Killed

        setattr(self.sqlite, where, cut)
        with pytest.raises(Killed):
            self.sqlite.exchange(page, 0)
        self.die()

    @rule(chance=st.integers(0, 5))
    def stop(self, chance: int) -> None:
        if chance != 5:  # a crawl that has stopped has little to show
            return
        self.both(lambda store: store.control("stop"))

    @rule()
    def acquire(self) -> None:
        a, b = self.memory.target_acquire("t"), self.sqlite.target_acquire("t")
        assert a is not None
        assert b is not None
        assert (a.position, a.part) == (b.position, b.part)
        self.relay = a, b

    @precondition(lambda self: self.relay is not None)
    @rule(limit=st.integers(1, 5), acknowledged=st.booleans())
    def deliver(self, limit: int, acknowledged: bool) -> None:
        assert self.relay is not None
        rows = self.memory.items(self.relay[0], limit)
        assert rows == self.sqlite.items(self.relay[1], limit)
        if not acknowledged:
            return
        last = rows[-1].number if rows else self.relay[0].position
        a = self.memory.target_ack(self.relay[0], last, {"rows": len(rows)})
        b = self.sqlite.target_ack(self.relay[1], last, {"rows": len(rows)})
        assert (a and (a.position, a.part)) == (b and (b.position, b.part))
        self.relay = (a, b) if a is not None and b is not None else None

    @rule(code=st.integers(0, 3), end=st.sampled_from([None, State.DONE]))
    def finish(self, code: int, end: State | None) -> None:
        a, b = self.memory.finish(), self.sqlite.finish()
        assert (a is None) == (b is None)
        if a is None or b is None:
            return
        assert (a.verdict, a.written) == (b.verdict, b.written)
        assert self.memory.verdict(a, Verdict(code)) == self.sqlite.verdict(b, Verdict(code))
        self.memory.written(a, "out.csv")
        self.sqlite.written(b, "out.csv")
        if end is not None:
            self.both(lambda store: store.end(end))

    @invariant()
    def counted_alike(self) -> None:
        if not hasattr(self, "sqlite"):
            return
        a, b = self.memory.stats(), self.sqlite.stats()
        assert replace(a, hosts=()) == replace(b, hosts=())
        assert [(h.key, h.waiting, h.in_air) for h in a.hosts] == [(h.key, h.waiting, h.in_air) for h in b.hosts]
        assert list(self.memory.ended()) == list(self.sqlite.ended())

    @rule()
    def found_alike(self) -> None:
        for order in (None, ["v"]):
            mine, theirs = (list(s.sorted_items(["shop", "book"], order)) for s in (self.memory, self.sqlite))
            assert mine == theirs

    @invariant()
    def known_is_never_invented(self) -> None:
        if not hasattr(self, "sqlite"):
            return
        pool = [request(f"{origin}/{n}") for origin in ORIGINS for n in range(8)]
        known = [r.fingerprint for r in pool if self.sqlite.known(r.fingerprint)]
        assert all(map(self.memory.known, known))


def bare(lease: Lease) -> tuple[Any, ...]:
    return lease.request, lease.host, lease.rules, lease.paced


TestSameAsMemory = SameAsMemory.TestCase
TestSameAsMemory.settings = settings(
    max_examples=120,
    derandomize=True,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
