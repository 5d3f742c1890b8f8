"""Fixtures that every test may use: a web site on loopback, and the command line in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commandline import CommandLine
from tests.site import Site

collect_ignore = ["site/names"]  # for the processes that the tests start, not for this one


@pytest.fixture
def site() -> Iterator[Site]:
    """A web site on a free port of 127.0.0.1 to 127.0.0.4; see `tests.site`."""
    with Site() as served:
        yield served


@pytest.fixture
def crawl(tmp_path: Path) -> CommandLine:
    """Runs `yamlcrawl` on the text of a spec, in an empty folder; see `tests.commandline`."""
    return CommandLine(tmp_path)
