"""Rows as a frontier gives them, and plans for targets in a folder of their own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR
from typing import Any

import pytest
from pydantic import TypeAdapter

from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import TargetPlan
from yamlcrawl.targets import Run, Target, TargetOptions

NOON = 1764590400.0
"""2025-12-01T12:00:00Z"""

ADAPTER: TypeAdapter[Target] = TypeAdapter(TargetOptions)


def row(number: int, kind: str = "book", **fields: Any) -> ItemRow:
    """An item of the table; a few fields are enough for most tests."""
    return ItemRow(number, kind, json_text(fields), f"https://shop.test/{number}", NOON + number)


def rows(count: int) -> list[ItemRow]:
    """That many books, each with text that needs care."""
    return [row(n, title=f'Nº {n}, "ä"\n', price=n) for n in range(1, count + 1)]


def sorted_items(given: Sequence[ItemRow]) -> Callable[[Sequence[str], Sequence[str] | None], Iterable[ItemRow]]:
    """What a frontier gives to a target that is written whole."""

    def items(kinds: Sequence[str], order: Sequence[str] | None) -> list[ItemRow]:
        kept = [one for one in given if one.kind in kinds]
        return sorted(kept, key=lambda one: [str(json.loads(one.text)[name]) for name in order]) if order else kept

    return items


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run({"book": ("title", "price")}, tmp_path, number=7, now=NOON)


@pytest.fixture
def plans(run: Run) -> Callable[..., tuple[TargetPlan, ...]]:
    """Reads a target as it stands in a spec, sees that it fits, and plans it."""

    def make(value: Any, kinds: Mapping[str, Sequence[str]] | None = None) -> tuple[TargetPlan, ...]:
        target = ADAPTER.validate_python(value)
        there = Run(kinds or run.kinds, run.folder, run.number, run.now)
        assert list(target.misfits(there)) == []
        return target.plan(there)

    return make


@pytest.fixture
def plan(plans: Callable[..., tuple[TargetPlan, ...]]) -> Callable[..., TargetPlan]:
    """The same for a target that becomes one file."""

    def make(value: Any, kinds: Mapping[str, Sequence[str]] | None = None) -> TargetPlan:
        (one,) = plans(value, kinds)
        return one

    return make


@pytest.fixture(name="row")
def row_maker() -> Callable[..., ItemRow]:
    return row


@pytest.fixture(name="rows")
def rows_maker() -> Callable[[int], list[ItemRow]]:
    return rows


@pytest.fixture(name="sorted_items")
def items_maker() -> Callable[..., Any]:
    return sorted_items


@pytest.fixture
def litter(tmp_path: Path) -> Callable[[], list[str]]:
    """Hidden files that were left in the folder."""
    return lambda: [path.name for path in tmp_path.rglob(".*")]


@pytest.fixture
def synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What was made durable, in order: a file of the test's folder with its bytes, "." with its visible files."""
    done: list[tuple[str, int]] = []
    real = os.fsync

    def note(fd: int) -> None:
        mine = os.fstat(fd)
        if S_ISDIR(mine.st_mode):
            done.append((".", len(list(tmp_path.glob("[!.]*")))))
        else:
            name = next(path.name for path in tmp_path.iterdir() if os.path.samestat(path.stat(), mine))
            done.append((name, mine.st_size))
        real(fd)

    monkeypatch.setattr(os, "fsync", note)
    return done
