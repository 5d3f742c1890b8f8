"""Numbers as people and programs write them; nothing is guessed."""

from __future__ import annotations

from decimal import Decimal

import pytest

from yamlcrawl.transforms.numbers import NotANumber, local_number, machine_number, people_number, whole


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.299,-", "1299"), ("5,-", "5"), ("1299.-", "1299"), ("1.299,-- €", "1299"), ("1.299,— €", "1299"),
        ("US$ 5.10", "5.10"), ("12,5 kr.", "12.5"), ("MX$3,179.00", "3179.00"), ("AU $59.95", "59.95"),
        ("$1,234.50 USD", "1234.50"), ("749,00 euro", "749.00"), ("850 руб", "850"), ("Rs.50", "50"), ("$.50", "0.50"),
        ("2963yen", "2963"), ("تومان56", "56"), ("1\u202f299,50 €", "1299.50"), ("1’234.56", "1234.56"),
        ("1\u00a0234\u00a0567,8", "1234567.8"), ("١٢٣٤٫٥", "1234.5"), ("١٬٢٣٤٫٥", "1234.5"), ("٧٫١٢٥", "7.125"),
        ("١٢،٥", "12.5"), ("１２．５", "12.5"),
        ("￥１，２３４，５６７", "1234567"), ("0.125", "0.125"), ("0,125", "0.125"), (".5", "0.5"), ("12.", "12"),
        ("1,234,567.8", "1234567.8"), ("1234,5", "1234.5"), ("1234,567", "1234.567"), ("12,34,567.5", "1234567.5"),
        ("12.50*", "12.50"), ("CHF 47.00 *", "47.00"), ("12,50 €¹", "12.50"), ("$36 /", "36"),
        (": 3 250 000 €", "3250000"), ("€ 610,", "610"), ("$119. 95", "119.95"), ("1.837, 32 €", "1837.32"),
        ("12345678901234567890.10", "12345678901234567890.10"),
    ],
)  # fmt: skip
def test_one_meaning(text: str, number: str) -> None:
    assert str(people_number(text)) == number


@pytest.mark.parametrize(
    "text", ["-5", "−5", "− 5", "–5", "﹣5", "－５", "5-", "5−", "-$5", "$-5", "EUR -5", "5- €", "5 €-", "5,- €-"]
)
def test_what_is_negative(text: str) -> None:
    assert people_number(text) == -5


@pytest.mark.parametrize("text", ["+5", "$+5"])
def test_a_plus_adds_nothing(text: str) -> None:
    assert str(people_number(text)) == "5"


@pytest.mark.parametrize("text", ["- 5", "– 5", "- $44.99", "EUR - 5", "5 -", "5 € -"])
def test_a_dash_apart_is_no_sign(text: str) -> None:
    with pytest.raises(NotANumber, match="a dash apart from it may be a minus or none"):
        people_number(text)


@pytest.mark.parametrize("text", ["", " ", "-", "--", "—", "–", "−"])
def test_nothing_is_nothing(text: str) -> None:
    assert people_number(text) is None
    assert machine_number(text) is None
    assert local_number("de")(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "7.125", "12,345", "n/a", "NaN", "1e3", "1_000", "--5", "-5-", "5 7", "1.2.3", "12.34.567", "12 pcs", "3/4",
        "1-2", "5%", "95 %", "~5", "< 5", "(5)", "12K", "1.2 M", "₹ 5 L", "5²", "12,50 €1", "1250€60", "£6.95 - £9.95",
        "ab 5 €", "EUR.50", "$..75", "$.750.30", "130, 38", "012.345.678", "0.125.500", "1.299.-", "1.234 567",
        "$", "½", "Ⅻ",
    ],
)  # fmt: skip
def test_no_number(text: str) -> None:
    with pytest.raises(NotANumber):
        people_number(text)


def test_machines_write_one_form() -> None:
    assert machine_number("7.125") == Decimal("7.125")
    assert machine_number("1e3") == Decimal("1e3")
    with pytest.raises(NotANumber):
        machine_number("1e99999")


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
        ("en", "0,125", None), ("de", "0.125", None), ("en", "012,345", None), ("de", "1.299.-", None),
        ("fa", "٧٫١٢٥", "7.125"), ("ar-DZ", "١٬٢٣٤٫٥", "1234.5"),
        ("de", "119, 95 €", "119.95"), ("de", "- 5", None), ("de", "5 K", None),
        ("de", "1.2.3", None), ("en", "n/a", None), ("en", "1e3", None), ("en", ".", None), ("en", "1,234,56", None),
    ],
)  # fmt: skip
def test_a_locale_says_what_the_marks_mean(locale: str, text: str, number: str | None) -> None:
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


def test_every_locale_reads_what_it_writes() -> None:
    """Numbers and prices as CLDR writes them, in the digits of the locale and in Western ones."""
    babel = pytest.importorskip("babel", reason="Babel is not installed")
    numbers = pytest.importorskip("babel.numbers")
    for locale in sorted(babel.localedata.locale_identifiers()):
        known = babel.Locale.parse(locale)
        if known.script or known.variant or known.language == "tok":  # tok counts in hundreds
            continue
        read = local_number(locale)
        for number in map(Decimal, ("1234567.89", "-12.5", "0.125", "1299")):
            for digits in ("default", "latn"):
                text = numbers.format_decimal(number, locale=locale, numbering_system=digits)
                assert read(text) == number, (locale, text)
        price = numbers.format_currency(Decimal("1299.50"), "EUR", locale=locale)
        assert read(price) == Decimal("1299.50"), (locale, price)
