from __future__ import annotations

from email.utils import formatdate

import pytest

from yamlcrawl.engine.retry_after import retry_after

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2", 2.0),
        (" 2 ", 2.0),
        ("0", 0.0),
        ("31536000000", 31536000000.0),
        ("9" * 400, float("9" * 15)),
        (formatdate(NOW + 3, usegmt=True), 3.0),
        (formatdate(NOW + 3), 3.0),
        ("Tuesday, 14-Nov-23 22:13:30 GMT", 10.0),
    ],
)
def test_seconds_and_dates(value: str, seconds: float) -> None:
    assert retry_after(value, NOW) == seconds


@pytest.mark.parametrize(
    "value",
    [None, "", "soon", "-5", "1.5", "1e3", "nan", "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 99 Oct 9999 99:99:99 GMT"],
)
def test_nonsense_and_the_past_are_no_header(value: str | None) -> None:
    assert retry_after(value, NOW) is None
