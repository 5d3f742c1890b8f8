"""Exit codes and their reasons: the layout that changed overnight, the start that failed, the chain that was cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from yamlcrawl.errors import Exit
from yamlcrawl.model.frontier import Ended, Stats
from yamlcrawl.model.plan import CrawlPlan, RunExpectation
from yamlcrawl.reports.judge import judge

RULE = "pages.list.items.book"
NO_ROWS = {"match:book": None, "item:book": None, "filled:book.name": None, "filled:book.price": None}

MakeStats = Callable[..., Stats]


def test_a_run_as_expected_is_good(plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats())
    assert (verdict.exit, verdict.reasons) == (Exit.GOOD, ())


def test_rows_that_are_gone(plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats({**NO_ROWS, f"hit:{RULE}.each": None}))
    assert verdict.exit == Exit.MISSED
    (reason,) = verdict.reasons
    assert reason.startswith("shop.yml:9:17")
    assert reason.endswith("book: rows .card matched nothing on 1 of 1 pages")


def test_the_silent_part_of_a_nested_each_is_named(plan: CrawlPlan, stats: MakeStats) -> None:
    nested = replace(plan, selectors={**plan.selectors, f"{RULE}.each.each": ("li", "list")})
    verdict = judge(nested, stats({**NO_ROWS, f"tried:{RULE}.each.each": 1}))
    assert "rows li matched nothing" in verdict.reasons[0]


def test_a_field_that_is_empty_in_every_item(plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats({"filled:book.price": None}))
    assert verdict.exit == Exit.MISSED
    assert verdict.reasons == (f"shop.yml:12:18  {RULE}.fields.price  book: price is empty in every item (3 items)",)
    assert judge(plan, stats({"filled:book.price": 1})).exit == Exit.GOOD


def test_a_required_field_that_no_item_has(plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats({**NO_ROWS, "match:book": 3, f"rejected:{RULE}.fields.name": 3}))
    assert verdict.exit == Exit.MISSED
    assert "all of 3 were rejected, name is required" in verdict.reasons[0]


def test_items_that_where_leaves_out_are_no_failure(plan: CrawlPlan, stats: MakeStats) -> None:
    assert judge(plan, stats({**NO_ROWS, "match:book": 3, f"rejected:{RULE}.where": 3})).exit == Exit.GOOD


def test_pages_without_any_value(plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats({**NO_ROWS, "match:book": 2}))
    assert verdict.exit == Exit.MISSED
    assert "no field had a value on 2 pages" in verdict.reasons[0]


def test_a_type_whose_pages_were_never_reached(plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats({**NO_ROWS, "parsed:list": None}))
    assert verdict.exit == Exit.MISSED
    assert verdict.reasons == (f"shop.yml:8:9  {RULE}  book: no page of the kind list was read",)


def test_a_limit_may_end_the_run_before_such_pages(plan: CrawlPlan, stats: MakeStats) -> None:
    cut = replace(stats({**NO_ROWS, "parsed:list": None}), reason="limits.pages")
    assert judge(plan, cut).exit == Exit.GOOD


def test_doubles_count_as_items(plan: CrawlPlan, stats: MakeStats) -> None:
    assert judge(plan, stats({"item:book": 0, "double:book": 3})).exit == Exit.GOOD


def test_no_start_request_was_ok(plan: CrawlPlan, stats: MakeStats, failed: Callable[..., Ended]) -> None:
    counts: Mapping[str, int | None] = {**NO_ROWS, "seed_ok:list": None, "parsed:list": None, "outcome:ok": None}
    ends = [failed("http://shop.test/x", parent="http://shop.test/"), failed()]
    verdict = judge(plan, stats(counts), ends)
    assert verdict.exit == Exit.FAILED
    (reason,) = verdict.reasons
    assert reason.startswith("shop.yml:4:9")
    assert reason.endswith("(1 tried): http://shop.test:8080/ server_error: 500 Internal Server Error")


def test_one_good_start_request_of_a_kind_is_enough(plan: CrawlPlan, stats: MakeStats) -> None:
    assert judge(plan, stats({"seed:list": 5})).exit == Exit.GOOD


def test_each_kind_of_start_page_is_judged_by_itself(plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats({"seed:other": 2}))
    assert verdict.exit == Exit.FAILED
    assert "no start request for other was ok" in verdict.reasons[0]


@pytest.mark.parametrize("name", ["shop.test:8080", "http://shop.test:8080"])
def test_a_start_host_that_was_given_up(name: str, plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats(failed_hosts={name: "robots.txt: timeout"}))
    assert verdict.exit == Exit.FAILED
    assert verdict.reasons == (f"the start host {name} was given up: robots.txt: timeout",)


@pytest.mark.parametrize("name", ["other.test", "shop.test:9090", "https://shop.test:8080"])
def test_another_host_that_was_given_up(name: str, plan: CrawlPlan, stats: MakeStats) -> None:
    assert judge(plan, stats(failed_hosts={name: "timeout"})).exit == Exit.GOOD


def test_too_many_errors(plan: CrawlPlan, stats: MakeStats, failed: Callable[..., Ended]) -> None:
    verdict = judge(plan, stats(reason="limits.errors"), [failed(), failed()])
    assert verdict.exit == Exit.FAILED
    assert "2 requests failed: limits.errors is reached" in verdict.reasons[0]


@pytest.mark.parametrize("limit", ["limits.pages", "limits.items", "limits.time", "limits.bytes"])
def test_reaching_another_limit_is_good(limit: str, plan: CrawlPlan, stats: MakeStats) -> None:
    assert judge(plan, stats(reason=limit)).exit == Exit.GOOD


def test_a_chain_that_a_failure_cut(plan: CrawlPlan, stats: MakeStats) -> None:
    name = "ended:pages.list.next:failure"
    notes = {name: ["http://shop.test/?page=2 (timeout: read)"]}
    verdict = judge(plan, stats({name: 1, "ended:pages.list.next:empty": 4}, notes=notes))
    assert verdict.exit == Exit.MISSED
    assert verdict.reasons[0].startswith("shop.yml:7:11")
    assert verdict.reasons[0].endswith("1 chain of next cut by a failure: http://shop.test/?page=2 (timeout: read)")


def test_failed_beats_missed_and_both_are_told(plan: CrawlPlan, stats: MakeStats) -> None:
    verdict = judge(plan, stats({"filled:book.price": None}, reason="limits.errors"))
    assert verdict.exit == Exit.FAILED
    assert ["limits.errors" in verdict.reasons[0], "price is empty" in verdict.reasons[1]] == [True, True]


def test_reasons_show_no_secret(plan: CrawlPlan, stats: MakeStats, failed: Callable[..., Ended]) -> None:
    verdict = judge(plan, stats({"seed_ok:list": None}), [failed("http://shop.test/?k=s3cr3t")])
    assert "http://shop.test/?k=***" in verdict.reasons[0]


@pytest.mark.parametrize(("outcome", "said"), [("blocked", "were blocked"), ("session_lost", "the login was lost")])
def test_many_pages_that_were_not_had(plan: CrawlPlan, stats: MakeStats, outcome: str, said: str) -> None:
    verdict = judge(plan, stats({"pages": 10, f"outcome:{outcome}": 3}))
    assert verdict.exit == Exit.MISSED
    assert "3 of 10 pages" in verdict.reasons[0]
    assert said in verdict.reasons[0]
    assert judge(plan, stats({"pages": 12, f"outcome:{outcome}": 3})).exit == Exit.GOOD
    allowed = replace(plan, expect_run=replace(plan.expect_run, errors=3))
    assert judge(allowed, stats({"pages": 10, f"outcome:{outcome}": 3})).exit == Exit.GOOD


@pytest.mark.parametrize(("blocked", "pages", "code"), [(1, 4, Exit.GOOD), (2, 7, Exit.MISSED), (3, 12, Exit.GOOD)])
def test_more_than_a_quarter_of_the_pages_blocked(
    blocked: int, pages: int, code: Exit, plan: CrawlPlan, stats: MakeStats
) -> None:
    told = stats({"outcome:blocked": blocked, "pages": pages})
    assert judge(plan, told).exit == code
    allowed = replace(plan, expect_run=RunExpectation(error_share=0.5))
    assert judge(allowed, told).exit == Exit.GOOD
