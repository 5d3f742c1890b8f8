"""Regular expressions end by themselves."""

from __future__ import annotations

import pytest

from yamlcrawl.errors import ParseError
from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors import regex as regexes
from yamlcrawl.selectors.regex import compile_fullmatch, compile_replace, compile_search


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"(\d+) available", "22 available", "22"),
        (r"\d+", "a 7 b 8", "7"),
        (r"(?:a)(b)?", "a", None),
        ("x", "a", None),
        (r"^EUR (\d+)$", "EUR 5", "5"),
    ],
)
def test_group_one_or_the_whole_match(pattern: str, text: str, found: str | None) -> None:
    assert compile_search(pattern)(text) == found


def test_replace_and_fullmatch() -> None:
    assert compile_replace(r"(\d+)-(\d+)", r"\2/\1")("1-2") == "2/1"
    assert compile_fullmatch("a+")("aaa")
    assert not compile_fullmatch("a+")("aab")


def test_a_pattern_that_runs_away_is_stopped_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regexes, "SECONDS", 0.05)
    with pytest.raises(ParseError, match=r"\(a\|aa\)\+\$") as caught:
        compile_search("(a|aa)+$")("a" * 60 + "b")
    assert caught.value.outcome == "parse_failed"


@pytest.mark.parametrize("pattern", ["(", "[a", "a{2,1}", "(?P<x"])
def test_a_broken_pattern_is_told(pattern: str) -> None:
    with pytest.raises(ExpressionError, match="is no regular expression"):
        compile_search(pattern)


def test_a_group_that_is_not_there_is_told() -> None:
    with pytest.raises(ExpressionError, match="does not have"):
        compile_replace("(a)", r"\2")
    with pytest.raises(ExpressionError, match="does not have"):
        compile_replace("a", r"\g<name>")
