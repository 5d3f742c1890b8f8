"""Lengths of time; nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yamlcrawl.transforms.durations import NotADuration, compile_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("PT1H30M", "5400"), ("PT15M", "900"), ("pt15m", "900"), ("P1D", "86400"), ("P2W", "1209600"), ("PT0S", "0"),
        ("P1DT2H", "93600"), ("PT1.5H", "5400"), ("PT1,5H", "5400"), ("PT0.25S", "0.25"), ("-PT5M", "-300"),
        ("PT36H", "129600"), ("PT90M", "5400"), ("P0DT0H30M", "1800"), ("PT1.500S", "1.5"), ("1:30:00", "5400"),
        ("01:30:05", "5405"), ("100:00:00", "360000"), ("0:00:01.5", "1.5"), ("1:30 h", "5400"), ("3:45 min", "225"),
        ("90 min", "5400"), ("1 h 30 min", "5400"), ("1h30m", "5400"), ("1h30", "5400"), ("4m 30s", "270"),
        ("2d 4h", "187200"), ("1.5 h", "5400"), ("1,5 h", "5400"), ("1½ h", "5400"), ("½ h", "1800"),
        ("1 H 30 MIN", "5400"), ("９０ min", "5400"), ("45 min.", "2700"), ("0.125 s", "0.125"),
    ],
)  # fmt: skip
def test_what_needs_no_language(text: str, seconds: str) -> None:
    assert str(compile_duration()(text)) == seconds


@pytest.mark.parametrize(
    ("language", "text", "seconds"),
    [
        ("en", "2 hours", 7200), ("en", "1 hour and 30 minutes", 5400), ("en", "1 hr 5 mins", 3900),
        ("en", "2 days, 3 hours", 183600), ("en", "90 seconds", 90), ("en", "1 week", 604800),
        ("de", "1 Stunde 30 Minuten", 5400), ("de", "45 Min.", 2700), ("de", "2 Std.", 7200),
        ("de", "2 Tage", 172800), ("fr", "1 heure et 30 minutes", 5400), ("fr", "2 jours", 172800),
        ("fr", "1h30", 5400), ("es", "1 hora y 30 minutos", 5400), ("it", "2 ore e 5 minuti", 7500),
        ("pt", "3 horas e 10 minutos", 11400), ("ru", "2 часа 15 минут", 8100), ("ru", "5 часов", 18000),
        ("ja", "1時間30分", 5400), ("zh", "2小时5分钟", 7500), ("ko", "1시간 30분", 5400), ("en-GB", "10 minutes", 600),
    ],
)  # fmt: skip
def test_words_of_a_language(language: str, text: str, seconds: int) -> None:
    assert compile_duration(locale=language)(text) == seconds


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("90", "no unit"), ("5400.5", "no unit"), ("3:45", "hours and minutes, or minutes and seconds"),
        ("1:75:00", "no length"), ("PT", "no length"), ("P", "no length"), ("P1H", "no length"),
        ("PT1.5H30M", "last part"), ("P1Y", "no fixed length"), ("P2M", "no fixed length"), ("30m", '"m" alone'),
        ("2 hours", '"hours" is no unit of time here: say locale'), ("30 min 1 h", "from large to small"),
        ("1 h 2 h", "from large to small"), ("1 h foo", '"foo" is no length'), ("about 2 h", "no length"),
        ("1.500 s", "ambiguous"), ("1h75", '"75" is no length'), ("10 min 30", '"30" is no length'),
        ("10-15 min", "no length"), ("soon", "no length"), ("9" * 5000 + " h", "no length"),
        ("9" * 5000 + ":00:00", "no length"), ("1." + "1" * 5000 + " s", "no length"),
    ],
)  # fmt: skip
def test_what_is_none(text: str, why: str) -> None:
    with pytest.raises(NotADuration, match=why):
        compile_duration()(text)


@pytest.mark.parametrize("text", ["", " ", "-", "—"])
def test_nothing_is_no_failure(text: str) -> None:
    assert compile_duration()(text) is None


@pytest.mark.parametrize(
    ("written_as", "text", "shown"),
    [
        ("minutes", "PT1H30M", "90"), ("hours", "PT1H30M", "1.5"), ("hours", "PT20M", "0.333333"),
        ("minutes", "90 s", "1.5"), ("seconds", "PT1M", "60"), ("hours", "P100D", "2400"),
        ("iso", "1:30:00", "PT1H30M"), ("iso", "90 min", "PT1H30M"), ("iso", "PT90M", "PT1H30M"),
        ("iso", "P1Y2M", "P1Y2M"), ("iso", "36 h", "P1DT12H"), ("iso", "0 s", "PT0S"), ("iso", "-PT0.50S", "-PT0.5S"),
        ("iso", "100 d", "P100D"),
    ],
)  # fmt: skip
def test_what_it_is_written_as(written_as: str, text: str, shown: str) -> None:
    assert str(compile_duration(written_as=written_as)(text)) == shown


@given(st.integers(min_value=0, max_value=10**9))
def test_iso_text_and_seconds_are_the_same_length(seconds: int) -> None:
    text = compile_duration(written_as="iso")(f"{seconds} s")
    assert isinstance(text, str)
    assert compile_duration()(text) == seconds


@pytest.mark.parametrize(
    ("text", "locale", "told"),
    [
        ("1 year", "en", "P1Y"),
        ("2 years 3 months", "en", "P2Y3M"),
        ("1.5 years", "en", "P1Y6M"),
        ("1 an et 2 jours", "fr", "P1Y2D"),
        ("18 Monate", "de", "P1Y6M"),
    ],
)
def test_years_and_months_in_words(text: str, locale: str, told: str) -> None:
    assert compile_duration(written_as="iso", locale=locale)(text) == told
    with pytest.raises(NotADuration, match="no fixed length"):
        compile_duration(locale=locale)(text)


def test_a_part_of_a_month_is_none() -> None:
    with pytest.raises(NotADuration, match="part of a month"):
        compile_duration(written_as="iso", locale="en")("1.5 months")
