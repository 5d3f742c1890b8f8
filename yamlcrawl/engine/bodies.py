"""The queue between the threads that fetch and the threads that parse."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    """What the queue holds: it says how many bytes it keeps in memory."""

    @property
    def size(self) -> int: ...


T = TypeVar("T", bound=Sized)


class Bodies(Generic[T]):
    """Bodies that wait to be parsed, few by number since few are in flight at all, and bounded by bytes.

    While the bytes are over the bound, `put` waits, and so holds the fetching back. One body is always let in, however
    large, so that it cannot wait for ever. The usual way takes no lock of Python's own: waking threads one by one
    would cost more than reading a page.
    """

    def __init__(self, readers: int, size: int) -> None:
        self._readers, self._size = readers, size
        self._bodies: SimpleQueue[T | None] = SimpleQueue()
        self._bytes = 0
        self._closed = False
        self._lock = threading.Lock()
        self._room = threading.Condition(self._lock)
        self._waiting = 0

    def put(self, body: T) -> None:
        """Add, once there is room; after `close` the body is dropped."""
        with self._lock:
            while self._bytes and self._bytes + body.size > self._size and not self._closed:
                self._waiting += 1
                self._room.wait()
                self._waiting -= 1
            if self._closed:
                return
            self._bytes += body.size
        self._bodies.put(body)

    def get(self) -> T | None:
        """The next body, waiting for one; None once the queue is closed."""
        body = self._bodies.get()
        if body is None:
            return None
        with self._lock:
            self._bytes -= body.size
            if self._waiting:
                self._room.notify_all()
        return None if self._closed else body

    def close(self) -> None:
        """End both sides; what is inside is dropped (its leases go back with the worker's)."""
        with self._lock:
            self._closed = True
            self._room.notify_all()
        while True:
            try:
                self._bodies.get_nowait()
            except Empty:
                break
        for _ in range(self._readers):
            self._bodies.put(None)
