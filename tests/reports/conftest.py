"""A small plan, and counters as a crawl leaves them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from yamlcrawl.model.frontier import Ended, Limits, State, Stats
from yamlcrawl.model.outcome import Outcome, Token
from yamlcrawl.model.plan import CrawlPlan, Expectation, FieldPlan, ItemRule, PagePlan, SitePlan, TargetPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.secrets import Secrets

RULE = "pages.list.items.book"
FIELDS = tuple((name, f"{RULE}.fields.{name}") for name in ("name", "price"))
LINES = {
    "start.list": "shop.yml:4:9",
    "limits.errors": "shop.yml:2:11",
    "pages.list.next": "shop.yml:7:11",
    RULE: "shop.yml:8:9",
    f"{RULE}.each": "shop.yml:9:17",
    f"{RULE}.fields.name": "shop.yml:11:17",
    f"{RULE}.fields.price": "shop.yml:12:18",
}


def where(path: str) -> str:
    return f"{LINES[path]}  {path}" if path in LINES else path


@pytest.fixture
def plan() -> CrawlPlan:
    """One page kind `list` that gives books: rows `.card` with name and price."""
    fields = tuple(FieldPlan(name, path, lambda _place: None) for name, path in FIELDS)
    rule = ItemRule("book", RULE, fields, scope=lambda _place: [])
    page = PagePlan("list", "html", lambda: lambda response: response, items=(rule,))  # type: ignore[arg-type,return-value]
    return CrawlPlan(
        name="shop",
        description="",
        digest={},
        seeds=lambda: [Request("http://shop.test:8080/", "http://shop.test:8080/", page="list", seed=True)],
        parked=(),
        pages={"list": page},
        site=SitePlan("test"),
        limits=Limits(),
        targets=(TargetPlan("out/books.csv", "pipelines.0", ("book",), streaming=False),),
        expect=(Expectation("book", ("list",), RULE, FIELDS),),
        secrets=Secrets({"KEY": "s3cr3t"}),
        selectors={
            f"{RULE}.each": (".card", "list"),
            f"{RULE}.fields.name": ("h3", "list"),
            f"{RULE}.fields.price": (".now", "list"),
        },
        where=where,
    )


GOOD: Mapping[str, int] = {
    "pages": 1,
    "attempts": 2,
    "bytes": 5000,
    "outcome:ok": 1,
    "seed:list": 1,
    "seed_ok:list": 1,
    "parsed:list": 1,
    "match:book": 3,
    "item:book": 3,
    "filled:book.name": 3,
    "filled:book.price": 3,
    **{f"{what}:{path}": 1 for what in ("tried", "hit") for path in (f"{RULE}.each", *(path for _, path in FIELDS))},
}
"""A page of three cards, as the spec expects it."""


@pytest.fixture
def stats() -> Callable[..., Stats]:
    """Counters of a good run with some of them changed (None takes one away)."""

    def make(
        changes: Mapping[str, int | None] | None = None,
        *,
        notes: Mapping[str, Sequence[str]] | None = None,
        **more: Any,
    ) -> Stats:
        counts = {name: n for name, n in {**GOOD, **(changes or {})}.items() if n is not None}
        usual = Stats(
            State.FINISHING, counts, notes or {}, open=0, waiting=0, leased=0, elapsed=2.0, started=1764590400.0
        )
        return replace(usual, **more)

    return make


@pytest.fixture
def failed() -> Callable[..., Ended]:
    """A request that failed."""

    def make(
        url: str = "http://shop.test:8080/",
        outcome: str = "server_error",
        reason: str = "500 Internal Server Error",
        parent: str = "",
    ) -> Ended:
        return Ended(url, "list", outcome, reason, 500, 3, "start.list", parent, "page")

    return make


@pytest.fixture
def outcome() -> Callable[..., Outcome]:
    """The end of a request for a page."""

    def make(name: str = "ok", url: str = "http://shop.test/1", **more: Any) -> Outcome:
        return Outcome(Token(1, 1), Request(url, url, page="list"), name, url=url, **more)

    return make
