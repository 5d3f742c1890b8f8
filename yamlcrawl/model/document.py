"""A body that a parser has read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from yamlcrawl.model.response import Response


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed page. ``tree`` is an lxml element for html, plain Python values for json."""

    response: Response
    format: str
    tree: Any
    base: str
    """What relative addresses resolve against: the page's URL, or its ``<base href>``."""
    encoding: str = "utf-8"
    """The charset that was used, as Python names it."""
    warning: str = ""
    """What the parser had to leave out (a tree that was cut), empty where nothing was."""


Parse = Callable[[Response], Document]
"""Raises ParseError for a body that is not what the format says."""
