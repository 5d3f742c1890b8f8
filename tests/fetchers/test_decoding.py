from __future__ import annotations

import gzip
import hashlib
import tracemalloc
import zlib
from collections.abc import Iterator

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import FOLDER, cases
from yamlcrawl.fetchers.decoding import decoded
from yamlcrawl.fetchers.transport import TransportError
from yamlcrawl.model.response import Headers

zstd = pytest.importorskip("compression.zstd") if __import__("sys").version_info >= (3, 14) else None
if zstd is None:
    from backports import zstd

PLAIN = b"".join(b"<p>line %d</p>\n" % n for n in range(20_000))


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKED = {
    "gzip": gzip.compress(PLAIN),
    "X-GZip": gzip.compress(PLAIN),
    "deflate": zlib.compress(PLAIN),
    "br": brotli.compress(PLAIN),
    "zstd": zstd.compress(PLAIN),
    "deflate, gzip": gzip.compress(zlib.compress(PLAIN)),
    "gzip, br": brotli.compress(gzip.compress(PLAIN)),
    "identity": PLAIN,
    "none": PLAIN,
    "utf-8": PLAIN,
    "": PLAIN,
}


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def decode(data: bytes, coding: str, limit: int = 1_000_000, size: int = 1000) -> bytes:
    return decoded(pieces(data, size), Headers([("Content-Encoding", coding)]), limit)


def error(data: bytes, coding: str, limit: int = 1_000_000, size: int = 1000) -> TransportError:
    with pytest.raises(TransportError) as caught:
        decode(data, coding, limit, size)
    return caught.value


@pytest.mark.parametrize("size", [1, 1000, 10**9])
@pytest.mark.parametrize("coding", PACKED)
def test_each_coding(coding: str, size: int) -> None:
    assert decode(PACKED[coding], coding, size=size) == PLAIN


@pytest.mark.parametrize("size", [1, 10**9])
def test_deflate_comes_without_its_wrapper_too(size: int) -> None:
    assert decode(raw_deflate(PLAIN), "deflate", size=size) == PLAIN


@pytest.mark.parametrize("size", [1, 7, 10**9])
def test_members_and_frames_are_joined(size: int) -> None:
    assert decode(gzip.compress(b"one ") + gzip.compress(b"two"), "gzip", size=size) == b"one two"
    assert decode(zstd.compress(b"one ") + zstd.compress(b"two"), "zstd", size=size) == b"one two"


@pytest.mark.parametrize("size", [1, 10**9])
def test_what_follows_a_gzip_body_is_left_out(size: int) -> None:
    assert decode(gzip.compress(b"page") + b"\0\0\0", "gzip", size=size) == b"page"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, br"])
def test_an_empty_body_is_empty_whatever_it_says(coding: str) -> None:
    assert decode(b"", coding) == b""


@pytest.mark.parametrize("size", [1, 10**9])
@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "deflate, gzip", "gzip, br"])
def test_cut_bodies_are_network_errors(coding: str, size: int) -> None:
    for kept in (1, len(PACKED[coding]) // 2, len(PACKED[coding]) - 1):
        assert error(PACKED[coding][:kept], coding, size=size).outcome == "network_error"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_that_is_not_what_it_says_is_a_network_error(coding: str) -> None:
    assert error(b"<!doctype html><h1>plain</h1>", coding).outcome == "network_error"


def test_flipped_bits_do_not_pass() -> None:
    spoilt = bytearray(PACKED["gzip"])
    spoilt[-6] ^= 1
    assert error(bytes(spoilt), "gzip").outcome == "network_error"


def test_unknown_codings_are_network_errors() -> None:
    assert "compress" in error(PLAIN, "compress").reason


def test_more_codings_than_anybody_needs_are_refused() -> None:
    assert error(b"", ", ".join(["gzip"] * 6)).outcome == "network_error"


@pytest.mark.parametrize("coding", PACKED)
def test_the_limit_is_exact(coding: str) -> None:
    assert len(decode(PACKED[coding], coding, limit=len(PLAIN))) == len(PLAIN)
    caught = error(PACKED[coding], coding, limit=len(PLAIN) - 1)
    assert (caught.outcome, caught.final) == ("too_large", True)


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "gzip, gzip"])
def test_bombs_stop_at_the_limit_with_little_memory(coding: str) -> None:
    zeros = b"\0" * 100_000_000
    pack = {"gzip": gzip.compress, "br": lambda data: brotli.compress(data, quality=1), "zstd": zstd.compress}
    bomb = pack[coding.partition(",")[0]](zeros)
    if coding == "gzip, gzip":
        bomb = gzip.compress(bomb)
    del zeros
    tracemalloc.start()
    try:
        assert error(bomb, coding, limit=5_000_000, size=10**9).outcome == "too_large"
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_frame_that_wants_a_huge_window_is_refused() -> None:
    options = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.checksum_flag: 0}
    packer = zstd.ZstdCompressor(options=options)
    frame = packer.compress(b"x" * 100) + packer.flush()
    assert error(frame, "zstd").outcome == "network_error"


@given(st.binary(max_size=5000), st.integers(1, 600), st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_what_was_packed_comes_out(data: bytes, size: int, coding: str) -> None:
    pack = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd.compress}[coding]
    assert decode(pack(data), coding, size=size) == data


OTHERWISE = {"bodies/html-rawdeflate.bin": "it decodes to its own text, which is not that of plain.html"}


@pytest.mark.parametrize("case", cases("http/bodies.jsonl"))
def test_bodies_of_other_projects(case: dict[str, object]) -> None:
    data = (FOLDER / "http" / str(case["file"])).read_bytes()
    coding = str(case["content_encoding"])
    if "decoded_bytes" not in case:
        assert error(data, coding).outcome == "network_error"
        return
    whole = decode(data, coding, limit=20_000_000)
    if case["file"] in OTHERWISE:
        assert b"encoding `deflate'" in whole
        return
    assert len(whole) == case["decoded_bytes"]
    assert case.get("decoded_sha256") in (None, hashlib.sha256(whole).hexdigest())
