"""Dates in the words of a language, as dateparser knows them (the words are those of CLDR)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timezone
from functools import lru_cache
from typing import Any

from yamlcrawl.transforms.date_formats import HALVES, MONTHS, WEEKDAYS, Names, folded, of_century
from yamlcrawl.transforms.iso_dates import Day, NotADate, iso_date

_ERAS = re.compile(
    r"令和|平成|昭和|大正|明治|民[国國]|단기|พ\. ?ศ|هـ"
    r"|\b(?:BCE?|B\.C\.|AH|BE|av\. ?J|a\. ?C\.|v\. ?Chr|p\. ?n\. ?e|до н)(?!\w)"
)
_LAST = 2400
"""A later year is one of another era: Thailand's 2568 is 2025."""
_SOME_DAY = datetime(2000, 1, 1, 23, 59, 59)
_LONGEST = 120
"""Letters; the time that a text takes grows faster than its length."""
_NUMERIC = re.compile(
    r"(?<![\d.,/-])(\d{4}|\d{1,2})(?P<mark>[./-]) ?(\d{1,2})(?P=mark) ?(\d{4}|\d{1,2})(?![\d/-]|[.,]\d)", re.ASCII
)
_OFFSET = re.compile(r"(?:UTC|GMT) ?[+-]\d+|(?<=:\d\d) ?-(?:0\d|1[0-2])[0-5]\d\b", re.ASCII)
_RANGE = re.compile(r"(?<![^\W\d]-)(?<![^\W\d]-\d)\d\.? ?(?:[-‐-―~〜]|\b(?:to|bis|au|al?)\b) ?\d", re.IGNORECASE)
_PARTS = {"D": "day", "M": "month", "Y": "year"}
_CHINESE = {"TW": "zh-Hant", "HK": "zh-Hant", "MO": "zh-Hant"}


def known_as(locale: str) -> str | None:
    """The name under which the words of the locale are known, its language's where its region has none of its own.

    >>> known_as("pt_BR"), known_as("en-GB"), known_as("zh-TW"), known_as("de-DE"), known_as("tlh")
    ('pt', 'en-GB', 'zh-Hant', 'de', None)
    """
    from dateparser.data.languages_info import language_locale_dict, language_order

    language, *rest = locale.replace("_", "-").split("-")
    if language == "no":
        language = "nb"
    if language == "zh" and rest and rest[-1] in _CHINESE:
        return _CHINESE[rest[-1]]
    for end in range(len(rest), 0, -1):
        name = "-".join((language, *rest[:end]))
        if name in language_order or any(name in names for names in language_locale_dict.values()):
            return name
    return language if language in language_order else None


@lru_cache(maxsize=64)
def words_of(locale: str) -> Words:
    """The words of a locale that `known_as` knows."""
    return Words(locale)


