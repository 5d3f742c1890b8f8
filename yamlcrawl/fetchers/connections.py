"""The first transport: urllib3's connections, kept open, one for each thread and origin."""

from __future__ import annotations

import socket
import ssl
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import lru_cache
from struct import calcsize, pack

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from yamlcrawl.fetchers.addresses import dial
from yamlcrawl.fetchers.transport import Allow, Answer, Deadline, Message, TransportError
from yamlcrawl.fetchers.wire import Framing, Wire, body, written

KEPT = 32
"""Connections that one thread keeps open; the one that was idle longest gives way."""
REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})
"""Methods that do no harm when they arrive twice (RFC 9110, 9.2.2)."""

FRESH = 0.5
"""Seconds for which an idle connection is taken to be alive without asking the system: each call to it lets another
thread take over, which costs more than the call where there are many. If it has died all the same, the request is
sent anew."""

Origin = tuple[str, str, int]


class _Dialled:
    """Makes a connection of urllib3 go where `dial` says."""

    _dns_host: str
    port: int
    deadline: Deadline
    allow: Allow

    def _new_conn(self) -> socket.socket:
        sock = dial(self._dns_host, self.port, self.deadline, self.allow)
        try:
            # holds for the TLS handshake
            sock.settimeout(self.deadline.connect())
        except TransportError:
            sock.close()
            raise
        return sock


class _Plain(_Dialled, HTTPConnection):
    pass


class _Secure(_Dialled, HTTPSConnection):
    pass


@lru_cache(maxsize=4)
def _tls(ca: str | None) -> ssl.SSLContext:
    """Verifying, with the bundle of certificate authorities that requests uses; reading it takes 20 ms."""
    if ca is None:
        from requests.utils import DEFAULT_CA_BUNDLE_PATH

        ca = DEFAULT_CA_BUNDLE_PATH
    context = ssl.create_default_context(cafile=ca)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _kernel_timeout(sock: socket.socket) -> Callable[[float], None] | None:
    """Sets the timeout of a plain socket in the kernel, where its layout is known.

    Python's own timeouts ask the system twice for every piece, first whether it is there.
    """
    if isinstance(sock, ssl.SSLSocket) or sys.platform not in ("linux", "darwin") or calcsize("l") != 8:
        return None

    def set_timeout(seconds: float) -> None:
        whole, part = divmod(max(seconds, 0.001), 1)
        value = pack("ll", int(whole), int(part * 1_000_000))
        sock.settimeout(None)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, value)

    return set_timeout


class _Kept:
    """A connection that is made, and its wire."""

    __slots__ = ("_since", "connection", "idle", "wire")

    def __init__(self, connection: HTTPConnection) -> None:
        assert connection.sock is not None
        self.connection = connection
        self.wire = Wire(connection.sock, _kernel_timeout(connection.sock))
        self.idle = False
        """The last answer was read to its end, and the server lets the connection stay."""
        self._since = 0.0

    def rest(self) -> None:
        """It is idle from now on."""
        self.idle = True
        self._since = time.monotonic()

    def usable(self, repeatable: bool) -> bool:
        """Whether nothing came while it was idle: neither its end, nor an answer that nobody asked for."""
        if not self.idle or not self.wire.clean:
            return False
        return (repeatable and time.monotonic() - self._since < FRESH) or self.connection.is_connected


class KeptConnections:
    """Sends over HTTP/1.1 and keeps the connections; used by one thread."""

    def __init__(self, *, max_raw: int, kept: int = KEPT, ca: str | None = None) -> None:
        """`max_raw` bounds a body as it comes over the wire, in bytes; `ca` is a file of trusted certificates."""
        self._max_raw = max_raw
        self._limit = kept
        self._ca = ca
        self._kept: OrderedDict[Origin, _Kept] = OrderedDict()

    def send(self, message: Message, deadline: Deadline, allow: Allow, sent: Callable[[], None]) -> Answer:
        """See `Transport`. A kept connection that turns out to be dead is replaced once, unseen."""
        data = written(message)
        origin = (message.scheme, message.host, message.port)
        kept = self._kept.get(origin)
        repeatable = message.method in REPEATABLE
        if kept is not None and kept.usable(repeatable):
            try:
                return self._exchange(origin, kept, message.method, data, deadline, sent)
            except TransportError as e:
                stale = e.outcome == "network_error" and not kept.wire.answered
                if not stale or (kept.wire.sent and not repeatable):
                    raise
        self._drop(origin)
        return self._exchange(origin, self._connect(origin, deadline, allow), message.method, data, deadline, sent)

    def close(self) -> None:
        """Close every kept connection."""
        while self._kept:
            self._drop(next(iter(self._kept)))

    def _exchange(
        self, origin: Origin, kept: _Kept, method: str, data: bytes, deadline: Deadline, sent: Callable[[], None]
    ) -> Answer:
        kept.idle = False
        self._kept.move_to_end(origin)
        try:
            kept.wire.write(data, deadline)
            sent()
            head = kept.wire.head()
            framing = body(kept.wire, head, method)
        except TransportError:
            self._drop(origin)
            raise
        answer = Answer(head.status, head.headers, iter(()))
        answer.pieces = self._pieces(origin, kept, framing, answer)
        return answer

    def _pieces(self, origin: Origin, kept: _Kept, framing: Framing, answer: Answer) -> Iterator[bytes]:
        try:
            most = self._max_raw if answer.most is None else answer.most
            if framing.length is not None and framing.length > most:
                raise _too_large(most)
            for piece in framing.pieces:
                answer.received += len(piece)
                if answer.received > most:
                    raise _too_large(most)
                yield piece
            if framing.keeps:
                kept.rest()
        finally:
            if not kept.idle and self._kept.get(origin) is kept:
                self._drop(origin)

    def _connect(self, origin: Origin, deadline: Deadline, allow: Allow) -> _Kept:
        scheme, host, port = origin
        connection = _Secure(host, port, ssl_context=_tls(self._ca)) if scheme == "https" else _Plain(host, port)
        connection.deadline, connection.allow = deadline, allow
        try:
            connection.connect()
        except (TransportError, OSError, HTTPError) as e:
            connection.close()
            raise _translated(e, host, deadline) from e
        while len(self._kept) >= self._limit:
            self._drop(next(iter(self._kept)))
        kept = self._kept[origin] = _Kept(connection)
        return kept

    def _drop(self, origin: Origin) -> None:
        kept = self._kept.pop(origin, None)
        if kept is not None:
            kept.connection.close()


def _too_large(most: int) -> TransportError:
    reason = f"the body is larger than {most} bytes as it comes over the wire (site.max_body)"
    return TransportError("too_large", reason, final=True)


def _translated(error: Exception, host: str, deadline: Deadline) -> TransportError:
    if isinstance(error, TransportError):
        return error
    if isinstance(error, ssl.SSLCertVerificationError):
        reason = f"the certificate of {host} cannot be trusted: {error.verify_message}"
        return TransportError("network_error", reason, final=True)
    if isinstance(error, TimeoutError):
        return deadline.connect_expired(host)
    return TransportError("network_error", f"no TLS connection to {host}: {getattr(error, 'reason', None) or error}")
