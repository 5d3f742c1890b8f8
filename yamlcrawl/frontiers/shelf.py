"""The items of a crawl in memory: those that wait for downloads, those that stand, and what each target has of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from yamlcrawl.frontiers import limits as bounds
from yamlcrawl.frontiers.items import field_order
from yamlcrawl.frontiers.pending import Arrived, arrive
from yamlcrawl.model.files import File
from yamlcrawl.model.frontier import ItemRow, TargetLease
from yamlcrawl.model.item import Item


@dataclass(slots=True)
class StoredItem:
    """An item in the order of commitment."""

    number: int
    item: Item
    double: bool


@dataclass(slots=True)
class Target:
    """How far a streaming target has come."""

    worker: str = ""
    position: int = 0
    part: Any = None


class Shelf:
    """Keeps them; what is to be counted is told to `count`, samples to `note`."""

    def __init__(
        self, totals: bounds.Totals, count: Callable[[str, int], None], note: Callable[[str, str], None]
    ) -> None:
        self._totals, self._count, self._note = totals, count, note
        self._items: list[StoredItem] = []
        self._kept: set[tuple[str, bytes]] = set()
        self._pending: list[Item] = []
        self._downloads: dict[int, File | None] = {}
        self._targets: dict[str, Target] = {}
        self._limit: int | None = None
        self._wanted: tuple[str, ...] = ()

    def open(self, limit: int | None, wanted: Sequence[str]) -> None:
        """A worker comes: the limit of items, and the streaming targets that are waited for."""
        self._limit, self._wanted = limit, tuple(wanted)
        for target in self._targets.values():
            target.worker = ""
        for name in wanted:
            self._targets.setdefault(name, Target())

    # items

    def add(self, items: Sequence[Item]) -> None:
        """Store what a page gave, or keep it until its downloads have ended."""
        for item in items:
            if self._waits(item):
                self._pending.append(item)
            else:
                self._arrive(item)

    def end_download(self, fingerprint: int, file: File | None) -> None:
        """A download has ended, well or not."""
        self._downloads[fingerprint] = file

    def settle(self) -> None:
        """Let the items go whose downloads have ended."""
        ready = [item for item in self._pending if not self._waits(item)]
        self._pending = [item for item in self._pending if self._waits(item)]
        for item in ready:
            self._arrive(item)

    def flush(self) -> None:
        """Let all go that still wait: nothing more will be fetched."""
        left, self._pending = self._pending, []
        for item in left:
            self._arrive(item)

    def _waits(self, item: Item) -> bool:
        return any(wanted.fingerprint not in self._downloads for wanted in item.files)

    def _arrive(self, item: Item) -> None:
        arrived = arrive(item, self._downloads) if item.files else Arrived(item, {})
        for name, n in arrived.counts.items():
            self._count(name, n)
        for name, text in arrived.notes:
            self._note(name, text)
        if arrived.item is not None:
            self._store(arrived.item)

    def _store(self, item: Item) -> None:
        if self._limit is not None and self._totals.items >= self._limit:
            return
        double = bool(item.key) and (item.kind, item.key) in self._kept
        self._items.append(StoredItem(len(self._items) + 1, item, double))
        if item.key:
            self._kept.add((item.kind, item.key))
        if item.null_key:
            self._count(f"null_key:{item.kind}", 1)
        self._count(f"{'double' if double else 'item'}:{item.kind}", 1)
        self._totals.items += not double

    def sorted(self, kinds: Sequence[str], order: Sequence[str] | None) -> Iterator[ItemRow]:
        """The kept item of each key."""
        for kind in kinds:
            least: dict[bytes, StoredItem] = {}
            rows: list[StoredItem] = []
            for stored in (stored for stored in self._items if stored.item.kind == kind):
                key = stored.item.key
                if not key:
                    rows.append(stored)
                elif key not in least or stored.item.place < least[key].item.place:
                    least[key] = stored
            yield from map(_row, sorted([*rows, *least.values()], key=lambda stored: _order(stored, order)))

    # targets

    def acquire(self, target: str, worker: str) -> TargetLease:
        """The right to write to a target."""
        stored = self._targets.setdefault(target, Target())
        stored.worker = worker
        return TargetLease(target, worker, stored.position, stored.part)

    def read(self, lease: TargetLease, limit: int) -> list[ItemRow]:
        """The next items."""
        if not self._holds(lease):
            return []
        after = (stored for stored in self._items[lease.position :] if not stored.double)
        return [_row(stored) for stored, _ in zip(after, range(limit), strict=False)]

    def ack(self, lease: TargetLease, last: int, part: Any) -> TargetLease | None:
        """Remember what is durable."""
        if not self._holds(lease):
            return None
        stored = self._targets[lease.target]
        stored.position, stored.part = last, json.loads(json.dumps(part))
        return TargetLease(lease.target, lease.worker, stored.position, stored.part)

    def _holds(self, lease: TargetLease) -> bool:
        stored = self._targets[lease.target]
        return stored.worker == lease.worker and stored.position == lease.position

    def lacking(self) -> dict[str, int]:
        """How many items each wanted target still has to get."""
        return {target: len(self._lacking(target)) for target in self._wanted}

    @property
    def behind(self) -> int:
        """Items that the slowest target lacks."""
        return max(self.lacking().values(), default=0)

    @property
    def backlog(self) -> int:
        """Their size."""
        return max((sum(len(stored.item.text) for stored in self._lacking(t)) for t in self._wanted), default=0)

    def _lacking(self, target: str) -> list[StoredItem]:
        return [stored for stored in self._items[self._targets[target].position :] if not stored.double]


def _row(stored: StoredItem) -> ItemRow:
    item = stored.item
    return ItemRow(stored.number, item.kind, item.text, item.url, item.fetched_at)


def _order(stored: StoredItem, order: Sequence[str] | None) -> tuple[bytes, bytes, bytes, int]:
    item = stored.item
    fields = b"" if order is None else field_order(item.text, order)
    return fields, item.key, item.place, stored.number
