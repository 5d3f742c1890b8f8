"""Broken specs and exactly what is said of them: ``tests/broken/x.yml`` beside ``x.txt``.

A new case is two new files. `python -m tests.test_broken` writes the texts anew; read the difference before it is kept.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from yamlcrawl.compiler.compile import compile_spec
from yamlcrawl.errors import SpecError
from yamlcrawl.spec.load import load

FOLDER = Path(__file__).parent / "broken"
CASES = sorted(FOLDER.glob("*.yml"))
INTERNAL = re.compile(
    r"Traceback|pydantic|ValidationError|\bdict\b|NoneType|\bstr\b|Input should|\bNode\b|Plain|FlowList|Written"
    r"|\bNone\b|\bTrue\b|\bFalse\b|<class|object at|yaml\.|ScannerError|ParserError",
)


def said_of(case: Path) -> str:
    """All problems of a spec, as `validate` prints them."""
    try:
        loaded = load(case, partial=True)
        compile_spec(loaded, env={}, now=0.0)
    except SpecError as error:
        return str(error).replace(str(case), case.name) + "\n"
    raise AssertionError(f"{case.name} is not broken")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_broken_spec_is_told_exactly_so(case: Path) -> None:
    assert said_of(case) == case.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_nothing_of_the_inside_is_told(case: Path) -> None:
    assert not INTERNAL.search(case.with_suffix(".txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_problem_has_a_place(case: Path) -> None:
    told = case.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    heads = [line for line in told if not line.startswith("  ")]
    assert heads
    assert all(re.match(rf"{re.escape(case.name)}:\d+:\d+(  \S|$)", line) for line in heads)


def test_there_are_forty_and_each_has_its_text() -> None:
    assert len(CASES) >= 40
    assert {case.stem for case in CASES} == {text.stem for text in FOLDER.glob("*.txt")}


if __name__ == "__main__":
    for broken in CASES:
        broken.with_suffix(".txt").write_text(said_of(broken), encoding="utf-8")
