"""Texts to lengths of time: ISO 8601, hours by the clock, and words; what is ambiguous is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from yamlcrawl.transforms.date_words import words_of
from yamlcrawl.transforms.plain import is_nothing, plain

ReadDuration = Callable[[str], Decimal | int | str | None]
"""A text to a length; None for an empty text or a lone dash; raises NotADuration for what is none."""

FORMATS = ("seconds", "minutes", "hours", "iso")
"""What a length may be written as."""

_SECONDS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}
_MONTHS = {"year": 12, "month": 1}
_ORDER = [*_MONTHS, *_SECONDS]
_SYMBOLS = {"d": "day", "h": "hour", "min": "minute", "s": "second"}
_NUMBER = r"\d{1,12}(?:[.,]\d{1,9})?"
_ISO = re.compile(
    r"(?P<sign>[+-]?)P(?=[\dT])(?:(?P<year>\d{1,9})Y)?(?:(?P<month>\d{1,9})M)?(?:(?P<week>N)W)?(?:(?P<day>N)D)?"
    r"(?:T(?=\d)(?:(?P<hour>N)H)?(?:(?P<minute>N)M)?(?:(?P<second>N)S)?)?".replace("N", _NUMBER),
    re.IGNORECASE | re.ASCII,
)
_CLOCK = re.compile(r"(\d{1,12}):([0-5]?\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?: ?([^\d\s.,:]+)\.?)?", re.ASCII)
_PIECE = re.compile(rf"({_NUMBER}|[.]\d{{1,9}}) ?([^\d\s.,;:+-]+)\.?", re.ASCII)
_BETWEEN = re.compile(r" ?(?:[,+&、]|(?:and|und|et|y|e|en|og|och|i|a|ja|и|і|та|ve|és|și|dan|và|と) )? ?", re.IGNORECASE)
_FRACTIONS = ((" ?¼", ".25"), (" ?½", ".5"), (" ?¾", ".75"))


class NotADuration(ValueError):  # noqa: N818 - it is an answer, not a fault
    """Why a text is no length of time."""


@dataclass(frozen=True, slots=True)
class Length:
    """Months, which have no fixed length, and seconds."""

    months: int
    seconds: Decimal

    def iso(self) -> str:
        """As ISO 8601 writes it, in years, months, days, hours, minutes and seconds.

        >>> Length(14, Decimal(93600)).iso(), Length(0, Decimal("-0.5")).iso(), Length(0, Decimal(0)).iso()
        ('P1Y2M1DT2H', '-PT0.5S', 'PT0S')
        """
        sign = "-" if self.months < 0 or self.seconds < 0 else ""
        years, months = divmod(abs(self.months), 12)
        minutes, seconds = divmod(abs(self.seconds), 60)
        hours, minutes = divmod(minutes, 60)
        days, hours = divmod(hours, 24)
        date = _named((years, "Y"), (months, "M"), (days, "D"))
        time = _named((hours, "H"), (minutes, "M"), (seconds, "S"))
        return f"{sign}P{date}T{time}" if time else f"{sign}P{date}" if date else "PT0S"


def _named(*parts: tuple[Decimal | int, str]) -> str:
    return "".join(f"{_shortest(Decimal(number))}{unit}" for number, unit in parts if number)


def compile_duration(*, written_as: str | None = None, locale: str | None = None) -> ReadDuration:
    """What reads lengths: seconds, or what `written_as` of FORMATS says; exact, divisions to a millionth.

    ISO 8601 (``PT1H30M``), ``1:30:00`` and the symbols d, h, min and s are always read, other words where a locale
    is given. A number alone has no unit, and ``3:45`` two meanings.

    >>> read = compile_duration()
    >>> read("PT1H30M"), read("1:30:00"), read("1h30"), read("2.5 s")
    (5400, 5400, 5400, Decimal('2.5'))
    >>> compile_duration(written_as="hours", locale="fr")("1 heure et 30 minutes")
    Decimal('1.5')
    """
    units = _units(locale) if locale else _SYMBOLS

    def read(text: str) -> Decimal | int | str | None:
        for sign, number in _FRACTIONS:
            text = re.sub(sign, number, text)
        text = plain(text)
        return None if is_nothing(text) else _shown(_length(text, units), written_as or "seconds")

    return read


def _units(locale: str) -> Mapping[str, str]:
    words = words_of(locale)
    return {**{word: unit for unit in reversed(_ORDER) for word in words.units(unit)}, **_SYMBOLS}


def _shown(length: Length, written_as: str) -> Decimal | int | str:
    if written_as == "iso":
        return length.iso()
    if length.months:
        raise NotADuration("a year or a month has no fixed length: say format: iso")
    unit = {"seconds": 1, "minutes": 60, "hours": 3600}[written_as]
    number = length.seconds / unit
    if number != round(number, 6) and unit > 1:
        number = round(number, 6)
    return int(number) if number == int(number) else _shortest(number)


def _shortest(number: Decimal) -> Decimal:
    """The number without zeros at its end, never with an exponent."""
    short = number.normalize()
    exponent = short.as_tuple().exponent
    return short.quantize(Decimal(1)) if isinstance(exponent, int) and exponent > 0 else short


def _length(text: str, units: Mapping[str, str]) -> Length:
    found = _ISO.fullmatch(text)
    if found is not None:
        return _iso(found)
    found = _CLOCK.fullmatch(text)
    if found is not None:
        return Length(0, _clock(found, units))
    if re.fullmatch(r"[+-]?\d+(?:[.,]\d+)?", text, re.ASCII):
        raise NotADuration("it has no unit")
    return _pieces(text, units)


def _iso(found: re.Match[str]) -> Length:
    parts = {unit: found[unit] for unit in _SECONDS if found[unit]}
    # only the smallest part may have a fraction (ISO 8601, 5.5.2.3)
    if any(not part.isdecimal() for part in list(parts.values())[:-1]):
        raise NotADuration("only its last part may have a fraction")
    sign = -1 if found["sign"] == "-" else 1
    months = 12 * int(found["year"] or 0) + int(found["month"] or 0)
    seconds = sum((Decimal(part.replace(",", ".")) * _SECONDS[unit] for unit, part in parts.items()), Decimal(0))
    return Length(sign * months, sign * seconds)


def _clock(found: re.Match[str], units: Mapping[str, str]) -> Decimal:
    first, second, third, fraction, word = found.groups()
    unit = units.get(word.lower(), "") if word else ""
    if word and not unit:
        raise NotADuration(f'"{word}" is no unit of time here: say locale')
    if third is not None:
        return 3600 * int(first) + 60 * int(second) + Decimal(f"{third}.{fraction or 0}")
    if unit not in ("hour", "minute") or len(second) < 2:
        raise NotADuration("hours and minutes, or minutes and seconds? put 0: before it, or :00 after it, with replace")
    return Decimal((60 * int(first) + int(second)) * (60 if unit == "hour" else 1))


def _pieces(text: str, units: Mapping[str, str]) -> Length:
    pieces, rest = _cut(text)
    words = [word.lower() for _, word in pieces]
    found = [_unit(words, n, units) for n in range(len(words))]
    if rest:
        # 1h30
        if found != ["hour"] or not re.fullmatch(r"[0-5]\d", rest):
            raise NotADuration(f'"{rest}" is no length of time')
        pieces, found = [*pieces, (rest, "min")], ["hour", "minute"]
    order = [_ORDER.index(unit) for unit in found]
    if order != sorted(set(order)):
        raise NotADuration("its units do not go from large to small")
    months, seconds = Decimal(0), Decimal(0)
    for (number, _), unit in zip(pieces, found, strict=True):
        if unit in _MONTHS:
            months += _number(number) * _MONTHS[unit]
        else:
            seconds += _number(number) * _SECONDS[unit]
    if months != int(months):
        raise NotADuration("a part of a month has no fixed length")
    return Length(int(months), seconds)


def _cut(text: str) -> tuple[list[tuple[str, str]], str]:
    """Numbers with their units, and what is left of the text after them."""
    pieces: list[tuple[str, str]] = []
    end = 0
    while found := _PIECE.match(text, end):
        pieces.append((found[1], found[2]))
        between = _BETWEEN.match(text, found.end())
        end = between.end() if between else found.end()
    if not pieces:
        raise NotADuration("no length of time")
    return pieces, text[end:]


def _unit(words: list[str], n: int, units: Mapping[str, str]) -> str:
    """The unit of a word; m is minutes only beside hours or seconds, since it may be months or metres."""
    if words[n] == "m":
        beside = [units.get(word) for word in (*words[max(n - 1, 0) : n], *words[n + 1 : n + 2])]
        if "hour" in beside or "second" in beside:
            return "minute"
        raise NotADuration('"m" alone may be minutes or months')
    if words[n] not in units:
        raise NotADuration(f'"{words[n]}" is no unit of time here: say locale')
    return units[words[n]]


def _number(text: str) -> Decimal:
    whole, _, fraction = text.replace(",", ".").partition(".")
    if len(fraction) == 3 and whole.strip("0") and len(whole) <= 3:
        raise NotADuration(f"ambiguous: {whole}{fraction} or {whole}.{fraction}")
    return Decimal(f"{whole or 0}.{fraction or 0}")
