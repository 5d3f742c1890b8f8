"""Dates and moments of texts: in formats, in languages, counted from the fetch, in zones."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from yamlcrawl.transforms.dates import compile_date, compile_datetime
from yamlcrawl.transforms.iso_dates import NotADate

FETCHED = datetime(2025, 3, 14, 15, 30, 45, tzinfo=UTC).timestamp()
"""A Friday."""
PARIS, CHICAGO = ZoneInfo("Europe/Paris"), ZoneInfo("America/Chicago")


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "March 5, 2025", "2025-03-05"), ("en", "5th March 2025", "2025-03-05"),
        ("en", "Wed, Mar 5 2025", "2025-03-05"), ("en", "10/03/2025", "2025-10-03"), ("en", "3/5/25", "2025-03-05"),
        ("en", "2025/3/5", "2025-03-05"), ("en-GB", "10/03/2025", "2025-03-10"),
        ("en-GB", "5 March 2025", "2025-03-05"), ("en-US", "10/03/2025", "2025-10-03"),
        ("en", "3 days ago", "2025-03-11"), ("en", "yesterday", "2025-03-13"), ("en", "last month", "2025-02-14"),
        ("en", "2 weeks ago", "2025-02-28"), ("en", "in 3 days", "2025-03-17"), ("en", "tonight", "2025-03-14"),
        ("de", "5. März 2025", "2025-03-05"), ("de", "Mi., 5. Mrz. 2025", "2025-03-05"),
        ("de", "10.03.2025", "2025-03-10"), ("de", "vor 3 Tagen", "2025-03-11"), ("de", "vorgestern", "2025-03-12"),
        ("de-CH", "5. März 2025", "2025-03-05"), ("fr", "lundi 3 mars 2025", "2025-03-03"),
        ("fr", "1er mars 2025", "2025-03-01"), ("fr", "3 aout 2025", "2025-08-03"), ("fr", "hier", "2025-03-13"),
        ("fr", "avant-hier", "2025-03-12"), ("fr", "10/03/2025", "2025-03-10"),
        ("es", "1º de marzo de 2025", "2025-03-01"), ("es", "5 de marzo de 2025", "2025-03-05"),
        ("es", "anteayer", "2025-03-12"), ("it", "1° marzo 2025", "2025-03-01"), ("it", "3 giorni fa", "2025-03-11"),
        ("it", "ieri", "2025-03-13"), ("pt", "5 de março de 2025", "2025-03-05"),
        ("pt-BR", "há 2 dias", "2025-03-12"), ("pt", "anteontem", "2025-03-12"),
        ("ru", "5 марта 2025 г.", "2025-03-05"), ("ru", "3 дня назад", "2025-03-11"), ("ru", "вчера", "2025-03-13"),
        ("ja", "2025年3月5日(水)", "2025-03-05"), ("ja", "２０２５年３月５日", "2025-03-05"),
        ("ja", "3日前", "2025-03-11"),
        ("ja", "一昨日", "2025-03-12"), ("ja", "2025/3/5", "2025-03-05"), ("ja", "2025.3.5", "2025-03-05"),
        ("zh", "2025年3月5日", "2025-03-05"), ("zh", "3天前", "2025-03-11"), ("zh-CN", "前天", "2025-03-12"),
        ("zh-TW", "2025年3月5日", "2025-03-05"), ("ko", "2025년 3월 5일", "2025-03-05"), ("ko", "3일 전", "2025-03-11"),
        ("ar", "٥ مارس ٢٠٢٥", "2025-03-05"), ("hu", "2025. március 5.", "2025-03-05"),
        ("fr", "2025-03-05", "2025-03-05"), ("en", "\u200e3\u200e/\u200e5\u200e/\u200e2025", "2025-03-05"),
    ],
)  # fmt: skip
def test_days_of_a_language(language: str, text: str, day: str) -> None:
    assert compile_date(locale=language)(text, FETCHED) == day


@pytest.mark.parametrize(
    ("language", "text", "moment"),
    [
        ("fr", "5 mars 2025 à 14h30", "2025-03-05T14:30:00"),
        ("de", "5. März 2025, 14.30 Uhr", "2025-03-05T14:30:00"),
        ("en", "March 5, 2025 2:30 PM", "2025-03-05T14:30:00"), ("en-GB", "10/03/2025 14:30", "2025-03-10T14:30:00"),
        ("ja", "2025年3月5日 14時30分", "2025-03-05T14:30:00"),
        ("ko", "2025년 3월 5일 오후 2:30", "2025-03-05T14:30:00"),
        ("en", "March 5, 2025 10:00 +0200", "2025-03-05T10:00:00+02:00"),
        ("en", "March 5, 2025 10:00 UTC", "2025-03-05T10:00:00Z"),
        ("en", "March 5, 2025 10:00 -0500", "2025-03-05T10:00:00-05:00"),
        ("en", "March 5, 2025", "2025-03-05T00:00:00"), ("en", "3 days ago", "2025-03-11T15:30:45Z"),
        ("fr", "il y a une heure", "2025-03-14T14:30:45Z"), ("en", "just now", "2025-03-14T15:30:45Z"),
        ("de", "heute 14:30", "2025-03-14T14:30:00"), ("de", "gestern, 14:30 Uhr", "2025-03-13T14:30:00"),
        ("zh", "2小时前", "2025-03-14T13:30:45Z"),
    ],
)  # fmt: skip
def test_moments_of_a_language(language: str, text: str, moment: str) -> None:
    assert compile_datetime(locale=language)(text, FETCHED) == moment


@pytest.mark.parametrize(
    ("language", "text", "why"),
    [
        ("en", "May", "no date"), ("en", "May 2025", "no date"), ("en", "12 March", "no date"),
        ("en", "Monday", "no date"), ("en", "14:30", "a part of a date"), ("en", "2025", "a part of a date"),
        ("en", "this month", "a part of a date"), ("ja", "１２月５日", "no date"), ("en", "5/3", "no date"),
        ("en", "nonsense", "no date"), ("en", "Sold out", "no date"), ("en", "31 February 2025", "no date"),
        ("de", "29. Februar 2025", "no date"), ("en", "14/3/2022", "the order is month, day, year"),
        ("en-GB", "3/14/2022", "the order is day, month, year"), ("ja", "3/5/2025", "the order is year, month, day"),
        ("ja", "令和7年3月5日", "another era"), ("zh-TW", "民國114年3月5日", "another era"),
        ("th", "5 มีนาคม 2568", "another era"), ("en", "March 15, 44 BC", "another era"),
        ("de", "15. März 44 v. Chr.", "another era"), ("en", "5-7 March 2025", "a range"),
        ("en", "5 to 7 March 2025", "a range"), ("de", "1.3.2025 - 5.3.2025", "two dates"),
        ("en", "March 5, 2025, 10:00–11:00", "a range"), ("en", "1741910400", "no date"),
        ("en", "Price 12.50", "no date"),
    ],
)  # fmt: skip
def test_what_is_no_date_of_a_language(language: str, text: str, why: str) -> None:
    with pytest.raises(NotADate, match=why):
        compile_date(locale=language)(text, FETCHED)


@pytest.mark.parametrize("text", ["14/3/2022", "4/5/2022", "March 5, 2025", "yesterday", "1741910400", "5.3.25"])
def test_without_format_and_locale_nothing_is_guessed(text: str) -> None:
    with pytest.raises(NotADate, match="say format or locale"):
        compile_date()(text, FETCHED)


@pytest.mark.parametrize("text", ["", " ", "-", "–", "—", "\u200e"])
@pytest.mark.parametrize("language", [None, "en"])
def test_nothing_is_no_failure(text: str, language: str | None) -> None:
    assert compile_date(locale=language)(text, FETCHED) is None


def test_a_format_is_no_guess() -> None:
    column = ["14/3/2022", "28/3/2022", "4/5/2022", "30/12/2021"]
    read = compile_date(written="%d/%m/%Y")
    assert [read(text, FETCHED) for text in column] == ["2022-03-14", "2022-03-28", "2022-05-04", "2021-12-30"]
    assert read("2022-05-04", FETCHED) == "2022-05-04"
    with pytest.raises(NotADate):
        compile_date(written="%d/%m/%Y", locale="en")("yesterday", FETCHED)


def test_iso_does_not_turn_a_format_round_that_is_near_it() -> None:
    read = compile_date(written="%Y-%d-%m")
    assert read("2022-04-05", FETCHED) == "2022-05-04"
    with pytest.raises(NotADate):
        read("2022-05-14", FETCHED)


@pytest.mark.parametrize(
    ("local", "moment"),
    [
        ("2025-03-30T01:59:59", "2025-03-30T01:59:59+01:00"), ("2025-03-30T03:00:00", "2025-03-30T03:00:00+02:00"),
        # is left out, and counted on from the time before
        ("2025-03-30T02:30:00", "2025-03-30T03:30:00+02:00"),
        # comes twice, and is the first
        ("2025-10-26T02:30:00", "2025-10-26T02:30:00+02:00"), ("2025-10-26T03:00:00", "2025-10-26T03:00:00+01:00"),
        ("2025-07-01", "2025-07-01T00:00:00+02:00"), ("2025-07-01T10:00:00Z", "2025-07-01T10:00:00Z"),
        ("2025-07-01T10:00:00-04:00", "2025-07-01T10:00:00-04:00"),
    ],
)  # fmt: skip
def test_local_times_of_a_zone(local: str, moment: str) -> None:
    assert compile_datetime(zone=PARIS)(local, FETCHED) == moment


def test_a_day_that_has_no_midnight_begins_later() -> None:
    assert compile_datetime(zone=ZoneInfo("America/Santiago"))("2025-09-07", 0) == "2025-09-07T01:00:00-03:00"


def test_threads_count_each_from_its_own_page() -> None:
    read = compile_datetime(locale="en", zone=CHICAGO)

    def wrong(start: float) -> int:
        moments = [start + n * 60 for n in range(40)]
        shown = [datetime.fromtimestamp(moment - 7200, CHICAGO).isoformat() for moment in moments]
        return sum(read("2 hours ago", moment) != text for moment, text in zip(moments, shown, strict=True))

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(wrong, [FETCHED + n for n in range(4)])) == 0


def test_words_count_in_the_zone() -> None:
    # 23:30 in Chicago is the next day in UTC
    late = datetime(2025, 3, 15, 4, 30, tzinfo=UTC).timestamp()
    assert compile_date(locale="en", zone=CHICAGO)("today", late) == "2025-03-14"
    assert compile_date(locale="en")("today", late) == "2025-03-15"


def test_hours_count_through_the_end_of_summer_time_and_days_by_the_calendar() -> None:
    # Sunday 9 March 2025, 02:00: clocks in Chicago go to 03:00
    noon = datetime(2025, 3, 9, 12, 0, tzinfo=CHICAGO).timestamp()
    read = compile_datetime(locale="en", zone=CHICAGO)
    assert read("12 hours ago", noon) == "2025-03-08T23:00:00-06:00"
    assert read("1 day ago", noon) == "2025-03-08T12:00:00-06:00"
    assert read("yesterday 14:30", noon) == "2025-03-08T14:30:00-06:00"
    assert read("today 14:30", noon) == "2025-03-09T14:30:00-05:00"
    early = datetime(2025, 3, 10, 2, 30, tzinfo=CHICAGO).timestamp()
    assert read("1 day ago", early) == "2025-03-09T03:30:00-05:00"


def test_seconds_since_the_epoch_are_shown_in_the_zone() -> None:
    assert compile_datetime(written="%s", zone=PARIS)("1741910400", 0) == "2025-03-14T01:00:00+01:00"
    assert compile_datetime(written="%s")("1741910400", 0) == "2025-03-14T00:00:00Z"
    assert compile_date(written="%s", zone=CHICAGO)("1741910400", 0) == "2025-03-13"


def test_years_at_the_ends_of_time() -> None:
    assert compile_date()("1234-01-01", 0) == "1234-01-01"
    with pytest.raises(NotADate):
        compile_datetime(zone=PARIS)("0001-01-01T00:00", 0)
