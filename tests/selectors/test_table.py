"""Tables: spans, headings of several rows, parts, and columns by name."""

import pytest
from lxml import etree

from yamlcrawl.errors import ParseError
from yamlcrawl.selectors import table
from yamlcrawl.selectors.table import WIDEST, table_rows


def text_of(cell):
    return "".join(cell.itertext()).strip()


def rows(html: str):
    return table_rows(etree.HTML(f"<table>{html}</table>").find(".//table"), text_of)


def cells(html: str) -> list[list[str | None]]:
    return [[None if cell is None else text_of(cell) for cell in row.cells] for row in rows(html)]


HEAD = "<tr><th>A<th>B<th>C"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f"{HEAD}<tr><td>1<td>2<td>3", [["1", "2", "3"]]),
        (f"{HEAD}<tr><td colspan=2>1<td>3", [["1", "1", "3"]]),
        (f"{HEAD}<tr><td rowspan=2>1<td>2<td>3<tr><td>5<td>6", [["1", "2", "3"], ["1", "5", "6"]]),
        (f"{HEAD}<tr><td>1<td rowspan=0>2<td>3<tr><td>4<td>6", [["1", "2", "3"], ["4", "2", "6"]]),
        (f"{HEAD}<tr><td>1<td>2<td rowspan=3>3<tr><td>4", [["1", "2", "3"], ["4", None, "3"]]),
        (f"{HEAD}<tr><td rowspan=2 colspan=2>1<td>3<tr><td>6", [["1", "1", "3"], ["1", "1", "6"]]),
        (f"{HEAD}<tbody><tr><td rowspan=9>1<td>2<td>3<tbody><tr><td>4<td>5<td>6", [["1", "2", "3"], ["4", "5", "6"]]),
        (f"{HEAD}<tr><th>1<td>2<td>3", [["1", "2", "3"]]),
        (f"{HEAD}<tr><th colspan=3>part<tr><td>1<td>2<td>3", [["1", "2", "3"]]),
        ("<thead><tr><td>A<td>B</thead><tr><td>1<td>2<tfoot><tr><td>3<td>4", [["1", "2"]]),
        ("<tr><td>A<td>B<tr><td>1<td>2", [["1", "2"]]),
        (f"{HEAD}<tr><td>1<td><table><tr><td>x<td>y</table><td>3", [["1", "xy", "3"]]),
        ("", []),
        ("<caption>c</caption><colgroup><col></colgroup>", []),
        (f"{HEAD}<tr><td colspan=x>1<td colspan=0>2<td rowspan=-1>3", [["1", "2", "3"]]),
    ],
)  # fmt: skip
def test_spans_are_filled_in_and_rows_of_head_and_foot_are_none(html, found):
    assert cells(html) == found


def test_spans_are_bounded():
    (row,) = rows("<tr><th>A<tr><td colspan=999999999>1")
    assert len(row.cells) == 1
    (row,) = rows("<tr><th>A<tr><td colspan=99999>1")
    assert len(row.cells) == WIDEST


@pytest.mark.parametrize(
    ("column", "found"),
    [
        ("Home W", "1"),
        ("Away W", "3"),
        ("L", None),
        ("W", None),
        ("Team", "t"),
        (2, "1"),
        ("2", None),
        (9, None),
        ("2024", "5"),
    ],
)
def test_a_column_is_found_by_its_heading_its_last_part_or_its_number(column, found):
    (row,) = rows(
        "<tr><th rowspan=2>Team<th colspan=2>Home<th colspan=2>Away<th rowspan=2>2024"
        "<tr><th> W <th>L<th>W<th>L<tr><td>t<td>1<td>2<td>3<td>4<td>5"
    )
    cell, why = row.cell(column)
    assert (None if cell is None else text_of(cell)) == found
    assert bool(why) == (found is None)


def test_without_a_heading_that_is_named_the_first_row_is_a_row():
    people = etree.HTML("<table><tr><td>Anna<td>1<tr><td>Bert<td>2</table>").find(".//table")
    assert [text_of(row.cells[0]) for row in table_rows(people, text_of, headed=False)] == ["Anna", "Bert"]
    assert [text_of(row.cells[0]) for row in table_rows(people, text_of)] == ["Bert"]


def test_a_table_that_is_too_large_loses_no_rows_silently(monkeypatch):
    monkeypatch.setattr(table, "MOST", 10)
    assert len(rows("<tr><td>1<td>2" * 5)) == 4
    with pytest.raises(ParseError, match="more than 10 cells"):
        rows("<tr><td>1<td>2" * 6)
