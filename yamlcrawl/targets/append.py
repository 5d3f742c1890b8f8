"""A file that is added to while the crawl runs: each row once, whatever happens in between."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TypedDict

from yamlcrawl.errors import RefusedError, TargetError
from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.targets.layout import Layout
from yamlcrawl.targets.lock import FileLock
from yamlcrawl.targets.replace import make_folder, refuse_odd, sync_folder
from yamlcrawl.targets.trouble import telling

PATIENCE = 5.0
"""Seconds to wait for a process that is just letting go of the file."""
START = 1 << 16
PIECE = 1 << 20
ROWS_AT_ONCE = 500

CHOICES = (
    "put the file back as it was and go on with --resume; or move it away and begin anew with --fresh, which then "
    "makes a new file"
)


class Part(TypedDict):
    """What is remembered of an append file with each acknowledgement."""

    base: int
    """Its length before the run."""
    length: int
    """Its length up to the last row that was acknowledged."""
    hash: str
    """BLAKE2b-128 of the bytes between the two."""


class AppendStream:
    """An append file that is open, under its lock.

    What lies beyond the acknowledged length when it is opened was written and not acknowledged, so it must be the
    beginning of what is written next; `write` compares before it adds.
    """

    def __init__(self, path: Path, layout: Layout, kinds: Sequence[str], part: Part | None) -> None:
        """Open it; raises TargetError, and RefusedError where the file is not what the part says."""
        with telling(path):
            self._path = Path(os.path.realpath(path))
            make_folder(self._path.parent)
        self._layout = layout
        self._kinds = frozenset(kinds)
        self._fd: int | None = None
        self._lock = FileLock(self._path, patience=PATIENCE)
        try:
            with telling(path):
                refuse_odd(self._path)
                self._open(part)
        except BaseException:
            self.close()
            raise

    def _open(self, part: Part | None) -> None:
        size = self._path.stat().st_size if self._path.exists() else 0
        if part is None:
            if size and (why := self._layout.begins(self._read(0, START))):
                raise RefusedError(
                    f"{self._path} cannot be appended to: {why}", "choose another `to`, or mode: replace"
                )
            part = Part(base=size, length=size, hash="")
        self._base = part["base"]
        self._length = part["length"]
        self._beyond = size - self._length
        self._digest = blake2b(digest_size=16)
        if self._beyond < 0:
            raise RefusedError(f"{self._path} is missing or shorter than this run left it", CHOICES)
        for piece in self._pieces(self._base, self._length):
            self._digest.update(piece)
        if self._length > self._base and self._digest.hexdigest() != part["hash"]:
            raise RefusedError(f"{self._path} was changed after this run wrote to it", CHOICES)

    def begin(self) -> Part:
        """What must be remembered before the first byte is written."""
        return Part(base=self._base, length=self._length, hash=self._digest.hexdigest())

    def write(self, rows: Sequence[ItemRow]) -> Part:
        """Add the rows of its types and make them durable; what is to be remembered then."""
        data = self._bytes(rows)
        if data:
            with telling(self._path):
                there = self._there(len(data))
                if not data.startswith(there):
                    raise TargetError(f"somebody else has written to {self._path} during this run", CHOICES)
                self._add(data, len(there))
            self._digest.update(data)
            self._length += len(data)
            self._beyond -= len(there)
        return self.begin()

    def settle(self, following: Iterable[ItemRow]) -> None:
        """Cut the file back to its length before the run, if all beyond it is what this run wrote.

        `following` are the rows that would be written next. Raises RefusedError and leaves the file where it is not.
        """
        left = self._beyond
        offset = self._length
        for data in self._batches(following):
            if left <= 0:
                break
            there = self._read(offset, min(left, len(data)))
            if not data.startswith(there):
                break
            offset += len(there)
            left -= len(there)
        if left > 0:
            raise RefusedError(f"{self._path} holds more than the abandoned run wrote to it", CHOICES)
        if self._length + self._beyond > self._base:
            with telling(self._path):
                os.ftruncate(self._file(), self._base)
                os.fsync(self._file())

    def close(self) -> None:
        """Let go of file and lock; what was written stays."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
        self._lock.release()

    def _bytes(self, rows: Iterable[ItemRow], *, first: bool = True) -> bytes:
        data = b"".join([self._layout.row(row) for row in rows if row.kind in self._kinds])
        return self._before() + data if data and first and self._length == self._base else data

    def _before(self) -> bytes:
        """What stands between what was there before the run and its first row."""
        if self._base == 0:
            return self._layout.head
        return b"" if self._read(self._base - 1, 1) == b"\n" else b"\n"

    def _batches(self, rows: Iterable[ItemRow]) -> Iterator[bytes]:
        batch: list[ItemRow] = []
        first = True
        for row in rows:
            batch.append(row)
            if len(batch) == ROWS_AT_ONCE:
                data = self._bytes(batch, first=first)
                first = first and not data
                yield data
                batch = []
        yield self._bytes(batch, first=first)

    def _there(self, wanted: int) -> bytes:
        """What an earlier, unacknowledged write has left where the next one goes."""
        mine = os.fstat(self._file())
        if not self._path.exists() or not os.path.samestat(mine, self._path.stat()):
            raise TargetError(f"somebody has moved {self._path} away during this run", CHOICES)
        if mine.st_size != self._length + self._beyond:
            raise TargetError(f"somebody else has written to {self._path} during this run", CHOICES)
        return self._read(self._length, min(self._beyond, wanted))

    def _add(self, data: bytes, there: int) -> None:
        fd = self._file()
        try:
            rest = memoryview(data)[there:]
            offset = self._length + there
            while rest:
                written = os.pwrite(fd, rest, offset)
                rest = rest[written:]
                offset += written
            os.fsync(fd)
        except OSError:
            if there < len(data):
                os.ftruncate(fd, self._length + there)  # no half a line stays in sight
            raise

    def _file(self) -> int:
        if self._fd is None:
            new = not self._path.exists()
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            if new:
                sync_folder(self._path.parent)
        return self._fd

    def _read(self, offset: int, size: int) -> bytes:
        return b"".join(self._pieces(offset, offset + size))

    def _pieces(self, start: int, end: int) -> Iterator[bytes]:
        if start >= end or not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(start)
            while start < end and (piece := file.read(min(PIECE, end - start))):
                start += len(piece)
                yield piece


def settle(path: Path, layout: Layout, kinds: Sequence[str], part: Part | None, following: Iterable[ItemRow]) -> None:
    """Cut an append file back to its length before an abandoned run; what is at that length already is settled.

    Raises RefusedError where somebody changed what the run wrote, TargetError where it cannot be written.
    """
    if part is None or not path.exists() or path.stat().st_size == part["base"]:
        return
    stream = AppendStream(path, layout, kinds, part)
    try:
        stream.settle(following)
    finally:
        stream.close()
