"""What the targets that are files let a user say."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from yamlcrawl.options import Wrong
from yamlcrawl.targets.columns import Names
from yamlcrawl.targets.target import Target

Mode = Literal["replace", "append"]


class FileTarget(Target):
    """A file, replaced in one step when the run ends well, or added to while the crawl runs."""

    to: str = Field(
        min_length=1,
        description="Path from the working directory; `${item}`, `${run}` and `${date}` may stand in it.",
        examples=["out/books.jsonl", "${item}-${date}.csv"],
    )
    mode: Mode = Field("replace", description="`replace` the file when the run ends well, or `append` as items come.")
    sort: Names | None = Field(
        None, description="Order of the rows by field; default: by `key`, else by URL and position. Not with `append`."
    )

    @field_validator("mode", mode="before")
    @classmethod
    def _mode(cls, value: Any) -> Any:
        if value == "upsert":
            raise Wrong("a file has no rows to update: upsert is for tables", "say replace or append")
        if value not in ("replace", "append"):
            raise Wrong(f'"{value}" is no mode of a file', "say replace or append")
        return value

    @field_validator("sort")
    @classmethod
    def _sort(cls, value: Any, info: Any) -> Any:
        if value is not None and info.data.get("mode") == "append":
            raise Wrong("rows are appended as they come, so they cannot be sorted", "drop sort, or mode: append")
        return value
