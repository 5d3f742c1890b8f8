"""Tables as people see them: spans filled in, columns by their headings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from yamlcrawl.errors import ParseError

WIDEST, TALLEST = 1000, 65534
"""What `colspan` and `rowspan` are bounded by (HTML standard, 4.9.11)."""
MOST = 2_000_000
"""Cells of one table; a page with a larger one is `parse_failed`."""

TextOf = Callable[[Any], str]


@dataclass(slots=True)
class Columns:
    """The headings of one table, left to right; a column without one has an empty text."""

    headings: tuple[str, ...]
    _found: dict[str, tuple[int | None, str]] = field(default_factory=dict)

    def find(self, name: str | int) -> tuple[int | None, str]:
        """The column of that heading (or of its last part), or of that number from 1; and why there is none.

        >>> columns = Columns(("Team", "Home W", "Home L", "Away W"))
        >>> columns.find("Home W")[0], columns.find("L")[0], columns.find(4)[0]
        (1, 2, 3)
        >>> columns.find("W"), columns.find(5)
        ((None, '"W" stands for several columns: Home W, Away W'), (None, 'no column 5; there are 4'))
        """
        if isinstance(name, int):
            there = 1 <= name <= len(self.headings)
            return (name - 1, "") if there else (None, f"no column {name}; there are {len(self.headings)}")
        if name not in self._found:
            self._found[name] = self._find(" ".join(name.split()))
        return self._found[name]

    def _find(self, name: str) -> tuple[int | None, str]:
        whole = [n for n, heading in enumerate(self.headings) if heading == name]
        last_part = [n for n, heading in enumerate(self.headings) if heading.endswith(f" {name}")]
        for matches in (whole, last_part):
            if len(matches) == 1:
                return matches[0], ""
            if matches:
                these = ", ".join(self.headings[n] for n in matches)
                return None, f'"{name}" stands for several columns: {these}'
        return None, f'no column "{name}"; there are {", ".join(filter(None, self.headings)) or "none with a heading"}'


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table's body."""

    node: Any
    cells: tuple[Any, ...]
    """A cell element for each column, the same one where it spans several; None where there is none."""
    columns: Columns

    def cell(self, name: str | int) -> tuple[Any, str]:
        """The cell of a column, and why there is none."""
        number, why = self.columns.find(name)
        if number is None or number >= len(self.cells):
            return None, why
        return self.cells[number], ""


def table_rows(table: Any, text_of: TextOf, *, headed: bool = True) -> list[Row]:
    """The rows of the table's body, in order; rows of head and foot, and rows of headings alone, are none.

    The heading of a column is the text of its heading cells from top to bottom, joined by a blank, each text once. They
    stand in `thead`, else in the rows at the top that have heading cells (`th`) alone, else in the first row where the
    table is known to be `headed`.

    Raises ParseError for a table of more than MOST cells.
    """
    grid = list(_grid(table))
    heads = _heads(grid, headed=headed)
    width = max((len(cells) for _, _, cells in grid), default=0)
    columns = Columns(tuple(_heading([row[n] for row in heads if n < len(row)], text_of) for n in range(width)))
    skipped = {id(row) for row in heads}
    return [
        Row(node, tuple(cells), columns)
        for part, node, cells in grid
        if part == "tbody" and id(cells) not in skipped and not _is_heading(cells)
    ]


def _heads(grid: list[tuple[str, Any, list[Any]]], *, headed: bool) -> list[list[Any]]:
    if heads := [cells for part, _, cells in grid if part == "thead"]:
        return heads
    heads = []
    for _, _, cells in grid:
        if not _is_heading(cells):
            break
        heads.append(cells)
    return heads or [cells for _, _, cells in grid[:1] if headed]


def _is_heading(cells: list[Any]) -> bool:
    return bool(cells) and all(cell is None or cell.tag == "th" for cell in cells)


def _heading(cells: list[Any], text_of: TextOf) -> str:
    texts = (" ".join(text_of(cell).split()) for cell in cells if cell is not None)
    return " ".join(dict.fromkeys(text for text in texts if text))


def _grid(table: Any) -> Iterator[tuple[str, Any, list[Any]]]:
    """Part of the table, row element and its cells, spans filled in within each part (HTML standard, 4.9.12)."""
    room = MOST
    for part, rows in _parts(table):
        hanging: dict[int, tuple[int, Any]] = {}  # column: rows it still spans, cell
        for row in rows:
            cells = _row(row, hanging)
            room -= len(cells)
            if room < 0:
                raise ParseError(f"a table has more than {MOST:,} cells")
            yield part, row, cells


def _parts(table: Any) -> Iterator[tuple[str, list[Any]]]:
    loose: list[Any] = []
    for child in table:
        if child.tag == "tr":
            loose.append(child)
        elif child.tag in ("thead", "tbody", "tfoot"):
            if loose:
                yield "tbody", loose
                loose = []
            yield child.tag, [row for row in child if row.tag == "tr"]
    if loose:
        yield "tbody", loose


def _row(row: Any, hanging: dict[int, tuple[int, Any]]) -> list[Any]:
    cells: list[Any] = []

    def place_hanging() -> None:
        while len(cells) in hanging:
            rest, cell = hanging.pop(len(cells))
            if rest > 1:
                spanning[len(cells)] = (rest - 1, cell)
            cells.append(cell)

    spanning: dict[int, tuple[int, Any]] = {}
    for cell in row:
        if cell.tag not in ("td", "th"):
            continue
        place_hanging()
        down = _span(cell, "rowspan", TALLEST)
        for _ in range(_span(cell, "colspan", WIDEST)):
            if down != 1:
                spanning[len(cells)] = ((down or TALLEST) - 1, cell)
            hanging.pop(len(cells), None)
            cells.append(cell)
    while hanging:
        while len(cells) < min(hanging):
            cells.append(None)
        place_hanging()
    hanging.update(spanning)
    return cells


def _span(cell: Any, name: str, most: int) -> int:
    """The span; 0 (to the end) for `rowspan` alone, 1 for what is none."""
    text = (cell.get(name) or "").strip()
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1
    if number == 0 and name == "colspan":
        return 1
    return min(number, most)
