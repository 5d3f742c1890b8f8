"""With this folder on PYTHONPATH, every name under ``.test`` (RFC 6761) leads to 127.0.0.1.

So a crawl that the tests start can meet `shop.test` and `www.shop.test` without a name server; the test site tells
them apart by the Host header. And Ctrl-C is heard, though whoever started the tests may ignore
it (a shell's ``&`` does).
"""

import signal
import socket
from typing import Any

_resolve = socket.getaddrinfo


def _resolve_test(host: Any, *args: Any, **more: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if isinstance(name, str) and name.rstrip(".").lower().endswith(".test"):
        host = "127.0.0.1"
    return _resolve(host, *args, **more)


socket.getaddrinfo = _resolve_test
signal.signal(signal.SIGINT, signal.default_int_handler)
