"""Texts to exact numbers; what is ambiguous is no number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from yamlcrawl.transforms.locales import COMMA, LANGUAGES, POINT, UNEVEN

_MINUS = str.maketrans({"−": "-", "‒": "-", "–": "-", "﹣": "-", "-": "-"})
_CODES = frozenset(
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN "
    "RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR".split()
)
_SIGNS = frozenset(
    [
        "US$",
        "C$",
        "CA$",
        "A$",
        "AU$",
        "NZ$",
        "HK$",
        "S$",
        "NT$",
        "kr",
        "kr.",
        "zł",
        "Kč",
        "Ft",
        "lei",
        "лв",
        "лв.",
        "р.",
        "руб.",
        "Fr.",
        "R$",
        "RM",
        "Rs.",
        "Rs",
    ]
)
_MARKS = {"．": ".", "，": ",", "٫": ".", "٬": ","}
_EVEN = re.compile(r"\d*|\d{1,3}(?P<mark>[.,'’ ])\d{3}(?:(?P=mark)\d{3})*")
_UNEVEN = re.compile(r"\d*|\d{1,3}(?P<mark>[.,'’ ])(?:\d{2,3}(?P=mark))*\d{3}")
_MACHINE = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?")


class NotANumber(ValueError):  # noqa: N818 - it is an answer, not a fault
    """Why a text is no number."""


def machine_number(text: str) -> Decimal | None:
    """A number as programs write it (an attribute, JSON): ``.`` is the decimal mark, no ambiguity.

    None for an empty text or a lone dash; raises NotANumber for what is none. Currency signs around it are dropped.

    >>> machine_number("7.125"), machine_number("$1,234.50")
    (Decimal('7.125'), Decimal('1234.50'))
    """
    core = _core(text)
    if core is None:
        return None
    if _MACHINE.fullmatch(core):
        return _decimal(core)
    return _unambiguous(core)


def people_number(text: str) -> Decimal | None:
    """A number as people write it, where no locale is known: only what has one meaning.

    >>> [str(people_number(t)) for t in ("1,234.56", "1.234,56", "1 234,56", "12.50", "0.125", "−5", "—")]
    ['1234.56', '1234.56', '1234.56', '12.50', '0.125', '-5', 'None']
    >>> people_number("7.125")
    Traceback (most recent call last):
    ...
    yamlcrawl.transforms.numbers.NotANumber: ambiguous: 7125 or 7.125
    """
    core = _core(text)
    return None if core is None else _unambiguous(core)


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

    def read(text: str) -> Decimal | None:
        core = _core(text)
        if core is None:
            return None
        sign, digits = (core[0], core[1:]) if core[0] in "+-" else ("", core)
        whole_part, mark, fraction = digits.partition(decimal)
        if not groups.fullmatch(whole_part) or (fraction and not fraction.isdecimal()):
            raise NotANumber(f"no number as it is written in {locale}")
        if not whole_part and not fraction:
            raise NotANumber("not a number")
        plain = re.sub(r"\D", "", whole_part) or "0"
        return _decimal(f"{sign}{plain}{'.' if mark and fraction else ''}{fraction}")

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


def _core(text: str) -> str | None:
    """The digits with their signs and separators; currency around them dropped. None for nothing or a lone dash."""
    text = _plain_digits(" ".join(text.translate(_MINUS).split()))
    if text in ("", "-", "—", "--"):
        return None
    sign = ""
    while text and not (text[0].isdigit() or text[0] in ".,"):
        if text[0] in "+-":
            sign, text = sign + text[0], text[1:].lstrip()
            continue
        text = _without_currency(text, front=True)
    while text and not text[-1].isdigit() and not (text[-1] == "." and text[-2:-1].isdigit()):
        if text[-1] == "-" and not sign:
            text = text[:-1].rstrip()
            # 1.299,- has no cents, and its comma tells the decimal mark; 5- is negative
            if text.endswith((",", ".")):
                break
            sign = "-"
            continue
        text = _without_currency(text, front=False)
    if len(sign) > 1:
        raise NotANumber("more than one sign")
    if not text:
        raise NotANumber("no digit")
    return sign + text


def _without_currency(text: str, *, front: bool) -> str:
    edge = text[0] if front else text[-1]
    if unicodedata.category(edge) == "Sc":
        return text[1:].lstrip() if front else text[:-1].rstrip()
    match = re.match(r"[^\d\s+-]+", text) if front else re.search(r"[^\d\s+-]+$", text)
    word = match[0] if match else ""
    bare = word.rstrip("0123456789")
    if not bare or (bare not in _CODES and bare not in _SIGNS):
        raise NotANumber("there are words around it")
    return text[len(bare) :].lstrip() if front else text[: -len(bare)].rstrip()


def _plain_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else _MARKS.get(c, c) for c in text)


def _unambiguous(core: str) -> Decimal:
    sign, digits = (core[0], core[1:]) if core[0] in "+-" else ("", core)
    marks = re.findall(r"[^\d]", digits)
    if any(mark not in ".,'’ " for mark in marks):
        raise NotANumber("there is more than one number, or something between its digits")
    grouping, decimal = _separators(digits, marks)
    whole_part, _, fraction = digits.partition(decimal) if decimal else (digits, "", "")
    groups = re.split("[" + re.escape(grouping) + "]", whole_part) if grouping else [whole_part]
    if grouping and not (1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])):
        raise NotANumber("its groups of digits are not of three")
    return _decimal(f"{sign}{''.join(groups) or '0'}" + (f".{fraction}" if fraction else ""))


def _separators(digits: str, marks: list[str]) -> tuple[str, str]:
    """The signs that group digits, and the decimal mark; empty where there is none."""
    kinds = list(dict.fromkeys(marks))
    if not kinds:
        return "", ""
    if len(kinds) == 2 and marks.count(kinds[1]) == 1 and kinds[1] in ".,":
        return kinds[0], kinds[1]
    if len(kinds) > 1:
        raise NotANumber("its separators do not fit together")
    mark = kinds[0]
    if mark not in ".,":
        return mark, ""
    if len(marks) > 1:
        return mark, ""
    before, _, after = digits.partition(mark)
    if len(after) == 3 and 1 <= len(before) <= 3 and before.lstrip("0"):
        raise NotANumber(f"ambiguous: {before}{after} or {before}.{after}")
    return "", mark


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text.rstrip(".") if text.endswith(".") else text)
    except InvalidOperation as error:
        raise NotANumber("not a number") from error
