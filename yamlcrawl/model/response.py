"""What came back for a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from yamlcrawl.model.request import Request


class Headers:
    """The header fields of an answer, in order; names compare without case (RFC 9110, 5.1)."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs = tuple((name.lower(), value) for name, value in pairs)

    def get(self, name: str) -> str | None:
        """The first value of the field, or None."""
        name = name.lower()
        return next((value for key, value in self._pairs if key == name), None)

    def all(self, name: str) -> list[str]:
        """Every value of the field, in order."""
        name = name.lower()
        return [value for key, value in self._pairs if key == name]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs)

    def merged(self) -> dict[str, str]:
        """Lower-case name to value; repeated fields joined by a comma and a blank."""
        merged: dict[str, str] = {}
        for name, value in self._pairs:
            merged[name] = f"{merged[name]}, {value}" if name in merged else value
        return merged


@dataclass(frozen=True, slots=True)
class Response:
    """An answer whose body was read whole; the body is decoded from gzip and the like, not from its charset."""

    request: Request
    url: str
    """The URL that was asked, secrets as references; redirects are requests of their own."""
    status: int
    headers: Headers
    body: bytes
    received: int
    """Bytes that came over the wire for the body, before decoding."""
    elapsed: float
    """Seconds from sending to the last byte."""
    fetched_at: float
    """Seconds since the epoch when the answer had come."""
    cookies_changed: bool = False
    saved: Mapping[str, Any] | None = None
    """For a download: the record of the file, which is on the disk; the body is empty then."""


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer that can be used; ``outcome`` is a name of the closed list in `model.outcome`."""

    request: Request
    outcome: str
    reason: str
    contact: bool = True
    """False if nothing reached the host: slot, clock and page are given back."""
    final: bool = False
    """True if trying again cannot help (TLS verification, an address that is denied)."""
    status: int = 0
