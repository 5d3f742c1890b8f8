"""What may be written for a target, and what is said of the rest."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from yamlcrawl.targets import Csv, Json, Jsonl, Stdout, TargetOptions

ADAPTER: TypeAdapter[Any] = TypeAdapter(TargetOptions)


def wrong(value: Any) -> str:
    """What is said of the value, fix included."""
    with pytest.raises(ValidationError) as caught:
        ADAPTER.validate_python(value)
    (error,) = caught.value.errors()
    cause = error["ctx"]["error"]
    return f"{cause.what}; {cause.fix}"


@pytest.mark.parametrize(
    ("to", "kind"),
    [("-", Stdout), ("x.jsonl", Jsonl), ("out/x.json", Json), ("${item}-${date}.csv", Csv), ("X.CSV", Csv)],
)
def test_the_address_says_the_kind(to: str, kind: type) -> None:
    assert type(ADAPTER.validate_python(to)) is kind
    assert ADAPTER.validate_python(to) == ADAPTER.validate_python({"to": to})


LATER_FILES = ("x.tsv", "x.parquet", "x.jsonl.gz", "x.csv.zst", "folder:pages/")
LATER_SERVICES = (
    "sqlite:///x.db",
    "postgresql://h/db",
    "https://a.test/hook",
    "s3://b/x.jsonl",
    "gs://b/x.csv",
    "az://b/x",
)


@pytest.mark.parametrize("to", LATER_FILES + LATER_SERVICES)
def test_other_kinds_of_the_language_are_known_and_refused(to: str) -> None:
    assert "not yet supported in this version" in wrong(to)
    assert "not yet supported in this version" in wrong({"to": to, "table": "books", "mode": "upsert"})


@pytest.mark.parametrize("to", ["books", "books.txt", "ldap://host/x", "a.b/books"])
def test_an_address_that_says_no_kind_is_told_the_endings(to: str) -> None:
    assert ".jsonl, .json or .csv" in wrong(to)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"items": ["book"]}, "needs `to`"),
        (7, "a mapping with `to`"),
        ({"to": "x.json", "mode": "append"}, "cannot be appended to; name it .jsonl"),
        ({"to": "x.csv", "mode": "upsert"}, "upsert is for tables"),
        ({"to": "x.csv", "mode": "add"}, '"add" is no mode'),
        ({"to": "x.jsonl", "mode": "append", "sort": "title"}, "cannot be sorted"),
        ({"to": "x.csv", "fields": ["a", "b", "a"]}, '"a" stands here twice'),
        ({"to": "x.csv", "fields": 3}, "a list of names"),
        ({"to": "x.csv", "bom": "yes"}, "neither true nor false"),
    ],
)
def test_what_is_wrong_is_said_with_a_fix(value: Any, said: str) -> None:
    assert said in wrong(value)


def test_keys_of_another_kind_are_unknown() -> None:
    with pytest.raises(ValidationError, match="safe"):
        ADAPTER.validate_python({"to": "x.jsonl", "safe": "true"})


def test_lists_and_mappings_of_fields_have_one_shape() -> None:
    assert ADAPTER.validate_python({"to": "x.csv", "fields": ["b", "a.c"]}).fields == {"b": "b", "a.c": "a.c"}
    assert ADAPTER.validate_python({"to": "x.csv", "fields": {"B": "b"}, "items": "x"}).items == ("x",)


def test_the_schema_takes_the_address_alone_and_tells_kinds_by_their_endings() -> None:
    schema = ADAPTER.json_schema()
    assert schema["anyOf"][0]["type"] == "string"
    assert len(schema["anyOf"]) == 5
    patterns = {name: model["properties"]["to"].get("pattern") for name, model in schema["$defs"].items()}
    assert patterns == {"Csv": r"\.csv$", "Json": r"\.json$", "Jsonl": r"\.jsonl$", "Stdout": None}
