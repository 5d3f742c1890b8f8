"""A crawl without a network: a plan made by hand over pages in a dict."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from yamlcrawl.engine.crawl import crawl
from yamlcrawl.engine.stop import Stop
from yamlcrawl.frontiers.memory import MemoryFrontier
from yamlcrawl.model.document import Document
from yamlcrawl.model.frontier import Ended, HostPlan, Limits, Opening, Stats, Verdict
from yamlcrawl.model.plan import (
    CrawlPlan,
    FieldPlan,
    ItemRule,
    LinkRule,
    PagePlan,
    RetryPlan,
    SitePlan,
    TargetPlan,
    View,
)
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure, Headers, Response
from yamlcrawl.model.secrets import Secrets

HOST = "http://a.test"
Answers = Mapping[str, Any]
"""Path to what answers: a dict is a page ({links, items}), an int a status, a list one after the other, a tuple
(status, headers), a Failure's (outcome, reason) as a str pair."""


def request(path: str, **more: Any) -> Request:
    """A request for a page of the site."""
    url = path if path.startswith("http") else HOST + path
    return Request(url, url, page="page", **more)


@dataclass
class Site:
    """Answers by path, and what was asked."""

    answers: Answers
    asked: list[str] = field(default_factory=list)
    delay: float = 0.0
    opened: int = 0
    closed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self) -> Site:
        with self.lock:
            self.opened += 1
        return self

    def close(self) -> None:
        with self.lock:
            self.closed += 1

    def fetch(self, asked: Request, on_sent: Callable[[float], None] | None = None) -> Response | Failure:
        if on_sent:
            on_sent(time.time())
        path = asked.url.removeprefix(HOST)
        with self.lock:
            self.asked.append(path)
            answer = self.answers.get(path, 404)
            if isinstance(answer, list):
                answer = answer.pop(0) if len(answer) > 1 else answer[0]
        time.sleep(self.delay)
        if isinstance(answer, Failure):
            return replace(answer, request=asked)
        status, headers, body = 200, {}, b""
        if isinstance(answer, int):
            status = answer
        elif isinstance(answer, tuple):
            status, headers = answer
        else:
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        return Response(asked, asked.url, status, Headers(headers.items()), body, len(body), 0.0, time.time())


def parse(response: Response) -> Document:
    """A page is JSON here."""
    return Document(response, "json", json.loads(response.body or b"{}"), response.url)


def links(view: View) -> Iterable[Request]:
    """The links that the page lists."""
    for path in view.document.tree.get("links", ()):
        yield request(path, depth=view.request.depth + 1, via="pages.page.follow.page", parent=view.request.url)


def make_plan(
    site: Site, start: Iterable[str] = ("/",), targets: tuple[TargetPlan, ...] = (), **more: Any
) -> CrawlPlan:
    """A plan with one page kind that follows its links and gives one item a page."""
    title = FieldPlan("title", "pages.page.items.thing.fields.title", lambda p: p.node.get("title"))
    page = PagePlan(
        "page",
        "json",
        lambda: parse,
        follow=(LinkRule("pages.page.follow.page", "page", links),),
        items=(ItemRule("thing", "pages.page.items.thing", (title,)),),
    )
    settings: dict[str, Any] = {
        "threads": 4,
        "retry": RetryPlan(times=1, wait=0.01, max_wait=0.05),
        "host": lambda _key: HostPlan(0.0, 4),
        "robots": False,
    }
    settings.update({k: more.pop(k) for k in list(more) if k in SitePlan.__dataclass_fields__})
    seeds = [request(path, seed=True, via="start.page") for path in start]
    return CrawlPlan(
        name="t",
        description="",
        digest={},
        seeds=lambda: seeds,
        parked=(),
        pages={"page": replace(page, **{k: more.pop(k) for k in list(more) if k in PagePlan.__dataclass_fields__})},
        site=SitePlan("test/1", **settings),
        limits=more.pop("limits", Limits()),
        targets=targets,
        expect=(),
        secrets=Secrets(),
        selectors={},
        **more,
    )


@dataclass
class Crawled:
    """What a crawl came to."""

    verdict: Verdict
    stats: Stats
    ended: list[Ended]
    frontier: MemoryFrontier
    reported: list[Verdict]

    @property
    def outcomes(self) -> dict[str, int]:
        """Requests by final outcome."""
        return {k.removeprefix("outcome:"): v for k, v in self.stats.counts.items() if k.startswith("outcome:")}

    @property
    def titles(self) -> list[str]:
        """The items, sorted."""
        return [json.loads(row.text)["title"] for row in self.frontier.sorted_items(["thing"], ["title"])]


def judge(_stats: Stats, _ended: Iterable[Ended], _items: Any) -> Verdict:
    """Every crawl is good."""
    return Verdict(0)


def run(plan: CrawlPlan, site: Site, frontier: MemoryFrontier | None = None, **more: Any) -> Crawled:
    """Crawl the plan to its end, in memory."""
    frontier = frontier or MemoryFrontier()
    opening = Opening(
        "t",
        {},
        plan.limits,
        plan.site.host,
        plan.site.robots,
        frozenset(["a.test"]),
        targets=tuple(t.name for t in plan.targets if t.streaming),
        started=1.0,
    )
    opened = frontier.open(opening)
    reported: list[Verdict] = []
    more.setdefault("judge", judge)
    more.setdefault("stop", Stop())
    verdict = crawl(plan, frontier, opened, fetcher=site, report=reported.append, **more)
    return Crawled(verdict, frontier.stats(), list(frontier.ended()), frontier, reported)
