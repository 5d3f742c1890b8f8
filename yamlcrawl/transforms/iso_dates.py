"""Dates as standards write them (ISO 8601, RFC 3339, RFC 5322), and what all that read dates share."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from email.utils import parsedate_to_datetime

Day = date | datetime
"""A day alone, or a moment: with a zone where the text names one."""


class NotADate(ValueError):  # noqa: N818 - it is an answer, not a fault
    """Why a text is no date."""


_DAY = (
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)-(?P<day>\d\d)|(?P<month2>\d\d)(?P<day2>\d\d)"
    r"|-?W(?P<week>\d\d)-?(?P<weekday>\d)|-?(?P<ordinal>\d{3}))"
)
_TIME = r"(?P<hour>\d\d)(?::?(?P<minute>\d\d)(?::?(?P<second>\d\d))?)?(?:[.,](?P<fraction>\d+))?"
_ZONE = r"(?P<zone>Z|UTC|GMT|[+\-−]\d\d(?::?\d\d)?)"
_ISO = re.compile(rf"{_DAY}(?:(?P<between>[T ]){_TIME}(?: ?{_ZONE})?)?", re.IGNORECASE | re.ASCII)
_MAIL = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}"
    r" \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|UTC?|GMT|Z|[ECMP][SD]T)",
    re.IGNORECASE | re.ASCII,
)
"""RFC 5322, 3.3, with the zones of 4.3, as mail, HTTP and RSS have it."""
_PART = re.compile(r"\d{4}(?:-\d\d|-?W\d\d)?|--\d\d-?\d\d|\d\d:\d\d(?::\d\d)?", re.IGNORECASE | re.ASCII)


def iso_date(text: str) -> Day | None:
    """The day or moment that a text in a form of ISO 8601 or RFC 5322 names; None where it has another form.

    Calendar, week and ordinal dates, extended or basic; a blank may stand for the ``T`` (RFC 3339). A moment is naive
    where no zone is written. ``T24:00`` is the start of the next day, a leap second the second after it; fractions
    are cut to microseconds. Raises NotADate for a part of a date (``2025-03``) and a day or time that there is not.

    >>> iso_date("2025-W11-5"), iso_date("20250314T1030Z"), iso_date("14.3.2025")
    (datetime.date(2025, 3, 14), datetime.datetime(2025, 3, 14, 10, 30, tzinfo=datetime.timezone.utc), None)
    >>> str(iso_date("Mon, 05 May 2025 10:00:00 GMT")), str(iso_date("5 May 2025 10:00 -0700"))
    ('2025-05-05 10:00:00+00:00', '2025-05-05 10:00:00-07:00')
    >>> iso_date("2025-03")
    Traceback (most recent call last):
    ...
    yamlcrawl.transforms.iso_dates.NotADate: it is only a part of a date; year, month and day are needed
    """
    found = _ISO.fullmatch(text)
    if found is None and _MAIL.fullmatch(text):
        return _mail_date(text)
    if found is None:
        if _PART.fullmatch(text):
            raise NotADate("it is only a part of a date; year, month and day are needed")
        return None
    if found["between"] == " " and ":" not in text:
        return None
    try:
        day = _day(found)
        return day if found["hour"] is None else _moment(day, found)
    except (ValueError, OverflowError) as error:
        raise NotADate("there is no such day or time") from error


def _mail_date(text: str) -> datetime:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError) as error:
        raise NotADate("there is no such day or time") from error
    # -0000 says that nothing is known of the place: the time is UTC (RFC 5322, 3.3)
    if moment.tzinfo is None or not moment.utcoffset():
        return moment.replace(tzinfo=UTC)
    return moment


def _day(found: re.Match[str]) -> date:
    year = int(found["year"])
    if found["week"]:
        return date.fromisocalendar(year, int(found["week"]), int(found["weekday"]))
    if found["ordinal"]:
        return day_of_year(year, int(found["ordinal"]))
    return date(year, int(found["month"] or found["month2"]), int(found["day"] or found["day2"]))


def day_of_year(year: int, number: int) -> date:
    """The day with that number, from 1; raises ValueError where the year has none."""
    day = date(year, 1, 1) + timedelta(days=number - 1)
    if number < 1 or day.year != year:
        raise ValueError(number)
    return day


def _moment(day: date, found: re.Match[str]) -> datetime:
    hour, minute, second = (int(found[part] or 0) for part in ("hour", "minute", "second"))
    unit = 1 if found["second"] else 60 if found["minute"] else 3600
    micros = unit * int((found["fraction"] or "0")[:9].ljust(9, "0")) // 1000
    if minute > 59 or second > 60 or hour > 24 or (hour == 24 and (minute or second or micros)):
        raise ValueError(found[0])
    start = datetime(day.year, day.month, day.day, tzinfo=offset(found["zone"]) if found["zone"] else None)
    return start + timedelta(hours=hour, minutes=minute, seconds=second, microseconds=micros)


def offset(zone: str) -> tzinfo:
    """The zone that is written as an offset: ``Z``, ``UTC``, ``+01``, ``+0100``, ``-05:30``; raises ValueError.

    >>> offset("z"), offset("-05:30")
    (datetime.timezone.utc, datetime.timezone(datetime.timedelta(days=-1, seconds=66600)))
    """
    if zone.upper() in ("Z", "UTC", "GMT"):
        return UTC
    digits = zone[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if minutes > 59:
        raise ValueError(zone)
    width = timedelta(hours=hours, minutes=minutes)
    return timezone(width if zone[0] == "+" else -width) if width else UTC
