"""Where items go. The union below is the registry: one file a kind, and its name here."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Discriminator, Tag

from yamlcrawl.targets.csv_file import Csv
from yamlcrawl.targets.json_file import Json
from yamlcrawl.targets.jsonl import Jsonl
from yamlcrawl.targets.kinds import kind_of_target, known
from yamlcrawl.targets.stdout import Stdout

TargetOptions = Annotated[
    Annotated[Stdout, Tag("stdout")]
    | Annotated[Jsonl, Tag("jsonl")]
    | Annotated[Json, Tag("json")]
    | Annotated[Csv, Tag("csv")],
    Discriminator(kind_of_target),
    BeforeValidator(known),
]

__all__ = ["Csv", "Json", "Jsonl", "Stdout", "TargetOptions"]
