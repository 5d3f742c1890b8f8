"""Texts to dates and moments; what is ambiguous or only a part of a date is none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from yamlcrawl.transforms.date_formats import ENGLISH, compile_format, day_before_month, has_names
from yamlcrawl.transforms.date_words import words_of
from yamlcrawl.transforms.iso_dates import Day, NotADate, iso_date
from yamlcrawl.transforms.plain import is_nothing, plain

ReadDate = Callable[[str, float], str | None]
"""A text, and the moment from which its words count (seconds since the epoch), to ISO 8601.

None for an empty text or a lone dash; raises NotADate for what is none.
"""


def compile_date(*, written: str | None = None, locale: str | None = None, zone: ZoneInfo | None = None) -> ReadDate:
    """What reads days: ``YYYY-MM-DD``. Of a moment it is the day that is written there, whatever its zone.

    `written` is a format (see `date_formats`), `locale` the language, `zone` where words such as "today" are counted
    (else in UTC). Without format and locale only ISO 8601 is read. Raises FormatError.

    >>> compile_date()("2025-03-14T23:30:00Z", 0), compile_date(written="%d/%m/%Y")("4/5/2022", 0)
    ('2025-03-14', '2022-05-04')
    """
    read = _reader(written, locale, zone)

    def day(text: str, now: float) -> str | None:
        found = read(text, now)
        if found is None:
            return None
        return (found.date() if isinstance(found, datetime) else found).isoformat()

    return day


def compile_datetime(
    *, written: str | None = None, locale: str | None = None, zone: ZoneInfo | None = None
) -> ReadDate:
    """What reads moments: ``YYYY-MM-DDTHH:MM:SS`` and, where one is known, the offset (``Z`` for UTC).

    The zone is that of the text, else `zone`, else none. A day alone is its first moment. A local time that comes
    twice when summer time ends is the first of the two; one that is left out when it begins is counted on from the
    time before (RFC 5545, 3.3.5).

    >>> compile_datetime(zone=ZoneInfo("Europe/Paris"))("2025-03-30T02:30", 0)
    '2025-03-30T03:30:00+02:00'
    >>> compile_datetime()("2025-03-14 10:30", 0)
    '2025-03-14T10:30:00'
    """
    read = _reader(written, locale, zone)

    def moment(text: str, now: float) -> str | None:
        found = read(text, now)
        if found is None:
            return None
        if not isinstance(found, datetime):
            found = datetime(found.year, found.month, found.day)
        if found.tzinfo is None and zone is not None:
            found = settled(found, zone)
        shown = found.isoformat()
        return shown.removesuffix("+00:00") + "Z" if found.tzinfo is UTC else shown

    return moment


def settled(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment at which clocks of the zone show the local time, as they do show it."""
    try:
        return local.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
    except OverflowError as error:
        raise NotADate("there is no such day or time") from error


def _reader(written: str | None, locale: str | None, zone: ZoneInfo | None) -> Callable[[str, float], Day | None]:
    if written is not None:
        read = _as_written(written, locale, zone)
    elif locale is not None:
        read = _as_people_write(locale, zone)
    else:
        read = _iso_alone

    def reader(text: str, now: float) -> Day | None:
        text = plain(text)
        return None if is_nothing(text) else read(text, now)

    return reader


def _iso_alone(text: str, _now: float) -> Day:
    found = iso_date(text)
    if found is None:
        raise NotADate("it is not ISO 8601: say format or locale")
    return found


def _as_written(written: str, locale: str | None, zone: ZoneInfo | None) -> Callable[[str, float], Day]:
    names = words_of(locale).names if locale is not None and has_names(written) else ENGLISH
    formatted = compile_format(written, names, zone)
    misleading = day_before_month(written)

    def read(text: str, _now: float) -> Day:
        try:
            return formatted(text)
        except NotADate:
            found = None if misleading else _iso_or_none(text)
            if found is None:
                raise
            return found

    return read


def _iso_or_none(text: str) -> Day | None:
    try:
        return iso_date(text)
    except NotADate:
        return None


def _as_people_write(locale: str, zone: ZoneInfo | None) -> Callable[[str, float], Day]:
    def read(text: str, now: float) -> Day:
        found = iso_date(text)
        if found is not None:
            return found
        return words_of(locale).read(text, datetime.fromtimestamp(now, zone or UTC))

    return read
