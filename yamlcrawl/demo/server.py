"""The demo shop on a port of this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from yamlcrawl.demo.shop import answer

PORT = 8750
"""Where `yamlcrawl demo --serve` stands, and where the packaged spec looks for the shop."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        reply = answer(self.path)
        body = reply.body.encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.media_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing: the crawl's own words are what is looked at."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away in mid-answer is nothing to speak of."""


@contextmanager
def shop(port: int = 0) -> Iterator[str]:
    """The shop is open: its address, without a slash at the end. Port 0 takes a free one. Raises OSError."""
    with _Server(("127.0.0.1", port), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
