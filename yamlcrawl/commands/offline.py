"""One test of a spec: a saved page read by today's rules, and held against what it must give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yamlcrawl.commands.asked import is_read
from yamlcrawl.commands.checked import compiled
from yamlcrawl.commands.saved import Saved, values
from yamlcrawl.commands.tried import Tried, read_answer
from yamlcrawl.engine.statuses import phrase
from yamlcrawl.errors import ParseError, Path, dotted
from yamlcrawl.model.item import Item, json_text
from yamlcrawl.model.plan import CrawlPlan, ItemRule
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.difference import NOTHING, Difference, aligned, differences
from yamlcrawl.reports.words import counted
from yamlcrawl.spec.load import Loaded
from yamlcrawl.spec.tests import Gives, Test


@dataclass(frozen=True, slots=True)
class Miss:
    """Something that the page gives otherwise than the test says."""

    path: Path
    """Where the spec says what is expected."""
    about: str
    """Item and field, in words."""
    expected: str
    found: str
    field: str = ""
    """Dotted path of the field that reads it; empty where it is not about a field."""
    why: str = ""
    """What can be said of the cause."""
    fewer: bool = False
    """It is about a number of items, and there are fewer."""

    @property
    def is_loss(self) -> bool:
        """Whether a value or an item is not there any more."""
        return self.fewer or (self.found in EMPTY and self.expected not in EMPTY)


EMPTY = ("null", "[]", '""', NOTHING)


@dataclass(frozen=True, slots=True)
class Tested:
    """A test that was run."""

    test: Test
    path: Path
    plan: CrawlPlan
    misses: Sequence[Miss]
    tried: Tried | None = None
    """None where the page could not be read."""
    written: Sequence[Miss] = ()
    """What was missed, and is expected from now on (`--update`)."""

    @property
    def good(self) -> bool:
        """Whether all is as expected."""
        return not self.misses


def run_test(loaded: Loaded, number: int, var: Sequence[str] | None = None, *, ignore_items: bool = False) -> Tested:
    """Run one test of the spec, without a request; raises SpecError where it cannot be run.

    With `ignore_items` the files of items are not looked at: they are about to be written.
    """
    test, path = loaded.spec.tests[number], ("tests", number)
    plan = compiled(loaded, var, now=test.moment, without_env=True)
    saved = Saved(loaded)
    answer = saved.answer(plan, test, path)
    try:
        if not is_read(plan, answer):
            raise ParseError(f"a crawl does not read an answer with {phrase(answer.status)}", "not read")
        tried = read_answer(plan, answer)
    except ParseError as error:
        miss = Miss((*path, "file"), test.file, f"a page of the kind {test.page}", f"{error.outcome}: {error.what}")
        return Tested(test, path, plan, [miss])
    misses = [
        miss
        for kind, gives in test.expect.items()
        for miss in _Comparison(tried, kind, (*path, "expect", kind)).misses(gives, None if ignore_items else saved)
    ]
    return Tested(test, path, plan, misses, tried)


class _Comparison:
    """The items of one type, held against what is expected of them."""

    def __init__(self, tried: Tried, kind: str, path: Path) -> None:
        self._tried, self._kind, self._path = tried, kind, path
        self._items: list[Item] = tried.items_of(kind)
        self._rule: ItemRule = next(rule for rule in tried.page.items if rule.kind == kind)

    def misses(self, gives: Gives, saved: Saved | None) -> Iterator[Miss]:
        """What is otherwise; files of items are looked at where `saved` is given."""
        if gives.count is not None and gives.count != len(self._items):
            wanted, got = counted(gives.count, "item"), counted(len(self._items), "item")
            fewer = len(self._items) < gives.count
            yield Miss((*self._path, "count"), self._kind, wanted, got, why=self._few(), fewer=fewer)
        told = set()
        if gives.first and self._items:
            for one in differences(gives.first, values(self._items[0]), partial=True):
                miss = self._miss((*self._path, "first", *one.path), 0, one)
                told.add(miss.about)
                yield miss
        elif gives.first and gives.count is None:
            yield Miss((*self._path, "first"), self._kind, "an item", NOTHING, why=self._few())
        if gives.items is not None and saved is not None:
            path = (*self._path, "items")
            others = self._from_file(saved.items(gives.items, path), path)
            yield from (miss for miss in others if miss.about not in told)

    def _from_file(self, expected: Sequence[object], path: Path) -> Iterator[Miss]:
        found = [values(item) for item in self._items]
        for before, after in aligned(expected, found):
            if after is None:
                gone = before or 0
                yield Miss(path, f"{self._kind} {gone + 1}", _brief(expected[gone]), NOTHING, why=self._few())
            elif before is None:
                yield Miss(path, f"{self._kind} {after + 1}", NOTHING, _brief(found[after]))
            else:
                for one in differences(expected[before], found[after]):
                    yield self._miss(path, after, one)

    def _miss(self, path: Path, number: int, one: Difference) -> Miss:
        name = str(one.path[0])
        field = next((field.path for field in self._rule.fields if field.name == name), "")
        why = self._why(field) if one.found in ("null", NOTHING, "[]") and field else ""
        return Miss(path, f"{self._kind} {number + 1}, {dotted(one.path)}", one.expected, one.found, field, why)

    def _few(self) -> str:
        """Why there are fewer items than expected, as far as selectors and rejections tell."""
        path = self._rule.path
        rejected = under(self._tried.trace.counts, "rejected").items()
        said = [f"{n:,} rejected by {of}" for of, n in rejected if of.startswith(f"{path}.")]
        return "; ".join([*self._silent(f"{path}.each"), *self._silent(f"{path}.table"), *said])

    def _why(self, field: str) -> str:
        """Why a field has no value."""
        inside = re.compile(rf"(?:{'|'.join(_LOSSES)}):{re.escape(field)}(?:\..*)?")
        samples = [note for noted, note in self._tried.trace.notes if inside.fullmatch(noted)]
        return "; ".join([*self._silent(field), *samples[:1]])

    def _silent(self, path: str) -> list[str]:
        """What is to be said of the selectors at the path or below it that matched nothing on the page."""
        silent = [one for one, n in self._tried.trace.matches.items() if not n and f"{one}.".startswith(f"{path}.")]
        return [f"{self._tried.selectors[one]} matched nothing" for one in silent if one in self._tried.selectors]


_LOSSES = ("cast", "unmapped", "object", "column", "js")
"""Counters of values that were found and could not be used."""
_LONGEST = 100


def _brief(item: object) -> str:
    text = json_text(item)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
