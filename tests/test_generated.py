"""What is made from the code is what the code says: the tables of the manual."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.commandline import ROOT
from yamlcrawl.errors import Exit

PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tables_of_the_manual_are_fresh(page: Path, generate: ModuleType) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == generate.fresh(text), "run `python docs/generate.py`"


def test_each_table_stands_in_the_manual(generate: ModuleType) -> None:
    manual = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in generate.TABLES if f"<!-- begin {name} -->" not in manual] == []


def test_a_stale_table_is_seen(generate: ModuleType) -> None:
    stale = "<!-- begin exits -->\n| 0 | fine |\n<!-- end exits -->\n"
    assert generate.fresh(stale) != stale


def test_every_exit_code_is_explained(generate: ModuleType) -> None:
    assert set(generate.EXITS) == set(Exit)
