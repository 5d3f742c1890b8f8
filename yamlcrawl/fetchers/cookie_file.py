"""The cookies of a run in its folder, so that a resume goes on with them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from yamlcrawl.errors import RefusedError
from yamlcrawl.fetchers.cookies import Jar
from yamlcrawl.model.frontier import Opened, Stats, Verdict
from yamlcrawl.model.item import Item
from yamlcrawl.model.outcome import Outcome
from yamlcrawl.model.plan import CrawlPlan

EVERY = 1.0
"""Seconds between two looks at the jar; what a server set since is lost with the power."""


class CookieFile:
    """A listener that keeps the jar in a file, which only its owner may read; written whole, when it differs."""

    def __init__(self, path: Path, jar: Jar, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._jar, self._clock = path, jar, clock
        self._written = jar.dump()
        self._next = 0.0

    def load(self) -> None:
        """Fill the jar with the cookies of the run that is resumed; nothing where there are none.

        Raises RefusedError where the file cannot be read as cookies.
        """
        if not self._path.exists():
            return
        try:
            self._written = self._path.read_text(encoding="utf-8")
            self._jar.load(self._written)
        except (OSError, ValueError, TypeError, KeyError) as error:
            what = f"{self._path} does not hold the cookies of the run any more ({error})"
            raise RefusedError(what, "delete it to go on without cookies, or start anew with --fresh") from error

    def started(self, plan: CrawlPlan, opened: Opened) -> None:
        """Nothing to do."""

    def page_ok(self, outcome: Outcome) -> None:
        """Nothing to do."""

    def page_failed(self, outcome: Outcome) -> None:
        """Nothing to do."""

    def item(self, item: Item) -> None:
        """Nothing to do."""

    def tick(self, stats: Callable[[], Stats]) -> None:  # noqa: ARG002 - the protocol's
        """Keep the jar if it has changed."""
        if self._clock() >= self._next:
            self._next = self._clock() + EVERY
            self._keep()

    def finished(self, verdict: Verdict, stats: Stats) -> None:  # noqa: ARG002 - the protocol's
        """Keep the jar as it is at the end."""
        self._keep()

    def _keep(self) -> None:
        text = self._jar.dump()
        if text == self._written:
            return
        beside = self._path.with_suffix(".new")
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._path)
        self._written = text
