"""What a page of a spec leads to, read as a crawl reads it, without a crawl."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from yamlcrawl.compiler.compile import compile_spec
from yamlcrawl.engine.extract import extract
from yamlcrawl.engine.follow import follow
from yamlcrawl.errors import SpecError
from yamlcrawl.model.item import Item
from yamlcrawl.model.plan import CrawlPlan, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response
from yamlcrawl.model.tally import Tally
from yamlcrawl.spec.load import Loaded, loads

NOW = 1_700_000_000.0


@dataclass
class Led:
    """What a page led to."""

    requests: list[Request]
    tally: Tally
    items: list[Item]
    """What it gave besides."""

    @property
    def urls(self) -> list[str]:
        """The addresses, in order."""
        return [request.url for request in self.requests]

    @property
    def next(self) -> Request | None:
        """The following page."""
        return next((request for request in self.requests if request.step), None)

    @property
    def ended(self) -> str:
        """Why `next` ended; empty where it did not."""
        return next((name.rpartition(":")[2] for name in self.tally.counts if name.startswith("ended:")), "")

    def noted(self, name: str) -> list[str]:
        """The samples of a counter."""
        return [text for noted, text in self.tally.notes if noted == name]


def loaded(text: str) -> Loaded:
    """A spec; what it must have and the test does not care about is added."""
    lines = text.strip("\n")
    for key, value in (("name", "t"), ("start", "{p: http://site.test/}")):
        if not any(line.startswith(f"{key}:") for line in lines.splitlines()):
            lines = f"{key}: {value}\n{lines}"
    return loads(lines)


def plan(text: str, env: Mapping[str, str] | None = None, **more: object) -> CrawlPlan:
    """The plan of a spec."""
    return compile_spec(loaded(text), env=env or {}, now=NOW, **more)  # type: ignore[arg-type]


def seeds(text: str, env: Mapping[str, str] | None = None, **more: object) -> list[Request]:
    """Its first start requests."""
    return list(islice(plan(text, env, **more).seeds(), 100))


def problems(text: str, env: Mapping[str, str] | None = None, **more: object) -> list[str]:
    """What is wrong with it, or doubtful, a line each: path, what and fix."""
    spec = loaded(text)
    try:
        compile_spec(spec, env=env or {}, now=NOW, **more)  # type: ignore[arg-type]
    except SpecError:
        pass
    return [f"{p.where.path}: {p.what} | {p.fix}" for p in spec.problems.in_order()]


def lead(
    crawl: CrawlPlan,
    body: str,
    request: Request | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    known: Callable[[int], bool] = lambda _fingerprint: False,
    **changes: object,
) -> Led:
    """What the page leads to when it answers the request (default: the first start request) with the body."""
    asked = request or next(iter(crawl.seeds()))
    asked = replace(asked, **changes)  # type: ignore[arg-type]
    page = crawl.pages[asked.page]
    response = Response(asked, asked.url, 200, Headers((headers or {}).items()), body.encode(), len(body), 0.1, NOW)
    view = View(page.parse()(response), asked, Tally(), crawl.secrets, crawl.now)
    items = extract(view, page)
    return Led(follow(view, page, items, known), view.tally, items)
