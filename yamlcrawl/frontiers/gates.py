"""The gates of origins: what their robots.txt says, and the end of all that waits behind one that stays shut."""

from __future__ import annotations

import sqlite3
from collections import Counter

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.ahead import Ahead
from yamlcrawl.frontiers.batch import Batch
from yamlcrawl.frontiers.database import ENDED
from yamlcrawl.frontiers.origins import Origins
from yamlcrawl.frontiers.progress import Progress
from yamlcrawl.frontiers.queues import Gate, Queue, robots_of, unreadable
from yamlcrawl.model.outcome import Outcome

_WAITS = """id, asked, json_extract(payload, '$.purpose'),
 iif(json_extract(payload, '$.purpose') = 'file', coalesce(json_extract(payload, '$.of'), fp), NULL),
 iif(json_extract(payload, '$.seed'), json_extract(payload, '$.page'), NULL)"""
"""Of a request that waits: number, the queue whose gate it opens, purpose, the download that it is, the seed's page."""


class Gates:
    """Opens and shuts them, and sweeps the queues that have no hope."""

    def __init__(self, db: sqlite3.Connection, progress: Progress, origins: Origins, ahead: Ahead) -> None:
        self._db = db
        self._progress = progress
        self._origins = origins
        self._ahead = ahead

    def read_robots(self, queue: Queue, outcome: Outcome, batch: Batch) -> None:
        """What the outcome of its robots.txt means for a queue; nothing yet where it leads elsewhere."""
        robots = robots_of(outcome)
        if robots is None:
            return
        if robots.rules is None:
            self._deny(queue, unreadable(outcome), batch)
            return
        queue.gate, queue.rules, queue.read_at = Gate.OPEN, robots.rules, self._progress.now
        self._origins.write_gate(queue)
        self._ahead.give_back_of(queue.host)
        if queue.host.heed(robots.delay, self._progress.now):
            batch.sweep(self._origins.hopeless(queue))
        self._origins.touch(queue.host)

    def _deny(self, queue: Queue, reason: str, batch: Batch) -> None:
        queue.gate, queue.denied = Gate.DENIED, reason
        self._origins.write_gate(queue)
        batch.sweeps[queue] = None

    def sweep_all(self, batch: Batch) -> None:
        """End what the batch found to be without hope."""
        for queue in list(batch.sweeps):
            self._sweep(queue, batch)
        batch.sweeps.clear()

    def _sweep(self, queue: Queue, batch: Batch) -> None:
        """End everything that waits in a queue that has no hope."""
        host = queue.host
        outcome, reason = ("host_unavailable", host.given_up) if host.given_up else ("robots_unreachable", queue.denied)
        self._ahead.give_back_of(host)
        waiting = self._db.execute(
            f"SELECT {_WAITS} FROM request WHERE queue = ?1 AND state = 0"  # noqa: S608
            f" UNION ALL SELECT {_WAITS} FROM request WHERE queue = ?1 AND state = 2",
            (queue.number,),
        ).fetchall()
        self._db.executemany(
            f"UPDATE request SET state = {ENDED}, outcome = ?, status = 0, reason = ?, error = 1 WHERE id = ?",  # noqa: S608
            [(outcome, payload.storable(reason), number) for number, *_ in waiting],
        )
        self._progress.open -= len(waiting)
        for purpose, n in Counter(purpose or "page" for _, _, purpose, *_ in waiting).items():
            batch.count_end(self._progress.totals, purpose, outcome, error=True, n=n)
        batch.files.update({download: None for *_, download, _ in waiting if download is not None})
        for page, n in Counter(page for *_, page in waiting if page is not None).items():
            batch.counts[f"seed:{page}"] += n
        for _, asked, *_ in waiting:
            gate = self._origins.by_number.get(asked)
            if gate is not None and gate.host is not host:
                self._deny(gate, reason, batch)
                self._sweep(gate, batch)
