"""Paths that every host of a test site answers, unless a page of the test stands there.

| path | answer |
| --- | --- |
| ``/status/N`` | that status, with a short page |
| ``/slow?ms=N`` | a page after that pause (default 1000) |
| ``/drip?bytes=N&ms=M`` | N bytes (default 50), one every M ms (default 100) |
| ``/stall`` | the head and half a body, then nothing until the client or the site goes |
| ``/redirect/N`` | N redirects, then a page; ``?code=301`` chooses the status |
| ``/redirect-to?url=U&code=N`` | one redirect to U, which is sent as it stands |
| ``/redirect-nowhere`` | 302 without Location |
| ``/loop``, ``/loop/a`` | a redirect to itself; to ``/loop/b``, which leads back |
| ``/cut`` | Content-Length 1000, 100 bytes, end |
| ``/chunked`` | a sound chunked page |
| ``/chunk-broken``, ``/chunk-cut`` | a chunk length that is no number; no last chunk |
| ``/reset``, ``/reset-body`` | a reset before the status line; after half a body |
| ``/drop`` | the connection ends without a byte |
| ``/huge?mb=N`` | a page of N million bytes (default 1), streamed |
| ``/gzip``, ``/deflate`` | a sound compressed page |
| ``/gzip-bomb?mb=N`` | N million bytes (default 100), as a few kB of gzip |
| ``/gzip-broken``, ``/gzip-cut`` | says gzip, is not; a gzip body without its end |
| ``/retry-after/V?times=N&status=S`` | S (default 429) with ``Retry-After: V`` N times (default 1), then a page |
| ``/flaky/N?status=S`` | S (default 503) N times, then a page |
| ``/trap/…`` | links one level deeper, one level up, and to a calendar without end |
| ``/header-flood``, ``/header-long`` | 10,000 headers; one of a million bytes |
| ``/status-line-garbage`` | bytes that are no HTTP |
| ``/cookies``, ``/cookies/set?a=b`` | the cookies that came, as JSON; sets them and redirects there |
| ``/basic-auth/USER/PASSWORD``, ``/bearer/TOKEN`` | 401 without these credentials |
| ``/etag`` | ``ETag: "v1"``; 304 to a request that has it |
| ``/echo`` | method, target, headers and body as JSON |
"""

from __future__ import annotations

import base64
import gzip
import zlib
from collections.abc import Callable
from urllib.parse import unquote

from tests.site.answer import Answer, Page, Wire, drop, html, json_answer, redirect, reset
from tests.site.log import Hit

GOOD = "<!doctype html><title>Good</title><h1>ok</h1>"
MEGABYTE = 1_000_000


def misbehave(hit: Hit, nth: int) -> Page | None:
    """The answer for a path of the table above, None for all others; nth counts requests for this target from 1."""
    first, _, rest = hit.path.lstrip("/").partition("/")
    make = _PATHS.get(first)
    return make(hit, rest, nth) if make else None


def _number(hit: Hit, name: str, default: int) -> int:
    return int(hit.query.get(name, default))


def _status(hit: Hit, rest: str, nth: int) -> Page:
    return html(f"<h1>{int(rest)}</h1>", int(rest))


def _slow(hit: Hit, rest: str, nth: int) -> Page:
    return html(GOOD, delay=_number(hit, "ms", 1000) / 1000)


def _drip(hit: Hit, rest: str, nth: int) -> Page:
    count, pause = _number(hit, "bytes", 50), _number(hit, "ms", 100) / 1000

    def write(wire: Wire) -> None:
        wire.send(Answer().head(count))
        for _ in range(count - 1):
            wire.wait(pause)
            wire.send(b"x")
        wire.wait(pause)
        wire.last(b"x")

    return Answer(raw=write)


def _stall(hit: Hit, rest: str, nth: int) -> Page:
    def write(wire: Wire) -> None:
        wire.send(Answer().head(1000) + b"x" * 500)
        wire.socket.settimeout(60)
        wire.socket.recv(1)

    return Answer(raw=write)


def _redirect(hit: Hit, rest: str, nth: int) -> Page:
    left = int(rest)
    query = "?" + hit.target.split("?", 1)[1] if "?" in hit.target else ""
    return redirect(f"/redirect/{left - 1}{query}", _number(hit, "code", 302)) if left > 0 else html(GOOD)


def _redirect_to(hit: Hit, rest: str, nth: int) -> Page:
    return redirect(hit.query["url"], _number(hit, "code", 302))


def _loop(hit: Hit, rest: str, nth: int) -> Page:
    return redirect({"": "/loop", "a": "/loop/b", "b": "/loop/a"}[rest])


def _cut(hit: Hit, rest: str, nth: int) -> Page:
    return drop(after=Answer().head(1000) + b"x" * 100)


_CHUNKED = Answer(headers=[("Transfer-Encoding", "chunked")]).head(None)


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def _gzip_bomb(hit: Hit, rest: str, nth: int) -> Page:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = b"\0" * MEGABYTE
    body = b"".join(packer.compress(zeros) for _ in range(_number(hit, "mb", 100))) + packer.flush()
    return Answer(body, headers=[("Content-Encoding", "gzip")])


