"""What a test site answers: a status, headers and a body, or bytes that follow no rule."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from tests.site.log import Hit

PIECE = 65536
"""Bodies above this go out in two writes, so that the end of an answer is known exactly."""


class Gone(Exception):  # noqa: N818 - an event, not an error
    """The connection is to be closed, or the site is closing."""


@dataclass(slots=True)
class Wire:
    """The server's end of a connection, for answers that write their own bytes."""

    socket: socket.socket
    closing: threading.Event
    ended: Callable[[], None]
    """To be called before the last byte goes out."""

    def send(self, data: bytes) -> None:
        """Send bytes; more follow."""
        self.socket.sendall(data)

    def last(self, data: bytes) -> None:
        """Send the last bytes of an answer, after noting its end."""
        if len(data) > PIECE:
            self.socket.sendall(memoryview(data)[:-1])
            data = data[-1:]
        self.ended()
        self.socket.sendall(data)

    def wait(self, seconds: float) -> None:
        """Pause; ends early, with Gone, when the site closes."""
        if self.closing.wait(seconds):
            raise Gone

    def reset(self) -> None:
        """Let the connection end with a reset in place of a proper close."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Gone


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. A body of text is sent as UTF-8; without a Content-Type header it is HTML in UTF-8."""

    body: bytes | str = b""
    status: int = 200
    headers: Sequence[tuple[str, str]] = ()
    delay: float = 0.0
    """Seconds of waiting before anything is sent."""
    reason: str | None = None
    raw: Callable[[Wire], None] | None = None
    """Writes everything itself, status line too; the connection is closed afterwards."""

    def write(self, wire: Wire, hit: Hit) -> bool:
        """Send it; whether the connection may be used again."""
        wire.wait(self.delay)
        if self.raw:
            self.raw(wire)
            return False
        hit.status = self.status
        body = self.body.encode() if isinstance(self.body, str) else self.body
        wire.last(self.head(len(body)) + (b"" if hit.method == "HEAD" or self.status in (204, 304) else body))
        return True

    def head(self, length: int | None) -> bytes:
        """Status line and headers; no Content-Length where the length is None."""
        reason = self.reason if self.reason is not None else _reason(self.status)
        lines = [f"HTTP/1.1 {self.status} {reason}"]
        names = {name.lower() for name, _ in self.headers}
        if "content-type" not in names:
            lines.append("Content-Type: text/html; charset=utf-8")
        if "content-length" not in names and length is not None and self.status not in (204, 304):
            lines.append(f"Content-Length: {length}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Whatever"


Page = Answer | str | bytes | dict[str, Any] | list[Any] | Callable[[Hit], Any]
"""What may stand for a path: an answer, HTML, bytes (as HTML without a charset), JSON, or a function that gives one."""


def answer(page: Page, hit: Hit) -> Answer:
    """The answer that a page stands for."""
    if isinstance(page, Answer):
        return page
    if isinstance(page, str):
        return html(page)
    if isinstance(page, bytes):
        return Answer(page, headers=[("Content-Type", "text/html")])
    if isinstance(page, (dict, list)):
        return json_answer(page)
    return answer(page(hit), hit)


def html(body: str, status: int = 200, **more: Any) -> Answer:
    """A page in UTF-8, with its charset in the header."""
    return Answer(body, status, **more)


def json_answer(value: Any, status: int = 200, headers: Sequence[tuple[str, str]] = (), **more: Any) -> Answer:
    """A JSON value."""
    return Answer(json.dumps(value), status, [("Content-Type", "application/json"), *headers], **more)


def redirect(to: str, status: int = 302, headers: Sequence[tuple[str, str]] = ()) -> Answer:
    """A redirect with that Location, sent as it stands."""
    return Answer(b"", status, [("Location", to), *headers])


def drop(*, after: bytes = b"", delay: float = 0.0) -> Answer:
    """Close the connection, properly, after those bytes: by default without a word."""
    return Answer(delay=delay, raw=lambda wire: wire.last(after))


def reset(*, after: bytes = b"") -> Answer:
    """Send those bytes and reset the connection."""

    def write(wire: Wire) -> None:
        wire.last(after)
        wire.reset()

    return Answer(raw=write)
