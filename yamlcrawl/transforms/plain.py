"""Texts as they are before anybody looks for a date or a duration in them."""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_ORDINAL = re.compile(r"(?<=\d)[ºª°]")
_DASHES = frozenset(["-", "‐", "‑", "–", "—", "--"])


def plain(text: str) -> str:
    """The text with one blank between words, plain digits and letters (NFKC), no signs of direction, no `º`.

    >>> plain("２０２５年３月５日"), plain("1º de\xa0marzo"), plain("٥ مارس")
    ('2025年3月5日', '1 de marzo', '5 مارس')
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _ORDINAL.sub("", _MARKS.sub("", text)))
        if not text.isascii():
            text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    return " ".join(text.split())


def is_nothing(text: str) -> bool:
    """Whether the text is empty or a lone dash, which people write for no value."""
    return not text or text in _DASHES
