"""The summary: compact, complete, harmless."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from yamlcrawl.errors import Exit
from yamlcrawl.model.frontier import Stats, Verdict
from yamlcrawl.model.plan import CrawlPlan, TargetPlan
from yamlcrawl.reports.report import tell
from yamlcrawl.reports.summary import LINES, summary

RULE = "pages.list.items.book"
GOOD = Verdict(0)
MakeStats = Callable[..., Stats]


@pytest.fixture
def text(plan: CrawlPlan, stats: MakeStats) -> Callable[..., str]:
    def make(counts: Any = None, verdict: Verdict = GOOD, files: Any = None, **more: Any) -> str:
        return summary(tell(plan, stats(counts, **more), verdict, run=3, files=files))

    return make


def test_a_good_run(text: Callable[..., str]) -> None:
    assert text().splitlines() == [
        "shop: 1 page in 2.0 s (0.5 pages/s), 3 items, 5.0 kB",
        "pages     ok 1",
        "items     book 3",
        "          name 100 %   price 100 %",
        "output    out/books.csv  (3 items)",
        "exit      0  good",
    ]


def test_what_went_wrong_stands_with_its_line(text: Callable[..., str]) -> None:
    counts = {
        "outcome:server_error": 2,
        "outcome:not_found": 40,
        "retries": 4,
        "filled:book.price": None,
        f"hit:{RULE}.fields.price": None,
        f"cast:{RULE}.fields.price": 2,
        f"rejected:{RULE}.where": 7,
        "double:book": 1,
        "null_key:book": 1,
        "ended:pages.list.next:empty": 2,
        "ended:pages.list.next:failure": 1,
        "offsite:cdn.test": 120,
        "offsite:ads.test": 3,
        "cut:repeats": 5,
        "carry:pages.list.follow.book": 2,
        "outcome:robots_denied": 6,
    }
    notes = {
        f"cast:{RULE}.fields.price": ["'call us' (no number) on http://shop.test/2"],
        "cut:repeats": ["http://shop.test/a/a/a/a"],
        "carry:pages.list.follow.book": ["http://shop.test/7"],
    }
    lines = text(
        counts,
        Verdict(int(Exit.MISSED), ("shop.yml:12:18  book: price is empty in every item",)),
        {"failures": ".yamlcrawl/shop/runs/3/failures.jsonl"},
        notes=notes,
        reason="limits.pages",
    ).splitlines()
    assert "pages     not_found 40   robots_denied 6   server_error 2   ok 1   (4 retries)" in lines
    assert "items     book 3  (1 double, 7 rejected)" in lines
    assert "          name 75 %   price 0 %" in lines
    price = f"shop.yml:12:18  {RULE}.fields.price"
    assert f"no match  {price}  book.price: .now matched nothing on 1 of 1 pages (list)" in lines
    cast = "2 could not be read as the field's type, e.g. 'call us' (no number) on http://shop.test/2"
    assert f"values    {price}  book.price: {cast}" in lines
    assert "next      list: empty 2, failure 1" in lines
    assert "off site  cdn.test 120   ads.test 3" in lines
    assert "traps     repeats  5 links taken for a trap (limits.guards), e.g. http://shop.test/a/a/a/a" in lines
    assert any("other carried values" in line and "e.g. http://shop.test/7" in line for line in lines)
    assert any("null in their key" in line for line in lines)
    assert any("limits.pages: the number is exact, which pages it took may vary" in line for line in lines)
    assert "output    out/books.csv.rejected  (3 items; the file of the last good run is as it was)" in lines
    assert "failed    listed in .yamlcrawl/shop/runs/3/failures.jsonl" in lines
    assert lines[-2:] == [
        "why       shop.yml:12:18  book: price is empty in every item",
        "exit      2  expectations missed",
    ]


def test_a_tbody_that_the_page_does_not_have(text: Callable[..., str]) -> None:
    path = f"{RULE}.each"
    said = text({f"hit:{path}": None, f"tbody:{path}": 1}, notes={f"tbody:{path}": ["table > tr"]})
    assert ".card matched nothing on 1 of 1 pages (list); the page has no tbody there" in said
    assert "say table > tr" in said


def test_an_unfinished_run_says_what_is_still_to_come(text: Callable[..., str]) -> None:
    said = text(verdict=Verdict(int(Exit.STOPPED), ("stopped",)), open=12)
    assert "out/books.csv  is written when the run ends" in said
    assert "(12 still waiting)" in said
    assert "75  stopped before it was done; --resume goes on" in said


def test_everything_at_once_is_still_short(plan: CrawlPlan, stats: MakeStats) -> None:
    kinds = [f"kind{n}" for n in range(30)]
    names = ("hit", "tried", "cast", "unmapped", "object", "left_out", "bad_url", "carry", "offsite", "cut", "ended")
    counts = {f"{name}:some.path{n}.next:x": n + 1 for name in names for n in range(30)}
    targets = tuple(TargetPlan(f"{kind}.csv", "", (kind,), streaming=False) for kind in kinds)
    many = replace(plan, targets=targets, selectors={f"a.path{n}": ("div", "list") for n in range(30)})
    silent = {f"tried:a.path{n}": 2 for n in range(30)}
    verdict = Verdict(int(Exit.FAILED), tuple(f"reason {n}" for n in range(30)))
    lines = summary(tell(many, stats({**counts, **silent}), verdict)).splitlines()
    assert len(lines) <= LINES
    assert lines[-1] == "exit      3  the crawl failed"
    assert "reason 0" in "\n".join(lines)


def test_many_fields_are_told_by_those_with_gaps(plan: CrawlPlan, stats: MakeStats) -> None:
    names = [f"field{n}" for n in range(20)]
    rule = replace(plan.expect[0], fields=tuple((name, name) for name in names))
    full = {f"filled:book.{name}": 3 for name in names} | {"filled:book.field7": 1}
    said = summary(tell(replace(plan, expect=(rule,)), stats(full), Verdict(0)))
    assert "field7 33.3 %   the others 100 %" in said
    assert "field8" not in said


def test_what_a_page_says_is_harmless(text: Callable[..., str]) -> None:
    note = "\x1b[31m\n::error::x ##[group]y s3cr3t"
    said = text({"cut:url": 1}, notes={"cut:url": [note]})
    assert "\x1b" not in said
    assert "\n::" not in said
    assert "##[" not in said
    assert "s3cr3t" not in said
