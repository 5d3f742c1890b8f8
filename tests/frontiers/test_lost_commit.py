"""What a store knows after a transaction that failed: nothing of it, in memory either."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.frontiers.crawling import Clock, Crawl, abandoned, item, opening, request
from yamlcrawl.errors import StoreError
from yamlcrawl.frontiers.sqlite import FILE, SqliteFrontier

REFUSE = "CREATE TRIGGER refuse BEFORE INSERT ON item BEGIN SELECT RAISE(FAIL, 'the disk is full'); END"


def test_a_page_whose_commit_failed_left_no_trace(tmp_path: Path) -> None:
    clock = Clock()
    store = SqliteFrontier(tmp_path, clock)
    crawl = Crawl(clock, store, lambda store: abandoned(store, tmp_path, clock), opening())
    crawl.begin("/1")
    lease = crawl.one()
    with closing(sqlite3.connect(tmp_path / FILE)) as other, other:
        other.execute(REFUSE)
    known = store.known
    with pytest.raises(StoreError, match="the disk is full"):
        crawl.done(lease, links=["/2"], items=[item("x")])
    # a thread that parses meanwhile must not leave out the link because of a page that was never committed
    assert not known(request("/2").fingerprint)
    with closing(sqlite3.connect(tmp_path / FILE)) as other, other:
        other.execute("DROP TRIGGER refuse")
    crawl.die()
    assert crawl.paths() == ["/1"]
    assert crawl.store.stats().counts.get("item:book", 0) == 0
