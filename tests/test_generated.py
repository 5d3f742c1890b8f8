"""The JSON schema and the tables of the manual are what the code says; `python docs/generate.py` writes them anew."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from yamlcrawl.options import is_later
from yamlcrawl.spec.reference import keys, models

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(DOCS.glob("*.md"))
AGAIN = "run: python docs/generate.py"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    return script("generate")


def script(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    found = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


def test_the_schema_is_fresh(generate: ModuleType) -> None:
    assert generate.SCHEMA.read_text(encoding="utf-8") == generate.schema(), AGAIN


def test_the_locales_are_fresh() -> None:
    made = script("generate_locales")
    assert made.TARGET.read_text(encoding="utf-8") == made.written(), "run: python docs/generate_locales.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_manual_is_fresh(page: Path, generate: ModuleType) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == generate.fresh(text), AGAIN


def test_the_manual_has_every_table_and_no_other(generate: ModuleType) -> None:
    marks = [name for page in PAGES for name in re.findall(r"<!-- begin (\w+) -->", page.read_text(encoding="utf-8"))]
    in_sentences = {"Each", "Basic", "Replacement"}
    assert set(marks) == set(generate.TABLES) - in_sentences
    assert {model.__name__ for model in models()} <= set(generate.TABLES)


@pytest.mark.parametrize("key", {f"{k.model.__name__}.{k.name}": k for k in keys()}.values(), ids=str)
def test_every_key_is_described(key: Any) -> None:
    assert len(key.option.description or "") > 10
    assert is_later(key.option) or key.option.description.endswith((".", "`"))
