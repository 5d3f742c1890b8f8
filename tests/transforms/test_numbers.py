"""Numbers as people and programs write them; nothing is guessed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.shared import cases
from yamlcrawl.transforms.numbers import NotANumber, local_number, machine_number, people_number, whole


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.299,-", "1299"), ("5,-", "5"), ("1299.-", "1299"), ("5-", "-5"), ("US$ 5.10", "5.10"), ("12,5 kr.", "12.5"),
        ("1\u202f299,50 €", "1299.50"), ("1’234.56", "1234.56"), ("١٢٣٤٫٥", "1234.5"), ("１２．５", "12.5"),
        ("0.125", "0.125"),
        ("+3", "3"), ("−5,5", "-5.5"), (".5", "0.5"), ("1,234,567.8", "1234567.8"), ("1234,5", "1234.5"),
        ("12345678901234567890.10", "12345678901234567890.10"),
    ],
)  # fmt: skip
def test_one_meaning(text: str, number: str) -> None:
    assert str(people_number(text)) == number


@pytest.mark.parametrize("text", ["", " ", "-", "—", "–"])
def test_nothing_is_nothing(text: str) -> None:
    assert people_number(text) is None
    assert machine_number(text) is None


@pytest.mark.parametrize(
    "text", ["7.125", "12,345", "n/a", "NaN", "1e3", "1_000", "--5", "5 7", "1.2.3", "1,23,456", "12 pcs", "3/4", "5%"]
)
def test_no_number(text: str) -> None:
    with pytest.raises(NotANumber):
        people_number(text)


def test_machines_write_one_form() -> None:
    assert machine_number("7.125") == Decimal("7.125")
    assert machine_number("1e3") == Decimal("1e3")
    with pytest.raises(NotANumber):
        machine_number("1e99999")


@pytest.mark.parametrize("case", cases("price/price-parser.jsonl"))
def test_prices_of_other_projects_are_never_wrong(case: dict[str, Any]) -> None:
    """Without a locale a price may be ambiguous or have words around it; what is read must be what is meant."""
    if "decimal_separator" in case:
        pytest.skip("its decimal mark is told, which needs a locale")
    try:
        number = people_number(case["text"] or "")
    except NotANumber:
        return
    if number is not None and case["amount"] is not None:
        assert abs(number) == Decimal(case["amount"])


def test_integers_are_whole() -> None:
    assert whole(Decimal("12.00")) == 12
    for text in ("12.5", "1e401"):
        with pytest.raises(NotANumber):
            whole(Decimal(text))


@pytest.mark.parametrize(
    ("locale", "text", "number"),
    [
        ("en", "2,468,135.790", "2468135.790"), ("en", "7.125", "7.125"), ("en", "1'299.50", "1299.50"),
        ("de", "7.125", "7125"), ("sv", "1\u00a0299,50 kr", "1299.50"), ("de", "1.299,-", "1299"),
        ("de", "−12,5", "-12.5"), ("en", "12,345", "12345"), ("de", "12,345", "12.345"), ("de-CH", "1’2", None),
        ("de-CH", "1’299.50", "1299.50"),
        ("en-IN", "12,34,567.5", "1234567.5"), ("es-MX", "1,234.5", "1234.5"), ("ar", "١٢٣٤٫٥", "1234.5"),
        ("fr", "1\u202f299,50\u00a0€", "1299.50"), ("pt_BR", "R$ 1.234,5", "1234.5"), ("de", ",5", "0.5"),
        ("de", "1,234.56", None), ("en", "1.234,56", None), ("en", "12,34", None), ("en", "1,2345", None),
        ("de", "1.2.3", None), ("en", "n/a", None), ("en", "1e3", None), ("en", ".", None), ("en", "1,234,56", None),
    ],
)  # fmt: skip
def test_a_locale_says_what_the_marks_mean(locale, text, number):
    if number is None:
        with pytest.raises(NotANumber):
            local_number(locale)(text)
    else:
        assert str(local_number(locale)(text)) == number


@pytest.mark.parametrize("text", ["€", "EUR", "$ -", "+", "- kr"])
@pytest.mark.parametrize("read", [machine_number, people_number, local_number("de")])
def test_a_currency_alone_is_no_number(read, text):
    with pytest.raises(NotANumber):
        read(text)
