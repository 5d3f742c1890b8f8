"""The end of a run: judged once, and written as the verdict says."""

from __future__ import annotations

import pytest

from tests.engine.small import Site, make_plan, run
from yamlcrawl.errors import Exit, TargetError
from yamlcrawl.frontiers.memory import MemoryFrontier
from yamlcrawl.model.frontier import Verdict
from yamlcrawl.model.plan import TargetPlan


@pytest.mark.parametrize(("code", "good"), [(Exit.GOOD, True), (Exit.MISSED, False), (Exit.FAILED, False)])
def test_only_a_good_run_replaces_the_good_file(code: Exit, good: bool) -> None:
    site = Site({"/": {"title": "x"}})
    written: list[bool] = []

    def replace(_items: object, as_good: bool) -> str:
        written.append(as_good)
        return "out"

    target = TargetPlan("out", "pipelines", ("thing",), streaming=False, replace=replace)
    crawled = run(make_plan(site, targets=(target,)), site, judge=lambda *_: Verdict(int(code)))
    assert written == [good]
    assert crawled.verdict.exit == code


def test_a_resume_in_the_end_judges_no_more_and_writes_what_is_left() -> None:
    site = Site({"/": {"title": "x"}})
    frontier = MemoryFrontier()
    written: list[str] = []
    judged: list[int] = []
    broken = True

    def first(_items: object, _good: bool) -> str:
        written.append("first")
        return "first"

    def second(_items: object, _good: bool) -> str:
        if broken:
            raise TargetError("the disk is full")
        written.append("second")
        return "second"

    def judge(*_: object) -> Verdict:
        judged.append(1)
        return Verdict(2, (f"judged {len(judged)} times",))

    targets = tuple(
        TargetPlan(name, "pipelines", ("thing",), streaming=False, replace=write)
        for name, write in (("first", first), ("second", second))
    )
    plan = make_plan(site, targets=targets)
    with pytest.raises(TargetError, match="the disk is full"):
        run(plan, site, frontier, judge=judge)
    broken = False
    crawled = run(plan, site, frontier, judge=judge)
    assert written == ["first", "second"]
    assert crawled.verdict.reasons == ("judged 1 times",)
    assert site.asked == ["/"]
