"""Formats of dates: strictly what they say."""

from __future__ import annotations

import locale
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yamlcrawl.transforms.date_formats import FormatError, compile_format
from yamlcrawl.transforms.date_words import words_of
from yamlcrawl.transforms.iso_dates import NotADate
from yamlcrawl.transforms.plain import plain


@pytest.mark.parametrize(
    ("written", "text", "shown"),
    [
        ("%d/%m/%Y", "4/5/2022", "2022-05-04"), ("%d/%m/%Y", "28/12/2021", "2021-12-28"),
        ("%m/%d/%y", "12/31/69", "1969-12-31"), ("%m/%d/%y", "12/31/68", "2068-12-31"),
        ("%Y年%m月%d日", "２０２５年３月５日", "2025-03-05"), ("%d.%m.%Y", "05.03.2025", "2025-03-05"),
        ("%Y%m%d", "20250305", "2025-03-05"), ("%j/%Y", "64/2025", "2025-03-05"),
        ("%G-W%V-%u", "2025-W10-3", "2025-03-05"), ("%A, %d %B %Y", "WEDNESDAY, 5 march 2025", "2025-03-05"),
        ("%b %e, %Y", "Sept. 5, 2025", "2025-09-05"), ("%d%% %m %Y", "5% 3 2025", "2025-03-05"),
        ("%D", "3/5/25", "2025-03-05"), ("%F", "2025-3-5", "2025-03-05"),
        ("%F %T", "2025-03-05 14:30:15", "2025-03-05 14:30:15"), ("%F %R", "2025-03-05 1:05", "2025-03-05 01:05:00"),
        ("%d %b %Y %I:%M %p", "5 Mar 2025 12:30 am", "2025-03-05 00:30:00"),
        ("%d %b %Y %I:%M %p", "5 Mar 2025 12:30 p.m.", "2025-03-05 12:30:00"),
        ("%d %b %Y %I%p", "5 Mar 2025 11PM", "2025-03-05 23:00:00"),
        ("%F %T.%f", "2025-03-05 14:30:15.5", "2025-03-05 14:30:15.500000"),
        ("%F %T,%f", "2025-03-05 14:30:15,123456789", "2025-03-05 14:30:15.123456"),
        ("%a, %d %b %Y %H:%M:%S %z", "Wed, 05 Mar 2025 14:30:15 +0100", "2025-03-05 14:30:15+01:00"),
        ("%a, %d %b %Y %H:%M:%S %Z", "Wed, 05 Mar 2025 14:30:15 GMT", "2025-03-05 14:30:15+00:00"),
        ("%s", "1741910400", "2025-03-14 00:00:00+00:00"), ("%s", "-1.5", "1969-12-31 23:59:58.500000+00:00"),
        ("%Q", "1741910400123", "2025-03-14 00:00:00.123000+00:00"),
        ("/Date(%Q)/", "/Date(0)/", "1970-01-01 00:00:00+00:00"),
        ("%dº de %B de %Y", "1º de March de 2025", "2025-03-01"),
    ],
)  # fmt: skip
def test_what_fits(written: str, text: str, shown: str) -> None:
    assert str(compile_format(written)(plain(text))) == shown


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("%d/%m/%Y", "14/13/2022"), ("%d/%m/%Y", "4/5/22"), ("%d/%m/%Y", "4-5-2022"), ("%d/%m/%Y", "on 4/5/2022"),
        ("%d/%m/%Y", "4/5/2022 "), ("%d/%m/%Y", "4/5/20221"), ("%d %B %Y", "5 mars 2025"),
        ("%H:%M %F", "24:00 2025-03-05"), ("%s", "12345678901234"),
    ],
)  # fmt: skip
def test_what_does_not_fit(written: str, text: str) -> None:
    with pytest.raises(NotADate, match="is not written as"):
        compile_format(written)(text)


@pytest.mark.parametrize(
    ("written", "text"),
    [("%d/%m/%Y", "31/2/2025"), ("%j %Y", "366 2025"), ("%G %V %u", "2025 53 1"), ("%Y-%m-%d", "0000-01-01")],
)
def test_what_there_is_not(written: str, text: str) -> None:
    with pytest.raises(NotADate, match="no such day or time"):
        compile_format(written)(text)


