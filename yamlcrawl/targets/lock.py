"""The right to write to one path, held by one process at a time on this machine."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from yamlcrawl.errors import TargetError
from yamlcrawl.targets.trouble import telling


class FileLock:
    """A lock on a path, by a hidden file beside it that is gone when the lock is.

    The system frees it with the process that held it, however that ended; a lock file that a killed process left is
    taken over.
    """

    def __init__(self, path: Path, *, patience: float = 0.0) -> None:
        """Take it, after waiting up to `patience` seconds; raises TargetError where another process keeps it."""
        self._path = path
        self._file = path.with_name(f".{path.name}.lock")
        until = time.monotonic() + patience
        while (fd := self._try()) is None:
            if time.monotonic() >= until:
                raise TargetError(
                    f"{path} is being written by another run", "wait for that run, or choose another `to`"
                )
            time.sleep(0.02)
        self._fd: int | None = fd

    def _try(self) -> int | None:
        with telling(self._path):
            fd = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # whoever held it may have removed the file in between: then the lock is on a file that has no name
                if os.path.samestat(os.fstat(fd), self._file.stat()):
                    return fd
            except (BlockingIOError, FileNotFoundError):
                pass
            except BaseException:
                os.close(fd)
                raise
            os.close(fd)
            return None

    def release(self) -> None:
        """Give it back; a second time does nothing."""
        if self._fd is not None:
            with suppress(OSError):
                self._file.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = None

    def __enter__(self) -> FileLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
