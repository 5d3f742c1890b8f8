"""One JSON array, one item a line."""

from __future__ import annotations

from typing import Any

from pydantic import field_validator

from yamlcrawl.options import Wrong
from yamlcrawl.targets.files import FileTarget


class Json(FileTarget):
    """A file that holds one JSON array; always one valid value, `[]` without items."""

    @field_validator("mode")
    @classmethod
    def _whole(cls, value: Any) -> Any:
        if value == "append":
            raise Wrong("a JSON array cannot be appended to", "name it .jsonl, or drop mode: append")
        return value
