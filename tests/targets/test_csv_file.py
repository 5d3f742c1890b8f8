"""Tables: columns by the spec, cells that come back as they were, spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.plan import TargetPlan
from yamlcrawl.targets.csv_file import cell

Plan = Callable[..., TargetPlan]
Row = Callable[..., ItemRow]
Items = Callable[..., Any]


def test_columns_are_those_of_the_spec(plan: Plan, row: Row, sorted_items: Items, tmp_path: Path) -> None:
    one = plan("x.csv", {"book": ("name", "price", "size", "tags")})
    given = [
        row(1, name="A", price=1, size=None, tags=None),
        row(2, name="B", price=2, size="L", tags=None),
        row(3, name="C", price=None, size="", tags=["x", "y"]),
    ]
    one.replace(sorted_items(given), True)
    assert (tmp_path / "x.csv").read_text() == 'name,price,size,tags\nA,1,,\nB,2,L,\nC,,,"[""x"", ""y""]"\n'


def test_the_heading_is_there_without_items(plan: Plan, sorted_items: Items, tmp_path: Path) -> None:
    plan("x.csv").replace(sorted_items([]), True)
    assert (tmp_path / "x.csv").read_bytes() == b"title,price\n"


CELLS = {
    "name": "Çelik",
    "note": 'a\nb, "c"',
    "delta": Decimal("-0.02"),
    "zip": "02138",
    "link": '=HYPERLINK("http://evil.test","x")',
}


def test_a_reader_gets_back_exactly_these_cells(plan: Plan, row: Row, sorted_items: Items, tmp_path: Path) -> None:
    plan("x.csv", {"book": tuple(CELLS)}).replace(sorted_items([row(1, **CELLS)]), True)
    data = (tmp_path / "x.csv").read_bytes()
    assert not data.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in data
    read = list(csv.reader(io.StringIO(data.decode(), newline="")))
    assert read == [list(CELLS), [str(value) for value in CELLS.values()]]


def test_for_spreadsheets(plan: Plan, row: Row, sorted_items: Items, tmp_path: Path) -> None:
    options = {"to": "x.csv", "bom": "true", "safe": "true"}
    plan(options, {"book": tuple(CELLS)}).replace(sorted_items([row(1, **CELLS)]), True)
    data = (tmp_path / "x.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfname,note")
    assert data.count(b"\r\n") == 2
    read = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))[1]
    assert read == ["Çelik", 'a\nb, "c"', "-0.02", "02138", "'" + CELLS["link"]]  # type: ignore[operator]


@pytest.mark.parametrize("text", ["=1+1", "+49 30 123", "-x", "@SUM(A1)", "\t=1", " =1", "＝1", "-1+cmd|'/c'!A1", "+"])
def test_texts_that_would_run_are_made_harmless(text: str) -> None:
    assert cell(text, safe=True).strip('"') == "'" + text
    assert cell(text).strip('"') == text


@pytest.mark.parametrize("text", ["-0.02", "+5", "-1,234.5", "-3 %", "1-2", "a=b", "x@y.test", "02138", "-1e5"])
def test_numbers_and_plain_texts_stay(text: str) -> None:
    assert cell(text, safe=True).strip('"') == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (False, "false"),
        (Decimal("12.50"), "12.50"),
        (Decimal("1E+3"), "1000"),
        (Decimal("9" * 5000), "9" * 5000),
        ({"a": [1, None]}, '"{""a"": [1, null]}"'),
        ("a\rb", '"a\rb"'),
        (" a ", " a "),
    ],
)
def test_a_cell(value: Any, text: str) -> None:
    assert cell(value) == text


def test_a_row_of_one_empty_cell_is_a_row(plan: Plan, row: Row, sorted_items: Items, tmp_path: Path) -> None:
    plan("x.csv", {"book": ("a",)}).replace(sorted_items([row(1, a=None), row(2, a="x")]), True)
    text = (tmp_path / "x.csv").read_text()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a"], [""], ["x"]]


def test_digits_stay_as_they_were_written(plan: Plan, sorted_items: Items, tmp_path: Path) -> None:
    given = ItemRow(1, "book", '{"title": 1.10, "price": 123456789012345678901234567890.5}', "", 0.0)
    plan("x.csv").replace(sorted_items([given]), True)
    assert (tmp_path / "x.csv").read_text().splitlines()[1] == "1.10,123456789012345678901234567890.5"
