"""`yamlcrawl validate`: everything that can be known to be wrong with specs, without a request."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from yamlcrawl.commands.checked import check
from yamlcrawl.commands.specs import spec_files
from yamlcrawl.errors import Exit, Problem


class Form(StrEnum):
    """How the problems are told."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


@dataclass(frozen=True, slots=True)
class Checked:
    """A spec and what was found in it, in the order of the file."""

    file: Path
    problems: Sequence[Problem]

    @property
    def ok(self) -> bool:
        """Whether it can be run: doubts do not forbid that."""
        return all(problem.warning for problem in self.problems)


def validate(
    specs: Annotated[list[Path], typer.Argument(metavar="SPEC…", help="Files, and folders of them.")],
    form: Annotated[Form, typer.Option("--format", help="For people, for programs, or as annotations.")] = Form.TEXT,
    without_env: Annotated[
        bool, typer.Option("--without-env", help="Check specs where the environment variables they name are not set.")
    ] = False,
    var: Annotated[list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="A variable's value.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A key of the spec.")] = None,
) -> int:
    """Check specs: syntax, keys, selectors, names, addresses; nothing is fetched."""
    checked = [Checked(file, check(file, var, set_, without_env=without_env)) for file in spec_files(specs)]
    typer.echo("\n".join(TELL[form](checked)))
    return Exit.GOOD if all(each.ok for each in checked) else Exit.WRONG


def _as_text(checked: Iterable[Checked]) -> Iterator[str]:
    for each in checked:
        yield from (f"{'warning: ' if problem.warning else ''}{problem}" for problem in each.problems)
        if each.ok:
            yield f"{each.file}: valid"


def _as_json(checked: Iterable[Checked]) -> Iterator[str]:
    files = [{"file": str(c.file), "valid": c.ok, "problems": list(map(_record, c.problems))} for c in checked]
    yield json.dumps({"files": files}, ensure_ascii=False, indent=2)


def _record(problem: Problem) -> dict[str, Any]:
    return {
        "severity": "warning" if problem.warning else "error",
        "file": problem.where.file,
        "line": problem.where.line,
        "column": problem.where.column,
        "path": problem.where.path,
        "what": problem.what,
        "fix": problem.fix,
    }


def _as_github(checked: Iterable[Checked]) -> Iterator[str]:
    """Workflow commands: ``::error file=…,line=…,col=…,title=…::…``, escaped as GitHub's toolkit does."""
    for each in checked:
        for problem in each.problems:
            where = problem.where
            place = [f"file={_property(where.file)}"]
            if where.line:
                place += [f"line={where.line}", f"col={where.column}"]
            place.append(f"title={_property(where.path or 'spec')}")
            text = problem.what + (f"\nfix: {problem.fix}" if problem.fix else "")
            yield f"::{'warning' if problem.warning else 'error'} {','.join(place)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


TELL = {Form.TEXT: _as_text, Form.JSON: _as_json, Form.GITHUB: _as_github}