class Words:
    """How a language writes dates. Safe between threads."""

    def __init__(self, locale: str) -> None:
        # imported where it is needed first: it takes longer than all the rest of the package
        from dateparser.date import DateDataParser
        from dateparser.languages.loader import default_loader

        self._name = known_as(locale) or ""
        self._locale = locale
        self._make = DateDataParser
        self._known: Mapping[str, Any] = default_loader.get_locale(self._name).info
        self._order: str = self._known.get("date_order", "YMD")
        self._absolute = {order: self._strict(order) for order in (self._order, "YMD")}
        self._future = self._parser("relative-time", _SOME_DAY, PREFER_DATES_FROM="future")
        self._has_no_direction = lru_cache(maxsize=1024)(self._lacks_direction)
        self._relative: tuple[datetime, Any] | None = None

    @property
    def names(self) -> Names:
        """What it calls months, days and halves of a day; English where it has no words of its own."""
        return Names(
            self._numbered(MONTHS),
            self._numbered(WEEKDAYS),
            self._numbered(HALVES),
        )

    def _numbered(self, english: Iterable[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for number, name in enumerate(english, 1):
            for word in map(folded, self._known.get(name) or [name]):
                found.setdefault(word, number)
                found.setdefault(_without_accents(word), number)
        return found

    def units(self, unit: str) -> list[str]:
        """The words for a unit of time, such as ``hour``."""
        return [folded(word) for word in self._known.get(unit, ())]

    def read(self, text: str, now: datetime) -> Day:
        """The day or moment that the text names; words such as "yesterday" are counted from `now`, in its zone.

        A moment is naive where it is told by the clock and no zone is named, and has a zone where it was counted from
        now. Raises NotADate for what is no date of the language, a part of one, a range or one of another era.
        """
        if len(text) > _LONGEST:
            raise NotADate("it is too long for a date: cut it with regex")
        if _ERAS.search(text):
            raise NotADate("years of another era are not read")
        written, order = self._in_order(text)
        if _RANGE.search(_OFFSET.sub("", _NUMERIC.sub("", written))):
            raise NotADate("it is a range, not one date")
        if (day := iso_date(written)) is not None:
            return day
        # a year has two digits at least
        found = self._absolute[order].get_date_data(written) if re.search(r"\d\d", written) else None
        if found is None or found.date_obj is None:
            return self._counted(text, now)
        if found.date_obj.year > _LAST:
            raise NotADate("years of another era are not read")
        return _clock(found.date_obj) if "time" in found.parts else found.date_obj.date()

    def _in_order(self, text: str) -> tuple[str, str]:
        """The text with a date of numbers as ISO 8601 writes it, and the order in which its numbers are to be read."""
        found = _NUMERIC.search(text)
        if found is None:
            return text, self._order
        if _NUMERIC.search(text, found.end()):
            raise NotADate("there are two dates")
        order = "YMD" if len(found[1]) == 4 else self._order
        parts = dict(zip(order, (found[1], found[3], found[4]), strict=True))
        year = of_century(int(parts["Y"])) if len(parts["Y"]) <= 2 else int(parts["Y"])
        try:
            day = date(year, int(parts["M"]), int(parts["D"]))
        except ValueError as error:
            said = ", ".join(_PARTS[letter] for letter in order)
            why = f"no such day: in {self._locale} the order is {said}; say format if it is another"
            raise NotADate(why) from error
        return f"{text[: found.start()]}{day.isoformat()}{text[found.end() :]}", "YMD"

    def _counted(self, text: str, now: datetime) -> Day:
        # a mark that a time of day in the text wipes out, and a count of hours keeps
        base = now.replace(microsecond=1)
        found = self._count(text, base)
        if found.date_obj is None:
            raise NotADate(f"no date as it is written in {self._locale}")
        if found.date_obj.replace(tzinfo=now.tzinfo) < base and self._has_no_direction(text):
            raise NotADate("it does not say whether it is past or to come")
        if found.period == "part_of_day":
            return found.date_obj.date()  # type: ignore[no-any-return]
        if "time" in found.parts and not found.date_obj.microsecond:
            return _clock(found.date_obj)
        if "time" in found.parts and found.date_obj.replace(tzinfo=now.tzinfo).utcoffset() != now.utcoffset():
            # hours are counted on the clock of the world, which no summer time turns back
            moment = _clock(self._count(text, base.astimezone(UTC)).date_obj)
            return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(now.tzinfo)
        if "day" not in found.parts and found.date_obj.date() == now.date():
            raise NotADate("it is only a part of a date; year, month and day are needed")
        moment = _clock(found.date_obj)
        # by way of UTC, since that day may lack the hour
        return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo).astimezone(UTC).astimezone(now.tzinfo)

    def _lacks_direction(self, text: str) -> bool:
        """Whether it is a length, such as "3 days", which is taken for what lies behind or before us as one likes."""
        found = self._future.get_date_data(text).date_obj
        return found is not None and found.replace(tzinfo=None) > _SOME_DAY

    def _count(self, text: str, base: datetime) -> Any:
        kept = self._relative
        if kept is None or kept[0] != base or kept[0].tzinfo is not base.tzinfo:
            kept = (base, self._parser("relative-time", base, RETURN_TIME_AS_PERIOD=True))
            self._relative = kept
        return kept[1].get_date_data(text)

    def _strict(self, order: str) -> Any:
        """Reads whole dates alone, and numbers in this order alone: no row is turned round for its day above 12."""
        strict = {"STRICT_PARSING": True, "DATE_ORDER": order, "STRICT_DATE_ORDER": "all"}
        return self._parser("absolute-time", _SOME_DAY, **strict)

    def _parser(self, kind: str, base: datetime, **settings: Any) -> Any:
        return self._make(locales=[self._name], settings={"PARSERS": [kind], "RELATIVE_BASE": base, **settings})


def _without_accents(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _clock(found: Any) -> datetime:
    """The moment without its mark, its zone as an offset."""
    zone = found.utcoffset()
    moment: datetime = found.replace(microsecond=0 if found.microsecond == 1 else found.microsecond, tzinfo=None)
    return moment if zone is None else moment.replace(tzinfo=timezone(zone) if zone else UTC)
