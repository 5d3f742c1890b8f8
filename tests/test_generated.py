"""The JSON schema and the tables of the manual are what the models say.

`python -m tests.test_generated` writes them anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from yamlcrawl.options import is_later
from yamlcrawl.spec.reference import json_schema, keys, manual, models

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "schemas" / "yamlcrawl.schema.json"
MANUAL = ROOT / "docs" / "language.md"
AGAIN = "run: python -m tests.test_generated"


def written_schema() -> str:
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def test_the_schema_is_fresh() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == written_schema(), AGAIN


def test_the_manual_is_fresh() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    assert text == manual(text), AGAIN


def test_the_manual_has_a_table_of_every_model() -> None:
    told = set(re.findall(r"<!-- table: (\w+) -->", MANUAL.read_text(encoding="utf-8")))
    assert {model.__name__ for model in models()} - told == {"Each", "Basic", "Replacement"}, (
        "these are told in sentences"
    )


@pytest.mark.parametrize("key", {f"{k.model.__name__}.{k.name}": k for k in keys()}.values(), ids=str)
def test_every_key_is_described(key: Any) -> None:
    assert len(key.option.description or "") > 10
    assert is_later(key.option) or key.option.description.endswith((".", "`"))


if __name__ == "__main__":
    SCHEMA.write_text(written_schema(), encoding="utf-8")
    MANUAL.write_text(manual(MANUAL.read_text(encoding="utf-8")), encoding="utf-8")
