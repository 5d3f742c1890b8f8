"""The standard streams of a process as a command can rely on them: always there, whatever became of their readers."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any

OUTPUT, ERRORS = 1, 2
"""The descriptors of standard output and standard error (POSIX)."""


class OutputLostError(OSError):
    """Standard output cannot be written: its disk is full, or it was closed before the command began."""


class _Output(io.RawIOBase):
    """A descriptor whose first refusal is raised; what is written after that is dropped."""

    def __init__(self, descriptor: int, *, closed_before: bool) -> None:
        self._descriptor, self._shut, self._lost = descriptor, closed_before, False

    def write(self, data: Any, /) -> int:
        """Bytes written; all of them where nobody can have them any more."""
        if self._lost:
            return len(data)
        try:
            if self._shut:
                raise OSError(errno.EBADF, "it is closed")
            return os.write(self._descriptor, data)
        except OSError as error:
            self._lost = True
            return self._refused(error, len(data))

    def _refused(self, error: OSError, size: int) -> int:  # noqa: ARG002 (that of standard error needs it)
        if isinstance(error, BrokenPipeError):
            raise error
        raise OutputLostError(error.errno, error.strerror) from error

    def writable(self) -> bool:
        """Whether it can be written to: always."""
        return True

    def fileno(self) -> int:
        """The number that the operating system knows it by."""
        return self._descriptor

    def isatty(self) -> bool:
        """Whether a person looks at it."""
        return not self._shut and os.isatty(self._descriptor)


class _Errors(_Output):
    """Standard error: whoever does not listen is told no more, and the command goes on."""

    def _refused(self, error: OSError, size: int) -> int:  # noqa: ARG002 (nobody can be told of it)
        return size


def settle() -> None:
    """Put streams in the place of `sys.stdout` and `sys.stderr` that survive readers that are gone, and full disks.

    A failed write to standard output raises BrokenPipeError (its reader is gone) or OutputLostError, once; one to
    standard error is never told. A descriptor that was closed is opened on the null device, so that no file of the
    crawl can get its number. Items are UTF-8 whatever the locale says.
    """
    closed = _opened()
    for name, stream in (("stdout", sys.stdout), ("stderr", sys.stderr)):
        if stream is not None:
            _flush(stream)
        descriptor, kind = (OUTPUT, _Output) if name == "stdout" else (ERRORS, _Errors)
        raw = kind(descriptor, closed_before=descriptor in closed)
        encoding = "utf-8" if stream is None or name == "stdout" else stream.encoding
        lines = name == "stderr" or raw.isatty()
        buffered = io.BufferedWriter(raw)
        text = io.TextIOWrapper(buffered, encoding=encoding, errors="backslashreplace", line_buffering=lines)
        setattr(sys, name, text)


def _opened() -> set[int]:
    """The descriptors among the first three that were closed; each leads to the null device now."""
    closed = set()
    for descriptor in (0, OUTPUT, ERRORS):
        try:
            os.fstat(descriptor)
        except OSError:
            closed.add(descriptor)
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != descriptor:
                os.dup2(nowhere, descriptor)
                os.close(nowhere)
    return closed


def _flush(stream: Any) -> None:
    try:
        stream.flush()
    except (OSError, ValueError):
        return
