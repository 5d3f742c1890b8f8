"""The counters of a run, and the notes: a few examples of what was counted."""

from __future__ import annotations

import sqlite3
from collections import Counter

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.batch import Batch
from yamlcrawl.model.tally import NOTES_EACH


class Counters:
    """The tables of counters and notes."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._noted: Counter[str] = Counter()

    def write(self, batch: Batch) -> None:
        """Add what the batch has counted."""
        self._db.executemany(
            "INSERT INTO counter(name, n) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET n = n + excluded.n",
            [(payload.storable(name), n) for name, n in batch.counts.items() if n],
        )
        for name, text in batch.notes:
            if self._noted[name] < NOTES_EACH:
                self._noted[name] += 1
                self._db.execute(
                    "INSERT INTO note(name, text) SELECT ?1, ?2 WHERE (SELECT count(*) FROM note WHERE name = ?1) < ?3",
                    (payload.storable(name), payload.storable(text), NOTES_EACH),
                )
