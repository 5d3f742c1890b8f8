"""The candidates of a ``srcset``."""

from __future__ import annotations

import re

_CANDIDATE = re.compile(r"\s*,*\s*(\S+?)(?:,(?=\s|$)|(?:\s+([^,(]*(?:\([^)]*\)[^,(]*)*))?\s*(?:,|$))")


def largest(srcset: str) -> str | None:
    """The address of the largest candidate by width or density, the first of equals (HTML standard, 4.8.4.2.1).

    >>> largest("a.jpg 1x, b.jpg 2x"), largest("s.jpg 320w, l.jpg 1280w, m.jpg 640w"), largest("one.jpg")
    ('b.jpg', 'l.jpg', 'one.jpg')
    """
    best, size = None, -1.0
    for match in _CANDIDATE.finditer(srcset):
        if not match[1]:
            continue
        descriptor = re.search(r"([\d.]+)[wx]", match[2] or "")
        try:
            this = float(descriptor[1]) if descriptor else 1.0
        except ValueError:
            this = 1.0
        if this > size:
            best, size = match[1], this
    return best
