"""Every test of the contract runs on every store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontiers.crawling import Clock, Crawl, Make, abandoned, opening
from yamlcrawl.frontiers.memory import MemoryFrontier
from yamlcrawl.frontiers.sqlite import SqliteFrontier


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Makes a crawl: `make(sleep=1.0, pages=5)`, see `opening`."""

    def build(**how: Any) -> Crawl:
        clock = Clock()
        if request.param == "memory":
            return Crawl(clock, MemoryFrontier(clock), lambda store: store, opening(**how))
        store = SqliteFrontier(tmp_path, clock)
        return Crawl(clock, store, lambda store: abandoned(store, tmp_path, clock), opening(**how))

    return build
