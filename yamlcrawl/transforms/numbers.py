"""Texts to exact numbers; what is ambiguous is no number.

A text holds one number, its sign and its currency (`currency.py`), and nothing else but a mark of a footnote. The
separators of its digits are told by a locale, or have one meaning only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from yamlcrawl.transforms.currency import is_currency
from yamlcrawl.transforms.locales import COMMA, LANGUAGES, POINT, SIGNS, UNEVEN

_PLAIN = str.maketrans("‐‑‒–﹣－＋．，،‘＇´`ʼ", "------+.,,'''''")
_DASHES = frozenset(["-", "--", "—", "−"])
_PARTS = re.compile(r"(?P<before>\D*?)(?P<digits>(?:(?<!\S)[.,]|(?<=[^\w\s.,])[.,])?\d(?:.*\d)?)(?P<after>\D*)")
_BEFORE = re.compile(r":? ?(?P<outer>[-+−]?)(?P<gap> ?)(?P<currency>[^-+−]*?) ?(?P<inner>[-+−]?)(?P<inner_gap> ?)")
_AFTER = re.compile(r"(?P<cents>[.,](?:--?|—|−)?)?(?P<minus>[-−]?)(?P<currency>[^-−]*)(?P<last>[-−]?)")
_FOOTNOTE = re.compile(r"(?: ?[*†‡§]\)?| /|(?<!^)[¹²³⁰-⁹])+$")
_MARKS = ".,'’ ٫٬"
_GROUP = r"[1-9]\d{0,2}(?P<mark>[.,'’ ])\d{3}(?:(?P=mark)\d{3})*"
_INDIAN = r"[1-9]\d?(?:,\d\d)+,\d{3}"
_EVEN = re.compile(rf"\d*|{_GROUP}")
_UNEVEN = re.compile(rf"\d*|{_GROUP}|{_INDIAN}")
_MACHINE = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?")


class NotANumber(ValueError):  # noqa: N818 - it is an answer, not a fault
    """Why a text is no number."""


@dataclass(frozen=True, slots=True)
class _Written:
    """A number as it stands in a text."""

    sign: str
    digits: str
    """With their separators: digits at both ends, or a decimal mark first."""
    cut: str = ""
    """The decimal mark of an amount without cents: the comma of `1.299,-`."""


def machine_number(text: str) -> Decimal | None:
    """A number as programs write it (an attribute, JSON): ``.`` is the decimal mark, no ambiguity.

    None for an empty text or a lone dash; raises NotANumber for what is none. Currency signs around it are dropped.

    >>> machine_number("7.125"), machine_number("$1,234.50")
    (Decimal('7.125'), Decimal('1234.50'))
    """
    if _MACHINE.fullmatch(text):
        return _decimal(text)
    number = _written(text)
    if number is None:
        return None
    if _MACHINE.fullmatch(number.digits):
        return _decimal(number.sign + number.digits)
    return _unambiguous(number)


def people_number(text: str) -> Decimal | None:
    """A number as people write it, where no locale is known: only what has one meaning.

    >>> [str(people_number(t)) for t in ("1,234.56", "1.234,56 €", "1 234,56", "12.50*", "0.125", "−5", "—")]
    ['1234.56', '1234.56', '1234.56', '12.50', '0.125', '-5', 'None']
    >>> people_number("7.125")
    Traceback (most recent call last):
    ...
    yamlcrawl.transforms.numbers.NotANumber: ambiguous: 7125 or 7.125
    """
    number = _written(text)
    return None if number is None else _unambiguous(number)


def is_locale(name: str) -> bool:
    """Whether the language of the locale is known.

    >>> is_locale("de"), is_locale("de-CH"), is_locale("pt_BR"), is_locale("german")
    (True, True, True, False)
    """
    return name.replace("_", "-").partition("-")[0] in LANGUAGES


def local_number(locale: str) -> Callable[[str], Decimal | None]:
    """What reads numbers as people of that locale write them.

    Every other separator may group digits, in threes (in India in twos too, but for the last three).

    >>> german, swiss = local_number("de"), local_number("de-CH")
    >>> str(german("1.299,00 €")), str(german("7.125")), str(swiss("1’299.50")), str(german("1.299,-"))
    ('1299.00', '7125', '1299.50', '1299')
    """
    name = locale.replace("_", "-")
    language = name.partition("-")[0]
    decimal = "," if name in COMMA or (language in COMMA and name not in POINT) else "."
    groups = _UNEVEN if name in UNEVEN or (language in UNEVEN and "-" not in name) else _EVEN
    arabic = str.maketrans({"٫": decimal, "٬": "," if decimal == "." else "."})

    def read(text: str) -> Decimal | None:
        number = _written(text)
        if number is None:
            return None
        whole_part, mark, fraction = number.digits.translate(arabic).partition(decimal)
        if not groups.fullmatch(whole_part) or (mark and not fraction.isdecimal()) or number.cut not in ("", decimal):
            raise NotANumber(f"no number as it is written in {locale}")
        return _put_together(number.sign, whole_part, fraction)

    return read


def whole(number: Decimal | None) -> int | None:
    """The integer that the number is; raises NotANumber where it is none."""
    if number is None:
        return None
    if number.adjusted() > 400:
        raise NotANumber("too large for an integer")
    if number != number.to_integral_value():
        raise NotANumber("not a whole number")
    return int(number)


def _written(text: str) -> _Written | None:
    """The one number in the text; None for nothing or a lone dash."""
    text = _plain(text)
    if not text or text in _DASHES:
        return None
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise NotANumber("there is no number in it")
    front, priced = _sign_before(parts["before"])
    cut, back, priced_after = _sign_after(_FOOTNOTE.sub("", parts["after"]), alone=not priced)
    if front and back:
        raise NotANumber("more than one sign")
    digits = parts["digits"]
    if priced or priced_after:
        # as a shop's page breaks it: $119. 95
        digits = re.sub(r"(?<=\d)([.,]) (\d\d)$", r"\1\2", digits)
    if any(c not in _MARKS and not c.isdecimal() for c in digits):
        raise NotANumber("there is more than one number, or something between its digits")
    return _Written((front or back).replace("−", "-").replace("+", ""), digits, cut)


def _plain(text: str) -> str:
    """One blank between words, plain digits, the usual sign for each sort of mark; no signs of direction."""
    text = " ".join(text.split())
    if text.isascii():
        return text.replace("`", "'")
    text = re.sub("− (?=[0-9])", "−", text.translate(_PLAIN))
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text if unicodedata.category(c) != "Cf")


def _sign_before(text: str) -> tuple[str, bool]:
    """The sign before the digits, and whether a currency stands there."""
    found = _BEFORE.fullmatch(text)
    currency = found["currency"] if found else text
    if found is None or not is_currency(currency):
        raise NotANumber("there are words or signs before it")
    if text.endswith(".") and currency not in SIGNS:
        raise NotANumber("the full stop before it may be a decimal mark")
    if found["outer"] and found["inner"]:
        raise NotANumber("more than one sign")
    gap = found["gap"] if found["outer"] else found["inner_gap"]
    if gap and "−" not in text:
        raise NotANumber("a dash apart from it may be a minus or none")
    return found["outer"] or found["inner"], bool(currency)


def _sign_after(text: str, *, alone: bool) -> tuple[str, str, bool]:
    """The decimal mark that is cut, the sign behind the digits, and whether a currency stands there.

    `alone`: no currency stands before them.
    """
    found = _AFTER.fullmatch(text)
    currency = found["currency"].strip() if found else ""
    if found is None or not is_currency(currency) or (not alone and len(currency) == 1 and currency.isalpha()):
        # a letter behind what has a currency already multiplies it: ₹ 5 L are five lakh
        raise NotANumber("there are words or signs behind it")
    if found["minus"] and found["last"]:
        raise NotANumber("more than one sign")
    if found["last"] and found["currency"].endswith(" "):
        raise NotANumber("a dash apart from it may be a minus or none")
    cents = found["cents"] or ""
    return cents[:1] if len(cents) > 1 else "", found["minus"] or found["last"], bool(currency)


def _unambiguous(number: _Written) -> Decimal:
    digits = number.digits
    grouping, decimal = _separators(digits, number.cut)
    whole_part, _, fraction = digits.partition(decimal) if decimal else (digits, "", "")
    if grouping and not re.fullmatch(rf"[1-9]\d{{0,2}}(?:{re.escape(grouping)}\d{{3}})+|{_INDIAN}", whole_part):
        raise NotANumber("its digits are not in groups of three")
    return _put_together(number.sign, whole_part, fraction)


def _separators(digits: str, cut: str) -> tuple[str, str]:
    """The signs that group digits, and the decimal mark; empty where there is none."""
    marks = [c for c in digits if not c.isdecimal()]
    kinds = list(dict.fromkeys(marks))
    if not kinds:
        return "", ""
    last = kinds[-1]
    if len(kinds) == 2 and marks.count(last) == 1 and last in ".,٫" and not cut:
        return kinds[0], last
    if len(kinds) > 1:
        raise NotANumber("its separators do not fit together")
    if last == "٫":
        return "", last
    if len(marks) > 1 or last not in ".," or (cut and cut != last):
        return last, ""
    before, _, after = digits.partition(last)
    if cut:
        raise NotANumber("its separators do not fit together")
    if len(after) == 3 and 1 <= len(before) <= 3 and not before.startswith("0"):
        raise NotANumber(f"ambiguous: {before}{after} or {before}.{after}")
    return "", last


def _put_together(sign: str, whole_part: str, fraction: str) -> Decimal:
    plain = re.sub(r"\D", "", whole_part) or "0"
    return _decimal(f"{sign}{plain}.{fraction}" if fraction else f"{sign}{plain}")


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text.rstrip(".") if text.endswith(".") else text)
    except InvalidOperation as error:
        raise NotANumber("not a number") from error
