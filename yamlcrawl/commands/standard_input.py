"""The addresses that a start request reads from standard input (`file: "-"`), kept for when the run is resumed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from yamlcrawl.errors import RefusedError
from yamlcrawl.frontiers.runs import Run

KEPT = "standard-input"
"""Its name in the folder of a run."""


@contextmanager
def spooled() -> Iterator[Path]:
    """A file with all that stands on standard input, which is read to its end; gone afterwards."""
    with NamedTemporaryFile(prefix="yamlcrawl-") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        yield Path(file.name)


def keep(file: Path, folder: Path) -> None:
    """Keep it in the folder of the run that begins."""
    part = folder / f"{KEPT}.part"
    with file.open("rb") as source, part.open("wb") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(copy.fileno())
    part.replace(folder / KEPT)


def kept(run: Run) -> Path:
    """What the run has read. Raises RefusedError where it was cut off before that was kept."""
    file = run.folder / KEPT
    if not file.exists():
        raise RefusedError(
            f"run {run.number} ended before it had read its standard input",
            "give the addresses again, and begin anew with --fresh",
        )
    return file
