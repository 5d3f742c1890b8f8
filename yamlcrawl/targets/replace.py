"""A file that is written whole and put in place in one step, or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from yamlcrawl.errors import TargetError
from yamlcrawl.targets.lock import FileLock
from yamlcrawl.targets.trouble import telling

REJECTED = ".rejected"
PATIENCE = 60.0
"""Seconds to wait for another run that puts the same file in place."""


def replace(path: Path, pieces: Callable[[], Iterable[bytes]], *, good: bool) -> Path:
    """Write the pieces to the file, or to the one beside it that ends in ``.rejected``; where they are now.

    Others see the old file or the new one, never a part; after this returns the new one survives a loss of power. A
    symbolic link stays one: the file it leads to is replaced. A good file takes an earlier rejected one away.
    `pieces` is asked once, under the file's lock. Raises TargetError, and the old file is as it was.
    """
    with telling(path):
        path = Path(os.path.realpath(path))
        make_folder(path.parent)
    with FileLock(path, patience=PATIENCE):
        rejected = path.with_name(path.name + REJECTED)
        final = path if good else rejected
        with telling(path):
            refuse_odd(path)
            refuse_odd(final)
        _write(final, pieces)
        if good:
            with telling(rejected):
                rejected.unlink(missing_ok=True)
        return final


def _write(final: Path, pieces: Callable[[], Iterable[bytes]]) -> None:
    new = final.with_name(f".{final.name}.new")
    try:
        with telling(final):
            new.unlink(missing_ok=True)  # what a killed run left
            fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            with open(fd, "wb", buffering=1 << 18) as file:  # noqa: PTH123 (it is open already)
                for piece in pieces():
                    file.write(piece)
                file.flush()
                if final.exists():
                    os.fchmod(fd, stat.S_IMODE(final.stat().st_mode))
                os.fsync(fd)
            new.replace(final)
            sync_folder(final.parent)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def refuse_odd(path: Path) -> None:
    """Raise TargetError for what stands there and is no file, or is write-protected."""
    if not path.exists():
        return
    if path.is_dir():
        raise TargetError(f"{path} is a folder", "choose another `to`, or move the folder away")
    if not path.is_file():
        raise TargetError(f"{path} is no ordinary file", 'choose another `to`; "-" is standard output')
    if not os.access(path, os.W_OK):
        raise TargetError(f"{path} is write-protected", "change its permissions, or choose another `to`")


def check(path: Path) -> None:
    """Raise TargetError where the file could not be written as things stand; touches nothing."""
    with telling(path):
        path = Path(os.path.realpath(path))
        refuse_odd(path)
        folder = next(parent for parent in path.parents if os.path.lexists(parent))
        if not folder.is_dir():
            raise TargetError(f"{path} cannot be written: {folder} is no folder", "choose another `to`")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise TargetError(
                f"{path} cannot be written: the folder {folder} is write-protected",
                "change its permissions, or choose another `to`",
            )


def make_folder(folder: Path) -> None:
    """Make the folder and those above it, durably."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        sync_folder(made.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in the folder durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
