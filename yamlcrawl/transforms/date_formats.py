"""Dates as a format says they are written: strptime, with the names of any language and strictly.

Own code since the standard library's reads names in the language of the process alone, which is one for all threads,
and fills in what a format leaves out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from yamlcrawl.transforms.iso_dates import Day, NotADate, day_of_year, offset
from yamlcrawl.transforms.plain import plain

MONTHS = "january february march april may june july august september october november december".split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
HALVES = ["am", "pm"]


class FormatError(ValueError):
    """Why a text is no format of dates, and how to mend it."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


@dataclass(frozen=True, slots=True)
class Names:
    """What a language calls months, days of the week and halves of a day: names to numbers, from 1."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    halves: Mapping[str, int]
    """1 before noon, 2 after it."""


def _with_short(names: list[str]) -> dict[str, int]:
    short = {name[:3]: number for number, name in enumerate(names, 1)}
    return {**dict(zip(names, range(1, 13), strict=False)), **short}


ENGLISH = Names(
    {**_with_short(MONTHS), "sept": 9},
    {**_with_short(WEEKDAYS), "tues": 2, "weds": 3, "thur": 4, "thurs": 4},
    {"am": 1, "a.m.": 1, "pm": 2, "p.m.": 2},
)

_DIRECTIVE = re.compile(r"%(?P<flag>[-_0^#EO:]?)(?P<letter>.|$)", re.DOTALL)
_SHORT_FOR = {"F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M", "D": "%m/%d/%y", "h": "%b", "e": "%d"}
_PATTERNS = {
    "Y": r"\d{4}",
    "y": r"\d\d",
    "m": r"1[0-2]|0?[1-9]",
    "d": r"3[01]|[12]\d|0?[1-9]",
    "j": r"36[0-6]|3[0-5]\d|[12]\d\d|0?[1-9]\d|0?0?[1-9]",
    "H": r"2[0-3]|[01]\d|\d",
    "I": r"1[0-2]|0?[1-9]",
    "M": r"[0-5]\d|\d",
    "S": r"6[01]|[0-5]\d|\d",
    "f": r"\d{1,9}",
    "G": r"\d{4}",
    "V": r"5[0-3]|[1-4]\d|0?[1-9]",
    "u": r"[1-7]",
    "s": r"-?\d{1,11}(?:\.\d{1,9})?",
    "Q": r"-?\d{1,14}",
    "z": r"Z|[+\-−]\d\d(?::?\d\d)?",
    "Z": r"[A-Z]{1,5}",
}
_NAMED = {"B": "months", "b": "months", "A": "weekdays", "a": "weekdays", "p": "halves"}
_SAME = {"b": "B", "a": "A"}
_DAYS = (
    frozenset("Ymd"),
    frozenset("ymd"),
    frozenset("YBd"),
    frozenset("yBd"),
    frozenset("Yj"),
    frozenset("yj"),
    frozenset("GVu"),
    frozenset("GVA"),
    frozenset("s"),
    frozenset("Q"),
)
"""The directives that make a day."""


def has_names(written: str) -> bool:
    """Whether the format reads names of months, days of the week or halves of a day.

    >>> has_names("%d %B %Y"), has_names("%d.%m.%Y %%B")
    (True, False)
    """
    return any(found["letter"] in _NAMED or found["letter"] == "h" for found in _DIRECTIVE.finditer(written))


def day_before_month(written: str) -> bool:
    """Whether the format begins with the year and puts the day before the month, so that ISO 8601 would mislead."""
    return bool(re.match(r"%[Yy][^%]*%d[^%]*%m", written))


def compile_format(written: str, names: Names = ENGLISH, zone: ZoneInfo | None = None) -> Callable[[str], Day]:
    """What reads a text (as `plain` leaves it) that is written so; raises FormatError.

    The directives are those of strptime, and ``%s`` and ``%Q``, seconds and milliseconds since the epoch; case and the
    dot after a name do not matter. What is returned raises NotADate for a text that does not fit and for a day that
    there is not. `zone` is where ``%s`` is shown, else UTC, and whose abbreviations ``%Z`` reads besides UTC.

    >>> compile_format("%d/%m/%Y")("4/5/2022"), compile_format("%a, %d %b %Y %H:%M")("Wed, 5 mar 2025 14:30")
    (datetime.date(2022, 5, 4), datetime.datetime(2025, 3, 5, 14, 30))
    """
    pattern, letters = _pattern(written, names)
    _check_complete(letters)
    match = re.compile(pattern, re.IGNORECASE).fullmatch

    def read(text: str) -> Day:
        found = match(text)
        if found is None:
            raise NotADate(f'it is not written as "{written}"')
        try:
            return _read({k: v for k, v in found.groupdict().items() if v is not None}, names, zone)
        except NotADate:
            raise
        except (ValueError, OverflowError, OSError) as error:
            raise NotADate("there is no such day or time") from error

    return read


def _pattern(written: str, names: Names) -> tuple[str, frozenset[str]]:
    """The regex of a format, and its directives."""
    whole = _written_out(written)
    parts: list[str] = []
    seen: set[str] = set()
    end = 0
    for found in _DIRECTIVE.finditer(whole):
        parts.append(_literal(whole[end : found.start()]))
        end = found.end()
        letter = found["letter"]
        if letter == "%" and not found["flag"]:
            parts.append("%")
            continue
        _check_directive(found[0], found["flag"], letter)
        name = _SAME.get(letter, letter)
        if name in seen:
            raise FormatError(f'"{found[0]}" stands twice', "keep one of them, and write the other part out")
        seen.add(name)
        parts.append(f"(?P<{name}>{_PATTERNS.get(letter) or _choice(getattr(names, _NAMED[letter]))})")
    parts.append(_literal(whole[end:]))
    return "".join(parts), frozenset(seen)


def _written_out(written: str) -> str:
    """The format as plain as the texts that it reads, and without directives that stand for several others."""
    whole = plain(re.sub(r"(?<=%[dej])[ºª°]", "", written))
    for short, long in _SHORT_FOR.items():
        whole = re.sub(rf"(?<!%)((?:%%)*)%{short}", rf"\g<1>{long}", whole)
    return whole


def _literal(text: str) -> str:
    return re.escape(text).replace("\\ ", r"\s+")


def _choice(names: Mapping[str, int]) -> str:
    longest_first = sorted(names, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(name) for name in longest_first) + r")\.?"


def _check_directive(written: str, flag: str, letter: str) -> None:
    if not letter:
        raise FormatError('it ends in "%"', "write %% for the sign itself")
    known = letter in _PATTERNS or letter in _NAMED
    if flag and flag in "-_0#" and known:
        raise FormatError(f'"{written}" is not known', f"write %{letter}, which reads one digit as well as two")
    if flag == ":" and letter == "z":
        raise FormatError('"%:z" is not known', "write %z, which reads +01:00 as well as +0100")
    if letter in "cxX":
        raise FormatError(f'"{written}" means something else in each language', "write its parts, such as %d/%m/%Y")
    if not known or flag:
        fix = f"the parts are {', '.join('%' + one for one in 'YmdBbHMSp')}; %% is the sign itself"
        raise FormatError(f'"{written}" is not known', fix)


def _check_complete(letters: frozenset[str]) -> None:
    if not letters:
        raise FormatError("the format has no parts", "write them with a per cent sign, such as %d/%m/%Y")
    if "G" in letters and "V" not in letters:
        raise FormatError('"%G" is the year of a week, and "%V" is not there', "write %Y")
    if not any(day <= letters for day in _DAYS):
        lacks = "year" if not letters & {*"YyG"} else "day" if letters & {*"mBV"} else "month"
        add = {"year": "%Y", "month": "%m (a number) or %B (a name)", "day": "%d"}[lacks]
        raise FormatError(f"the format has no {lacks}", f"add {add}: a date is a year, a month and a day")
    if "I" in letters and "p" not in letters:
        raise FormatError('"%I" counts to 12, and "%p" is not there', "write %H, or add %p")
    if "p" in letters and "I" not in letters:
        raise FormatError('"%p" needs "%I"', "write %I for the hour")
    for small, large in (("f", "S"), ("S", "M"), ("M", "HI"), ("z", "HI"), ("Z", "HI")):
        if small in letters and not letters & frozenset(large):
            raise FormatError(f'"%{small}" needs "%{large[0]}"', f"add %{large[0]}, or write the rest as it stands")


def _read(found: Mapping[str, str], names: Names, zone: ZoneInfo | None) -> Day:
    if "s" in found or "Q" in found:
        return _since_epoch(found, zone or UTC)
    day = _day(found, names)
    if "H" not in found and "I" not in found:
        return day
    hour = int(found["H"]) if "H" in found else _twelve(int(found["I"]), _number(found["p"], names.halves))
    micros = int(found.get("f", "0")[:6].ljust(6, "0"))
    moment = datetime(day.year, day.month, day.day, hour, int(found.get("M", 0)), microsecond=micros)
    moment += timedelta(seconds=int(found.get("S", 0)))
    if "z" in found:
        return moment.replace(tzinfo=offset(found["z"]))
    return _zoned(moment, found["Z"], zone) if "Z" in found else moment


def _since_epoch(found: Mapping[str, str], zone: tzinfo) -> datetime:
    start = datetime(1970, 1, 1, tzinfo=UTC)
    if "Q" in found:
        return (start + timedelta(milliseconds=int(found["Q"]))).astimezone(zone)
    whole, _, fraction = found["s"].partition(".")
    micros = int(fraction[:6].ljust(6, "0"))
    back = whole.startswith("-")
    return (start + timedelta(seconds=int(whole), microseconds=-micros if back else micros)).astimezone(zone)


def _day(found: Mapping[str, str], names: Names) -> date:
    if "G" in found:
        weekday = int(found["u"]) if "u" in found else _number(found["A"], names.weekdays)
        return date.fromisocalendar(int(found["G"]), int(found["V"]), weekday)
    year = int(found["Y"]) if "Y" in found else of_century(int(found["y"]))
    if "j" in found:
        return day_of_year(year, int(found["j"]))
    month = int(found["m"]) if "m" in found else _number(found["B"], names.months)
    return date(year, month, int(found["d"]))


def of_century(year: int) -> int:
    """The year that two digits stand for: 1969 to 2068 (POSIX, strptime).

    >>> of_century(69), of_century(68)
    (1969, 2068)
    """
    return year + (1900 if year >= 69 else 2000)


def _number(word: str, names: Mapping[str, int]) -> int:
    for name in (folded(word), folded(word).rstrip(".")):
        if name in names:
            return names[name]
    raise ValueError(word)


def folded(name: str) -> str:
    """The name as `Names` holds it."""
    return unicodedata.normalize("NFKC", name).lower()


def _twelve(hour: int, half: int) -> int:
    return hour % 12 + (12 if half == 2 else 0)


def _zoned(moment: datetime, name: str, zone: ZoneInfo | None) -> datetime:
    if name.upper() in ("Z", "UTC", "GMT", "UT"):
        return moment.replace(tzinfo=UTC)
    for fold in (0, 1):
        local = moment.replace(tzinfo=zone, fold=fold)
        if zone is not None and (local.tzname() or "").upper() == name.upper():
            return local
    raise NotADate(f'what "{name}" means depends on the place: say site.timezone, or an offset such as +01:00')
