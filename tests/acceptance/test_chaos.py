"""`bench.chaos` in short: 200 pages, killed at random moments, once while it is finishing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.chaos import Chaos
from bench.shows.sheet import Sheet
from tests.site import Site


@pytest.mark.parametrize(
    ("mode", "kills"), [("kill", 6), ("term", 2), ("ctrl-c", 2), ("ctrl-c-twice", 2), ("fresh", 1)]
)
def test_nothing_is_lost_and_nothing_doubled(site: Site, tmp_path: Path, mode: str, kills: int) -> None:
    sheet = Sheet()
    chaos = Chaos.on(sheet, site, 200)
    for name in ("undisturbed", mode):
        (tmp_path / name).mkdir()
    chaos.undisturbed(tmp_path / "undisturbed")
    chaos.disturbed(tmp_path / mode, mode, kills, random.Random(11))
    assert sheet.failed == []
