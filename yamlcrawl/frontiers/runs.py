"""The runs of a crawl: numbered folders, of which at most one is unfinished."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from yamlcrawl.errors import RefusedError
from yamlcrawl.frontiers import payload
from yamlcrawl.frontiers.database import connect, transaction
from yamlcrawl.frontiers.sqlite import FILE, SqliteFrontier
from yamlcrawl.frontiers.stats import read_stats
from yamlcrawl.frontiers.workers import living
from yamlcrawl.model.frontier import Clock, ItemRow, Opened, Opening, State, Stats

KEPT = 10
"""Runs that are kept."""
NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs"})
"""File systems on which SQLite's locks cannot be trusted."""
MOUNTS = Path("/proc/self/mounts")

Mode = Literal["plain", "resume", "fresh"]


class StoredTarget(NamedTuple):
    """A streaming target of a run that is set aside."""

    name: str
    part: Any
    """What it said with its last acknowledgement; None if it never did."""
    rows: Iterator[ItemRow]
    """The items that it would have been given next."""


Settle = Callable[[StoredTarget], None]
"""Undoes what the run wrote there. Raises RefusedError where that cannot be done."""


class Begun(NamedTuple):
    """A run that was begun or taken up again."""

    frontier: SqliteFrontier
    opened: Opened
    number: int
    """0 for a trial."""
    folder: Path
    resumed: bool


@dataclass(frozen=True, slots=True)
class Run:
    """One run, as any process may look at it."""

    number: int
    folder: Path

    @property
    def is_live(self) -> bool:
        """Whether a process works on it now."""
        return bool(living(self.folder))

    @property
    def is_begun(self) -> bool:
        """False where its process died, or the disk was full, before the first word of it was written."""
        try:
            with closing(self._connect()) as db:
                return bool(db.execute("PRAGMA user_version").fetchone()[0])
        except RefusedError:
            return True  # something was written: it is damaged now, or of a newer version

    @property
    def is_readable(self) -> bool:
        """Whether its file is whole, and of a version that is understood."""
        try:
            self.stats()
        except (RefusedError, sqlite3.DatabaseError):
            return False
        return True

    def stats(self, now: float | None = None) -> Stats:
        """Its counters; seconds of running are counted on only while a process works on it."""
        with closing(self._connect()) as db:
            db.execute("PRAGMA query_only=1")
            if now is None:
                now = time.time() if self.is_live else db.execute("SELECT ticked FROM crawl").fetchone()[0]
            db.execute("BEGIN")
            return read_stats(db, now)

    def _connect(self) -> sqlite3.Connection:
        path = self.folder / FILE
        if not path.exists():
            raise RefusedError(f"{self.folder} holds no run", "begin one with yamlcrawl run")
        return connect(path, synchronous="FULL")

    @property
    def is_unfinished(self) -> bool:
        """Whether it can be resumed: neither done, nor set aside, nor failed by a verdict."""
        if not self.is_readable:
            return True
        stats = self.stats()
        if stats.state == State.FAILED:
            return stats.verdict is None
        return stats.state not in (State.DONE, State.ABANDONED)

    def stop(self) -> State:
        """Ask its process to stop; the state after that."""
        path = self.folder / FILE
        with closing(self._connect()) as db, transaction(db, path):
            after = State.STOPPING if self.is_live else State.STOPPED
            db.execute(
                "UPDATE crawl SET state = ? WHERE state IN ('init', 'running', 'stopping')",
                (after.value,),
            )
            return State(db.execute("SELECT state FROM crawl").fetchone()[0])

    def abandon(self, settle: Settle) -> None:
        """Set it aside, once each of its streaming targets is settled."""
        path = self.folder / FILE
        with closing(self._connect()) as db:
            targets = db.execute("SELECT name, part, position FROM target ORDER BY name").fetchall()
            for name, part, position in targets:
                settle(StoredTarget(name, payload.decode(part), _rows(db, position)))
            with transaction(db, path):
                db.execute("UPDATE crawl SET state = ?", (State.ABANDONED.value,))


def _rows(db: sqlite3.Connection, position: int) -> Iterator[ItemRow]:
    while rows := db.execute(
        "SELECT number, kind, text, url, fetched_at FROM item WHERE number > ? AND double = 0"
        " ORDER BY number LIMIT 1000",
        (position,),
    ).fetchall():
        yield from (ItemRow(*row) for row in rows)
        position = rows[-1][0]


