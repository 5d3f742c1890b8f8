"""Every spec in specs/ is run, and every spec of the manual is valid."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.commandline import ROOT, CommandLine
from tests.examples import books
from tests.site import Site

SPECS = sorted((ROOT / "specs").glob("*.yml"))
MANUAL = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ORIGIN = re.compile(r"https://[a-z]+\.example(?=/)")
TOP_LEVEL = {"name", "description", "vars", "site", "limits", "start", "pages", "pipelines"}
YAML_BLOCK = re.compile(r"^```ya?ml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.stem)
def test_the_example_gives_what_its_site_holds(spec: Path, site: Site, crawl: CommandLine) -> None:
    example = import_module(f"tests.examples.{spec.stem}")
    site.pages.update(example.PAGES)
    origin = site.url("")
    text = ORIGIN.sub(origin, spec.read_text(encoding="utf-8"))
    ran = crawl(text, "--set", "site.sleep=0s", env=getattr(example, "ENVIRONMENT", {}))
    assert ran.exit == 0, ran.output
    assert rows(ran.folder / example.OUTPUT) == json.loads(json.dumps(example.ROWS).replace("{site}", origin))
    for secret in getattr(example, "ENVIRONMENT", {}).values():
        assert len(secret) < 6 or ran.holds(secret) == []


def test_the_spec_of_the_readme_gives_the_output_of_the_readme(site: Site, crawl: CommandLine) -> None:
    readme = MANUAL[0].read_text(encoding="utf-8")
    spec, output = (re.search(rf"^```{form}\n(.*?)^```$", readme, re.M | re.S) for form in ("yaml", "json"))
    assert spec is not None
    assert output is not None
    site.pages.update(books.PAGES)
    ran = crawl(ORIGIN.sub(site.url(""), spec[1]), "--set", "site.sleep=0s")
    assert ran.exit == 0, ran.output
    assert (ran.folder / "books.jsonl").read_text(encoding="utf-8") == output[1]


def test_each_promise_of_the_readme_names_tests_that_are_there() -> None:
    promises = MANUAL[0].read_text(encoding="utf-8").partition("## What it promises")[2]
    rows = [row for row in promises.splitlines() if row.startswith("| ")][2:]
    named = [re.findall(r"\]\((tests/[\w/]+\.py)\)", row) for row in rows]
    assert len(rows) >= 4
    assert all(named)
    assert [file for files in named for file in files if not (ROOT / file).is_file()] == []


def test_there_are_examples() -> None:
    assert len(SPECS) >= 6


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of an output file, whatever its kind."""
    text = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".csv":
            return list(csv.DictReader(text.splitlines()))
        case ".json":
            loaded: list[dict[str, Any]] = json.loads(text)
            return loaded
        case _:
            return [json.loads(line) for line in text.splitlines()]


LEAST = {
    "name": "name: manual\n",
    "start": "start:\n  page: https://manual.example/\n",
    "pages": "pages:\n  page:\n    items:\n      page:\n        fields:\n          title: h1\n",
}
"""What makes a spec of a fragment that shows other top-level keys."""
ADDRESS_FILE = re.compile(r"\bfile: ([\w-]+\.csv)")
TOP = re.compile(r"^([a-z]+):", re.MULTILINE)


def specs_of_the_manual() -> Iterator[Any]:
    """Every YAML block that shows top-level keys, made whole; named by file and line."""
    for page in MANUAL:
        text = page.read_text(encoding="utf-8")
        for found in YAML_BLOCK.finditer(text):
            shown = set(TOP.findall(found[1]))
            if shown & TOP_LEVEL:
                whole = "".join(part for key, part in LEAST.items() if key not in shown) + found[1]
                yield pytest.param(whole, id=f"{page.name}:{text.count(chr(10), 0, found.start()) + 1}")


@pytest.mark.parametrize("spec", list(specs_of_the_manual()))
def test_a_spec_of_the_manual_is_valid(spec: str, crawl: CommandLine) -> None:
    crawl.write(spec)
    for name in ADDRESS_FILE.findall(spec):
        (crawl.folder / name).write_text("url,id,city\nhttps://manual.example/1.html,1,Oslo\n", encoding="utf-8")
    checked = crawl.command("validate", "--without-env", "spec.yml")
    assert checked.exit == 0, checked.output
