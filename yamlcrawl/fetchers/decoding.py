"""Content codings undone piece by piece, and counted while they inflate (RFC 9110, 8.4.1)."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator

from yamlcrawl.fetchers.transport import TransportError
from yamlcrawl.model.response import Headers

ACCEPTED = "gzip, deflate, br, zstd"
"""What Accept-Encoding offers."""
STEP = 262_144
"""Bytes that are inflated at a time."""
DEEPEST = 5
"""Codings one over the other."""
ZSTD_WINDOW = 23
"""Largest window as a power of two: 8 MB, as RFC 9659 says."""

Pieces = Iterator[bytes]


def codings(headers: Headers) -> list[str]:
    """The codings of the body in the order they were put on, transfer codings last; names that mean none left out."""
    values = headers.all("content-encoding") + headers.all("transfer-encoding")
    if not values:
        return []
    names = (name.strip().lower() for value in values for name in value.split(","))
    return [name for name in names if name not in _NONE]


def decoded(pieces: Iterable[bytes], headers: Headers, limit: int) -> bytes:
    """The whole body without its codings; see `unpacked`."""
    return b"".join(unpacked(pieces, headers, limit))


def unpacked(pieces: Iterable[bytes], headers: Headers, limit: int) -> Pieces:
    """The body without its codings, piece by piece.

    Raises TransportError: `too_large` past `limit` bytes (also between two codings), `network_error` for a body that
    is cut or is not what Content-Encoding says.
    """
    names = codings(headers)
    if len(names) > DEEPEST:
        raise TransportError("network_error", f"more than {DEEPEST} codings one over the other")
    stage = iter(pieces)
    for name in reversed(names):
        decode = _DECODERS.get(name)
        if decode is None:
            raise TransportError("network_error", f"its coding {name[:40]!r} is not known")
        stage = _bounded(decode(stage), limit)
    yield from _bounded(stage, limit)


def _bounded(pieces: Pieces, limit: int) -> Pieces:
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > limit:
            raise TransportError("too_large", f"the body is larger than {limit} bytes (site.max_body)", final=True)
        yield piece


def _cut(name: str) -> TransportError:
    return TransportError("network_error", f"the {name} body was cut")


def _wrong(name: str, cause: Exception) -> TransportError:
    return TransportError("network_error", f"the body is not {name}, as its Content-Encoding says: {cause}")


def _gzip(pieces: Pieces) -> Pieces:
    """One member or several (RFC 1952, 2.2); what follows that is none is left out, as browsers do."""
    inflater, begun = None, False
    for piece in pieces:
        while piece:
            if inflater is None:
                if begun and not piece.startswith(b"\x1f"):
                    _drain(pieces)
                    return
                inflater, begun = zlib.decompressobj(31), True
            yield from _inflate("gzip", inflater, piece)
            if not inflater.eof:
                break
            piece, inflater = inflater.unused_data, None
    if inflater is not None:
        raise _cut("gzip")


def _deflate(pieces: Pieces) -> Pieces:
    """With its zlib wrapper, or raw as some servers send it."""
    start = b""
    for piece in pieces:
        start += piece
        if len(start) >= 2:
            break
    if not start:
        return
    wrapped = start[0] & 0x0F == 8 and len(start) > 1 and (start[0] << 8 | start[1]) % 31 == 0
    inflater = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
    yield from _inflate("deflate", inflater, start)
    for piece in pieces:
        if inflater.eof:
            break
        yield from _inflate("deflate", inflater, piece)
    if not inflater.eof:
        raise _cut("deflate")
    _drain(pieces)


def _inflate(name: str, inflater: zlib._Decompress, piece: bytes) -> Pieces:
    try:
        out = inflater.decompress(piece, STEP)
        while out:
            yield out
            # all that came may be taken in while some of what it stands for is still to come out
            out = inflater.decompress(inflater.unconsumed_tail, STEP) if len(out) == STEP else b""
    except zlib.error as e:
        raise _wrong(name, e) from e


def _brotli(pieces: Pieces) -> Pieces:
    import brotli

    inflater, begun = brotli.Decompressor(), False
    for piece in pieces:
        if inflater.is_finished():
            break
        begun = True
        try:
            out = inflater.process(piece, output_buffer_limit=STEP)
            while out or not inflater.can_accept_more_data():
                yield out
                out = inflater.process(b"", output_buffer_limit=STEP)
        except brotli.error as e:
            raise _wrong("br", e) from e
    if begun and not inflater.is_finished():
        raise _cut("br")
    _drain(pieces)


def _zstd(pieces: Pieces) -> Pieces:
    """One frame or several (RFC 8878, 3.1)."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW}
    inflater = None
    try:
        for piece in pieces:
            while piece:
                inflater = inflater or zstd.ZstdDecompressor(options=options)
                out = inflater.decompress(piece, STEP)
                while out:
                    yield out
                    out = b"" if inflater.eof else inflater.decompress(b"", STEP)
                if not inflater.eof:
                    break
                piece, inflater = inflater.unused_data, None
    except zstd.ZstdError as e:
        raise _wrong("zstd", e) from e
    if inflater is not None:
        raise _cut("zstd")


def _drain(pieces: Pieces) -> None:
    """Read on to the end of the body, so that the connection can be kept."""
    for _ in pieces:
        pass


_DECODERS: dict[str, Callable[[Pieces], Pieces]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
_NONE = frozenset({"", "identity", "chunked", "none", "utf-8", "utf8", "binary", "8bit"})
"""Not codings of bytes: what the standard calls none, framing, and what servers write there by mistake."""
