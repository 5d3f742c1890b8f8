"""Start requests from a file: an address a line, or a CSV whose other columns are carried."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path as File

from yamlcrawl.compiler.sending import Outgoing
from yamlcrawl.compiler.templates import Template
from yamlcrawl.compiler.variables import Axis, combinations
from yamlcrawl.errors import Path, Problem, Problems, Where, dotted
from yamlcrawl.model.request import Request
from yamlcrawl.options import shown
from yamlcrawl.parsers.address_file import COLUMN, Row, read_heading, read_rows
from yamlcrawl.spec.names import field_trouble
from yamlcrawl.urls import Match, origin

SHOWN = 10
"""Lines at fault that are told of one file."""


@dataclass(frozen=True, slots=True)
class AddressFile:
    """A file that was looked through: every line is an address."""

    name: str
    """As the spec has it."""
    path: File
    origins: tuple[str, ...]
    """An address of each origin in it."""
    digest: str
    """Of its content."""

    def rows(self) -> Iterator[Row]:
        """Its addresses, in order."""
        return (row for row in read_rows(self.path) if row.url)


@dataclass(frozen=True, slots=True)
class FileBeginning:
    """The start requests that a file gives, before variables are chosen."""

    page: str
    path: Path
    file: AddressFile | None
    """None for a standard input that is not there to be read."""
    outgoing: Outgoing
    carry: Mapping[str, Template]
    axes: tuple[Axis, ...]
    fetch: bool
    priority: int
    include: Sequence[Match]
    exclude: Sequence[Match]

    def origins(self) -> Iterator[str]:
        """A URL of each host that it leads to."""
        yield from self.file.origins if self.file else ()

    def parked(self, most: int) -> Iterator[str]:
        """The addresses that are not fetched."""
        return (row.url for row in islice(self.file.rows() if self.file else (), most))

    def requests(self, canonical: Callable[[str], str], may: Callable[[str], frozenset[str]]) -> Iterator[Request]:
        """The requests in the order of the file, each once for every choice of the variables."""
        for row in self.file.rows() if self.file else ():
            if self._is_wanted(canonical(row.url)):
                yield from self._requests(row, canonical, may)

    def _is_wanted(self, known: str) -> bool:
        if self.include and not any(match(known) for match in self.include):
            return False
        return not any(match(known) for match in self.exclude)

    def _requests(
        self, row: Row, canonical: Callable[[str], str], may: Callable[[str], frozenset[str]]
    ) -> Iterator[Request]:
        for chosen in combinations(self.axes, {}):
            message = self.outgoing.message(row.url, may, vars=chosen)
            constants = {name: template.fill(vars=chosen) for name, template in self.carry.items()}
            yield Request(
                message.url,
                canonical(message.url),
                page=self.page,
                method=message.method,
                headers=message.headers,
                body=message.body,
                priority=self.priority,
                via=dotted(self.path),
                carry={**constants, **row.values},
                vars=chosen,
                seed=True,
                secrets=message.secrets,
            )


def look_through(
    name: str, path: File, at: Path, carry: Mapping[str, object], problems: Problems
) -> AddressFile | None:
    """The file, once every line of it has been found to be an address; what is wrong is noted.

    `at` is where the spec names it, `carry` what the spec carries besides its columns.
    """
    try:
        if not _has_good_heading(name, path, at, carry, problems):
            return None
        scan = _scan(path)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        what = f"{_called(name)} cannot be read: {error.strerror or error}"
        problems.error(at, what, "" if name == "-" else "it is looked for in the spec's own folder")
        return None
    for row in scan.first_wrong:
        where = Where(str(path) if name != "-" else _called(name), row.line, 1)
        problems.found.append(Problem(where, row.wrong, "write one such as https://shop.example/, or drop the line"))
    if scan.wrong > SHOWN:
        problems.error(at, f"{scan.wrong:,} lines of {_called(name)} are no addresses; the first {SHOWN} are told")
    if not scan.good and not scan.wrong:
        problems.error(at, f"{_called(name)} holds no address", "write one a line")
    return AddressFile(name, path, tuple(scan.origins.values()), digest)


def _called(name: str) -> str:
    return "standard input" if name == "-" else name


@dataclass(slots=True)
class _Scan:
    """What a file holds."""

    origins: dict[str, str] = field(default_factory=dict)
    """Each origin to one of its addresses."""
    good: int = 0
    wrong: int = 0
    first_wrong: list[Row] = field(default_factory=list)


def _scan(path: File) -> _Scan:
    scan = _Scan()
    for row in read_rows(path):
        if row.wrong:
            scan.wrong += 1
            if scan.wrong <= SHOWN:
                scan.first_wrong.append(row)
        else:
            scan.good += 1
            scan.origins.setdefault(origin(row.url), row.url)
    return scan


def _has_good_heading(name: str, path: File, at: Path, carry: Mapping[str, object], problems: Problems) -> bool:
    heading = read_heading(path)
    if heading is None:
        return True
    before = len(problems.found)
    others = heading.others
    if heading.url is None:
        problems.error(
            at, f"{_called(name)} has no column {COLUMN}; it has {', '.join(others) or 'none'}", "name it so"
        )
    for column in dict.fromkeys(others):
        if others.count(column) > 1:
            problems.error(at, f"{_called(name)} has the column {shown(column)} twice", "give each its own name")
        elif said := field_trouble(column):
            problems.error(at, f"the columns of {_called(name)} are fields: {said}", "name the column otherwise")
        elif column in carry:
            problems.error(
                (*at[:-1], "carry", column), f"{_called(name)} has a column {column} too", "keep one of them"
            )
    return len(problems.found) == before
