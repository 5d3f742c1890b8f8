from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import cases
from yamlcrawl.fetchers.decoding import decoded
from yamlcrawl.fetchers.transport import Deadline, Message, TransportError
from yamlcrawl.fetchers.wire import HEAD_BYTES, Wire, body, written
from yamlcrawl.model.plan import Timeouts

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Channel:
    """A socket whose other end has sent those bytes and then closed; `step` bytes come at a time."""

    def __init__(self, data: bytes, step: int = 1 << 30) -> None:
        self.data = data
        self.step = step
        self.written = b""

    def recv(self, size: int, /) -> bytes:
        size = min(size, self.step)
        piece, self.data = self.data[:size], self.data[size:]
        return piece

    def send(self, data: bytes, /) -> int:
        self.written += data[: self.step]
        return len(data[: self.step])

    def settimeout(self, value: float | None, /) -> None:
        pass


def read(data: bytes, method: str = "GET", step: int = 1 << 30) -> tuple[int, bytes, bool]:
    """Status, body and whether the connection may stay, of one answer."""
    wire = Wire(Channel(data, step))
    wire.write(b"x", Deadline(Timeouts()))
    head = wire.head()
    framing = body(wire, head, method)
    return head.status, b"".join(framing.pieces), framing.keeps and wire.clean


def error(data: bytes) -> TransportError:
    with pytest.raises(TransportError) as caught:
        read(data)
    return caught.value


@pytest.mark.parametrize("step", [1, 2, 7, 1 << 30])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", (200, b"abc", True)),
        (b"HTTP/1.1 200\r\nContent-Length: 3, 3\r\ncontent-length:3\r\n\r\nabc", (200, b"abc", True)),
        (b"HTTP/1.1 200 OK\nContent-Length: 3\n\nabc", (200, b"abc", True)),
        (b"HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 3\r\n\r\nabc", (200, b"abc", False)),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", (200, b"abc", False)),
        (b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc", (200, b"abc", True)),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", (200, b"until the end", False)),
        (b"HTTP/1.1 204 No Content\r\n\r\n", (204, b"", True)),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", (304, b"", True)),
        (b"HTTP/1.1 100\r\n\r\nHTTP/1.1 103\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc", (200, b"abc", False)),
        (CHUNKED + b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", (200, b"abcde", True)),
        (CHUNKED + b"3\nabc\n0\nX-Trailer: 1\n\n", (200, b"abc", True)),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            (200, b"abc", False),
        ),
    ],
)
def test_answers(data: bytes, expected: tuple[int, bytes, bool], step: int) -> None:
    assert read(data, step=step) == expected


def test_a_flood_of_tiny_chunks_is_read() -> None:
    chunks = b"1\r\nx\r\n" * 100_000
    assert read(CHUNKED + chunks + b"0\r\n\r\n") == (200, b"x" * 100_000, True)


def test_answers_that_follow_each_other() -> None:
    first = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
    wire = Wire(Channel(first + b"HTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nd", 50))
    wire.write(b"x", Deadline(Timeouts()))
    assert b"".join(body(wire, wire.head(), "GET").pieces) == b"abc"
    head = wire.head()
    assert (head.status, b"".join(body(wire, head, "GET").pieces), wire.clean) == (404, b"d", True)


def test_head_has_no_body() -> None:
    assert read(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "HEAD") == (200, b"", True)


def test_what_nobody_asked_for_ends_the_connection() -> None:
    assert read(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n") == (200, b"abc", False)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "closed before the answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "headers were cut"),
        (b"\x00\xffNOT HTTP\r\n\r\n", "not HTTP/1"),
        (b"<html>an answer of HTTP/0.9</html>\n\n", "not HTTP/1"),
        (b"HTTP/1.1 2 OK\r\n\r\n", "not HTTP/1"),
        (b"HTTP/1.1 101 Switching\r\n\r\n", "nothing that counts"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 30, "nothing that counts"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * HEAD_BYTES * 2, "no end"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1500 + b"\r\n", "header fields"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "6 bytes of its Content-Length are missing"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc", "no number"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3 4\r\n\r\nabc", "no number"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "two that differ"),
        (CHUNKED + b"zz\r\nabc", "no number"),
        (CHUNKED + b"-3\r\nabc", "no number"),
        (CHUNKED + b"3\r\nabcd\r\n0\r\n\r\n", "not as long as it says"),
        (CHUNKED + b"3\r\nabc\r\n", "was cut"),
        (CHUNKED + b"9\r\nabc", "was cut"),
        (CHUNKED + b"" + b"1" * 40_000, "no end"),
        (CHUNKED + b"0\r\n" + b"X: y\r\n" * 100_000, "no end"),
    ],
)
def test_broken_answers_are_network_errors(data: bytes, reason: str) -> None:
    caught = error(data)
    assert caught.outcome == "network_error"
    assert reason in caught.reason


