"""Where items go. The union below is the registry: one file a kind, and its name here."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Discriminator, Tag, TypeAdapter

from yamlcrawl.targets.csv_file import Csv
from yamlcrawl.targets.json_file import Json
from yamlcrawl.targets.jsonl import Jsonl
from yamlcrawl.targets.kinds import BareAddress, kind_of_target, known
from yamlcrawl.targets.run import Run
from yamlcrawl.targets.stdout import Stdout
from yamlcrawl.targets.target import Misfit, Target

TargetOptions = Annotated[
    Annotated[Stdout, Tag("stdout")]
    | Annotated[Jsonl, Tag("jsonl")]
    | Annotated[Json, Tag("json")]
    | Annotated[Csv, Tag("csv")],
    Discriminator(kind_of_target),
    BeforeValidator(known),
    BareAddress(),
]


def read_target(to: str) -> Target:
    """The target that a bare address means, as `--to` has it; raises Wrong (see `options`) where it means none."""
    known(to)
    adapter: TypeAdapter[Target] = TypeAdapter(TargetOptions)
    return adapter.validate_python(to)


__all__ = ["Csv", "Json", "Jsonl", "Misfit", "Run", "Stdout", "Target", "TargetOptions", "read_target"]
