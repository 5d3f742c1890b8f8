"""How a worker enters a run: what it finds there, and what it takes back from the dead."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.database import ENDED, FREE, LEASED, WAITING
from yamlcrawl.frontiers.opening import UNFINISHED, check_digest
from yamlcrawl.frontiers.queues import rank
from yamlcrawl.frontiers.workers import is_alive
from yamlcrawl.model.frontier import Opening, State


class Entry(NamedTuple):
    """What a worker finds."""

    worker: int
    """Its number."""
    state: State
    """The one in which the run goes on."""
    started: float
    seed_position: int
    seeded: bool


def enter(db: sqlite3.Connection, folder: Path, lock: str, opening: Opening, now: float) -> Entry:
    """Enter a run as a worker with that lock. Raises RefusedError where it is another crawl."""
    digest, state, started, position, seeded, verdict, depth_first = db.execute(
        "SELECT digest, state, started, seed_position, seeded, verdict, depth_first FROM crawl"
    ).fetchone()
    check_digest(payload.decode(digest), opening.digest)
    if state in UNFINISHED and verdict is None:
        state = State.RUNNING if seeded else State.INIT
    worker = db.execute("INSERT INTO worker(lock) VALUES (?) RETURNING id", (lock,)).fetchone()[0]
    for other, its_lock in db.execute("SELECT id, lock FROM worker WHERE id <> ?", (worker,)).fetchall():
        if not is_alive(folder, its_lock):
            bury(db, other)
    if bool(depth_first) != (opening.limits.depth is not None):
        _rank_anew(db, depth_first=opening.limits.depth is not None)
    db.execute("UPDATE crawl SET ticked = ?", (now,))  # the time since the last worker left is none of the crawl's
    _wish_targets(db, opening.targets)
    return Entry(worker, State(state), started, position, bool(seeded))


def bury(db: sqlite3.Connection, worker: int) -> None:
    """Take back what a dead worker held; its requests count as sent."""
    db.execute(
        f"UPDATE request SET state = ?, worker = NULL, free = ? WHERE worker = ? AND state = {LEASED} AND free <> ?",  # noqa: S608
        (WAITING, FREE, worker, FREE),
    )
    db.execute(
        f"UPDATE request SET state = ?, worker = NULL WHERE worker = ? AND state = {LEASED}",  # noqa: S608
        (WAITING, worker),
    )
    db.execute("UPDATE target SET worker = NULL WHERE worker = ?", (worker,))
    db.execute("UPDATE crawl SET finisher = NULL WHERE finisher = ?", (worker,))
    db.execute("DELETE FROM worker WHERE id = ?", (worker,))


def _rank_anew(db: sqlite3.Connection, *, depth_first: bool) -> None:
    """The depth limit came or went, so what waits has another order."""
    rows = db.execute("SELECT id, depth, payload FROM request WHERE state <> ?", (ENDED,)).fetchall()
    ranked = [(rank(payload.load(text, depth), depth_first=depth_first), number) for number, depth, text in rows]
    db.executemany("UPDATE request SET rank = ? WHERE id = ?", ranked)


def _wish_targets(db: sqlite3.Connection, targets: Iterable[str]) -> None:
    db.execute("UPDATE target SET wanted = 0")
    for name in targets:
        db.execute("INSERT INTO target(name) VALUES (?) ON CONFLICT DO UPDATE SET wanted = 1", (name,))
