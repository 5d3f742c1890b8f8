"""A TCP relay before an HTTP server: it counts the requests in the air, keeps their targets, and may slow answers down.

It reads just enough HTTP/1.1 to know where an answer ends: Content-Length, chunks, or the end of the connection.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self


@dataclass(slots=True)
class Seen:
    """One request that passed."""

    target: str
    began: float
    ended: float = 0.0


@dataclass(slots=True)
class CountingProxy:
    """`with CountingProxy(8702) as proxy:` listens on `proxy.port` of 127.0.0.1."""

    to_port: int
    latency: float = 0.0
    """Seconds that each answer is held back."""
    on_request: Callable[[int], None] = lambda _count: None
    """Told the number of each request before it passes."""
    port: int = 0
    seen: list[Seen] = field(default_factory=list)
    in_air: int = 0
    most_in_air: int = 0
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _ready: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)
        self._thread.start()
        if not self._ready.wait(10):
            raise OSError("the proxy did not start")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread:
            self._thread.join(5)

    @property
    def targets(self) -> list[str]:
        """The request targets, robots.txt left out."""
        return [seen.target for seen in self.seen if seen.target != "/robots.txt"]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=512, limit=2**20)
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _connection(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_connection("127.0.0.1", self.to_port, limit=2**20)
        try:
            while await self._exchange(client, to_client, server, to_server):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError, ValueError):
            pass  # one side went, or the proxy ends; closing the other tells it
        finally:
            to_client.close()
            to_server.close()

    async def _exchange(
        self,
        client: asyncio.StreamReader,
        to_client: asyncio.StreamWriter,
        server: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
    ) -> bool:
        """One request and its answer; whether another may follow."""
        try:
            head = await client.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return False
        seen = Seen(head.split(b" ", 2)[1].decode("latin-1"), time.monotonic())
        self.seen.append(seen)
        self.on_request(len(self.seen))
        self.in_air += 1
        self.most_in_air = max(self.most_in_air, self.in_air)
        counted = True
        try:
            to_server.write(head + await client.readexactly(_length(head) or 0))
            answer = await server.readuntil(b"\r\n\r\n")
            body, goes_on = await _body(server, answer, head.startswith(b"HEAD"))
            if self.latency:
                await asyncio.sleep(self.latency)
            seen.ended, counted = time.monotonic(), False
            self.in_air -= 1
            to_client.write(answer + body)
            await to_client.drain()
            return goes_on
        finally:
            if counted:
                self.in_air -= 1


async def _body(server: asyncio.StreamReader, head: bytes, bare: bool) -> tuple[bytes, bool]:
    """The body's bytes as they came, and whether the connection stays open."""
    status = int(head.split(b" ", 2)[1])
    keep = b"connection: close" not in head.lower()
    if bare or status in (204, 304):
        return b"", keep
    if b"transfer-encoding: chunked" in head.lower():
        pieces = []
        while True:
            line = await server.readuntil(b"\r\n")
            size = int(line.split(b";")[0], 16)
            pieces += [line, await server.readexactly(size + 2)]
            if size == 0:
                return b"".join(pieces), keep
    length = _length(head)
    if length is None:
        return await server.read(-1), False
    return await server.readexactly(length), keep


def _length(head: bytes) -> int | None:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    return None
