"""Dates of cookies, as servers really write them (RFC 6265, 5.1.1)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_TOKENS = re.compile(r"[^\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+")
_TIME = re.compile(r"(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)", re.ASCII).match
_DAY = re.compile(r"(\d{1,2})(?:\D|$)", re.ASCII).match
_YEAR = re.compile(r"(\d{2,4})(?:\D|$)", re.ASCII).match
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def cookie_date(text: str) -> float | None:
    """Seconds since the epoch; None where the text is no date.

    >>> cookie_date("Wednesday, 01-Jan-10 00:00:01 GMT")
    1262304001.0
    """
    time: tuple[int, int, int] | None = None
    day = month = year = None
    for token in _TOKENS.findall(text):
        if time is None and (found := _TIME(token)):
            time = (int(found[1]), int(found[2]), int(found[3]))
        elif day is None and (found := _DAY(token)):
            day = int(found[1])
        elif month is None and token[:3].lower() in _MONTHS:
            month = _MONTHS.index(token[:3].lower()) + 1
        elif year is None and (found := _YEAR(token)):
            year = int(found[1])
    if time is None or day is None or month is None or year is None:
        return None
    if year < 100:
        year += 1900 if year >= 70 else 2000
    if year < 1601:
        return None
    try:
        return datetime(year, month, day, *time, tzinfo=UTC).timestamp()
    except ValueError:
        return None
