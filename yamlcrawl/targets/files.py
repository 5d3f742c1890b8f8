"""What the targets that are files let a user say, and how each becomes one or several files."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from yamlcrawl.model.plan import TargetPlan
from yamlcrawl.options import Filled, Wrong
from yamlcrawl.targets.append import AppendStream, settle
from yamlcrawl.targets.columns import Names
from yamlcrawl.targets.layout import Layout
from yamlcrawl.targets.paths import NAMES, fill, is_inside, named, normal
from yamlcrawl.targets.replace import check, replace
from yamlcrawl.targets.rows import Rows, known_field
from yamlcrawl.targets.run import Run
from yamlcrawl.targets.target import Misfit, Target

Mode = Literal["replace", "append"]
SortedItems = Callable[[Sequence[str], Sequence[str] | None], Iterable[Any]]


def path_to(suffix: str) -> Any:
    """The field for the path of a file that ends so."""
    return Field(
        description="Path from the working directory; `${item}`, `${run}` and `${date}` may stand in it.",
        examples=[f"out/books{suffix}", f"${{item}}-${{date}}{suffix}"],
        json_schema_extra={"pattern": re.escape(suffix) + "$"},
    )


class FileTarget(Target):
    """A file, replaced in one step when the run ends well, or added to while the crawl runs."""

    to: Filled
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
    def _sort(cls, value: Names | None, info: ValidationInfo) -> Names | None:
        if value is not None and info.data.get("mode") == "append":
            raise Wrong("rows are appended as they come, so they cannot be sorted", "drop sort, or mode: append")
        return value

    @abstractmethod
    def layout(self, rows: Rows) -> Layout:
        """How items become the bytes of such a file."""

    def misfits(self, run: Run) -> Iterator[Misfit]:
        """Also: templates that mean nothing here, and a path above the working directory."""
        yield from super().misfits(run)
        yield from self._unknown(run, "sort", self.sort or ())
        for name in self.sort or ():
            if name not in (columns := self._columns(run)) and known_field(name, columns):
                fix = "make it a field of its own, and leave it out of fields where it is not wanted"
                yield Misfit(("sort",), f'rows are sorted by whole fields, and "{name}" is a part of one', fix)
        for name in named(self.to):
            if name not in NAMES:
                yield Misfit(
                    ("to",), f"${{{name}}} has no value here", "in a path there are ${item}, ${run} and ${date}"
                )
                return
        for _, to in self._files(run):
            if run.confined and not is_inside(to, run.folder):
                fix = "choose a path inside it, or say --to on the command line"
                yield Misfit(("to",), f"{to} lies outside the working directory", fix)
                return

    def plan(self, run: Run) -> tuple[TargetPlan, ...]:
        """One file, or one an item type where `${item}` stands in the path."""
        return tuple(self._plan(kinds, to, run) for kinds, to in self._files(run))

    def _files(self, run: Run) -> Iterator[tuple[tuple[str, ...], str]]:
        kinds = self.taken(run)
        each = [(kind,) for kind in kinds] if "item" in named(self.to) else [kinds]
        for one in each:
            values = {"item": "-".join(one), "run": str(run.number), "date": run.date}
            yield one, normal(fill(self.to, values))

    def _plan(self, kinds: tuple[str, ...], to: str, run: Run) -> TargetPlan:
        path = run.folder / to
        rows = self.rows(kinds, run)
        layout = self.layout(rows)
        streaming = self.mode == "append"
        return TargetPlan(
            name=to,
            path=run.path,
            kinds=kinds,
            streaming=streaming,
            open=partial(AppendStream, path, layout, kinds) if streaming else None,
            replace=None if streaming else partial(_replace, path, layout, kinds, self.sort),
            settle=partial(settle, path, layout, kinds) if streaming else None,
            check=partial(check, path),
            shape=self.shape(rows),
        )


def _replace(
    path: Path, layout: Layout, kinds: Sequence[str], sort: Sequence[str] | None, items: SortedItems, good: bool
) -> str:
    return str(replace(path, lambda: layout.whole(items(kinds, sort)), good=good))
