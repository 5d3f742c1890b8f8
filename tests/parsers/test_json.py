"""JSON to values: exact numbers, guards and wrappers off, everything else a named outcome."""

from decimal import Decimal

import pytest

from yamlcrawl.errors import ParseError
from yamlcrawl.parsers.json import read_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1.10}', {"a": Decimal("1.10")}),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("\ufeff[1]", [1]),
        (")]}',\n[1]", [1]),
        ("while(1);[1]", [1]),
        ("for(;;); [1]", [1]),
        ("cb([1])", [1]),
        ("/**/jQuery123_4([1]);", [1]),
        ('window.on.data({"a": "x)"});', {"a": "x)"}),
        ("", None),
        ("null", None),
        ('"(x)"', "(x)"),
    ],
)
def test_values(text, value):
    assert read_json(text) == value


@pytest.mark.parametrize("text", ["<html>", "{a: 1}", "[1,", "NaN", '{"a": Infinity}', "{'a': 1}", "1 2"])
def test_what_is_no_json_is_a_wrong_format(text):
    with pytest.raises(ParseError) as caught:
        read_json(text)
    assert caught.value.outcome == "wrong_format"


def test_deep_nesting_is_refused_and_not_a_crash():
    with pytest.raises(ParseError, match="deeply"):
        read_json("[" * 100_000)


def test_integers_longer_than_python_likes_are_exact():
    (value,) = read_json("[" + "9" * 5000 + "]")
    assert value == Decimal("9" * 5000)


@pytest.mark.parametrize("text", ["1e999999999", "-1E-999999999", "1" * 20_000])
def test_a_number_that_would_fill_the_memory_is_refused(text):
    with pytest.raises(ParseError, match=r"out of reach|too long"):
        read_json(text)
