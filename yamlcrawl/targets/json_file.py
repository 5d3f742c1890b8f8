"""One JSON array, one item a line."""

from __future__ import annotations

from pydantic import field_validator

from yamlcrawl.options import Filled, Wrong
from yamlcrawl.targets.files import FileTarget, Mode, path_to
from yamlcrawl.targets.layout import Layout, json_bytes
from yamlcrawl.targets.rows import Rows


class Json(FileTarget):
    """A file that holds one JSON array; always one valid value, `[]` without items."""

    to: Filled = path_to(".json")

    @field_validator("mode")
    @classmethod
    def _whole(cls, value: Mode) -> Mode:
        if value == "append":
            raise Wrong("a JSON array cannot be appended to", "name it .jsonl, or drop mode: append")
        return value

    def layout(self, rows: Rows) -> Layout:
        """The items between brackets that stand on lines of their own."""
        return Layout(lambda row: json_bytes(rows.json(row)), b"[\n", b",\n", b"\n]\n", empty=b"[]\n")
