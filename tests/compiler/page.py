"""Items of one page, read as a crawl reads them, without a crawl."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.items import compile_item
from yamlcrawl.compiler.pages import PARSERS
from yamlcrawl.compiler.spots import spot_of
from yamlcrawl.compiler.templates import Names
from yamlcrawl.engine.extract import extract
from yamlcrawl.model.plan import PagePlan, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.model.tally import Tally
from yamlcrawl.spec.load import Loaded, loads

URL = "http://site.test/dir/page.html?utm_source=mail&id=7"


@dataclass
class Page:
    """What the rules of a page gave."""

    items: list[dict[str, Any]]
    counts: dict[str, int]
    notes: list[tuple[str, str]]

    @property
    def item(self) -> dict[str, Any]:
        """The only item."""
        (item,) = self.items
        return item

    def noted(self, name: str) -> list[str]:
        """The samples of a counter."""
        return [text for noted, text in self.notes if noted == name]


def compiled(rules: str, page_format: str = "html", carried: tuple[str, ...] = ()) -> tuple[Loaded, PagePlan, Bench]:
    """The item rules (YAML, the text under `items:`) as a plan, and what was noted on the way."""
    indented = "\n".join("      " + line for line in rules.strip("\n").splitlines())
    loaded = loads(
        f"name: t\nstart: {{p: http://site.test/}}\npages:\n  p:\n    format: {page_format}\n    items:\n{indented}\n"
    )
    bench = Bench(loaded.problems, Names(loaded.problems), "p", frozenset(carried))
    spec = loaded.spec.pages["p"]
    items = tuple(
        compile_item(kind, rule, spot_of(page_format), ("pages", "p", "items", kind), bench)
        for kind, rule in spec.items.items()
    )
    parse = PARSERS[page_format]
    return loaded, PagePlan("p", page_format, parse, items=items), bench


def read(rules: str, body: str | bytes, page_format: str = "html", carry: dict[str, Any] | None = None) -> Page:
    """The items that the rules give for a body."""
    loaded, page, _ = compiled(rules, page_format, tuple(carry or ()))
    assert not loaded.problems.errors, "\n".join(map(str, loaded.problems.errors))
    request = Request(URL, URL, page="p", carry=carry or {})
    data = body if isinstance(body, bytes) else body.encode()
    response = Response(request, URL, 200, Headers(), data, len(data), 0.1, 1_700_000_000.0)
    tally = Tally()
    view = View(page.parse()(response), request, tally, Secrets(), 0.0)
    items = extract(view, page)
    parsed = [json.loads(item.text, parse_float=Decimal) for item in items]
    return Page(parsed, tally.counts, tally.notes)


def problems(rules: str, page_format: str = "html") -> list[str]:
    """What is wrong with the rules, a line each: path, what and fix."""
    loaded, _, _ = compiled(rules, page_format)
    return [f"{p.where.path}: {p.what} | {p.fix}" for p in loaded.problems.in_order()]
