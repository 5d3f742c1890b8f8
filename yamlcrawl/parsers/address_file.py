"""Files that list addresses: one a line, or a CSV with a column `url`; read piece by piece, whatever their length."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

from yamlcrawl.urls import join

COLUMN = "url"
"""The heading of the addresses, in any case."""
BY_SUFFIX = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
"""Endings of files that are a CSV whatever their first line holds, and what separates cells if nothing else does."""
DELIMITERS = ",;\t"
FIRST_LINE = 65_536
"""Characters of the first line that are looked at."""
LONGEST_CELL = 1_000_000


@dataclass(frozen=True, slots=True)
class Heading:
    """The first line of a CSV."""

    line: int
    delimiter: str
    names: tuple[str, ...]
    """Trimmed; a column without a name is not read."""

    @property
    def url(self) -> int | None:
        """The number of the column with the addresses, from 0; None where there is none."""
        return next((n for n, name in enumerate(self.names) if name.lower() == COLUMN), None)

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the other columns."""
        return tuple(name for n, name in enumerate(self.names) if name and n != self.url)


class Row(NamedTuple):
    """One address of a file."""

    line: int
    """From 1; of a row of several lines the last one."""
    url: str
    """Absolute; empty where something is wrong."""
    values: Mapping[str, str | None] = {}
    """The other columns; an empty cell is null."""
    wrong: str = ""


def read_heading(path: Path) -> Heading | None:
    """The heading of a CSV; None for a file of lines. Raises OSError.

    A file is a CSV where its name says so, or where a cell of its first line is `url`.
    """
    with _open(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(FIRST_LINE), ""), 1):
            if not _is_blank(line):
                return _heading(line.rstrip("\r\n"), number, BY_SUFFIX.get(path.suffix.lower(), ""))
    return None


def read_rows(path: Path) -> Iterator[Row]:
    """The addresses in the order of the file, those that are none with what is wrong. Raises OSError."""
    heading = read_heading(path)
    with _open(path) as file:
        if heading is None:
            yield from (_row(n, line, {}) for n, line in enumerate(file, 1) if not _is_blank(line))
        elif heading.url is not None:
            yield from _cells(islice(file, heading.line, None), heading, heading.url)


def _open(path: Path) -> TextIO:
    return path.open(encoding="utf-8-sig", errors="replace", newline="")


def _is_blank(line: str) -> bool:
    text = line.strip()
    return not text or text.startswith("#")


def _heading(line: str, number: int, delimiter: str) -> Heading | None:
    if not delimiter and join("", line.strip()):
        return None  # an address may hold commas
    for sign in DELIMITERS:
        heading = Heading(number, sign, tuple(cell.strip() for cell in next(csv.reader([line], delimiter=sign))))
        if heading.url is not None:
            return heading
        if sign == delimiter:
            forced = heading
    return forced if delimiter else None


def _cells(lines: Iterator[str], heading: Heading, url: int) -> Iterator[Row]:
    csv.field_size_limit(LONGEST_CELL)
    names = [(n, name) for n, name in enumerate(heading.names) if name and n != url]
    rows = csv.reader(lines, delimiter=heading.delimiter, strict=True)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            yield Row(heading.line + rows.line_num, "", wrong=f"the row cannot be read: {error}")
            continue
        if row is None:
            return
        if not any(row):
            continue
        cells = dict(enumerate(row))
        values = {name: cells.get(n, "").strip() or None for n, name in names}
        wrong = f"{len(row)} cells stand under {len(heading.names)} headings" if len(row) > len(heading.names) else ""
        yield _row(heading.line + rows.line_num, cells.get(url, ""), values, wrong)


def _row(line: int, address: str, values: Mapping[str, str | None], wrong: str = "") -> Row:
    text = address.strip()
    if "\ufffd" in text or any(value and "\ufffd" in value for value in values.values()):
        wrong = "this is not in UTF-8"
    url = join("", text)
    if not wrong and url is None:
        wrong = f'"{text[:80]}" is no address' if text else "the address is missing"
    return Row(line, "" if wrong or url is None else url, values, wrong)
