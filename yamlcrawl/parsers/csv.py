"""CSV to rows of cells, whatever separates them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice

from yamlcrawl.errors import ParseError
from yamlcrawl.model.document import Document, Parse
from yamlcrawl.model.response import Response
from yamlcrawl.parsers.charset import undecoded
from yamlcrawl.parsers.media import check_media, media_type
from yamlcrawl.parsers.text import read_text

DELIMITERS = ",;\t|"
SAMPLE = 65_536
"""Signs from which the delimiter is told."""
SAMPLE_ROWS = 20
_NAMED = re.compile(r"sep=([^\s\"]|\t) *(?:\n|$)", re.IGNORECASE)
_END = "\x1aend\x1a"
"""A row that is put behind the last one: where it is not met as a row, a quote was open."""
LONGEST = 2**31 - 1

Rows = list[list[str]]


def csv_parser(encoding: str | None = None) -> Parse:
    """A parser; the rows in order, the headings first. Rows without any text are none."""
    # the library's own limit would refuse a cell of 128 kB; the size of a body is bounded already
    csv.field_size_limit(LONGEST)

    def parse(response: Response) -> Document:
        text, codec = read_text(response, encoding)
        check_media(response, "csv", text)
        tabs = media_type(response) == "text/tab-separated-values"
        rows, warning = read_csv(text, "\t" if tabs else None)
        said = "; ".join(filter(None, (undecoded(response.body, text, codec), warning)))
        return Document(response, "csv", rows, response.url, codec, said)

    return parse


def read_csv(text: str, delimiter: str | None = None) -> tuple[Rows, str]:
    """The rows, and what is to be said of them; a line ``sep=;`` at the start names the delimiter, as Excel has it.

    >>> read_csv('Name;Price\\n"A; B";"1,5"\\n')
    ([['Name', 'Price'], ['A; B', '1,5']], '')
    """
    if named := _NAMED.match(text):
        text, delimiter = "\n" + text[named.end() :], named[1]
    delimiter = delimiter or delimiter_of(text)
    said = []
    try:
        rows = list(_filled(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)))
    except csv.Error as error:
        rows = list(_filled(_leniently(text, delimiter)))
        said.append(f"the quotes are not closed or doubled as they should be ({error}), and taken as they come")
    if over := _too_long(rows):
        said.append(over)
    return rows, "; ".join(said)


def _leniently(text: str, delimiter: str) -> Iterator[list[str]]:
    """The rows with odd quotes taken as they come; ParseError where one is never closed and swallows the rest."""
    reader = csv.reader(StringIO(f"{text}\n{_END}", newline=""), delimiter=delimiter)
    line = 1
    for row in reader:
        if row == [_END]:
            return
        if row and row[-1].endswith(_END):
            raise ParseError(f"a quote in the row of line {line} is never closed, so the rest would be lost")
        yield row
        line = reader.line_num + 1


def delimiter_of(text: str) -> str:
    """The sign among ``, ; tab |`` that cuts the first rows into most columns alike; a comma where none does.

    >>> delimiter_of("a;b\\n1,5;2"), delimiter_of("a,b\\n1;2,3"), delimiter_of("a\\n1")
    (';', ',', ',')
    """
    sample = text[:SAMPLE]
    cut = len(sample) < len(text)
    scores = [(*_fit(sample, sign, cut=cut), -n, sign) for n, sign in enumerate(DELIMITERS)]
    return max(scores)[-1]


def _fit(sample: str, sign: str, *, cut: bool) -> tuple[float, int]:
    """The share of rows that are as wide as the headings, and how wide these are; nothing where that is one column."""
    rows = list(islice(_filled(csv.reader(StringIO(sample, newline=""), delimiter=sign)), SAMPLE_ROWS + 1))
    if len(rows) > SAMPLE_ROWS or (cut and len(rows) > 1):
        del rows[-1]
    width = len(rows[0]) if rows else 0
    if width < 2:
        return 0.0, 0
    return sum(len(row) == width for row in rows) / len(rows), width


def _filled(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    return (row for row in rows if any(map(str.strip, row)))


def _too_long(rows: Rows) -> str:
    """What is said of rows with a text beyond the last heading."""
    width = len(rows[0]) if rows else 0
    long = [n for n, row in enumerate(rows[1:], 1) if len(row) > width and any(row[width:])]
    if not long:
        return ""
    rows_have = "1 row has" if len(long) == 1 else f"{len(long):,} rows have"
    return f"{rows_have} more cells than there are headings ({width}), which are left out: first data row {long[0]}"
