"""The completion of requests: outcomes, links, items and counters as one batch."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.ahead import Ahead
from yamlcrawl.frontiers.batch import Batch, Link
from yamlcrawl.frontiers.database import DELAYED, ENDED, WAITING
from yamlcrawl.frontiers.gates import Gates
from yamlcrawl.frontiers.hosts import Begun
from yamlcrawl.frontiers.leases import Held, Leases
from yamlcrawl.frontiers.links import Links
from yamlcrawl.frontiers.origins import Origins
from yamlcrawl.frontiers.pending import Arrived, Pending
from yamlcrawl.frontiers.progress import Progress
from yamlcrawl.frontiers.queues import rank
from yamlcrawl.model.item import Item
from yamlcrawl.model.outcome import Outcome, Result
from yamlcrawl.model.request import Request


class Completion:
    """Gathers outcomes in a batch (`complete`), then writes them (`write`)."""

    def __init__(
        self,
        db: sqlite3.Connection,
        progress: Progress,
        origins: Origins,
        leases: Leases,
        ahead: Ahead,
        links: Links,
        gates: Gates,
    ) -> None:
        self._db = db
        self._progress = progress
        self._origins = origins
        self._leases = leases
        self._ahead = ahead
        self._links = links
        self._gates = gates
        self._pending = Pending(db)

    def complete(self, outcome: Outcome, links: list[Link], batch: Batch) -> Result:
        """Take an outcome and what it led to; the lease ends, nothing is written."""
        held = self._leases.find(outcome.token)
        if held is None:
            return Result.STALE
        number = outcome.token.number
        begun = self._leases.end(number, held, contact=outcome.contact)
        self._count(outcome, batch)
        if outcome.again is None:
            self._end(number, outcome, batch)
        else:
            self._again(number, held, outcome.again, outcome, batch)
        for link in links:
            link.asked = held.asked
        batch.links += links
        batch.ended.append((held, begun, outcome))
        return Result.COMMITTED

    def _count(self, outcome: Outcome, batch: Batch) -> None:
        counts = batch.counts
        for name, n in outcome.counts.items():
            counts[name] += n
        batch.notes += outcome.notes
        counts["attempts"] += outcome.contact
        counts["bytes"] += outcome.received
        self._progress.totals.bytes += outcome.received

    def _end(self, number: int, outcome: Outcome, batch: Batch) -> None:
        reason = payload.storable(outcome.reason)
        batch.ends.append((outcome.name, outcome.status, reason, outcome.error, outcome.contact, number))
        self._progress.open -= 1
        if (download := outcome.download) is not None:
            batch.files[download] = outcome.file
        batch.count_end(self._progress.totals, outcome.request.purpose, outcome.name, error=outcome.error)

    def _again(self, number: int, held: Held, request: Request, outcome: Outcome, batch: Batch) -> None:
        batch.counts["retries"] += 1
        state, not_before, host = WAITING, None, held.queue.host
        if outcome.wait > 0:
            state, not_before = DELAYED, self._progress.now + outcome.wait
            host.later = not_before if host.later is None else min(host.later, not_before)
        order = rank(request, depth_first=self._progress.depth_first)
        self._ahead.make_way(held.queue, order)
        text = payload.dump(request)
        batch.agains.append((state, not_before, held.free, order, text, outcome.contact, number))

    def write(self, batch: Batch) -> None:
        """Write all that the outcomes led to, then judge their hosts by them."""
        self._db.executemany(
            f"UPDATE request SET state = {ENDED}, worker = NULL, outcome = ?, status = ?, reason = ?, error = ?,"  # noqa: S608
            " attempts = attempts + ? WHERE id = ?",
            batch.ends,
        )
        if batch.agains:
            self._db.executemany(
                "UPDATE request SET state = ?, not_before = ?, worker = NULL, free = ?, rank = ?, payload = ?,"
                " attempts = attempts + ? WHERE id = ?",
                batch.agains,
            )
        if batch.links:
            self._links.write(batch)
        self._write_items(self._pending.add([item for _, _, outcome in batch.ended for item in outcome.items]), batch)
        for held, begun, outcome in batch.ended:
            self._judge(held, begun, outcome, batch)
        hosts = {held.queue.host for held, _, _ in batch.ended}
        self._origins.write_hosts(hosts | {held.asked.host for held, _, _ in batch.ended if held.asked})

    def _judge(self, held: Held, begun: Begun, outcome: Outcome, batch: Batch) -> None:
        """What it says of its origin and its host."""
        if held.asked is not None and outcome.final:
            self._gates.read_robots(held.asked, outcome, batch)
        if outcome.contact:
            held.queue.host.judge(outcome.name, begun, self._progress.now, outcome.host_wait)
        batch.sweep(self._origins.hopeless(held.queue))

    def settle(self, batch: Batch) -> None:
        """Let the items go that waited for the downloads which have ended."""
        if batch.files:
            self._write_items(self._pending.end(batch.files), batch)
            batch.files.clear()

    def flush(self, batch: Batch) -> None:
        """Let all items go that still wait: nothing more will be fetched."""
        self._write_items(self._pending.flush(), batch)

    def _write_items(self, arrived: Iterable[Arrived], batch: Batch) -> None:
        limit, totals, rows = self._progress.limits.items, self._progress.totals, []
        here: set[tuple[str, bytes]] = set()
        for item, counts, notes in list(arrived):
            for name, n in counts.items():
                batch.counts[name] += n
            batch.notes += notes
            if item is None:
                continue
            if limit is not None and totals.items >= limit:
                break
            double = bool(item.key) and ((item.kind, item.key) in here or self._has_key(item))
            if item.key:
                here.add((item.kind, item.key))
            if item.null_key:
                batch.counts[f"null_key:{item.kind}"] += 1
            text = payload.storable(item.text)
            if double:
                batch.counts[f"double:{item.kind}"] += 1
            else:
                batch.counts[f"item:{item.kind}"] += 1
                totals.items += 1
                self._progress.item_bytes += len(text)
            url = payload.storable(item.url)
            rows.append((item.kind, text, url, item.fetched_at, item.key, item.place, double))
        if rows:
            self._db.executemany(
                "INSERT INTO item(kind, text, url, fetched_at, key, place, double) VALUES (?, ?, ?, ?, ?, ?, ?)", rows
            )

    def _has_key(self, item: Item) -> bool:
        found = self._db.execute(
            "SELECT 1 FROM item WHERE kind = ? AND key = ? AND key <> x'' LIMIT 1", (item.kind, item.key)
        )
        return found.fetchone() is not None
