"""A fault of yamlcrawl itself: kept in a file, told in words."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from yamlcrawl import __version__
from yamlcrawl.errors import Exit, YamlcrawlError
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.streams import OutputLostError


class BugError(YamlcrawlError):
    """Our own fault; the state of the crawl is kept."""

    exit = Exit.BUG


@contextmanager
def kept_in(folder: Path, secrets: Secrets) -> Iterator[None]:
    """Within it a fault of ours is kept in the folder and raised in words; errors that have their words pass."""
    try:
        yield
    except (YamlcrawlError, BrokenPipeError, OutputLostError):
        raise
    except Exception as error:
        raise record(error, folder, secrets) from error


def record(error: BaseException, folder: Path | None = None, secrets: Secrets | None = None) -> BugError:
    """Write what is needed to mend the fault into the folder (else a temporary one); what the user is told.

    Secrets are masked, and the file can be read by its owner alone. The arguments of the command are left out: they
    may hold values that are nobody's business.
    """
    name = f"crash-{uuid4().hex[:8]}.txt"
    text = "\n".join(
        (
            f"yamlcrawl {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"command: {' '.join(sys.argv[1:2])}",
            "",
            *traceback.format_exception(error),
        )
    )
    path = _write(name, (secrets or Secrets()).mask(text), folder)
    kept = f"what we need to mend it is in {path}" if path else "what we need to mend it could not be written"
    return BugError(
        f"this is a bug in yamlcrawl; {kept}",
        "please report it with that file; `yamlcrawl run SPEC --resume` goes on with an unfinished run",
    )


def _write(name: str, text: str, folder: Path | None) -> Path | None:
    for place in (folder, Path(tempfile.gettempdir())):
        if place is None:
            continue
        try:
            handle = os.open(place / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError:
            continue
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return place / name
    return None
