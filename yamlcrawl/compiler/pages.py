"""Kinds of page: what each gives, where it leads, and whether anything leads to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.follow import compile_link
from yamlcrawl.compiler.frame import Frame, numbered
from yamlcrawl.compiler.items import compile_item
from yamlcrawl.compiler.next import compile_next
from yamlcrawl.compiler.refresh import compile_refresh
from yamlcrawl.compiler.spots import spot_of
from yamlcrawl.engine.robots import product_token
from yamlcrawl.errors import Path, Problems
from yamlcrawl.extras import install, is_installed
from yamlcrawl.model.plan import Expectation, LinkRule, PagePlan, RunExpectation
from yamlcrawl.parsers.csv import csv_parser
from yamlcrawl.parsers.feed import feed_parser
from yamlcrawl.parsers.html import html_parser
from yamlcrawl.parsers.json import json_parser
from yamlcrawl.parsers.pdf import pdf_parser
from yamlcrawl.parsers.text import text_parser
from yamlcrawl.parsers.xml import xml_parser
from yamlcrawl.spec.expect import Expected
from yamlcrawl.spec.pages import Link
from yamlcrawl.spec.root import Spec

PARSERS = {
    "html": html_parser,
    "json": json_parser,
    "xml": xml_parser,
    "feed": feed_parser,
    "csv": csv_parser,
    "text": text_parser,
    "pdf": pdf_parser,
}


def compile_pages(frame: Frame) -> dict[str, PagePlan]:
    """Every kind of page in the order of the spec; what is wrong is noted."""
    return {kind: _page(kind, frame) for kind in frame.spec.pages}


def _page(kind: str, frame: Frame) -> PagePlan:
    page, path = frame.spec.pages[kind], ("pages", kind)
    if page.format == "pdf" and not is_installed("pdf"):
        frame.problems.error((*path, "format"), "a library is needed to read PDF", install("pdf"))
    spot = spot_of(page.format)
    carried = frozenset(frame.spec.carried(kind))
    bench = Bench(
        frame.problems,
        frame.names,
        kind,
        carried,
        frame.drop,
        frame.spec.site.locale,
        frame.selectors,
        product_token(frame.spec.site.user_agent),
    )
    items = tuple(compile_item(item, rule, spot, (*path, "items", item), bench) for item, rule in page.items.items())
    links: list[LinkRule] = [
        compile_link(link, target, spot, here, bench, frame)
        for target, rules in page.follow.items()
        for here, link in link_paths(kind, target, rules)
    ]
    refreshes = page.format == "html" and frame.spec.site.meta_refresh == "follow"
    return PagePlan(
        kind,
        page.format,
        partial(PARSERS[page.format], frame.spec.site.encoding),
        accept=frozenset(page.accept),
        next=compile_next(page.next, kind, spot, bench, frame) if page.next is not None else None,
        refresh=compile_refresh(frame) if refreshes else None,
        follow=tuple(links),
        items=items,
    )


def link_paths(kind: str, target: str, rules: Sequence[Link]) -> Iterator[tuple[Path, Link]]:
    """The link rules from one kind of page to another, with their paths."""
    yield from zip(numbered(("pages", kind, "follow", target), len(rules)), rules, strict=True)


def check_reached(spec: Spec, problems: Problems) -> None:
    """Note the kinds of page that neither the start nor any link from a page that is reached leads to."""
    reached: set[str] = set()
    waiting = [kind for kind in spec.start if kind in spec.pages]
    while waiting:
        kind = waiting.pop()
        if kind not in reached:
            reached.add(kind)
            waiting += [target for target in spec.pages[kind].follow if target in spec.pages]
    lost = [kind for kind in spec.pages if kind not in reached]
    # what only a lost page leads to is found when that one is
    roots = [kind for kind in lost if not any(kind in spec.pages[other].follow for other in lost if other != kind)]
    for kind in roots or lost:
        fix = f"add it to start, or to follow of a page that is reached: {', '.join(sorted(reached)) or 'none is'}"
        problems.error(("pages", kind), f'nothing leads to pages of the kind "{kind}"', fix)


def expectations(pages: Mapping[str, PagePlan], expect: Mapping[str, Expected]) -> tuple[Expectation, ...]:
    """What a good run gives: what the spec says, and otherwise something of each type and no field always empty."""
    found: dict[str, tuple[list[str], str, dict[str, str]]] = {}
    for kind, page in pages.items():
        for rule in page.items:
            of, _, fields = found.setdefault(rule.kind, ([], rule.path, {}))
            of.append(kind)
            for field in rule.fields:
                fields.setdefault(field.name, field.path)
    return tuple(
        _expectation(Expectation(item, tuple(of), path, tuple(fields.items())), expect.get(item))
        for item, (of, path, fields) in found.items()
    )


def _expectation(implicit: Expectation, expected: Expected | None) -> Expectation:
    if expected is None:
        return implicit
    return replace(
        implicit, least=expected.min, most=expected.max, filled=expected.filled, unique=tuple(expected.unique)
    )


def run_expectation(expected: Expected | None) -> RunExpectation:
    """What the spec expects of the whole run."""
    if expected is None:
        return RunExpectation()
    errors = expected.errors
    if isinstance(errors, float):
        return RunExpectation(error_share=errors, time=expected.time)
    return RunExpectation(errors=errors, time=expected.time)
