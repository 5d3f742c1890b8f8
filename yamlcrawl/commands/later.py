"""Commands that the language of yamlcrawl knows and this version does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from yamlcrawl.errors import RefusedError


def not_yet(what: str, instead: str = "") -> RefusedError:
    """The refusal of a command or flag that is known, but not there yet."""
    return RefusedError(f"{what} is not yet supported in this version", instead)


def _later(name: str, instead: str) -> Callable[[list[str] | None], None]:
    def command(_: Annotated[list[str] | None, typer.Argument(metavar="…")] = None) -> None:
        raise not_yet(f"`yamlcrawl {name}`", instead)

    return command


init = _later("init", "begin with one of the examples in specs/")
runs = _later("runs", "`yamlcrawl list` shows the last run of each spec")
report = _later("report", "the last run's report.json lies in .yamlcrawl/NAME/runs/")
diff = _later("diff", "the default output is sorted: compare two of them with any diff")
retry = _later("retry", "failures.jsonl in the run's folder holds the failed requests")
extract = _later("extract", "crawl again: `yamlcrawl run SPEC`")
export = _later("export", "crawl again with another target: `yamlcrawl run SPEC --to TARGET`")
doctor = _later("doctor", "`yamlcrawl demo` shows whether a crawl works on this machine")
