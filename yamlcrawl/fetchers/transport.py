"""The seam between HTTP and the library that carries it: one request out, raw bytes back.

What stands above (cookies, credentials, codings) knows only these types, so a second transport needs none of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from yamlcrawl.model.plan import Timeouts
from yamlcrawl.model.response import Headers

Allow = Callable[[str, int], bool]
"""Whether a connection to this IP address and port may be made; asked for each address after resolving."""


SLACK = 0.05
"""Seconds by which a deadline may be missed: a socket's timeout is set in steps of these, so it seldom changes."""


class TransportError(Exception):
    """No whole answer; `outcome` is the name in the closed list of outcomes."""

    def __init__(self, outcome: str, reason: str, *, contact: bool = True, final: bool = False) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason
        self.contact = contact
        """False if nothing reached the host."""
        self.final = final
        """True if trying again cannot help."""


class Deadline:
    """How long one request may still take; the total bounds a body that trickles, too."""

    __slots__ = ("_clock", "_end", "_timeouts")

    def __init__(self, timeouts: Timeouts, clock: Callable[[], float] = time.monotonic) -> None:
        self._timeouts = timeouts
        self._clock = clock
        self._end = clock() + timeouts.total

    def connect(self) -> float:
        """Seconds that connecting may take from now on. Raises TransportError (timeout) where none are left."""
        return min(self._timeouts.connect, self._left())

    def read(self) -> float:
        """Seconds that the next piece may take. Raises TransportError (timeout) where none are left."""
        return min(self._timeouts.read, self._left())

    def give(self, seconds: float) -> None:
        """Let it take so much longer in all."""
        self._end += seconds

    def connect_expired(self, reached: str) -> TransportError:
        """The error for a connection that was not made in time."""
        if self._over():
            return self._expired()
        seconds = f"{self._timeouts.connect:g} s"
        return TransportError("timeout", f"no connection to {reached} within {seconds} (site.timeout.connect)")

    def read_expired(self) -> TransportError:
        """The error for a piece that did not come in time."""
        if self._over():
            return self._expired()
        return TransportError("timeout", f"nothing came for {self._timeouts.read:g} s (site.timeout.read)")

    def _over(self) -> bool:
        return self._clock() >= self._end - SLACK

    def _left(self) -> float:
        left = self._end - self._clock()
        if left <= 0:
            raise self._expired()
        return left

    def _expired(self) -> TransportError:
        return TransportError("timeout", f"not done after {self._timeouts.total:g} s in all (site.timeout.total)")


@dataclass(frozen=True, slots=True)
class Message:
    """A request as it goes over the wire, secrets filled in."""

    scheme: str
    """``http`` or ``https``."""
    host: str
    """Name or address; an IPv6 address without brackets."""
    port: int
    method: str
    target: str
    """Path and query exactly as they are sent (RFC 9112, 3.2.1)."""
    headers: tuple[tuple[str, str], ...]
    """All that is sent, Host and Content-Length included, in order."""
    body: bytes = b""


@dataclass(slots=True)
class Answer:
    """The head of an answer, and its body as it comes."""

    status: int
    headers: Headers
    pieces: Iterator[bytes]
    """The body without its transfer framing, codings untouched. Raises TransportError where it is cut or late.
    Must be read to its end before the next `send`, or the connection is given up."""
    received: int = 0
    """Bytes of the body that came so far, as it comes over the wire."""
    most: int | None = None
    """Bytes that it may have as it comes over the wire, where that is not the transport's own bound."""


class Transport(Protocol):
    """Carries one request at a time; opened, used and closed by one thread."""

    def send(self, message: Message, deadline: Deadline, allow: Allow, sent: Callable[[], None]) -> Answer:
        """The answer's head. Calls `sent` when the request was written (again where it had to be written anew).

        Raises TransportError.
        """

    def close(self) -> None:
        """Close every kept connection."""
