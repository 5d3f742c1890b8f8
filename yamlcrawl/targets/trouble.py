"""What the operating system says of a file, in words that tell what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from yamlcrawl.errors import TargetError

_GO_ON = "mend it, then go on with --resume: nothing that was found is lost"
_TOLD = {
    errno.ENOSPC: ("the disk is full", "free some space, then go on with --resume: nothing that was found is lost"),
    errno.EDQUOT: ("the disk quota is used up", "free some space, then go on with --resume: nothing is lost"),
    errno.EFBIG: ("the file would be larger than is allowed here", "raise the limit (ulimit -f), then --resume"),
    errno.EACCES: (
        "it may not be written by this user",
        "change its permissions or its folder's, or choose another `to`",
    ),
    errno.EPERM: (
        "it may not be written by this user",
        "change its permissions or its folder's, or choose another `to`",
    ),
    errno.EROFS: ("its file system is read-only", "choose another `to`"),
    errno.EISDIR: ("it is a folder", "choose another `to`, or move the folder away"),
    errno.ENOTDIR: ("a part of its path is a file, not a folder", "choose another `to`, or move that file away"),
    errno.ELOOP: ("its symbolic links lead in a circle", "mend the link, or choose another `to`"),
    errno.ENAMETOOLONG: ("its name is too long", "choose a shorter `to`"),
}


def told(path: object, error: OSError) -> TargetError:
    """The error as a person is told it.

    >>> print(told("books.csv", OSError(errno.EISDIR, "Is a directory")))
    books.csv cannot be written: it is a folder
      fix: choose another `to`, or move the folder away
    """
    what, fix = _TOLD.get(error.errno or 0, (error.strerror or str(error), _GO_ON))
    return TargetError(f"{path} cannot be written: {what}", fix)


@contextmanager
def telling(path: object) -> Iterator[None]:
    """Turn what the operating system refuses inside into a TargetError that names the path."""
    try:
        yield
    except OSError as error:
        raise told(path, error) from error
