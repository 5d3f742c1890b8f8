"""Who tells how far a crawl is, while it goes on."""

from __future__ import annotations

import time
from typing import TextIO

from yamlcrawl.model.listener import Listener
from yamlcrawl.reports.log import JsonLog
from yamlcrawl.reports.status import Clock, StatusLines


def watch(stream: TextIO, *, log: str = "text", clock: Clock = time.monotonic) -> Listener:
    """The listener that fits the stream: one JSON object an event (`log` is ``json``), a live view, or status lines."""
    if log == "json":
        return JsonLog(stream)
    if not stream.isatty():
        return StatusLines(stream, clock)
    from yamlcrawl.reports.live import LiveView  # rich is slow to load, and most runs have no terminal

    return LiveView(stream, clock)
