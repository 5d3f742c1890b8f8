"""The short queue between the threads that fetch and the threads that parse."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    """What the queue holds: it says how many bytes it keeps in memory."""

    @property
    def size(self) -> int: ...


T = TypeVar("T", bound=Sized)


class Bodies(Generic[T]):
    """A queue with room for a few bodies, by number and by bytes; a full one holds the fetching back.

    One body is always let in, however large, so that it cannot wait for ever.
    """

    def __init__(self, number: int, size: int) -> None:
        self._number, self._size = number, size
        self._bodies: deque[T] = deque()
        self._bytes = 0
        self._closed = False
        lock = threading.Lock()
        self._room, self._filled = threading.Condition(lock), threading.Condition(lock)

    def has_room(self, body: T) -> bool:
        """Whether `put` would not wait just now."""
        with self._room:
            return not self._bodies or not self._is_full(body)

    def put(self, body: T) -> None:
        """Wait for room, then add; after `close` the body is dropped."""
        with self._room:
            while self._bodies and not self._closed and self._is_full(body):
                self._room.wait()
            if self._closed:
                return
            self._bodies.append(body)
            self._bytes += body.size
            self._filled.notify()

    def get(self) -> T | None:
        """The next body, waiting for one; None once the queue is closed."""
        with self._filled:
            while not self._bodies and not self._closed:
                self._filled.wait()
            if self._closed:
                return None
            body = self._bodies.popleft()
            self._bytes -= body.size
            self._room.notify()
            return body

    def close(self) -> None:
        """End both sides; what is inside is dropped (its leases go back with the worker's)."""
        with self._room:
            self._closed = True
            self._bodies.clear()
            self._room.notify_all()
            self._filled.notify_all()

    def _is_full(self, body: T) -> bool:
        return len(self._bodies) >= self._number or self._bytes + body.size > self._size
