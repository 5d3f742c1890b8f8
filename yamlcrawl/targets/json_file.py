"""One JSON array, one item a line."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from yamlcrawl.options import Filled, Wrong
from yamlcrawl.targets.files import FileTarget, path_to
from yamlcrawl.targets.layout import Layout, json_bytes
from yamlcrawl.targets.rows import Rows


class Json(FileTarget):
    """A file that holds one JSON array; always one valid value, `[]` without items."""

    to: Filled = path_to(".json")
    mode: Literal["replace"] = Field("replace", description="The file is replaced when the run ends well.")

    @field_validator("mode", mode="before")
    @classmethod
    def _whole(cls, value: Any) -> Any:
        if value == "append":
            raise Wrong("a JSON array cannot be appended to", "name it .jsonl, or drop mode: append")
        return value

    def layout(self, rows: Rows) -> Layout:
        """The items between brackets that stand on lines of their own."""
        return Layout(lambda row: json_bytes(rows.json(row)), b"[\n", b",\n", b"\n]\n", empty=b"[]\n")
