"""The open file of a run: its transactions, after a failed one of which it is of no more use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yamlcrawl.errors import StoreError
from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.database import TABLES, VERSION, connect, create, transaction
from yamlcrawl.model.frontier import Opening, State

CHECKPOINT = 1.0
"""Seconds between two checkpoints."""


class Store:
    """One connection to the file, which is made where there is none."""

    def __init__(self, path: Path) -> None:
        create(path)
        self._path = path
        self.db = connect(path, synchronous="NORMAL")
        self.lost: StoreError | None = None
        """Why the file and what is remembered of it may differ; only closing is of use then."""
        self.checkpointed = 0.0
        """When that was done last."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. Raises StoreError, and the same one ever after."""
        if self.lost is not None:
            raise self.lost
        try:
            with transaction(self.db, self._path):
                yield
        except StoreError as error:
            self.lost = error
            raise

    @contextmanager
    def durably(self) -> Iterator[None]:
        """A transaction that outlives a power cut."""
        self.db.execute("PRAGMA synchronous=FULL")
        try:
            with self.transaction():
                yield
        finally:
            self.db.execute("PRAGMA synchronous=NORMAL")

    def create_tables(self, opening: Opening, now: float) -> None:
        """Begin the run, where the file is a new one."""
        if self.db.execute("PRAGMA user_version").fetchone()[0]:
            return
        for statement in TABLES.split(";"):
            if statement.strip():
                self.db.execute(statement)
        self.db.execute(f"PRAGMA user_version={VERSION}")
        digest, depth_first = payload.encode(dict(opening.digest)), opening.limits.depth is not None
        self.db.execute(
            "INSERT INTO crawl(id, name, digest, started, state, ticked, depth_first) VALUES (1, ?, ?, ?, ?, ?, ?)",
            (opening.name, digest, opening.started or now, State.INIT.value, now, depth_first),
        )

    def checkpoint(self, now: float) -> None:
        """Move the log into the file, unless that was done a moment ago."""
        if now - self.checkpointed >= CHECKPOINT or now < self.checkpointed:
            self.checkpointed = now
            self.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()
