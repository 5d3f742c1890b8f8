"""How requests are added: each URL once, by the shortest way where a depth limit makes that matter."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from yamlcrawl import urls
from yamlcrawl.frontiers import limits as bounds
from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.ahead import Ahead
from yamlcrawl.frontiers.batch import Batch, Link
from yamlcrawl.frontiers.database import DELAYED, FREE, NEEDS_PAGE, WAITING
from yamlcrawl.frontiers.known import Known
from yamlcrawl.frontiers.origins import Origins
from yamlcrawl.frontiers.progress import Progress
from yamlcrawl.frontiers.queues import Gate, brings_other, queue_name, rank
from yamlcrawl.model.request import Request


class Links:
    """The writing side of the table of requests."""

    def __init__(
        self, db: sqlite3.Connection, progress: Progress, origins: Origins, ahead: Ahead, known: Known
    ) -> None:
        self._db = db
        self._progress = progress
        self._origins = origins
        self._ahead = ahead
        self._known = known
        self._depth_first = progress.depth_first

    def write(self, batch: Batch) -> int:
        """Add those links of the batch that are not known yet; how many were new."""
        stored = self._look_up([link for link in batch.links if link.fingerprint is not None and self._looks(link)])
        most = self._progress.limits.depth
        fresh: dict[int, Link] = {}
        links: list[Link] = []
        for link in batch.links:
            fingerprint = link.fingerprint
            if fingerprint is None:
                links.append(link)
            elif fingerprint in fresh:
                self._meet_twin(fresh[fingerprint], link, batch)
            elif fingerprint in stored:
                self._meet_again(stored[fingerprint], link.request, batch)
            elif self._known(fingerprint) and not self._depth_first:
                batch.counts["duplicates"] += 1
            elif most is not None and link.request.depth > most:
                batch.counts["outcome:limit"] += 1
            else:
                fresh[fingerprint] = link
                links.append(link)
        new = self._insert(links, batch)
        batch.counts["duplicates"] += len(links) - new
        self._progress.open += new
        batch.fingerprints += fresh
        return new

    def _looks(self, link: Link) -> bool:
        """Whether it has to be compared with the request that it may be equal to."""
        return self._depth_first or bool(link.request.carry or link.request.vars)

    def _look_up(self, links: Sequence[Link]) -> dict[int, tuple[int, int, int, str]]:
        """Number, depth, state and payload of those that are stored."""
        if not links:
            return {}
        rows = self._db.execute(
            "SELECT fp, id, depth, state, payload FROM request WHERE fp IN (SELECT value FROM json_each(?))",
            (payload.encode([link.fingerprint for link in links]),),
        )
        return {fp: (number, depth, state, text) for fp, number, depth, state, text in rows.fetchall()}

    def _insert(self, links: Sequence[Link], batch: Batch) -> int:
        rows, origins = [], self._origins
        for link in links:
            request = link.request
            name = queue_name(request)
            queue = origins.queues.get(name) or origins.new_queue(name, urls.host_key(request.url))
            free = NEEDS_PAGE if bounds.needs_page(request) else FREE
            asked = link.asked.number if link.asked is not None and request.purpose == "robots" else None
            order = rank(request, depth_first=self._depth_first)
            rows.append((link.fingerprint, queue.number, order, request.depth, free, asked, link.payload))
            queue.host.ready = True
            origins.touch(queue.host)
            self._ahead.make_way(queue, order)
            if queue.host.given_up or queue.gate == Gate.DENIED:
                batch.sweeps[queue] = None
        before = self._db.total_changes
        self._db.executemany(
            "INSERT OR IGNORE INTO request(fp, queue, rank, depth, state, free, asked, payload)"  # noqa: S608
            f" VALUES (?, ?, ?, ?, {WAITING}, ?, ?, ?)",
            rows,
        )
        return self._db.total_changes - before

    def _meet_twin(self, twin: Link, link: Link, batch: Batch) -> None:
        """Two equal requests in one batch: the first one stands, with the shorter way of the two."""
        batch.counts["duplicates"] += 1
        _compare_carry(twin.request, link.request, batch)
        if self._depth_first and link.request.depth < twin.request.depth:
            twin.request = replace(twin.request, depth=link.request.depth)

    def _meet_again(self, stored: tuple[int, int, int, str], request: Request, batch: Batch) -> None:
        """A request that is known: counted, and taken as a shorter way where a depth limit makes that matter."""
        number, depth, state, text = stored
        batch.counts["duplicates"] += 1
        known = payload.load(text, depth)
        _compare_carry(known, request, batch)
        if not self._depth_first or request.depth >= depth:
            return
        if state not in (WAITING, DELAYED):
            batch.counts["shorter_way"] += 1
            batch.notes.append(("shorter_way", request.url))
            return
        order = rank(replace(known, depth=request.depth), depth_first=True)
        self._db.execute(
            "UPDATE request SET depth = ?1, rank = ?2 WHERE id = ?3 AND depth > ?1", (request.depth, order, number)
        )


def _compare_carry(known: Request, request: Request, batch: Batch) -> None:
    if brings_other(known, request):
        batch.counts[f"carry:{request.via}"] += 1
        batch.notes.append((f"carry:{request.via}", request.url))
