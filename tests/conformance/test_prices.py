"""Prices as shops write them: no wrong number at all, and every text that holds one number and no words.

A currency is no word; which one stands in the text, the case says itself.
"""

from __future__ import annotations

import re
from decimal import Decimal
from html import escape
from typing import Any

from tests.commandline import CommandLine
from tests.conformance.suite import Suite, assert_conforms, rows_of
from tests.site import Site

_NUMBER = re.compile(r"(?<![.,\d])(?:\d+(?:[.,'’\s٫٬]{1,2}\d+)*|[.,]\d+(?![.,\d]))")
"""Digits with marks between them, or one mark before them."""
_MARKS = {".": "en", ",": "de"}
"""A locale for each decimal mark."""
WRITTEN_IN = {
    "$699,000": "en-US",
    "$844,900": "en-US",
    "$809,000": "en-US",
    "$750,000": "en-US",
    "AU$ 1,175": "en-AU",
    "NT$ 1,160": "zh-TW",
    "र24,401": "en-IN",
    "Rp 31.500": "id",
    "Rp 350.000": "id",
    "Rp 221.000": "id",
    "129.900": "es-CO",
    "61.858 L": "it",
    "1.727 Ft": "hu",
    "3,990 Ft": "en",
    "200.000 đ": "vi",
    "12.500 ₫": "vi",
    "15,000 руб.": "en",
    "80,000 تومان": "en",
    "تومان56,000": "en",
    "227,000 تومان": "en",
    "151,200 تومان": "en",
    "850,000 ریال": "en",
}
"""Texts with two meanings where no locale is told, and the locale that a spec of that shop would name."""


def holds_one_number(case: dict[str, Any]) -> bool:
    """Whether a text is one number, its currency, and no letter besides."""
    rest = (case["text"] or "").replace(case["currency"] or "|", "|", 1)
    return len(_NUMBER.findall(rest)) == 1 and not any(c.isalpha() for c in rest)


def test_prices(site: Site, crawl: CommandLine) -> None:
    cases = {case["id"]: case for case in rows_of("price/price-parser.jsonl")}
    suite = Suite(site, crawl, "price")
    for name, case in cases.items():
        locale = locale_of(case)
        fields = {"alone": number(), "told": number(locale=locale) if locale else number()}
        suite.add(name, f"<p>{escape(case['text'] or '')}</p>", {"each": "p", "fields": fields})
    read = {name: {field: exact(value) for field, value in rows[0].items()} for name, rows in suite.crawl_all().items()}
    failed = suite.failed_casts()
    for name, case in cases.items():
        values = list(read[name].values())
        assert all(value is None or value == exact(case["amount"]) for value in values), case
        lone_dash_or_blank = not (case["text"] or "").strip(" -")
        assert failed[name] == (0 if lone_dash_or_blank else values.count(None)), case
    held = {name: case for name, case in cases.items() if holds_one_number(case)}
    assert_conforms("price", {name: read[name]["told"] == exact(case["amount"]) for name, case in held.items()})
    ambiguous = [name for name, case in held.items() if case["text"].strip() in WRITTEN_IN]
    assert len(ambiguous) == 22
    assert all(read[name]["alone"] is None for name in ambiguous)


def number(**more: str) -> dict[str, str]:
    return {"css": ":scope", "type": "number", **more}


def exact(value: Any) -> Decimal | None:
    return None if value is None else Decimal(value)


def locale_of(case: dict[str, Any]) -> str | None:
    return _MARKS.get(case.get("decimal_separator", "")) or WRITTEN_IN.get((case["text"] or "").strip())
