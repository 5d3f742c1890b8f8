"""What every kind of target lets a user say, and how it becomes a part of the plan."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from pydantic import Field, model_validator

from yamlcrawl.errors import Path
from yamlcrawl.model.plan import TargetPlan
from yamlcrawl.options import Flag, Options, nearest
from yamlcrawl.targets.columns import ColumnChoice, Names
from yamlcrawl.targets.rows import KIND, META, Rows, known_field
from yamlcrawl.targets.run import Run


class Misfit(NamedTuple):
    """Something in a target that does not go with the rest of the spec."""

    at: Path
    """From the target's own place."""
    what: str
    fix: str


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

    @abstractmethod
    def plan(self, run: Run) -> tuple[TargetPlan, ...]:
        """What it becomes: one running target, or one an item type; only where there are no misfits."""

    def misfits(self, run: Run) -> Iterator[Misfit]:
        """What does not go with the item types of the spec, or with the folder it runs in."""
        for kind in self.items or ():
            if kind not in run.kinds:
                yield Misfit(("items",), f'no page gives an item of type "{kind}"', _instead(kind, tuple(run.kinds)))
        yield from self._unknown(run, "fields", tuple((self.fields or {}).values()))
        reserved = META * self.meta + (KIND,) * (len(self.taken(run)) > 1)
        for column in self._shown(self.taken(run), run):
            if column in reserved:
                yield Misfit(("fields",), f'the column "{column}" is there already', "give the field another name")

    def taken(self, run: Run) -> tuple[str, ...]:
        """The item types it takes, in the order of the spec."""
        return tuple(kind for kind in run.kinds if self.items is None or kind in self.items)

    def rows(self, kinds: Sequence[str], run: Run) -> Rows:
        """How items of these types look in one place."""
        return Rows(
            kinds=tuple(kinds),
            columns=self._shown(kinds, run),
            chosen=self.fields is not None,
            tagged=len(kinds) > 1,
            meta=self.meta,
            run=run.number,
            mask=run.mask,
        )

    def shape(self, rows: Rows) -> str:
        """The same for targets that write the same of an item; tells an append file that is filled differently."""
        how = self.model_dump(exclude={"to", "items", "fields", "sort"})
        says = [rows.kinds, list(rows.columns.items()) if self._columned else None, how]
        return blake2b(json.dumps(says).encode(), digest_size=16).hexdigest()

    @property
    def _columned(self) -> bool:
        """What it writes of an item depends on its columns, not on the item alone."""
        return self.fields is not None

    def _shown(self, kinds: Sequence[str], run: Run) -> dict[str, str]:
        return self.fields or {name: name for kind in kinds for name in run.kinds[kind]}

    def _unknown(self, run: Run, key: str, names: Sequence[str]) -> Iterator[Misfit]:
        columns = self._columns(run)
        for name in names:
            if columns and not known_field(name, columns):
                yield Misfit((key,), f'no item has a field "{name}"', _instead(name, columns))

    def _columns(self, run: Run) -> list[str]:
        return list(dict.fromkeys(name for kind in self.taken(run) for name in run.kinds[kind]))


def _instead(name: str, known: Sequence[str]) -> str:
    return nearest(name, known) or f"there are: {', '.join(known) or 'none'}"
