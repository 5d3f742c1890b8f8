from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site import Answer, Hit, Site, Wire, drop, html
from yamlcrawl.fetchers import connections
from yamlcrawl.fetchers.connections import KeptConnections
from yamlcrawl.fetchers.transport import Allow, Deadline, Message, TransportError
from yamlcrawl.model.plan import Timeouts

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""Of `localhost`, with its key, signed by itself; for these tests alone."""
USUAL = Timeouts()


@pytest.fixture
def transport() -> Iterator[KeptConnections]:
    made = KeptConnections(max_raw=1_000_000)
    yield made
    made.close()


def ask(
    transport: KeptConnections,
    site: Site,
    target: str = "/",
    *,
    host: str = "127.0.0.1",
    method: str = "GET",
    timeouts: Timeouts = USUAL,
    allow: Allow = lambda _ip, _port: True,
    sent: list[int] | None = None,
) -> tuple[int, bytes]:
    log = [] if sent is None else sent
    fields = (("Host", f"{host}:{site.port}"), ("Content-Length", "0"))
    message = Message("http", host, site.port, method, target, fields)
    answer = transport.send(message, Deadline(timeouts), allow, lambda: log.append(1))
    return answer.status, b"".join(answer.pieces)


def numbers(site: Site) -> list[int]:
    """The connection of each request that arrived."""
    return [hit.connection for hit in site.log]


@pytest.fixture(params=[0.0, connections.FRESH], ids=["asked", "trusted"])
def freshness(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Idle connections are asked whether they live, or trusted for a moment: it must not matter."""
    monkeypatch.setattr(connections, "FRESH", request.param)


def test_one_connection_serves_an_origin(site: Site, transport: KeptConnections) -> None:
    site.pages["/"] = html("page")
    assert [ask(transport, site)[0] for _ in range(3)] == [200, 200, 200]
    assert numbers(site) == [1, 1, 1]


def test_a_connection_is_left_when_the_server_says_so(site: Site, transport: KeptConnections) -> None:
    site.pages["/"] = html("page", headers=[("Connection", "close")])  # says so, and waits for us to go
    assert [ask(transport, site)[0] for _ in range(2)] == [200, 200]
    assert numbers(site) == [1, 2]


def test_origins_have_connections_of_their_own(site: Site, transport: KeptConnections) -> None:
    for host in ("127.0.0.1", "127.0.0.2", "127.0.0.1"):
        ask(transport, site, "/status/200", host=host)
    assert numbers(site) == [1, 2, 1]


def test_the_connection_that_was_idle_longest_gives_way(site: Site) -> None:
    transport = KeptConnections(max_raw=1000, kept=2)
    for n in (1, 2, 1, 3, 1, 2):
        ask(transport, site, "/status/200", host=f"127.0.0.{n}")
    transport.close()
    assert numbers(site) == [1, 2, 1, 3, 1, 4]


@pytest.mark.usefixtures("freshness")
def test_a_connection_that_the_server_closed_is_replaced_unseen(site: Site, transport: KeptConnections) -> None:
    site.pages["/"] = drop(after=Answer().head(4) + b"page")
    for method in ("GET", "GET", "POST", "GET"):
        if method == "POST":
            threading.Event().wait(0.1)  # one that crosses the server's end on its way must not be sent anew
        assert ask(transport, site, method=method) == (200, b"page")
    assert len(set(numbers(site))) == 4


def dies_at_the_second(hit: Hit) -> Answer:
    """The first request of a connection is answered, the next one ends it."""
    return html("page") if hit.target == "/first" or hit.connection > 1 else drop()


@pytest.mark.usefixtures("freshness")
def test_a_kept_connection_that_dies_unanswered_is_replaced_once(site: Site, transport: KeptConnections) -> None:
    site.fallback = dies_at_the_second
    ask(transport, site, "/first")
    assert ask(transport, site, "/second") == (200, b"page")
    assert [(hit.target, hit.connection) for hit in site.log] == [("/first", 1), ("/second", 1), ("/second", 2)]


def test_what_may_do_harm_twice_is_not_sent_twice(site: Site, transport: KeptConnections) -> None:
    site.fallback = dies_at_the_second
    ask(transport, site, "/first")
    with pytest.raises(TransportError) as caught:
        ask(transport, site, "/second", method="POST")
    assert caught.value.outcome == "network_error"
    assert site.targets() == ["/first", "/second"]


def test_a_fresh_connection_that_dies_is_not_tried_again(site: Site, transport: KeptConnections) -> None:
    with pytest.raises(TransportError, match="closed before the answer"):
        ask(transport, site, "/drop")
    assert len(site.log) == 1


@pytest.mark.usefixtures("freshness")
def test_a_body_longer_than_it_says_does_not_spoil_the_next_answer(site: Site, transport: KeptConnections) -> None:
    def too_long(wire: Wire) -> None:
        wire.send(Answer().head(4) + b"page")
        wire.wait(0.05)
        wire.send(b" and more")
        wire.socket.settimeout(10)
        wire.socket.recv(1)

    site.pages["/long"] = Answer(raw=too_long)
    site.pages["/next"] = html("next")
    assert ask(transport, site, "/long") == (200, b"page")
    threading.Event().wait(0.2)
    assert ask(transport, site, "/next") == (200, b"next")


def test_a_body_that_was_not_read_ends_its_connection(site: Site, transport: KeptConnections) -> None:
    message = Message("http", "127.0.0.1", site.port, "GET", "/huge?mb=1", (("Host", "127.0.0.1"),))
    transport.send(message, Deadline(Timeouts()), lambda _ip, _port: True, lambda: None)
    assert ask(transport, site, "/status/200")[0] == 200
    assert numbers(site) == [1, 2]


