"""Writes the tables of the manual and the JSON schema, which are made from the code: `python docs/generate.py`.

A table stands between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``; `tests/test_generated.py` sees to it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

from yamlcrawl.errors import Exit
from yamlcrawl.model.outcome import OUTCOMES
from yamlcrawl.parsers.media import FORMS
from yamlcrawl.spec.reference import json_schema, tables

DOCS = Path(__file__).parent
DIFFERENCES = DOCS.parent / "tests" / "conformance" / "differences.yml"
SCHEMA = DOCS.parent / "schemas" / "yamlcrawl.schema.json"

EXITS = {
    Exit.GOOD: "good",
    Exit.WRONG: "the spec or the command line is wrong, or the command is refused; nothing was fetched",
    Exit.MISSED: "the crawl ran, the data is not what is expected: an item type without a match, a field that is "
    "always empty, a chain of `next` that a failure cut",
    Exit.FAILED: "the crawl failed: no start request of a page kind was ok, the errors limit, a start host given up, "
    "a lost target; standard output that a command cannot write to",
    Exit.BUG: "a bug of yamlcrawl; the message names a file to report it with",
    Exit.STOPPED: "stopped before it was done, by SIGTERM or `yamlcrawl stop`; `--resume` goes on",
    Exit.INTERRUPTED: "interrupted by Ctrl-C; the state is kept, `--resume` goes on",
}


def outcomes() -> str:
    """The closed list of outcomes as a table."""
    rows = [
        f"| `{name}` | {kind.meaning} | {_counts(name, kind.error)} | {'yes' if kind.host else ''} |"
        for name, kind in OUTCOMES.items()
    ]
    return "\n".join(["| outcome | when | an error | speaks against the host |", "| --- | --- | --- | --- |", *rows])


def _counts(name: str, error: bool) -> str:
    if name in ("gone", "not_found"):
        return "start and `next` only"
    return "yes" if error else ""


def exits() -> str:
    """The exit codes as a table."""
    rows = [f"| {code.value} | {meaning} |" for code, meaning in EXITS.items()]
    return "\n".join(["| code | meaning |", "| --- | --- |", *rows])


def differences() -> str:
    """The cases of other projects that do not hold, with their reasons."""
    known: dict[str, dict[str, str]] = yaml.safe_load(DIFFERENCES.read_text(encoding="utf-8"))
    rows = [f"| {suite} | `{case}` | {reason} |" for suite, cases in known.items() for case, reason in cases.items()]
    return "\n".join(["| cases | case | why |", "| --- | --- | --- |", *rows])


def formats() -> str:
    """What each format takes, as a table."""
    rows = [f"| `{name}` | {form.takes} |" for name, form in FORMS.items()]
    return "\n".join(["| format | takes |", "| --- | --- |", *rows])


TABLES = {"outcomes": outcomes(), "exits": exits(), "differences": differences(), "formats": formats(), **tables()}
"""By name; those of the language by the name of the model."""


def schema() -> str:
    """The JSON schema as its file holds it."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def fresh(text: str) -> str:
    """The page with its tables as they must be."""
    for name, table in TABLES.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        inside = f"{begin}\n{table}\n{end}"
        text = re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _, new=inside: new, text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    for page in sorted(DOCS.glob("*.md")):
        page.write_text(fresh(page.read_text(encoding="utf-8")), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
