"""Which files a command is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from yamlcrawl.errors import RefusedError

SUFFIXES = (".yml", ".yaml")
_TOP_KEYS = re.compile(rb"^(?:start|pages) *:", re.MULTILINE)
_ENOUGH = 1_000_000


def spec_files(paths: Iterable[Path]) -> list[Path]:
    """The files as given; of each folder every YAML file below it, hidden ones left out. Raises RefusedError."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            below = list(_below(path))
            if not below:
                raise RefusedError(f"{path}: no .yml or .yaml file lies in this folder", "name a spec")
            found += below
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def specs_below(folder: Path) -> list[Path]:
    """The YAML files below the folder that look like specs: `start` and `pages` stand at their top level."""
    return [path for path in _below(folder) if _looks_like_one(path)]


def _below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(step.startswith(".") for step in path.relative_to(folder).parts)
        if path.suffix in SUFFIXES and not hidden and path.is_file():
            yield path


def _looks_like_one(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_ENOUGH)
    except OSError:
        return False
    return len({match[0].strip(b" :") for match in _TOP_KEYS.finditer(head)}) == 2
