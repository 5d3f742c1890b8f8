"""Every test of the contract runs on every store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontiers.crawling import Clock, Crawl, Make, opening
from yamlcrawl.frontiers.memory import MemoryFrontier


@pytest.fixture(params=["memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Makes a crawl: `make(sleep=1.0, pages=5)`, see `opening`."""

    def build(**how: Any) -> Crawl:
        clock = Clock()
        return Crawl(clock, MemoryFrontier(clock), lambda store: store, opening(**how))

    return build
