"""Problems of a spec, as people, programs and GitHub read them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from yamlcrawl.errors import Problem


def problems_as(form: str, problems: Iterable[Problem]) -> str:
    """The problems as ``text``, ``json`` or ``github``, without a line break at the end; empty where there are none.

    JSON is one array of objects with `file`, `line`, `column`, `path`, `what`, `fix` and `level`; line and column are
    null where there is none. GitHub's form is one workflow command a problem, which shows it beside the line.
    """
    return FORMS[form](list(problems))


def _text(problems: list[Problem]) -> str:
    return "\n".join(map(str, problems))


def _json(problems: list[Problem]) -> str:
    return json.dumps([_record(problem) for problem in problems], ensure_ascii=False, indent=2)


def _record(problem: Problem) -> dict[str, str | int | None]:
    where = problem.where
    return {
        "file": where.file,
        "line": where.line or None,
        "column": where.column or None,
        "path": where.path,
        "what": problem.what,
        "fix": problem.fix,
        "level": _level(problem),
    }


def _level(problem: Problem) -> str:
    return "warning" if problem.warning else "error"


def _github(problems: list[Problem]) -> str:
    return "\n".join(map(_annotation, problems))


def _annotation(problem: Problem) -> str:
    where = problem.where
    place = {"file": where.file, "line": where.line, "col": where.column, "title": where.path}
    settings = ",".join(f"{name}={_escape(str(value), setting=True)}" for name, value in place.items() if value)
    message = f"{problem.what}\nfix: {problem.fix}" if problem.fix else problem.what
    return f"::{_level(problem)} {settings}::{_escape(message)}"


def _escape(text: str, *, setting: bool = False) -> str:
    """The text as a workflow command holds it (actions/toolkit, command.ts): a percent sign first, then the rest.

    >>> _escape("50%: a,b\\nc"), _escape("a,b:c", setting=True)
    ('50%25: a,b%0Ac', 'a%2Cb%3Ac')
    """
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if setting else text


FORMS: Mapping[str, Callable[[list[Problem]], str]] = {"text": _text, "json": _json, "github": _github}
"""The forms by name."""
