"""One contract for every key of the language: it is documented, and the example it is shown with can be written."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter

from yamlcrawl.options import is_later
from yamlcrawl.spec.reference import Key, keys

KEYS = {(key.model, key.name): key for key in keys() if not is_later(key.option)}


@pytest.mark.parametrize("key", KEYS.values(), ids=str)
def test_it_is_documented_in_a_sentence(key: Key) -> None:
    assert key.option.description
    assert key.option.description.rstrip().endswith((".", ":", "`", ")"))


@pytest.mark.parametrize(
    ("key", "example"), [(key, example) for key in KEYS.values() for example in key.option.examples or ()], ids=str
)
def test_its_example_can_be_written(key: Key, example: Any) -> None:
    kind: Any = Annotated[key.option.annotation, key.name, *key.option.metadata]
    TypeAdapter(kind).validate_python(example)


def test_there_are_examples() -> None:
    assert sum(bool(key.option.examples) for key in KEYS.values()) > 20
