"""HTTP/1.1 as bytes: how a request is written, and how an answer is read off a socket (RFC 9112).

Written here and not taken from http.client since that reads each header line and the email parser each field anew,
which costs several times as much as all the rest of a request.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from yamlcrawl.fetchers.transport import SLACK, Deadline, Message, TransportError
from yamlcrawl.model.response import Headers

HEAD_BYTES = 262_144
"""Largest head of an answer, interim answers and trailers each for themselves."""
HEAD_FIELDS = 1_000
INTERIM = 20
"""Interim answers (1xx) before the one that counts."""
LINE_BYTES = 16_384
"""Longest line that gives the size of a chunk."""
PIECE = 65_536
LARGE_PIECE = 262_144

_END_OF_HEAD = re.compile(rb"\n\r?\n")
_STATUS_LINE = re.compile(r"HTTP/(\d)(?:\.(\d))? +(\d{3})(?: .*)?$", re.ASCII | re.DOTALL)
_TARGET = re.compile(r"[!-~]+").fullmatch
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+").fullmatch
_BREAK = re.compile(r"[\r\n\0]").search
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;.*)?\r?$", re.DOTALL).match
_DIGITS = re.compile(r"[0-9]{1,18}").fullmatch


class Channel(Protocol):
    """What is used of a connected socket, plain or TLS."""

    def recv(self, size: int, /) -> bytes: ...
    def send(self, data: bytes, /) -> int: ...
    def settimeout(self, value: float | None, /) -> None: ...


def written(message: Message) -> bytes:
    """The request as bytes. Raises TransportError (bad_url) for what would break out of its place."""
    if not _TARGET(message.target):
        raise _unsendable(f"its path holds a character that must be percent-encoded: {message.target!r}")
    lines = [f"{message.method} {message.target} HTTP/1.1"]
    for name, value in message.headers:
        if not _TOKEN(name) or _BREAK(value):
            raise _unsendable(f"the header {name!r} has a line break, or a name that is none")
        lines.append(f"{name}: {value}")
    lines.append("\r\n")
    return "\r\n".join(lines).encode("utf-8", "replace") + message.body


def _unsendable(reason: str) -> TransportError:
    return TransportError("bad_url", reason, contact=False, final=True)


class Head(NamedTuple):
    """The status line and header fields of an answer."""

    status: int
    headers: Headers
    keeps: bool
    """The server lets the connection stay open."""


class Wire:
    """One connection: requests written, answers read, one after the other."""

    __slots__ = ("_at", "_channel", "_data", "_deadline", "_set_timeout", "_timeout", "answered", "sent")

    def __init__(self, channel: Channel, set_timeout: Callable[[float], None] | None = None) -> None:
        """`set_timeout` bounds the single calls of the channel, in seconds; by default its own `settimeout`."""
        self._channel = channel
        self._set_timeout = set_timeout or channel.settimeout
        self._data = b""
        self._at = 0
        """Where in the data goes on what was not used yet: cutting it off for each chunk would take for ever."""
        self._timeout = -1.0
        self._deadline: Deadline
        self.sent = False
        """Whether anything of the last request was taken over by the network."""
        self.answered = False
        """Whether what came since then begins as an answer does; what is left of a body that was longer than it said
        does not."""

    def write(self, data: bytes, deadline: Deadline) -> None:
        """Write a request; it and its answer have this long. Raises TransportError."""
        self._deadline = deadline
        self.sent = self.answered = False
        try:
            while data:
                self._settle_timeout()
                data = data[self._channel.send(data) :]
                self.sent = True
        except (TimeoutError, BlockingIOError) as e:
            raise deadline.read_expired() from e
        except OSError as e:
            raise _broken(f"the connection broke while the request was sent: {e.strerror or e}") from e

    @property
    def clean(self) -> bool:
        """Whether nothing lies here that no answer accounts for."""
        return self._at == len(self._data)

    def head(self) -> Head:
        """The head of the answer, after any interim ones. Raises TransportError."""
        for _ in range(INTERIM):
            head = _parse_head(self._until_end_of_head())
            if head.status >= 200:
                return head
            if head.status == 101:
                break
        raise _broken(f"the server answers {head.status} and nothing that counts")

    def exactly(self, length: int) -> Iterator[bytes]:
        """A body of known length."""
        while length:
            data = self._kept(length) or self._receive(min(length, LARGE_PIECE))
            if not data:
                raise _broken(f"the body was cut: {length} bytes of its Content-Length are missing")
            length -= len(data)
            yield data

    def to_the_end(self) -> Iterator[bytes]:
        """A body that ends with the connection."""
        if data := self._kept(len(self._data)):
            yield data
        while data := self._receive(PIECE):
            yield data

    def chunks(self) -> Iterator[bytes]:
        """A chunked body (RFC 9112, 7.1)."""
        while size := self._chunk_size():
            yield from self.exactly(size)
            if self._line() not in (b"\r\n", b"\n"):
                raise _broken("a chunk of the body is not as long as it says")
        trailers = 0
        while (line := self._line()) not in (b"\r\n", b"\n"):
            trailers += len(line)
            if trailers > HEAD_BYTES:
                raise _broken("the trailers have no end")

    def _chunk_size(self) -> int:
        match = _CHUNK_SIZE(self._line()[:-1])
        if match is None:
            raise _broken("the size of a chunk of the body is no number")
        return int(match[1], 16)

    def _line(self) -> bytes:
        """The next line with its line feed."""
        while (end := self._data.find(b"\n", self._at)) < 0:
            if len(self._data) - self._at > LINE_BYTES:
                raise _broken("a line of the chunked body has no end")
            self._more("the chunked body was cut")
        return self._kept(end + 1 - self._at)

    def _until_end_of_head(self) -> bytes:
        looked = 0
        while not (end := _END_OF_HEAD.search(self._data, self._at + looked)):
            size = len(self._data) - self._at
            if size > HEAD_BYTES:
                raise _broken("the headers have no end")
            looked = max(0, size - 2)
            self._more("the headers were cut" if size else "the connection was closed before the answer")
        return self._kept(end.end() - self._at)

    def _kept(self, most: int) -> bytes:
        """What has come already and was not used yet, up to so many bytes."""
        data = self._data[self._at : self._at + most]
        self._at += len(data)
        return data

    def _more(self, what: str) -> None:
        data = self._receive(PIECE)
        if not data:
            raise _broken(what)
        self._data = self._data[self._at :] + data
        self._at = 0
        self.answered = self.answered or self._data.startswith(b"HTTP/")

    def _receive(self, size: int) -> bytes:
        try:
            self._settle_timeout()
            return self._channel.recv(size)
        except (TimeoutError, BlockingIOError) as e:
            raise self._deadline.read_expired() from e
        except OSError as e:
            raise _broken(f"the connection broke: {e.strerror or e}") from e

    def _settle_timeout(self) -> None:
        # rounded up, so that it seldom changes
        seconds = math.ceil(self._deadline.read() / SLACK) * SLACK
        if seconds != self._timeout:
            self._set_timeout(seconds)
            self._timeout = seconds


def _broken(reason: str) -> TransportError:
    return TransportError("network_error", reason)


def _parse_head(data: bytes) -> Head:
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        lines = data.decode("latin-1").split("\n")
    start = lines[0].rstrip("\r")
    match = _STATUS_LINE.match(start)
    if match is None:
        raise _broken(f"the answer is not HTTP/1: it begins with {start[:40]!r}")
    headers = Headers(_fields(lines))
    modern = match[1] != "1" or match[2] != "0"
    options = ",".join(headers.all("connection")).lower()
    return Head(int(match[3]), headers, "close" not in options if modern else "keep-alive" in options)


def _fields(lines: list[str]) -> list[tuple[str, str]]:
    if len(lines) > HEAD_FIELDS:
        raise _broken(f"the answer has more than {HEAD_FIELDS} header fields")
    fields: list[tuple[str, str]] = []
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if line[:1] in (" ", "\t") and fields:
            # an obsolete line fold (RFC 9112, 5.2) goes on with the value before it
            name, value = fields.pop()
            fields.append((name, f"{value} {line.strip()}".strip()))
        elif colon and _TOKEN(name := name.strip()):
            fields.append((name, value.strip(" \t\r\0")))
    return fields


class Framing(NamedTuple):
    """The body of an answer as its head frames it."""

    pieces: Iterator[bytes]
    keeps: bool
    """The connection may be used again after the last piece."""
    length: int | None = None
    """In bytes, where the head says it."""


def body(wire: Wire, head: Head, method: str) -> Framing:
    """How the body comes, as RFC 9112, section 6.3 orders it.

    Raises TransportError for lengths that contradict each other.
    """
    headers = head.headers
    if method == "HEAD" or head.status in (204, 304):
        return Framing(iter(()), head.keeps, 0)
    transfer = ",".join(headers.all("transfer-encoding")).lower()
    if transfer:
        if transfer.rpartition(",")[2].strip() == "chunked":
            # a length beside it is a sign of something that would smuggle: the connection is not used again
            return Framing(wire.chunks(), head.keeps and headers.get("content-length") is None)
        return Framing(wire.to_the_end(), False)
    values = headers.all("content-length")
    if not values:
        return Framing(wire.to_the_end(), False)
    length = _length(values)
    return Framing(wire.exactly(length), head.keeps, length)


def _length(values: list[str]) -> int:
    said = [text.strip() for value in values for text in value.split(",")]
    if not all(map(_DIGITS, said)) or len(lengths := set(map(int, said))) > 1:
        raise _broken("its Content-Length is no number, or two that differ")
    return lengths.pop()
