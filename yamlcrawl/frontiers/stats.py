"""What can be read of a run: its counters, and the requests that ended in an error."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.ending import verdict_of
from yamlcrawl.frontiers.opening import ENDED
from yamlcrawl.frontiers.queues import Gate
from yamlcrawl.model.frontier import Ended, State, Stats

READ = 1000
"""Rows that are read at once."""


def read_stats(db: sqlite3.Connection, now: float) -> Stats:
    """The counters as another process may read them too; without the hosts, which only their worker knows."""
    state, started, elapsed, ticked, pages, opened, leased, reason, verdict, items = db.execute(
        "SELECT state, started, elapsed, ticked, pages, open, leased, reason, verdict, items FROM crawl"
    ).fetchone()
    counts = dict(db.execute("SELECT name, n FROM counter").fetchall())
    counts["pages"] = pages
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for name, text in db.execute("SELECT name, text FROM note ORDER BY id").fetchall():
        notes[name].append(text)
    slowest = db.execute("SELECT min(items) FROM target WHERE wanted").fetchone()[0]
    failed = dict(db.execute("SELECT key, given_up FROM host WHERE given_up <> ''").fetchall())
    failed |= dict(db.execute("SELECT name, denied FROM queue WHERE gate = ?", (int(Gate.DENIED),)).fetchall())
    running = 0.0 if state in ENDED else max(0.0, now - ticked)
    return Stats(
        state=State(state),
        counts=counts,
        notes=dict(notes),
        open=opened,
        waiting=opened - leased,
        leased=leased,
        elapsed=elapsed + running,
        started=started,
        reason=reason,
        failed_hosts=failed,
        verdict=verdict_of(verdict),
        backlog=0 if slowest is None else items - slowest,
    )


def read_ended(db: sqlite3.Connection) -> Iterator[Ended]:
    """The requests that ended in an error, in the order of discovery."""
    last = 0
    while rows := db.execute(
        "SELECT id, depth, payload, outcome, reason, status, attempts FROM request"
        " WHERE error = 1 AND id > ? ORDER BY id LIMIT ?",
        (last, READ),
    ).fetchall():
        for last, depth, text, outcome, reason, status, attempts in rows:  # noqa: B007
            r = payload.load(text, depth)
            yield Ended(r.url, r.page, outcome, reason, status, attempts, r.via, r.parent, r.purpose)
