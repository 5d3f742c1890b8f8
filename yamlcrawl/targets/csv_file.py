"""Comma-separated values (RFC 4180), with a heading."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import Field

from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.item import json_text
from yamlcrawl.options import Filled, Flag
from yamlcrawl.targets.files import FileTarget, path_to
from yamlcrawl.targets.layout import Layout
from yamlcrawl.targets.rows import Rows
from yamlcrawl.targets.run import Run
from yamlcrawl.targets.target import Misfit

MARK = "\ufeff"
_QUOTED = re.compile('[",\r\n]')
_RUNS = re.compile(r"[\s]*[=+\-@＝＋－＠]")
_NUMBER = re.compile(r"\s*[+-]?(\d[\d.,]*|\.\d+)([eE][+-]?\d+)?\s*%?\s*", re.ASCII)


class Csv(FileTarget):
    """A table in UTF-8 with the spec's columns; its heading is there even when no item came."""

    to: Filled = path_to(".csv")

    bom: Flag = Field(False, description="Begin with a byte order mark and end rows in CR LF, as spreadsheets want it.")
    safe: Flag = Field(
        False, description="Put ' before texts that a spreadsheet would run: those that begin with = + - @, no numbers."
    )

    def layout(self, rows: Rows) -> Layout:
        """Heading and rows; rows end in a line feed, with `bom` in CR LF (as RFC 4180 has it)."""
        end = "\r\n" if self.bom else "\n"

        def line(values: Iterable[Any]) -> str:
            cells = ",".join(cell(value, safe=self.safe) for value in values)
            return (cells or '""') + end  # a line without anything would be no row

        def row(item: ItemRow) -> bytes:
            return line(rows.cells(item)).encode("utf-8", "replace")

        head = (MARK if self.bom else "") + line(rows.header)
        return Layout(row, head.encode(), begins=lambda start: _other_heading(start, rows.header))

    @property
    def _columned(self) -> bool:
        return True

    def misfits(self, run: Run) -> Iterator[Misfit]:
        """Also: several item types in one table that nobody asked for."""
        yield from super().misfits(run)
        kinds = self.taken(run)
        if len(kinds) > 1 and self.items is None and "${item}" not in self.to:
            fix = f'write "${{item}}.csv" for a file each, or items: [{kinds[0]}] for one of them'
            yield Misfit(("to",), f"{len(kinds)} item types ({', '.join(kinds)}) do not go into one table", fix)


def cell(value: Any, *, safe: bool = False) -> str:
    """The value as it stands in a row: null is empty, lists and records are JSON, numbers as they were written.

    With `safe`, a text that a spreadsheet would run as a formula begins with an apostrophe; numbers stay numbers.

    >>> from decimal import Decimal
    >>> [cell(v, safe=True) for v in (None, True, Decimal("1.50"), ["x"], 'a "b"', "=1+2", "-0.02", "-x")]
    ['', 'true', '1.50', '"[""x""]"', '"a ""b""\"', "'=1+2", '-0.02', "'-x"]
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) else json_text(value)
    if safe and isinstance(value, str) and _RUNS.match(text) and not _NUMBER.fullmatch(text):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _other_heading(start: bytes, header: tuple[str, ...]) -> str:
    text = start.decode("utf-8", "replace").removeprefix(MARK)
    there = next(csv.reader(io.StringIO(text, newline="")), [])
    if tuple(there) == header:
        return ""
    return f"its heading is {', '.join(there)[:200]} and would have to be {', '.join(header)[:200]}"
