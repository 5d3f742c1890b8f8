"""What every kind of target lets a user say."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from yamlcrawl.options import Flag, Options
from yamlcrawl.targets.columns import ColumnChoice, Names


class Target(Options):
    """Where items go. A bare address is the same as a mapping with nothing but `to`."""

    to: str
    items: Names | None = Field(None, description="The item types it takes; all where none is named.")
    fields: ColumnChoice | None = Field(
        None,
        description="Choice and order of the columns: a list of fields, or a mapping {column: field} that names them "
        "anew; `a.b` reaches into a record. Default: the spec's fields in the spec's order.",
        examples=[["title", "price"], {"Title": "title", "File": "file.name"}],
    )
    meta: Flag = Field(False, description="Add `_url`, `_fetched_at` and `_run` to each item.")

    @model_validator(mode="before")
    @classmethod
    def _address_alone(cls, value: Any) -> Any:
        return {"to": value} if isinstance(value, str) else value
