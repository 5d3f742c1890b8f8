"""The test site itself: sockets, one thread to accept and one for each connection."""

from __future__ import annotations

import itertools
import selectors
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import BinaryIO, Self

from tests.site.answer import Answer, Gone, Page, Wire, answer, html
from tests.site.log import Hit, Log
from tests.site.misbehaviour import misbehave

IDLE = 60.0
"""Seconds after which a silent connection is closed."""
HEAD_MOST = 1_000_000
"""Bytes of a request's head."""


@dataclass(slots=True)
class Host:
    """What one host of the site answers."""

    pages: dict[str, Page] = field(default_factory=dict)
    """Request target (with its query, as sent) or path (without) to what is answered; the target goes first."""
    robots: Page | None = None
    """The answer to /robots.txt: text is sent as text/plain; None is a 404."""
    fallback: Page | None = None
    """What all other paths get, before the misbehaving ones; None leaves these and 404."""


class Site:
    """A web site on loopback; `with Site() as site:` or the fixture `site`.

    `pages`, `robots` and `fallback` are those of any host that was not set up by itself with `host`. `latency` is a
    pause in seconds before each answer. Closing ends every connection and takes at most a few seconds.
    """

    def __init__(self, hosts: int = 4, latency: float = 0.0, port: int = 0) -> None:
        self.addresses = [f"127.0.0.{n}" for n in range(1, hosts + 1)]
        self.latency = latency
        self.log = Log()
        self._hosts: dict[str, Host] = {}
        self._default = Host()
        self._listeners, self.port = _listen(self.addresses, port)
        self._closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: set[threading.Thread] = set()
        self._asked: Counter[tuple[str, str]] = Counter()
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._acceptor = threading.Thread(target=self._accept, name="site", daemon=True)

    def __enter__(self) -> Self:
        self._acceptor.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pages(self) -> dict[str, Page]:
        """The pages of every host that has none of its own."""
        return self._default.pages

    @property
    def robots(self) -> Page | None:
        """Their robots.txt."""
        return self._default.robots

    @robots.setter
    def robots(self, page: Page | None) -> None:
        self._default.robots = page

    @property
    def fallback(self) -> Page | None:
        """What their other paths get."""
        return self._default.fallback

    @fallback.setter
    def fallback(self, page: Page | None) -> None:
        self._default.fallback = page

    def host(self, name: str) -> Host:
        """A host with pages of its own, by address or by name; made on first use."""
        return self._hosts.setdefault(name, Host())

    def url(self, target: str = "/", host: str = "127.0.0.1") -> str:
        """The URL of a request target."""
        return f"http://{host}:{self.port}{target}"

    def targets(self, host: str | None = None) -> list[str]:
        """The request targets that were asked for, in order of arrival, robots.txt left out."""
        return [hit.target for hit in self.log.pages(host)]

    def reached(self, hits: int) -> Callable[[], bool]:
        """Whether so many requests have arrived, to be asked again and again."""
        return lambda: len(self.log) >= hits

    def close(self) -> None:
        """Stop answering; connections in the air are cut."""
        self._closing.set()
        if self._acceptor.ident is not None:
            self._acceptor.join(5)  # it may be about to look at the listeners
        for listener in self._listeners:
            listener.close()
        with self._lock:
            connections, threads = list(self._open), list(self._threads)
        for connection in connections:
            _shut(connection)
        deadline = time.monotonic() + 5
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    # -- the threads ------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        with selectors.DefaultSelector() as ready:
            for listener in self._listeners:
                ready.register(listener, selectors.EVENT_READ)
            while not self._closing.is_set():
                for key, _ in ready.select(0.05):
                    self._take(key.fileobj)  # type: ignore[arg-type]

    def _take(self, listener: socket.socket) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        connection.settimeout(IDLE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        thread = threading.Thread(target=self._serve, args=(connection, next(self._numbers)), daemon=True)
        with self._lock:
            self._open.add(connection)
            self._threads.add(thread)
        thread.start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        try:
            with connection, connection.makefile("rb") as stream:
                while not self._closing.is_set() and self._one(connection, stream, number):
                    pass
        except (OSError, Gone, ValueError):
            pass  # the client went, the site closes, or what came was no HTTP: nobody is left to be told
        finally:
            with self._lock:
                self._open.discard(connection)
                self._threads.discard(threading.current_thread())

    def _one(self, connection: socket.socket, stream: BinaryIO, number: int) -> bool:
        """Answer one request; whether another may follow on the connection."""
        hit = _read(stream, number)
        if hit is None:
            return False
        self.log.begin(hit)
        wire = Wire(connection, self._closing, lambda: self.log.end(hit))
        try:
            if self.latency:
                wire.wait(self.latency)
            keep = self._answer(hit).write(wire, hit)
        finally:
            self.log.end(hit)
        return keep and (hit.header("connection") or "").lower() != "close"

    def _answer(self, hit: Hit) -> Answer:
        host = self._hosts.get(hit.host, self._default)
        if hit.path == "/robots.txt" and hit.target not in host.pages:
            return _robots(host.robots, hit)
        with self._lock:
            self._asked[hit.host, hit.target] += 1
            nth = self._asked[hit.host, hit.target]
        for key in (hit.target, hit.target.split("?", 1)[0]):
            if key in host.pages:
                return answer(host.pages[key], hit)
        page = host.fallback if host.fallback is not None else misbehave(hit, nth)
        return html("<h1>Not found</h1>", 404) if page is None else answer(page, hit)


def _robots(page: Page | None, hit: Hit) -> Answer:
    if page is None:
        return html("<h1>Not found</h1>", 404)
    if isinstance(page, str):
        return Answer(page, headers=[("Content-Type", "text/plain; charset=utf-8")])
    return answer(page, hit)


def _listen(addresses: list[str], port: int) -> tuple[list[socket.socket], int]:
    """Listeners on one port of all addresses: on that port, or (0) on one that is free on all of them."""
    for _ in range(50):
        listeners: list[socket.socket] = []
        chosen = port
        try:
            for address in addresses:
                listener = socket.create_server((address, chosen), backlog=512)
                listener.setblocking(False)
                listeners.append(listener)
                chosen = listener.getsockname()[1]
            return listeners, chosen
        except OSError:
            for listener in listeners:
                listener.close()
            if port:
                raise
    raise OSError("no port is free on all addresses")


def _read(stream: BinaryIO, connection: int) -> Hit | None:
    """The next request of a connection; None when it ends."""
    line = stream.readline(HEAD_MOST)
    arrived, wall = time.monotonic(), time.time()
    if not line.strip():
        return None
    method, target, _ = line.decode("latin-1").split(" ", 2)
    headers: list[tuple[str, str]] = []
    while (line := stream.readline(HEAD_MOST)) not in (b"\r\n", b"\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers.append((name, value.strip()))
    by_name = {name.lower(): value for name, value in headers}
    body = stream.read(int(by_name.get("content-length", 0))) or b""
    host = by_name.get("host", "").rsplit(":", 1)[0]
    return Hit(host, method, target, headers, body, connection, arrived, wall)


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