def _huge(hit: Hit, rest: str, nth: int) -> Page:
    count = _number(hit, "mb", 1)

    def write(wire: Wire) -> None:
        wire.send(Answer().head(count * MEGABYTE))
        for _ in range(count - 1):
            wire.send(b"<p>huge</p>" * (MEGABYTE // 11) + b"\n" * (MEGABYTE % 11))
        wire.last(b"\n" * MEGABYTE)

    return Answer(raw=write)


def _retry_after(hit: Hit, rest: str, nth: int) -> Page:
    if nth > _number(hit, "times", 1):
        return html(GOOD)
    return html("<h1>later</h1>", _number(hit, "status", 429), headers=[("Retry-After", unquote(rest))])


def _flaky(hit: Hit, rest: str, nth: int) -> Page:
    return html(GOOD) if nth > int(rest) else html("<h1>not now</h1>", _number(hit, "status", 503))


def _trap(hit: Hit, rest: str, nth: int) -> Page:
    day = _number(hit, "day", 0)
    return html(f'<a href="{len(rest)}/">deeper</a> <a href="../">up</a> <a href="?day={day + 1}">tomorrow</a>')


def _cookies(hit: Hit, rest: str, nth: int) -> Page:
    if rest != "set":
        return json_answer(hit.cookies)
    return redirect(
        "/cookies", headers=[("Set-Cookie", f"{name}={value}; Path=/") for name, value in hit.query.items()]
    )


def _basic_auth(hit: Hit, rest: str, nth: int) -> Page:
    wanted = "Basic " + base64.b64encode(rest.replace("/", ":", 1).encode()).decode()
    return _guarded(hit, wanted, "Basic")


def _bearer(hit: Hit, rest: str, nth: int) -> Page:
    return _guarded(hit, f"Bearer {rest}", "Bearer")


def _guarded(hit: Hit, wanted: str, scheme: str) -> Page:
    if hit.header("authorization") == wanted:
        return html(GOOD)
    return html("<h1>who?</h1>", 401, headers=[("WWW-Authenticate", f'{scheme} realm="test"')])


def _etag(hit: Hit, rest: str, nth: int) -> Page:
    tag = [("ETag", '"v1"')]
    return Answer(status=304, headers=tag) if hit.header("if-none-match") == '"v1"' else html(GOOD, headers=tag)


def _echo(hit: Hit, rest: str, nth: int) -> Page:
    body = hit.body.decode("utf-8", "replace")
    return json_answer({"method": hit.method, "target": hit.target, "headers": hit.headers, "body": body})


_FLOOD = [(f"X-Flood-{n}", "x" * 80) for n in range(10_000)]

_PATHS: dict[str, Callable[[Hit, str, int], Page]] = {
    "status": _status,
    "slow": _slow,
    "drip": _drip,
    "stall": _stall,
    "redirect": _redirect,
    "redirect-to": _redirect_to,
    "redirect-nowhere": lambda hit, rest, nth: Answer(status=302),
    "loop": _loop,
    "cut": _cut,
    "chunked": lambda hit, rest, nth: drop(after=_CHUNKED + _chunk(GOOD.encode()) + b"0\r\n\r\n"),
    "chunk-broken": lambda hit, rest, nth: drop(after=_CHUNKED + b"zz\r\n" + GOOD.encode()),
    "chunk-cut": lambda hit, rest, nth: drop(after=_CHUNKED + _chunk(GOOD.encode())),
    "reset": lambda hit, rest, nth: reset(),
    "reset-body": lambda hit, rest, nth: reset(after=Answer().head(1000) + b"x" * 500),
    "drop": lambda hit, rest, nth: drop(),
    "huge": _huge,
    "gzip": lambda hit, rest, nth: Answer(gzip.compress(GOOD.encode()), headers=[("Content-Encoding", "gzip")]),
    "deflate": lambda hit, rest, nth: Answer(zlib.compress(GOOD.encode()), headers=[("Content-Encoding", "deflate")]),
    "gzip-bomb": _gzip_bomb,
    "gzip-broken": lambda hit, rest, nth: Answer(GOOD, headers=[("Content-Encoding", "gzip")]),
    "gzip-cut": lambda hit, rest, nth: Answer(
        gzip.compress(GOOD.encode())[:-12], headers=[("Content-Encoding", "gzip")]
    ),
    "retry-after": _retry_after,
    "flaky": _flaky,
    "trap": _trap,
    "header-flood": lambda hit, rest, nth: html(GOOD, headers=_FLOOD),
    "header-long": lambda hit, rest, nth: html(GOOD, headers=[("X-Long", "x" * MEGABYTE)]),
    "status-line-garbage": lambda hit, rest, nth: drop(after=b"\x00\xffNOT HTTP AT ALL\r\n\r\nreally"),
    "cookies": _cookies,
    "basic-auth": _basic_auth,
    "bearer": _bearer,
    "etag": _etag,
    "echo": _echo,
}
