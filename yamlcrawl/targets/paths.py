"""The path that a target's address means."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

NAMES = ("item", "run", "date")
"""What may stand in `${…}` of a path."""

_TEMPLATE = re.compile(r"\$\$\{|\$\{([^}]*)\}")


def fill(to: str, values: Mapping[str, str]) -> str:
    """The address with its templates filled in; a slash in a value does not lead into a folder.

    >>> fill("${item}/run-${run}$${x}.csv", {"item": "a/b", "run": "7"})
    'a_b/run-7${x}.csv'
    """
    return _TEMPLATE.sub(lambda m: values[m[1]].replace("/", "_") if m[1] is not None else "${", to)


def named(to: str) -> list[str]:
    """The names that stand in `${…}`, in order."""
    return [name for name in _TEMPLATE.findall(to) if name]


def normal(to: str) -> str:
    """The one spelling of the path, so that ``./out//x.csv`` and ``out/x.csv`` are one target."""
    return os.path.normpath(to)


def is_inside(to: str, folder: Path) -> bool:
    """Whether the path, taken from the folder, stays in it; links are not followed.

    >>> [is_inside(to, Path("/home/me")) for to in ("x.csv", "../x.csv", "a/../../x.csv", "/home/me/x.csv")]
    [True, False, False, True]
    """
    return Path(os.path.normpath(folder / to)).is_relative_to(os.path.normpath(folder))
