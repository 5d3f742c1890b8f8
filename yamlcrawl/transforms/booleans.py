"""Texts to booleans."""

from __future__ import annotations

_TRUE = frozenset(["true", "yes", "on", "1"])
_FALSE = frozenset(["false", "no", "off", "0"])


def boolean(text: str) -> bool:
    """The truth of true/false, yes/no, on/off, 1/0, whatever their case; else ValueError.

    >>> boolean("Yes"), boolean("0")
    (True, False)
    """
    word = text.strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError("neither true nor false")