class Runs:
    """The runs of one crawl, in the folder of its name below `root`."""

    def __init__(self, root: Path, name: str, clock: Clock = time.time) -> None:
        self.name = name
        self.folder = root / name
        self._clock = clock

    def all(self) -> list[Run]:
        """Every run that was begun, the oldest first."""
        folder = self.folder / "runs"
        numbers = (int(path.name) for path in folder.glob("*") if path.name.isdecimal() and (path / FILE).exists())
        runs = [Run(number, folder / str(number)) for number in sorted(numbers)]
        return [run for run in runs if run.is_begun]

    @property
    def newest(self) -> Run | None:
        """The last run that was begun."""
        return next(reversed(self.all()), None)

    def begin(self, opening: Opening, mode: Mode = "plain", settle: Settle = lambda _target: None) -> Begun:
        """Begin a run, or go on with the unfinished one.

        `plain` begins a new run, `resume` goes on with an unfinished one (a new run where there is none), `fresh`
        sets an unfinished one aside after `settle` has taken back what it wrote to each of its streaming targets.
        Raises RefusedError where the newest run is live, where it is unfinished and the mode is plain, where the
        spec has changed since, and where the state would lie on a network file system.
        """
        with self._exclusively():
            newest = self.newest
            self._refuse_live(newest)
            if newest is not None and newest.is_unfinished:
                if mode == "resume":
                    return self._open(newest, opening, resumed=True)
                if mode == "plain":
                    raise RefusedError(
                        f"run {newest.number} of {self.name} is unfinished",
                        "go on with it: yamlcrawl run --resume; or set it aside and begin anew: yamlcrawl run --fresh",
                    )
                self._abandon(newest, settle)
            number = newest.number + 1 if newest else 1
            begun = self._open(Run(number, self.folder / "runs" / str(number)), opening, resumed=False)
            self._prune()
            return begun

    def trial(self, opening: Opening) -> Begun:
        """Begin a trial: a run beside the others that leaves nothing to resume."""
        with self._exclusively():
            run = Run(0, self.folder / "trial")
            self._refuse_live(run)
            shutil.rmtree(run.folder, ignore_errors=True)
            return self._open(run, opening, resumed=False)

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        """Hold the folder, so that two processes never begin at once."""
        refuse_network(self.folder)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        file = os.open(self.folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)

    def _refuse_live(self, run: Run | None) -> None:
        if run is not None and run.is_live:
            raise RefusedError(
                f"{self.name} is running already", f"wait for it, or stop it: yamlcrawl stop {self.name}"
            )

    def _abandon(self, run: Run, settle: Settle) -> None:
        if run.is_readable:
            run.abandon(settle)
        else:  # nothing is known of its targets
            run.folder.rename(run.folder.with_name(f"{run.number}-damaged"))

    def _open(self, run: Run, opening: Opening, *, resumed: bool) -> Begun:
        run.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        frontier = SqliteFrontier(run.folder, self._clock)
        return Begun(frontier, frontier.open(opening), run.number, run.folder, resumed)

    def _prune(self) -> None:
        """Remove the oldest runs, but never one that could be resumed."""
        for run in self.all()[:-KEPT]:
            if not run.is_live and not run.is_unfinished:
                shutil.rmtree(run.folder, ignore_errors=True)


def names(root: Path) -> list[str]:
    """The crawls that have state below the folder."""
    return sorted(path.parent.name for path in root.glob("*/runs"))


def refuse_network(folder: Path, mounts: str | None = None) -> None:
    """Raise RefusedError if the folder lies on a network file system, as far as the system tells.

    >>> refuse_network(Path("/mnt/share/x"), "server:/share /mnt/share nfs4 rw 0 0")
    Traceback (most recent call last):
    ...
    yamlcrawl.errors.RefusedError: /mnt/share/x lies on a network file system (nfs4), whose locks cannot be trusted
      fix: run yamlcrawl in a folder on a local disk
    """
    if mounts is None:
        if not MOUNTS.exists():
            return
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace")
    place = folder.resolve()
    kinds = {
        fields[1].replace("\\040", " "): fields[2] for line in mounts.splitlines() if len(fields := line.split()) > 2
    }
    above = next((str(parent) for parent in (place, *place.parents) if str(parent) in kinds), "")
    if kinds.get(above) in NETWORK:
        raise RefusedError(
            f"{folder} lies on a network file system ({kinds[above]}), whose locks cannot be trusted",
            "run yamlcrawl in a folder on a local disk",
        )