@pytest.mark.parametrize(
    ("language", "written", "text", "shown"),
    [
        ("fr", "%d %B %Y à %Hh%M", "5 février 2025 à 14h30", "2025-02-05 14:30:00"),
        ("fr", "%A %d %b %Y", "Mercredi 5 févr. 2025", "2025-02-05"), ("fr", "%d %b %Y", "5 AOÛT 2025", "2025-08-05"),
        ("fr", "%d %B %Y", "5 fevrier 2025", "2025-02-05"), ("de", "%d. %B %Y", "5. März 2025", "2025-03-05"),
        ("de-AT", "%d. %B %Y", "5. Jänner 2025", "2025-01-05"),
        ("es", "%d de %B de %Y", "5 de marzo de 2025", "2025-03-05"), ("it", "%d %b %Y", "5 gen 2025", "2025-01-05"),
        ("pt-BR", "%d de %B de %Y", "5 de março de 2025", "2025-03-05"),
        ("ru", "%d %B %Y г.", "5 марта 2025 г.", "2025-03-05"),
        ("ja", "%Y年%m月%d日 %p%I時", "2025年3月5日 午後2時", "2025-03-05 14:00:00"),
        ("zh", "%Y年%B%d日", "2025年三月5日", "2025-03-05"),
        ("ko", "%Y년 %m월 %d일 %p %I:%M", "2025년 3월 5일 오후 2:30", "2025-03-05 14:30:00"),
        ("en-GB", "%d %B %Y", "5 March 2025", "2025-03-05"), ("fi", "%d. %B %Y", "5. maaliskuuta 2025", "2025-03-05"),
    ],
)  # fmt: skip
def test_names_of_a_language(language: str, written: str, text: str, shown: str) -> None:
    assert str(compile_format(written, words_of(language).names)(plain(text))) == shown


def test_abbreviations_are_those_of_the_zone() -> None:
    read = compile_format("%F %R %Z", zone=ZoneInfo("Europe/Paris"))
    assert str(read("2025-03-05 10:00 CET")) == "2025-03-05 10:00:00+01:00"
    assert str(read("2025-07-05 10:00 CEST")) == "2025-07-05 10:00:00+02:00"
    # the hour that comes twice: the name tells which
    assert str(read("2025-10-26 02:30 CET")) == "2025-10-26 02:30:00+01:00"
    assert str(read("2025-10-26 02:30 CEST")) == "2025-10-26 02:30:00+02:00"
    with pytest.raises(NotADate, match="depends on the place"):
        read("2025-03-05 10:00 IST")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("%d/%m", "has no year"), ("%B %Y", "has no day"), ("%H:%M", "has no year"), ("%d %Y", "has no month"),
        ("dd/mm/yyyy", "has no parts"), ("", "has no parts"), ("%d/%m/%Y %", 'ends in "%"'),
        ("%d/%k/%Y", '"%k" is not known'), ("%-d/%m/%Y", '"%-d" is not known'),
        ("%c", "something else in each language"), ("%d %d %m %Y", "stands twice"), ("%b %B %d %Y", "stands twice"),
        ("%F %I:%M", '"%p" is not there'), ("%F %H %p", 'needs "%I"'), ("%F %M", 'needs "%H"'),
        ("%F %H:%S", 'needs "%M"'), ("%F %T%:z", "%:z"), ("%F %Z", 'needs "%H"'), ("%F%z", 'needs "%H"'),
        ("%Ey %m %d", '"%Ey" is not known'), ("%G-%m-%d", "the year of a week"),
    ],
)  # fmt: skip
def test_a_wrong_format_is_told_with_its_cure(written: str, said: str) -> None:
    with pytest.raises(FormatError) as wrong:
        compile_format(written)
    assert said in wrong.value.what
    assert wrong.value.fix


WRITTEN = [
    "%d/%m/%Y %H:%M:%S.%f",
    "%Y%m%d%H%M%S%f",
    "%A, %d %B %Y, %I:%M:%S.%f %p",
    "%a %b %d %H:%M:%S.%f %Y",
    "%j.%Y %T.%f",
]


@given(st.datetimes(min_value=datetime(1000, 1, 1)), st.sampled_from(WRITTEN))
def test_what_the_standard_library_writes_is_read(moment: datetime, written: str) -> None:
    assert locale.getlocale(locale.LC_TIME)[0] in (None, "C", "en_US")
    assert compile_format(written)(plain(moment.strftime(written))) == moment
