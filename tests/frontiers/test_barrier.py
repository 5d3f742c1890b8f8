"""The barrier before the outside: what a target gets would outlive a power cut (line 8 of the frontier's promises)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.frontiers.crawling import Clock, Crawl, abandoned, item, opening
from yamlcrawl.frontiers.sqlite import FILE, SqliteFrontier

FULL = 2
"""SQLite's number for synchronous=FULL: a commit that changed something is on the disk when it returns."""


def test_items_are_made_durable_before_they_leave_and_only_then(tmp_path: Path) -> None:
    clock = Clock()
    store = SqliteFrontier(tmp_path, clock)
    crawl = Crawl(clock, store, lambda store: abandoned(store, tmp_path, clock), opening())
    crawl.begin("/1", "/2")

    def barriers() -> int:
        with closing(sqlite3.connect(tmp_path / FILE)) as other:
            return int(other.execute("SELECT barrier FROM crawl").fetchone()[0])

    first, second = crawl.claim()
    lease = store.target_acquire("t")
    assert lease is not None
    assert store.items(lease, 10) == []
    begun = barriers()
    crawl.done(first, items=[item("x")])
    assert barriers() == begun  # a page by itself costs no sync
    (row,) = store.items(lease, 10)
    # an empty commit would sync nothing, so the barrier is a change; its connection waits for the disk
    assert barriers() == begun + 1
    assert store._outbox._db().execute("PRAGMA synchronous").fetchone()[0] == FULL
    assert store.items(lease, 10) == [row]
    assert barriers() == begun + 1
    lease = store.target_ack(lease, row.number, None)
    assert lease is not None
    crawl.done(second, items=[item("y")])
    assert len(store.items(lease, 10)) == 1
    assert barriers() == begun + 2
