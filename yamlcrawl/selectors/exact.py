"""Numbers of JSON as they were written."""

from __future__ import annotations

from decimal import Decimal

LARGEST = 10_000
"""Digits that a number may have when it is written out."""


def exact_number(text: str) -> Decimal:
    """The exact number; ValueError for one that would fill the memory when it is written, and for NaN."""
    number = Decimal(text)
    if not number.is_finite() or abs(number.adjusted()) > LARGEST:
        raise ValueError("no number that can be written out")
    return number
