"""The end of a crawl: the verdict, once and durably, then each `replace` target as it says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from yamlcrawl.errors import Exit
from yamlcrawl.model.frontier import Ended, Frontier, ItemRow, State, Stats, Verdict
from yamlcrawl.model.plan import TargetPlan

SortedItems = Callable[[Sequence[str], Sequence[str] | None], Iterator[ItemRow]]
Judge = Callable[[Stats, Iterable[Ended], SortedItems], Verdict]
Report = Callable[[Verdict], None]
"""Writes the run's reports; called before the crawl is marked as done, so that a kill in between writes them again."""

PAUSE = 0.1


def finish(frontier: Frontier, targets: Iterable[TargetPlan], judge: Judge, report: Report) -> Verdict:
    """The verdict that stands, after all `replace` targets are in place; safe to enter again after a kill.

    Streaming targets have been drained before. A run that missed its expectations, or failed, writes beside the old
    file. Raises TargetError where a target cannot be written: the state is kept, a resume comes here again.
    """
    while (lease := frontier.finish()) is None:
        time.sleep(PAUSE)
    verdict = lease.verdict or frontier.verdict(lease, judge(frontier.stats(), frontier.ended(), frontier.sorted_items))
    for target in targets:
        if target.replace and target.name not in lease.written:
            target.replace(frontier.sorted_items, verdict.exit == Exit.GOOD)
            frontier.written(lease, target.name)
    report(verdict)
    frontier.end(State.FAILED if verdict.exit == Exit.FAILED else State.DONE)
    return verdict
