"""The end of a run: one worker has the right to judge it and to put the targets in place."""

from __future__ import annotations

from dataclasses import asdict

from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.opening import lost_finish
from yamlcrawl.frontiers.store import Store
from yamlcrawl.model.frontier import FinishLease, State, Verdict


class Ending:
    """The verdict and the written targets, each durable before it is told."""

    def __init__(self, store: Store, worker: int) -> None:
        self._store = store
        self._db = store.db
        self._worker = worker

    def finish(self) -> FinishLease | None:
        """The right to finish; None while the run goes on, or while another worker has it."""
        with self._store.transaction():
            state, finisher, verdict = self._db.execute("SELECT state, finisher, verdict FROM crawl").fetchone()
            if state != State.FINISHING or finisher not in (None, self._worker):
                return None
            self._db.execute("UPDATE crawl SET finisher = ?", (self._worker,))
            written = self._db.execute("SELECT target FROM written").fetchall()
        return FinishLease(str(self._worker), verdict_of(verdict), frozenset(target for (target,) in written))

    def _check(self, lease: FinishLease) -> None:
        (finisher,) = self._db.execute("SELECT finisher FROM crawl").fetchone()
        if finisher != self._worker or lease.worker != str(self._worker):
            raise lost_finish()

    def judge(self, lease: FinishLease, verdict: Verdict) -> Verdict:
        """Store the verdict, unless there is one; the one that holds."""
        with self._store.durably():
            self._check(lease)
            self._db.execute("UPDATE crawl SET verdict = coalesce(verdict, ?)", (payload.encode(asdict(verdict)),))
            return verdict_of(self._db.execute("SELECT verdict FROM crawl").fetchone()[0]) or verdict

    def written(self, lease: FinishLease, target: str) -> None:
        """A target is in place."""
        with self._store.durably():
            self._check(lease)
            self._db.execute("INSERT OR IGNORE INTO written VALUES (?)", (target,))

    def lacking(self) -> dict[str, int]:
        """How many items each streaming target still has to get."""
        rows = self._db.execute(
            "SELECT name, (SELECT count(*) FROM item WHERE number > position AND double = 0) FROM target WHERE wanted"
        )
        return dict(rows.fetchall())


def verdict_of(text: str | None) -> Verdict | None:
    """The verdict as it is stored."""
    if text is None:
        return None
    stored = payload.decode(text)
    return Verdict(stored["exit"], tuple(stored["reasons"]), stored["changed"])
