"""Whether an answer is at all of the kind that a format reads."""

from __future__ import annotations

from yamlcrawl.errors import ParseError
from yamlcrawl.model.response import Response

_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
)


def media_type(response: Response) -> str:
    """The media type of the answer without parameters, lower case; empty where there is none."""
    return (response.headers.get("content-type") or "").partition(";")[0].strip().lower()


def refuse_binary(response: Response, wanted: str) -> None:
    """Raise ParseError (``wrong_format``) for a body that is surely no text."""
    for magic, name in _MAGIC:
        if response.body.startswith(magic):
            raise ParseError(f"the answer is {name}, not {wanted}", "wrong_format")
    kind = media_type(response)
    if kind.startswith(("image/", "audio/", "video/", "font/")) and kind != "image/svg+xml":
        raise ParseError(f"the answer is {kind}, not {wanted}", "wrong_format")