def test_header_fields_are_read_as_browsers_read_them() -> None:
    fields = b"X-A:1\r\nx-a :  2  \r\nX-Fold: a\r\n  b\r\nno colon\r\n: no name\r\nX-\xe4: no token\r\n"
    wire = Wire(Channel(b"HTTP/1.1 200 OK\r\n" + fields + b"\r\n"))
    wire.write(b"x", Deadline(Timeouts()))
    assert list(wire.head().headers) == [("x-a", "1"), ("x-a", "2"), ("x-fold", "a b")]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_header_values_are_read_as_what_they_are(encoding: str) -> None:
    wire = Wire(Channel("HTTP/1.1 302 OK\r\nLocation: /grün\r\n\r\n".encode(encoding)))
    wire.write(b"x", Deadline(Timeouts()))
    assert wire.head().headers.get("location") == "/grün"


def test_the_target_goes_out_as_it_was_found() -> None:
    target = "/%7euser/a%2fb/../c?q=|&x=%zz&y={}"
    message = Message("http", "a.test", 80, "GET", target, (("Host", "a.test"), ("X", "grün")))
    assert written(message) == f"GET {target} HTTP/1.1\r\nHost: a.test\r\nX: grün\r\n\r\n".encode()


@pytest.mark.parametrize("target", ["/a b", "/a\r\nX: y", "/ü", "", "/\x00"])
def test_targets_that_would_break_out_are_no_urls(target: str) -> None:
    with pytest.raises(TransportError) as caught:
        written(Message("http", "a.test", 80, "GET", target, ()))
    assert (caught.value.outcome, caught.value.contact, caught.value.final) == ("bad_url", False, True)


@pytest.mark.parametrize(
    "field", [("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\0"), ("X Y", "a"), ("", "a"), ("X:", "a")]
)
def test_header_fields_that_would_break_out_are_refused(field: tuple[str, str]) -> None:
    with pytest.raises(TransportError) as caught:
        written(Message("http", "a.test", 80, "GET", "/", (field,)))
    assert caught.value.outcome == "bad_url"


def test_a_request_that_the_network_takes_in_parts_goes_out_whole() -> None:
    channel = Channel(b"", step=3)
    Wire(channel).write(b"0123456789", Deadline(Timeouts()))
    assert channel.written == b"0123456789"


PARTS = [
    b"HTTP/1.1 200 OK\r\n",
    b"HTTP/1.1 100\r\n\r\n",
    b"Content-Length: 5\r\n",
    b"Content-Length: ",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n",
    b"Content-Encoding: br\r\n",
    b"Content-Encoding: zstd\r\n",
    b"Content-Encoding: deflate, deflate\r\n",
    b"\r\n",
    b"\n",
    b"5\r\nabcde\r\n",
    b"0\r\n\r\n",
    b"\x1f\x8b\x08\x00",
    b"\x28\xb5\x2f\xfd",
]


@given(st.lists(st.one_of(st.sampled_from(PARTS), st.binary(max_size=30))).map(b"".join), st.integers(1, 40))
def test_no_bytes_raise_anything_but_a_transport_error(data: bytes, step: int) -> None:
    wire = Wire(Channel(data, step))
    wire.write(b"x", Deadline(Timeouts()))
    try:
        head = wire.head()
        whole = decoded(body(wire, head, "GET").pieces, head.headers, 1000)
        assert len(whole) <= 1000
    except TransportError as e:
        outcome = e.outcome
    else:
        outcome = "ok"
    assert outcome in ("ok", "network_error", "too_large")


OTHERWISE = {
    "129": "HTTP/1.2 is read as HTTP/1.1 (RFC 9110, 2.5)",
    "1154": "a head of 100 kB is within the bound",
    "2105": "a carriage return inside a value harms nobody who only reads",
    "2106": "trailers are passed over",
    "274": "how far redirects are followed is decided elsewhere",
    "319": "a coding that cannot be undone is no page",
    "398": "a line without a colon is passed over, as browsers do",
    "772": "which Location counts is decided elsewhere",
}
"""Replies that curl takes otherwise, and why."""


@pytest.mark.parametrize("case", cases("http/raw-replies.jsonl"))
def test_what_curl_tests(case: dict[str, object]) -> None:
    replies: dict[str, str] = case["replies_base64"]  # type: ignore[assignment]
    good = (case["curl_exit"] == 0) is not (str(case["id"]) in OTHERWISE)
    for reply in replies.values():
        wire = Wire(Channel(base64.b64decode(reply)))
        wire.write(b"x", Deadline(Timeouts()))
        try:
            head = wire.head()
            decoded(body(wire, head, "GET").pieces, head.headers, 1_000_000)
            taken = True
        except TransportError:
            taken = False
        assert taken is good
