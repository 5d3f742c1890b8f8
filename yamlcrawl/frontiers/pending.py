"""Items that wait for downloads: kept apart until all their files have ended."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from decimal import Decimal
from typing import NamedTuple

from yamlcrawl.frontiers import payload
from yamlcrawl.model.files import File, settled
from yamlcrawl.model.item import Item, Wanted


class Arrived(NamedTuple):
    """An item all of whose downloads have ended."""

    item: Item | None
    """With the records of its files; None where one that is required is not there."""
    counts: Mapping[str, int]
    notes: tuple[tuple[str, str], ...] = ()


def arrive(item: Item, files: Mapping[int, File | None]) -> Arrived:
    """The item with these files, and what is to be counted of it."""
    text = settled(item.text, files)
    values = json.loads(text, parse_float=Decimal)
    fields = dict.fromkeys(wanted.field for wanted in item.files)
    filled = [field for field in fields if values.get(field) not in (None, [])]
    lost = next((wanted for wanted in item.files if wanted.required and wanted.field not in filled), None)
    if lost is not None:
        path = f"rejected:{lost.path}"
        return Arrived(None, {path: 1}, ((path, item.url),))
    return Arrived(replace(item, text=text, files=()), {f"filled:{item.kind}.{field}": 1 for field in filled})


class Pending:
    """The tables of items that wait, and of what the downloads gave."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, items: Iterable[Item]) -> Iterator[Arrived]:
        """Keep the items that have to wait; the others, in their order."""
        for item in items:
            if not item.files:
                yield Arrived(item, {})
                continue
            open_ = [wanted.fingerprint for wanted in item.files if not self._has_ended(wanted.fingerprint)]
            if not open_:
                yield arrive(item, self._files(item))
                continue
            (number,) = self._db.execute(
                "INSERT INTO pending(item) VALUES (?) RETURNING id", (payload.encode(_stored(item)),)
            ).fetchone()
            self._db.executemany(
                "INSERT OR IGNORE INTO awaited(fp, pending) VALUES (?, ?)", [(fp, number) for fp in open_]
            )

    def end(self, files: Mapping[int, File | None]) -> Iterator[Arrived]:
        """These downloads have ended; the items that waited for nothing else, in the order in which they came."""
        self._db.executemany(
            "INSERT OR REPLACE INTO download(fp, file) VALUES (?, ?)",
            [(fp, payload.encode(file)) for fp, file in files.items()],
        )
        touched: set[int] = set()
        for fingerprint in files:
            rows = self._db.execute("DELETE FROM awaited WHERE fp = ? RETURNING pending", (fingerprint,))
            touched.update(number for (number,) in rows.fetchall())
        for number in sorted(touched):
            if not self._db.execute("SELECT 1 FROM awaited WHERE pending = ?", (number,)).fetchone():
                yield from self._take(number)

    def flush(self) -> Iterator[Arrived]:
        """All that still wait, since nothing more will be fetched: the files that are not there are null."""
        for (number,) in self._db.execute("SELECT id FROM pending ORDER BY id").fetchall():
            yield from self._take(number)
        self._db.execute("DELETE FROM awaited")

    def _take(self, number: int) -> Iterator[Arrived]:
        for (text,) in self._db.execute("DELETE FROM pending WHERE id = ? RETURNING item", (number,)).fetchall():
            item = _loaded(text)
            yield arrive(item, self._files(item))

    def _has_ended(self, fingerprint: int) -> bool:
        return self._db.execute("SELECT 1 FROM download WHERE fp = ?", (fingerprint,)).fetchone() is not None

    def _files(self, item: Item) -> dict[int, File | None]:
        rows = self._db.execute(
            "SELECT fp, file FROM download WHERE fp IN (SELECT value FROM json_each(?))",
            (payload.encode([wanted.fingerprint for wanted in item.files]),),
        )
        return {fp: payload.decode(text) for fp, text in rows.fetchall()}


def _stored(item: Item) -> dict[str, object]:
    return {**asdict(item), "key": item.key.hex(), "place": item.place.hex(), "files": [asdict(w) for w in item.files]}


def _loaded(text: str) -> Item:
    stored = json.loads(text)
    stored["key"], stored["place"] = bytes.fromhex(stored["key"]), bytes.fromhex(stored["place"])
    stored["files"] = tuple(Wanted(**wanted) for wanted in stored["files"])
    return Item(**stored)