def test_raw_bytes_are_bounded(site: Site, transport: KeptConnections) -> None:
    with pytest.raises(TransportError) as caught:
        ask(transport, site, "/huge?mb=2")
    assert (caught.value.outcome, caught.value.final) == ("too_large", True)


def test_bytes_without_an_announced_length_are_bounded_too(site: Site, transport: KeptConnections) -> None:
    site.pages["/"] = drop(after=b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1_500_000)
    with pytest.raises(TransportError) as caught:
        ask(transport, site)
    assert caught.value.outcome == "too_large"


SHORT = Timeouts(connect=5, read=0.2, total=5)


@pytest.mark.parametrize(
    ("target", "timeouts", "key"),
    [
        ("/slow?ms=5000", SHORT, "site.timeout.read"),
        ("/stall", SHORT, "site.timeout.read"),
        ("/drip?bytes=100&ms=50", Timeouts(connect=5, read=5, total=0.3), "site.timeout.total"),
        ("/slow?ms=5000", Timeouts(connect=5, read=5, total=0.3), "site.timeout.total"),
    ],
)
def test_timeouts(site: Site, transport: KeptConnections, target: str, timeouts: Timeouts, key: str) -> None:
    with pytest.raises(TransportError) as caught:
        ask(transport, site, target, timeouts=timeouts)
    assert caught.value.outcome == "timeout"
    assert key in caught.value.reason
    assert (caught.value.contact, caught.value.final) == (True, False)


def test_a_head_that_trickles_is_bounded_by_the_total(site: Site, transport: KeptConnections) -> None:
    def trickle(wire: Wire) -> None:
        for _ in range(200):
            wire.send(b"X: y\r\n")
            wire.wait(0.05)

    site.pages["/"] = Answer(raw=lambda wire: (wire.send(b"HTTP/1.1 200 OK\r\n"), trickle(wire))[1])
    with pytest.raises(TransportError) as caught:
        ask(transport, site, timeouts=Timeouts(connect=5, read=5, total=0.3))
    assert caught.value.outcome == "timeout"


@pytest.mark.parametrize(
    "target",
    [
        "/cut",
        "/chunk-broken",
        "/chunk-cut",
        "/reset",
        "/reset-body",
        "/drop",
        "/header-flood",
        "/header-long",
        "/status-line-garbage",
    ],
)
def test_broken_answers(site: Site, transport: KeptConnections, target: str) -> None:
    with pytest.raises(TransportError) as caught:
        ask(transport, site, target)
    assert (caught.value.outcome, caught.value.contact, caught.value.final) == ("network_error", True, False)
    assert ask(transport, site, "/status/200")[0] == 200


def test_each_address_is_judged_before_it_is_connected_to(site: Site, transport: KeptConnections) -> None:
    asked: list[tuple[str, int]] = []

    def deny(ip: str, port: int) -> bool:
        asked.append((ip, port))
        return False

    with pytest.raises(TransportError) as caught:
        ask(transport, site, allow=deny)
    assert asked == [("127.0.0.1", site.port)]
    assert (caught.value.outcome, caught.value.contact, caught.value.final) == ("blocked_address", False, True)
    assert len(site.log) == 0


def test_the_moment_of_sending_is_told(site: Site, transport: KeptConnections) -> None:
    sent: list[int] = []
    with pytest.raises(TransportError):
        ask(transport, site, "/drop", sent=sent)
    assert sent == [1]
    with pytest.raises(TransportError):
        ask(transport, site, allow=lambda _ip, _port: False, sent=sent)
    assert sent == [1]


@pytest.fixture
def secure_port() -> Iterator[int]:
    """A server of TLS that answers one request a connection."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            plain.settimeout(10)
            try:
                with context.wrap_socket(plain, server_side=True) as connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
                    connection.recv(1)
            except OSError:
                plain.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(15)


def ask_secure(transport: KeptConnections, host: str, port: int, timeouts: Timeouts = USUAL) -> bytes:
    message = Message("https", host, port, "GET", "/", (("Host", host),))
    answer = transport.send(message, Deadline(timeouts), lambda _ip, _port: True, lambda: None)
    body = b"".join(answer.pieces)
    transport.close()
    return body


def test_tls_with_a_trusted_certificate(secure_port: int) -> None:
    assert ask_secure(KeptConnections(max_raw=100, ca=str(CERTIFICATE)), "localhost", secure_port) == b"secret"


def test_an_unknown_certificate_is_final(secure_port: int) -> None:
    with pytest.raises(TransportError) as caught:
        ask_secure(KeptConnections(max_raw=100), "localhost", secure_port)
    assert (caught.value.outcome, caught.value.final) == ("network_error", True)
    assert "certificate" in caught.value.reason


def test_a_certificate_of_another_host_is_final(secure_port: int) -> None:
    with pytest.raises(TransportError) as caught:
        ask_secure(KeptConnections(max_raw=100, ca=str(CERTIFICATE)), "127.0.0.1", secure_port)
    assert (caught.value.outcome, caught.value.final) == ("network_error", True)


def test_no_tls_where_it_should_be(site: Site) -> None:
    site.pages["/"] = html("plain")
    with pytest.raises(TransportError) as caught:
        ask_secure(KeptConnections(max_raw=100), "localhost", site.port, Timeouts(0.5, 0.5, 0.5))
    assert caught.value.final is False
    assert caught.value.outcome in ("network_error", "timeout")


def test_a_handshake_that_stalls_runs_out_of_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(TransportError) as caught:
            ask_secure(KeptConnections(max_raw=100), "127.0.0.1", port, Timeouts(connect=0.2, read=5, total=5))
    assert caught.value.outcome == "timeout"
    assert "site.timeout.connect" in caught.value.reason
