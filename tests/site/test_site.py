"""The test site keeps its own promises; everything else leans on it."""

from __future__ import annotations

import http.client
import socket
import time

import pytest

from tests.site import Site, drop, redirect


def get(site: Site, target: str, host: str = "127.0.0.1", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(host, site.port, timeout=5)
    try:
        connection.request("GET", target, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def raw(site: Site, target: str) -> bytes:
    """Every byte of an answer until the connection ends."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=5) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        got = b""
        while piece := connection.recv(65536):
            got += piece
        return got


def test_pages_are_html_json_bytes_or_functions(site: Site) -> None:
    site.pages.update({"/": "é", "/j": {"a": 1}, "/b": b"\xff", "/f": lambda hit: [hit.query], "/r": redirect("/x")})
    assert get(site, "/") == (200, "é".encode())
    assert get(site, "/j") == (200, b'{"a": 1}')
    assert get(site, "/b") == (200, b"\xff")
    assert get(site, "/f?a=1&a=2&b=") == (200, b'[{"a": "2", "b": ""}]')
    assert get(site, "/r") == (302, b"")
    assert get(site, "/nowhere")[0] == 404


def test_a_target_with_its_query_goes_before_the_path(site: Site) -> None:
    site.pages.update({"/l": "first", "/l?page=2": "second"})
    assert [get(site, t)[1] for t in ("/l", "/l?page=2", "/l?page=3")] == [b"first", b"second", b"first"]


def test_hosts_are_told_apart_and_robots_is_set_for_each(site: Site) -> None:
    site.pages["/"] = "any"
    site.host("127.0.0.2").pages["/"] = "second"
    site.host("127.0.0.2").robots = "User-agent: *"
    site.host("127.0.0.3").robots = drop()
    assert get(site, "/")[1] == b"any"
    assert get(site, "/", "127.0.0.2")[1] == b"second"
    assert get(site, "/robots.txt")[0] == 404
    assert get(site, "/robots.txt", "127.0.0.2") == (200, b"User-agent: *")
    with pytest.raises(http.client.RemoteDisconnected):
        get(site, "/robots.txt", "127.0.0.3")
    assert site.targets() == ["/", "/"]
    assert site.targets("127.0.0.2") == ["/"]


def test_the_log_has_the_target_as_sent_and_the_body(site: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=5)
    connection.request("POST", "/echo?x=%20%23", body=b'{"a": [1]}', headers={"X-Own": "1"})
    connection.getresponse().read()
    connection.request("GET", "/status/204")
    assert connection.getresponse().read() == b""
    connection.close()
    post, none = list(site.log)
    assert (post.target, post.json, post.header("x-own"), post.status) == ("/echo?x=%20%23", {"a": [1]}, "1", 200)
    assert (none.status, none.connection) == (204, post.connection)
    assert post.answered is not None
    assert post.arrived <= post.answered <= none.arrived


def test_pauses_and_requests_in_the_air_are_measured(site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.port)) as one:
        one.sendall(b"GET /stall HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert one.recv(10)
        get(site, "/status/200")
        time.sleep(0.05)
        get(site, "/status/200")
        assert [hit.in_air for hit in site.log] == [1, 2, 2]
        assert site.log.most_in_air == 2
        assert site.log.pauses("127.0.0.1")[-1] >= 0.05
        assert site.log.starts("127.0.0.1")[-1] >= 0.05


@pytest.mark.parametrize(
    ("target", "begins", "ends", "length"),
    [
        ("/cut", b"HTTP/1.1 200", b"x" * 100, None),
        ("/chunk-broken", b"HTTP/1.1 200", b"</h1>", None),
        ("/chunk-cut", b"HTTP/1.1 200", b"\r\n", None),
        ("/chunked", b"HTTP/1.1 200", b"0\r\n\r\n", None),
        ("/drop", b"", b"", 0),
        ("/status-line-garbage", b"\x00\xffNOT HTTP", b"really", None),
        ("/drip?bytes=3&ms=1", b"HTTP/1.1 200", b"xxx", None),
        ("/huge?mb=2", b"HTTP/1.1 200", b"\n", None),
        ("/redirect/2?code=301", b"HTTP/1.1 301", b"\r\n\r\n", None),
        ("/redirect/0", b"HTTP/1.1 200", b"</h1>", None),
        ("/loop/a", b"HTTP/1.1 302", b"\r\n\r\n", None),
        ("/trap/0/1/", b"HTTP/1.1 200", b"</a>", None),
    ],
)
def test_misbehaving_paths(site: Site, target: str, begins: bytes, ends: bytes, length: int | None) -> None:
    got = raw(site, target)
    assert got.startswith(begins)
    assert got.endswith(ends)
    assert length is None or len(got) == length


@pytest.mark.parametrize("target", ["/reset", "/reset-body"])
def test_a_reset_is_a_reset(site: Site, target: str) -> None:
    with pytest.raises(ConnectionResetError):
        raw(site, target)


def test_answers_that_change_from_one_time_to_the_next(site: Site) -> None:
    assert [get(site, "/flaky/2")[0] for _ in range(3)] == [503, 503, 200]
    assert [get(site, "/retry-after/soon?times=1")[0] for _ in range(2)] == [429, 200]
    assert get(site, "/etag")[0] == 200
    assert get(site, "/etag", **{"If-None-Match": '"v1"'}) == (304, b"")
    assert get(site, "/basic-auth/me/pw")[0] == 401
    assert get(site, "/basic-auth/me/pw", Authorization="Basic bWU6cHc=")[0] == 200
    assert get(site, "/cookies", Cookie="a=1; b=2")[1] == b'{"a": "1", "b": "2"}'


def test_closing_cuts_what_is_in_the_air() -> None:
    with Site(hosts=1) as site:
        connection = socket.create_connection(("127.0.0.1", site.port), timeout=5)
        connection.sendall(b"GET /slow?ms=60000 HTTP/1.1\r\nHost: x\r\n\r\n")
        while not len(site.log):
            time.sleep(0.001)
    with connection:
        assert connection.recv(10) == b""
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", site.port), timeout=1)
