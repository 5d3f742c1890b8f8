"""Standard output: one JSON object a line, as the items come."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

from pydantic import Field

from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.plan import TargetPlan
from yamlcrawl.targets.layout import json_bytes
from yamlcrawl.targets.rows import Rows
from yamlcrawl.targets.run import Run
from yamlcrawl.targets.target import Target
from yamlcrawl.targets.trouble import telling


class Stdout(Target):
    """Print each item as JSON on a line of its own: for pipes, and for trying a spec."""

    to: Literal["-"] = Field(description="`-`: standard output, JSON lines.", examples=["-"])

    def plan(self, run: Run) -> tuple[TargetPlan, ...]:
        """One stream for all its item types."""
        kinds = self.taken(run)
        rows = self.rows(kinds, run)
        return (
            TargetPlan(
                name=self.to,
                path=run.path,
                kinds=kinds,
                streaming=True,
                open=lambda _part: StdoutStream(rows),
                shape=self.shape(rows),
            ),
        )


class StdoutStream:
    """Lines to standard output, at least once each; when the reader has gone away, the rest is dropped in silence."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._kinds = frozenset(rows.kinds)
        self._gone = False

    def begin(self) -> None:
        """Nothing need be remembered."""

    def write(self, rows: Sequence[ItemRow]) -> None:
        """Print the rows; they have left when this returns."""
        text = "".join([self._rows.json(row) + "\n" for row in rows if row.kind in self._kinds])
        if self._gone or not text:
            return
        with telling("standard output"):
            try:
                sys.stdout.buffer.write(json_bytes(text))
                sys.stdout.buffer.flush()
            except BrokenPipeError:
                self._gone = True
                _let_go()

    def close(self) -> None:
        """Standard output stays open."""


def _let_go() -> None:
    """Lead standard output nowhere, so that Python's own flush at the end does not stumble over the closed pipe."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
