"""The SQLite file of a run: its tables, and transactions that do not give up on a lock too early."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from yamlcrawl.errors import RefusedError, StoreError

VERSION = 1
"""Raised with every change of the tables that an older program cannot live with."""
PATIENCE = 60.0
"""Seconds after which a file that stays locked is an error."""
FIRST_PAUSE, LAST_PAUSE = 0.0002, 0.004
"""Seconds between two attempts at the write lock; SQLite's own waiting grows to 100 ms."""

WAITING, LEASED, DELAYED, ENDED = range(4)
"""`request.state`."""
NEEDS_PAGE, FREE, COUNTING = range(3)
"""`request.free`: it needs a page of `limits.pages` to begin; it needs none (any more); its lease took one."""

TABLES = """
CREATE TABLE crawl(
  id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, digest TEXT NOT NULL, started REAL NOT NULL,
  state TEXT NOT NULL, seeded INTEGER NOT NULL DEFAULT 0, seed_position INTEGER NOT NULL DEFAULT 0,
  elapsed REAL NOT NULL DEFAULT 0, ticked REAL NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0, item_bytes INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0, open INTEGER NOT NULL DEFAULT 0,
  leased INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', depth_first INTEGER NOT NULL DEFAULT 0,
  finisher INTEGER, verdict TEXT, barrier INTEGER NOT NULL DEFAULT 0);
CREATE TABLE worker(id INTEGER PRIMARY KEY AUTOINCREMENT, lock TEXT NOT NULL);
CREATE TABLE host(
  key TEXT PRIMARY KEY, delay REAL NOT NULL, until REAL NOT NULL, why TEXT NOT NULL, failures INTEGER NOT NULL,
  rests INTEGER NOT NULL, careful INTEGER NOT NULL, given_up TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE queue(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, host TEXT NOT NULL, gate INTEGER NOT NULL DEFAULT 0, rules TEXT,
  read_at REAL NOT NULL DEFAULT 0, denied TEXT NOT NULL DEFAULT '');
CREATE TABLE request(
  id INTEGER PRIMARY KEY, fp INTEGER, queue INTEGER NOT NULL, rank INTEGER NOT NULL, depth INTEGER NOT NULL,
  state INTEGER NOT NULL, free INTEGER NOT NULL, asked INTEGER, worker INTEGER, not_before REAL,
  attempts INTEGER NOT NULL DEFAULT 0, outcome TEXT, status INTEGER, reason TEXT, error INTEGER, payload TEXT NOT NULL);
CREATE UNIQUE INDEX request_fp ON request(fp);
CREATE INDEX request_waiting ON request(queue, rank, id) WHERE state = 0;
CREATE INDEX request_free ON request(queue, rank, id) WHERE state = 0 AND free = 1;
CREATE INDEX request_delayed ON request(queue, not_before) WHERE state = 2;
CREATE INDEX request_leased ON request(worker) WHERE state = 1;
CREATE INDEX request_error ON request(id) WHERE error = 1;
CREATE TABLE item(
  number INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, url TEXT NOT NULL, fetched_at REAL NOT NULL,
  key BLOB NOT NULL, place BLOB NOT NULL, double INTEGER NOT NULL);
CREATE INDEX item_key ON item(kind, key, place) WHERE key <> x'';
CREATE TABLE pending(id INTEGER PRIMARY KEY, item TEXT NOT NULL);
CREATE TABLE awaited(fp INTEGER NOT NULL, pending INTEGER NOT NULL, PRIMARY KEY (fp, pending)) WITHOUT ROWID;
CREATE INDEX awaited_pending ON awaited(pending);
CREATE TABLE download(fp INTEGER PRIMARY KEY, file TEXT NOT NULL);
CREATE TABLE counter(name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE note(id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE target(
  name TEXT PRIMARY KEY, wanted INTEGER NOT NULL DEFAULT 1, worker INTEGER, position INTEGER NOT NULL DEFAULT 0,
  part TEXT NOT NULL DEFAULT 'null', items INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0);
CREATE TABLE written(target TEXT PRIMARY KEY) WITHOUT ROWID;
"""


def create(path: Path) -> None:
    """Make sure that the file is there, for its owner's eyes alone."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def connect(path: Path, *, synchronous: str) -> sqlite3.Connection:
    """A connection in WAL mode; `synchronous` is NORMAL, or FULL where each commit must outlive a power cut.

    Raises RefusedError for a file that is no frontier, is damaged, or was written by a newer version.
    """
    db = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        patiently(db, "PRAGMA journal_mode=WAL")
        db.execute(f"PRAGMA synchronous={synchronous}")
        db.execute("PRAGMA wal_autocheckpoint=0")
        db.execute("PRAGMA cache_size=-16384")
        db.execute("PRAGMA temp_store=MEMORY")
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        db.close()
        raise damaged(path, error) from error
    if version > VERSION:
        db.close()
        raise RefusedError(
            f"{path} was written by a newer version of yamlcrawl", "use that version, or begin anew with --fresh"
        )
    return db


def damaged(path: Path, error: sqlite3.Error) -> RefusedError:
    """What is said of a file that cannot be read."""
    return RefusedError(
        f"the state of the run cannot be read: {path}: {error}",
        "put a copy of the folder back and use --resume, or begin anew with --fresh",
    )


def patiently(db: sqlite3.Connection, statement: str) -> None:
    """Execute a statement that needs a lock, again and again until it is free."""
    pause, end = FIRST_PAUSE, time.monotonic() + PATIENCE
    while True:
        try:
            db.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > end:
                raise
        time.sleep(pause * random.uniform(0.5, 1.5))
        pause = min(pause * 1.5, LAST_PAUSE)


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def transaction(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """All or nothing. Raises StoreError where the disk is full or the file is lost."""
    try:
        patiently(db, "BEGIN IMMEDIATE")
        yield
        db.execute("COMMIT")
    except BaseException as error:
        with suppress(sqlite3.Error):
            if db.in_transaction:
                db.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise damaged(path, error) from error
            raise StoreError(
                f"the state of the crawl cannot be written: {path}: {error}",
                "mend the disk (is it full?), then use --resume: nothing is lost",
            ) from error
        raise
