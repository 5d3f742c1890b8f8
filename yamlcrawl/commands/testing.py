"""`yamlcrawl test`: saved pages read by today's rules; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from yamlcrawl.commands.checked import read
from yamlcrawl.commands.offline import Miss, Tested, run_test
from yamlcrawl.commands.specs import spec_files, specs_below
from yamlcrawl.commands.update import update_expectations
from yamlcrawl.errors import Exit, Problem, RefusedError, SpecError, YamlcrawlError, dotted
from yamlcrawl.reports.words import counted, plain
from yamlcrawl.spec.load import Loaded

SHOWN = 20
"""Differences of one test that are written out."""


def run_tests(
    specs: Annotated[list[Path], typer.Argument(metavar="SPEC…", help="Files, and folders of them.")],
    update: Annotated[
        bool, typer.Option("--update", help="Take what the pages give now for what is expected.")
    ] = False,
    var: Annotated[list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="A variable's value.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A key of the spec.")] = None,
) -> int:
    """Read the saved pages of `tests:` and compare what they give with what is expected; nothing is fetched."""
    count = Count()
    for file in _files(specs):
        try:
            count.add(_test(file, update, var, set_))
        except YamlcrawlError as error:
            typer.echo(str(error), err=True)
            count.wrong += 1
    if count.good + count.failed:
        typer.echo(str(count))
    return count.exit


@dataclass(slots=True)
class Count:
    """How the tests went."""

    good: int = 0
    failed: int = 0
    wrong: int = 0
    """Specs that could not be tested (to the end)."""
    updated: int = 0
    lost: int = 0
    """Values and items that were expected, and are not any more."""

    def add(self, tests: Iterable[Tested]) -> None:
        """Count tests as they are run."""
        for one in tests:
            self.good += one.good
            self.updated += bool(one.written)
            self.lost += sum(miss.is_loss for miss in one.written)
            self.failed += not one.good

    @property
    def exit(self) -> int:
        """The worst exit code of all."""
        return Exit.MISSED if self.failed or self.lost else Exit.WRONG if self.wrong else Exit.GOOD

    def __str__(self) -> str:
        beside = [(self.updated, "updated"), (self.failed, "failed")]
        parts = [f"{self.good} good", *(f"{n} {what}" for n, what in beside if n)]
        said = f"{counted(self.good + self.failed, 'test')}: {', '.join(parts)}"
        if self.lost:
            said += f"\nno longer expected: {counted(self.lost, 'value')} that the pages do not give any more"
        return said


def _files(specs: Sequence[Path]) -> list[Path]:
    """The files as named; below folders the specs that have tests. Raises RefusedError where there are none."""
    found: list[Path] = []
    for path in specs:
        if path.is_dir():
            below = [file for file in specs_below(path) if _has_tests(file)]
            if not below:
                raise RefusedError(f"{path}: no spec with tests lies in this folder", _HOW)
            found += below
        else:
            found += spec_files([path])
    return list(dict.fromkeys(found))


_HOW = "`yamlcrawl record SPEC URL` saves a page and adds a test"


def _has_tests(file: Path) -> bool:
    """Whether the spec has tests, or is so wrong that this cannot be said."""
    try:
        return bool(read(file, partial=True).spec.tests)
    except SpecError:
        return True


def _test(file: Path, update: bool, var: Sequence[str] | None, set_: Sequence[str] | None) -> Iterator[Tested]:
    loaded = read(file, set_)
    tests = loaded.spec.tests
    if not tests:
        raise SpecError((Problem(loaded.problems.locate(()), "the spec has no tests", _HOW),))
    typer.echo(f"{file}: {counted(len(tests), 'test')}")
    wrong: list[Problem] = []
    for number in range(len(tests)):
        try:
            tested = _updated(loaded, number, var) if update else run_test(loaded, number, var)
            typer.echo(tested.plan.secrets.mask("\n".join(map(plain, _lines(loaded, tested)))))
            if update and not tested.good:
                typer.echo("    what is left cannot be written for you without touching more of the spec")
        except SpecError as error:
            wrong += error.problems
        else:
            yield tested
    if wrong:
        raise SpecError(tuple(dict.fromkeys(wrong)))


def _updated(loaded: Loaded, number: int, var: Sequence[str] | None) -> Tested:
    try:
        tested = run_test(loaded, number, var)
    except SpecError:
        # a file of items that is not there, or is broken, is written anew
        tested = run_test(loaded, number, var, ignore_items=True)
    return update_expectations(loaded, tested, typer.echo)


def _lines(loaded: Loaded, tested: Tested) -> Iterator[str]:
    test = tested.test
    if tested.written:
        yield f"  updated {test.page}  {test.file}"
        for miss in tested.written[:SHOWN]:
            yield f"    {miss.about}: {miss.expected} -> {miss.found}" + (f"  ({miss.why})" if miss.why else "")
        if len(tested.written) > SHOWN:
            yield f"    and {len(tested.written) - SHOWN} more"
    elif tested.good:
        yield f"  good    {test.page}  {test.file}"
    if tested.good:
        return
    yield f"  failed  {test.page}  {test.file}  ({_place(loaded, dotted(tested.path))})"
    for miss in tested.misses[:SHOWN]:
        yield from _told(loaded, miss)
    if len(tested.misses) > SHOWN:
        yield f"    and {len(tested.misses) - SHOWN} more"


def _told(loaded: Loaded, miss: Miss) -> Iterator[str]:
    field = f"  ({_place(loaded, miss.field)}  {miss.field})" if miss.field else ""
    yield f"    {miss.about}{field}"
    yield f"      expected  {miss.expected}  ({_place(loaded, dotted(miss.path))})"
    yield f"      found     {miss.found}" + (f"  ({miss.why})" if miss.why else "")


def _place(loaded: Loaded, path: str) -> str:
    steps = tuple(int(step) if step.isdecimal() else step for step in path.split("."))
    place = loaded.problems.locate(steps)
    return f"{place.file}:{place.line}:{place.column}" if place.line else place.file
