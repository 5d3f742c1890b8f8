"""Logs for programs and for people: one JSON object an event, or plain lines; nothing in them a CI would obey."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TextIO

from yamlcrawl.model.frontier import Opened, Stats, Verdict
from yamlcrawl.model.item import Item, json_text
from yamlcrawl.model.outcome import Outcome
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.words import UNSEEN, plain

PROGRESS = 10.0
"""Seconds between two ``progress`` events."""


def event_line(event: str, at: float, says: dict[str, Any], secrets: Secrets) -> str:
    """One event as a line of JSON: ``event`` and ``time`` (seconds since the epoch), then what it says.

    Secrets are masked; characters that a terminal obeys, and the beginnings of what a CI takes for a command, are
    written as JSON escapes, so that a reader of JSON gets them back.

    >>> event_line("page_ok", 5.0, {"url": "http://a.test/##[x]"}, Secrets())
    '{"event": "page_ok", "time": 5.000, "url": "http://a.test/#\\\\u0023[x]"}'
    """
    line = json_text({"event": event, "time": Decimal(f"{at:.3f}"), **secrets.mask_value(says)})
    line = UNSEEN.sub(lambda found: "".join(f"\\u{unit:04x}" for unit in _units(found[0])), line)
    return line.replace("##", "#\\u0023")


def _units(character: str) -> list[int]:
    data = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]


class JsonLog:
    """Writes each event of a crawl as a line of JSON. The names of events and their keys are stable."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.time) -> None:
        self._stream, self._clock = stream, clock
        self._secrets = Secrets()
        self._progress = clock()

    def started(self, plan: CrawlPlan, opened: Opened) -> None:
        """``started``: name, state, resumed."""
        self._secrets = plan.secrets
        self._write("started", {"name": plan.name, "state": str(opened.state), "resumed": opened.seeded})

    def page_ok(self, outcome: Outcome) -> None:
        """``page_ok``: url, page, purpose, outcome, status, depth, bytes, items, links."""
        self._write("page_ok", _page(outcome) | {"items": len(outcome.items), "links": len(outcome.links)})

    def page_failed(self, outcome: Outcome) -> None:
        """``page_failed``: as ``page_ok``, and reason, attempt, final, wait (seconds)."""
        more = {"reason": outcome.reason, "attempt": outcome.request.attempt + 1, "final": outcome.final}
        self._write("page_failed", _page(outcome) | more | {"wait": Decimal(f"{outcome.wait:.3f}")})

    def item(self, item: Item) -> None:
        """``item``: type, url."""
        self._write("item", {"type": item.kind, "url": item.url})

    def tick(self, stats: Callable[[], Stats]) -> None:
        """``progress`` every 10 s: pages, queued, items, bytes, seconds, outcomes."""
        now = self._clock()
        if now - self._progress >= PROGRESS:
            self._progress = now
            self._write("progress", _standing(stats()))

    def finished(self, verdict: Verdict, stats: Stats) -> None:
        """``finished``: as ``progress``, and exit, reasons, limit."""
        more = {"exit": verdict.exit, "reasons": list(verdict.reasons), "limit": stats.reason}
        self._write("finished", _standing(stats) | more)

    def _write(self, event: str, says: dict[str, Any]) -> None:
        print(event_line(event, self._clock(), says, self._secrets), file=self._stream, flush=True)


def _page(outcome: Outcome) -> dict[str, Any]:
    request = outcome.request
    return {
        "url": outcome.url or request.url,
        "page": request.page,
        "purpose": request.purpose,
        "outcome": outcome.name,
        "status": outcome.status,
        "depth": request.depth,
        "bytes": outcome.received,
    }


def _standing(stats: Stats) -> dict[str, Any]:
    return {
        "pages": stats.counts.get("pages", 0),
        "queued": stats.open,
        "items": sum(under(stats.counts, "item").values()),
        "bytes": stats.counts.get("bytes", 0),
        "seconds": Decimal(f"{stats.elapsed:.3f}"),
        "outcomes": under(stats.counts, "outcome"),
    }


class Lines(logging.Formatter):
    """Formats what the program logs: plain lines without secrets, or events named ``log``."""

    def __init__(self, secrets: Secrets | None = None, *, log: str = "text") -> None:
        super().__init__()
        self._secrets = secrets or Secrets()
        self._json = log == "json"

    def format(self, record: logging.LogRecord) -> str:
        """The record on one line; an exception by its last line only."""
        said = record.getMessage()
        if record.exc_info and record.exc_info[1]:
            error = record.exc_info[1]
            said += f" ({type(error).__name__}: {error})"
        level = record.levelname.lower()
        if self._json:
            return event_line("log", record.created, {"level": level, "message": said}, self._secrets)
        return plain(f"{level}: {self._secrets.mask(said)}")
