"""Workers of a run: each holds a lock file as long as it lives, so that others see its death at once."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from uuid import uuid4

SUFFIX = ".worker"


class WorkerLock:
    """The lock file of this worker, held until `close` or the end of the process."""

    def __init__(self, folder: Path) -> None:
        self.name = f"{os.getpid()}-{uuid4().hex[:12]}"
        self._path = folder / (self.name + SUFFIX)
        self._file = _locked(self._path)
        while not os.fstat(self._file).st_nlink:  # somebody took it for a dead worker's before it was locked
            os.close(self._file)
            self._file = _locked(self._path)

    def close(self) -> None:
        """Let go."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)


def _locked(path: Path) -> int:
    file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def is_alive(folder: Path, name: str) -> bool:
    """Whether the worker of that name still runs on this machine; a dead one's file is removed."""
    path = folder / (name + SUFFIX)
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        path.unlink(missing_ok=True)
        return False
    finally:
        os.close(file)


def living(folder: Path) -> list[str]:
    """The names of the workers that run on the folder now."""
    return sorted(p.stem for p in folder.glob("*" + SUFFIX) if is_alive(folder, p.stem))
