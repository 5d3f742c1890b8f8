"""The items of a run as targets read them: one after the other as they are committed, or sorted at the end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.database import connect, transaction
from yamlcrawl.frontiers.items import field_order
from yamlcrawl.model.frontier import ItemRow, TargetLease

FETCHED = 1000
"""Rows that are read at once."""
_ROW = "number, kind, text, url, fetched_at"


class Outbox:
    """The relays' side of the file: a connection of its own, on which every commit outlives a power cut."""

    def __init__(self, path: Path, worker: int) -> None:
        self._path = path
        self._worker = worker
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._durable = 0
        """Every item up to this one would outlive a power cut."""

    def _db(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = connect(self._path, synchronous="FULL")
        return self._connection

    def acquire(self, target: str) -> TargetLease | None:
        """The right to write to the target; None while another worker has it."""
        with self._lock, transaction(self._db(), self._path):
            db = self._db()
            db.execute("INSERT OR IGNORE INTO target(name) VALUES (?)", (target,))
            worker, position, part = db.execute(
                "SELECT worker, position, part FROM target WHERE name = ?", (target,)
            ).fetchone()
            if worker not in (None, self._worker):
                return None
            db.execute("UPDATE target SET worker = ? WHERE name = ?", (self._worker, target))
        return TargetLease(target, str(self._worker), position, payload.decode(part))

    def items(self, lease: TargetLease, limit: int) -> list[ItemRow]:
        """The next items; they are made durable first."""
        with self._lock:
            db = self._db()
            if not self._holds(lease):
                return []
            rows = db.execute(
                f"SELECT {_ROW} FROM item WHERE number > ? AND double = 0 ORDER BY number LIMIT ?",  # noqa: S608
                (lease.position, limit),
            ).fetchall()
            if rows and rows[-1][0] > self._durable:
                with transaction(db, self._path):  # a commit without a change would sync nothing
                    db.execute("UPDATE crawl SET barrier = barrier + 1")
                self._durable = rows[-1][0]
        return [ItemRow(*row) for row in rows]

    def _holds(self, lease: TargetLease) -> bool:
        held = self._db().execute("SELECT worker, position FROM target WHERE name = ?", (lease.target,)).fetchone()
        return held == (self._worker, lease.position) and lease.worker == str(self._worker)

    def ack(self, lease: TargetLease, last: int, part: Any) -> TargetLease | None:
        """Remember what the target has made durable."""
        with self._lock, transaction(self._db(), self._path):
            db = self._db()
            if not self._holds(lease):
                return None
            items, size = db.execute(
                "SELECT count(*), coalesce(sum(length(text)), 0) FROM item"
                " WHERE number > ? AND number <= ? AND double = 0",
                (lease.position, last),
            ).fetchone()
            text = payload.encode(part)
            db.execute(
                "UPDATE target SET position = ?, part = ?, items = items + ?, bytes = bytes + ? WHERE name = ?",
                (last, text, items, size, lease.target),
            )
        return TargetLease(lease.target, lease.worker, last, payload.decode(text))

    def close(self) -> None:
        """Let go of the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def sorted_items(path: Path, kinds: Sequence[str], order: Sequence[str] | None) -> Iterator[ItemRow]:
    """The kept item of each key, in order; what has to be sorted is sorted in files beside the database."""
    with closing(connect(path, synchronous="NORMAL")) as db:
        db.execute("PRAGMA temp_store=FILE")
        with suppress(sqlite3.Error):  # where SQLite was built without it, its files lie in the system's folder
            db.execute(f"PRAGMA temp_store_directory='{str(path.parent).replace(chr(39), chr(39) * 2)}'")
        db.create_function("field_order", 1, lambda text: field_order(text, order or ()), deterministic=True)
        by = "key, place, number" if order is None else "field_order(text), key, place, number"
        for kind in kinds:
            cursor = db.execute(
                f"SELECT {_ROW} FROM item AS i WHERE kind = ? AND (key = x'' OR number ="  # noqa: S608
                " (SELECT number FROM item AS o WHERE o.kind = i.kind AND o.key = i.key AND o.key <> x''"
                f" ORDER BY place, number LIMIT 1)) ORDER BY {by}",
                (kind,),
            )
            while rows := cursor.fetchmany(FETCHED):
                yield from (ItemRow(*row) for row in rows)
