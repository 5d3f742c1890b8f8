"""What arrived at the test site, when, and how much of it at once."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass(slots=True)
class Hit:
    """One request, as the server saw it. Times are `time.monotonic` seconds, `wall` is seconds since the epoch."""

    host: str
    """The Host header without the port."""
    method: str
    target: str
    """The request target, byte for byte as it was sent (Latin-1)."""
    headers: list[tuple[str, str]]
    body: bytes
    connection: int
    """Number of the connection, from 1; equal for requests that shared one."""
    arrived: float
    wall: float
    answered: float | None = None
    """The moment before the last byte went out, so never later than the client had it; None while it is in the air."""
    status: int | None = None
    """None for answers that have none (garbage, reset, drop)."""
    in_air: int = 1
    """Requests that were in the air when this one had arrived, itself included."""

    @property
    def path(self) -> str:
        """The target without its query, percent-encoding undone."""
        return unquote(self.target.split("?", 1)[0])

    @property
    def query(self) -> dict[str, str]:
        """The query's parameters; of repeated ones the last."""
        return {
            name: values[-1] for name, values in parse_qs(urlsplit(self.target).query, keep_blank_values=True).items()
        }

    def header(self, name: str) -> str | None:
        """The first header of that name, whatever its case."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        """The body, read as a URL-encoded form."""
        return {k: v[-1] for k, v in parse_qs(self.body.decode(), keep_blank_values=True).items()}

    @property
    def cookies(self) -> dict[str, str]:
        """What the Cookie header holds."""
        pairs = (part.strip().partition("=") for part in (self.header("cookie") or "").split(";"))
        return {name: value for name, _, value in pairs if name}


@dataclass(slots=True)
class Log:
    """All requests in the order of their arrival. Safe between threads."""

    hits: list[Hit] = field(default_factory=list)
    most_in_air: int = 0
    """The largest number of requests that were in the air at once."""
    _in_air: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, hit: Hit) -> None:
        """The request has arrived."""
        with self._lock:
            self._in_air += 1
            hit.in_air = self._in_air
            self.most_in_air = max(self.most_in_air, self._in_air)
            self.hits.append(hit)

    def end(self, hit: Hit) -> None:
        """Its last byte is about to go out; later calls for the same hit change nothing."""
        with self._lock:
            if hit.answered is None:
                hit.answered = time.monotonic()
                self._in_air -= 1

    def __iter__(self) -> Iterator[Hit]:
        with self._lock:
            return iter(list(self.hits))

    def __len__(self) -> int:
        return len(self.hits)

    def clear(self) -> None:
        """Forget what has arrived; requests in the air stay counted."""
        with self._lock:
            self.hits.clear()
            self.most_in_air = self._in_air

    def pages(self, host: str | None = None) -> list[Hit]:
        """The requests, to one host or to all, that were not for robots.txt."""
        return [hit for hit in self if hit.path != "/robots.txt" and host in (None, hit.host)]

    def starts(self, host: str) -> list[float]:
        """Seconds between the arrivals of two successive requests to the host, robots.txt included."""
        times = sorted(hit.arrived for hit in self if hit.host == host)
        return [later - earlier for earlier, later in pairwise(times)]

    def pauses(self, host: str) -> list[float]:
        """Seconds from the end of each answer of the host to the arrival of the next request to it."""
        hits = sorted((hit for hit in self if hit.host == host), key=lambda hit: hit.arrived)
        ends = [hit.answered if hit.answered is not None else hit.arrived for hit in hits]
        return [later.arrived - end for end, later in zip(ends, hits[1:], strict=False)]
