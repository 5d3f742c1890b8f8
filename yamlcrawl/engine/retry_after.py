"""How long a server asks to be left alone."""

from __future__ import annotations

import re
from datetime import UTC
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]+").fullmatch


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds from now that a Retry-After field means (RFC 9110, 10.2.3); None where it means none.

    `now` is in seconds since the epoch. A date that is past and whatever is neither a whole number nor a date are as
    good as no field. What comes back may be centuries: the caller caps it.

    >>> retry_after("120", 0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 20), retry_after("soon", 0)
    (120.0, 40.0, None)
    """
    text = (value or "").strip()
    if _SECONDS(text):
        return float(text[:15])
    try:
        date = parsedate_to_datetime(text)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        seconds = date.timestamp() - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return seconds if seconds > 0 else None
