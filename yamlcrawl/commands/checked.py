"""A spec file to its plan, with everything that is wrong or doubtful."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from yamlcrawl.commands.assignments import assignments
from yamlcrawl.compiler.compile import compile_spec
from yamlcrawl.errors import Problem, SpecError
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.spec.load import Loaded, load

VAR = "country=de"
SET = "site.sleep=2s"


def read(
    file: Path, set_: Sequence[str] | None = None, *, partial: bool = False, standard_input: Path | None = None
) -> Loaded:
    """The spec with the keys of the command line in place; raises SpecError, or with `partial` as few as can be.

    `standard_input` is a file with what was read there.
    """
    return load(file, sets=assignments(set_, "--set", SET), partial=partial, standard_input=standard_input)


def compiled(
    loaded: Loaded,
    var: Sequence[str] | None = None,
    *,
    now: float | None = None,
    without_env: bool = False,
    to: Sequence[str] | None = None,
    number: int = 1,
    allow_env: Sequence[str] | None = None,
) -> CrawlPlan:
    """What the spec means here and now: this environment, this working directory. Raises SpecError."""
    return compile_spec(
        loaded,
        variables=assignments(var, "--var", VAR),
        env=os.environ,
        now=time.time() if now is None else now,
        check_env=not without_env,
        allow_env=allow_env,
        to=to,
        number=number,
    )


def check(
    file: Path, var: Sequence[str] | None, set_: Sequence[str] | None, *, without_env: bool = False
) -> tuple[Problem, ...]:
    """Everything that is wrong or doubtful in the spec, in the order of the file."""
    try:
        loaded = read(file, set_, partial=True)
        compiled(loaded, var, without_env=without_env)
    except SpecError as error:
        return error.problems
    return tuple(loaded.problems.in_order())
