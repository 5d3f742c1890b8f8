"""What the spec's `expect` asks of a run, held against what was counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from yamlcrawl.model.frontier import ItemRow, Stats
from yamlcrawl.model.plan import CrawlPlan, Expectation
from yamlcrawl.reports.words import counted, per_cent, share

SortedItems = Callable[[Sequence[str], Sequence[str] | None], Iterator[ItemRow]]
"""The kept items of these types, ordered by these fields (`Frontier.sorted_items`)."""


def missed_by(plan: CrawlPlan, stats: Stats, expectation: Expectation, items: SortedItems) -> Iterator[str]:
    """What one item type misses, a line for each, with the place in the spec."""
    kind, counts = expectation.kind, stats.counts
    kept = counts.get(f"item:{kind}", 0)
    if expectation.least is not None and kept < expectation.least:
        where = plan.where(f"expect.{kind}.min")
        yield f"{where}  {kind}: {counted(kept, 'item')}, at least {expectation.least:,} are expected"
    if expectation.most is not None and kept > expectation.most:
        where = plan.where(f"expect.{kind}.max")
        yield f"{where}  {kind}: {counted(kept, 'item')}, at most {expectation.most:,} are expected"
    yield from _unfilled(plan, stats, expectation)
    for n, field in enumerate(expectation.unique):
        if (twice := _twice(items, kind, field)) is not None:
            where = plan.where(f"expect.{kind}.unique.{n}")
            yield f"{where}  {kind}: {field} is not unique, e.g. {json.dumps(twice, ensure_ascii=False, default=str)}"


def _unfilled(plan: CrawlPlan, stats: Stats, expectation: Expectation) -> Iterator[str]:
    kind, counts = expectation.kind, stats.counts
    made = counts.get(f"item:{kind}", 0) + counts.get(f"double:{kind}", 0)
    if not made:
        return
    for field, least in expectation.filled.items():
        filled = min(counts.get(f"filled:{kind}.{field}", 0), made)
        # exact: 95 % of 20 items are 19, whatever the float says
        if filled and Decimal(filled) < Decimal(repr(least)) * made:
            where = plan.where(f"expect.{kind}.filled.{field}")
            found = f"{kind}: {field} is filled in {share(filled, made)} of the items"
            yield f"{where}  {found}, {per_cent(least)} are expected"


def _twice(items: SortedItems, kind: str, field: str) -> Any:
    """A value that stands in two items; None where all are different (nulls do not count)."""
    before: Any = None
    for row in items([kind], [field]):
        value = json.loads(row.text, parse_float=Decimal).get(field)
        if value is not None and value == before:
            return value
        before = value
    return None


def missed_by_run(plan: CrawlPlan, stats: Stats, errors: int) -> Iterator[str]:
    """What the run as a whole misses; `errors` is the number of failed requests."""
    expected = plan.expect_run
    pages = stats.counts.get("pages", 0)
    if expected.errors is not None and errors > expected.errors:
        yield f"{plan.where('expect.run.errors')}  {counted(errors, 'error')}, at most {expected.errors:,} are expected"
    most = expected.error_share
    if most is not None and Decimal(errors) > Decimal(repr(most)) * pages:
        where = plan.where("expect.run.errors")
        yield f"{where}  {counted(errors, 'error')} on {counted(pages, 'page')}, at most {per_cent(most)} are expected"
    if expected.time is not None and stats.elapsed > expected.time:
        where = plan.where("expect.run.time")
        yield f"{where}  it ran for {stats.elapsed:.0f} s, at most {expected.time:.0f} s are expected"
