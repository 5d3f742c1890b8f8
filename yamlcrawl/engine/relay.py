"""From the item table to a streaming target, position by position."""

from __future__ import annotations

import threading
from collections.abc import Callable

from yamlcrawl.errors import RefusedError
from yamlcrawl.model.frontier import Frontier, TargetLease
from yamlcrawl.model.plan import Stream, TargetPlan

BATCH = 4000
"""Items."""
PAUSE = 0.25
"""Seconds between two looks at the item table."""


class Relay:
    """One thread that reads after the last acknowledged position, writes, makes durable, acknowledges."""

    def __init__(self, frontier: Frontier, target: TargetPlan, on_lost: Callable[[BaseException], None]) -> None:
        self.target = target
        self._frontier, self._on_lost = frontier, on_lost
        self._drain, self._leave = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"relay {target.name}", daemon=True)

    def start(self) -> None:
        """Start the thread; a target that is lost is told to `on_lost`, once."""
        self._thread.start()

    def drain(self) -> None:
        """Deliver what is there, then end."""
        self._drain.set()

    def leave(self) -> None:
        """End after the batch in work."""
        self._leave.set()
        self._drain.set()

    def join(self, patience: float | None = None) -> bool:
        """Wait for the end; whether it has come."""
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            if lease := self._acquire():
                self._deliver(lease)
        except BaseException as error:
            self._on_lost(error)

    def _acquire(self) -> TargetLease | None:
        while not self._leave.is_set():
            if lease := self._frontier.target_acquire(self.target.name):
                return lease
            self._leave.wait(PAUSE)
        return None

    def _deliver(self, lease: TargetLease) -> None:
        assert self.target.open is not None
        stream = self.target.open(lease.part)
        try:
            if (part := stream.begin()) is not None:
                lease = self._acknowledge(lease, lease.position, part)
            while not self._leave.is_set():
                drained = self._drain.is_set()
                lease, moved = self._batch(stream, lease)
                if not moved and drained:
                    return
                if not moved:
                    self._drain.wait(PAUSE)
        finally:
            stream.close()

    def _batch(self, stream: Stream, lease: TargetLease) -> tuple[TargetLease, bool]:
        rows = self._frontier.items(lease, BATCH)
        if not rows:
            return lease, False
        mine = [row for row in rows if row.kind in self.target.kinds]
        part = stream.write(mine) if mine else lease.part
        return self._acknowledge(lease, rows[-1].number, part), True

    def _acknowledge(self, lease: TargetLease, last: int, part: object) -> TargetLease:
        kept = self._frontier.target_ack(lease, last, part)
        if kept is None:
            raise RefusedError(f"another process writes to {self.target.name} now", "let one run end first")
        return kept
