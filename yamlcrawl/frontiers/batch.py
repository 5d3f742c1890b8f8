"""What one transaction writes, gathered so that it takes few statements."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from yamlcrawl.frontiers import limits as bounds
from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.hosts import Begun
from yamlcrawl.frontiers.leases import Held
from yamlcrawl.frontiers.queues import Queue
from yamlcrawl.model.files import File
from yamlcrawl.model.outcome import Outcome
from yamlcrawl.model.request import Request


@dataclass(slots=True)
class Link:
    """A request that is about to be added, as far as it can be prepared outside the transaction."""

    request: Request
    fingerprint: int | None
    """None where the request stands outside what was seen."""
    payload: str
    asked: Queue | None = None
    """For robots.txt: the queue whose gate it opens."""

    @classmethod
    def to(cls, request: Request, asked: Queue | None = None) -> Link:
        """The link to a request."""
        fingerprint = None if request.purpose in bounds.OUTSIDE else request.fingerprint
        return cls(request, fingerprint, payload.dump(request), asked)


@dataclass(slots=True)
class Batch:
    """At first one with nothing to write."""

    ends: list[tuple[Any, ...]] = field(default_factory=list)
    """Requests that have ended, as `completion` writes them."""
    agains: list[tuple[Any, ...]] = field(default_factory=list)
    """Requests that are put back for another attempt."""
    links: list[Link] = field(default_factory=list)
    counts: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    notes: list[tuple[str, str]] = field(default_factory=list)
    ended: list[tuple[Held, Begun, Outcome]] = field(default_factory=list)
    """The leases that were completed."""
    sweeps: dict[Queue, None] = field(default_factory=dict)
    """Queues in which everything ends; a set that keeps its order."""
    files: dict[int, File | None] = field(default_factory=dict)
    """Downloads that have ended, by fingerprint, with their records."""
    fingerprints: list[int] = field(default_factory=list)
    """What is known once the transaction is committed."""

    def sweep(self, queues: list[Queue]) -> None:
        """End everything that waits in these."""
        self.sweeps.update(dict.fromkeys(queues))

    def count_end(self, totals: bounds.Totals, purpose: str, name: str, *, error: bool, n: int = 1) -> None:
        """Count n requests that ended so."""
        if not bounds.counts_as_page(purpose):
            self.counts[f"{purpose}:{name}"] += n
            return
        self.counts[f"outcome:{name}"] += n
        totals.errors += n * error
        totals.ended += n * (name not in bounds.WRONG_WAY)
