"""A body that a parser has read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from yamlcrawl.model.response import Response


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed page. What ``tree`` is depends on the format:

    ``html``, ``xml``: the outermost element (lxml); ``json``, ``feed``: plain Python values, numbers exact;
    ``csv``: the rows as lists of texts, headings first; ``text``, ``pdf``: a text with line feeds.
    """

    response: Response
    format: str
    tree: Any
    base: str
    """What relative addresses resolve against: the page's URL, its ``<base href>``, or its outermost ``xml:base``."""
    encoding: str = "utf-8"
    """The charset that was used, as Python names it."""
    warning: str = ""
    """What the parser had to leave out or mend (a tree that was cut), empty where nothing was."""
    base_of: Callable[[Any], str] | None = None
    """An element to what relative addresses in it resolve against; None where that is `base` everywhere."""
    prefixes: frozenset[str] = frozenset()
    """The namespace prefixes that an XML document declares."""

    @property
    def query_charset(self) -> str:
        """The charset in which the queries of its links are sent: its own for HTML (URL standard), but for UTF-16.

        A page in ``x-user-defined``, which no codec writes, sends them in UTF-8 too.
        """
        own = self.format == "html" and not self.encoding.startswith(("utf-16", "x-"))
        return self.encoding if own else "utf-8"


Parse = Callable[[Response], Document]
"""Raises ParseError for a body that is not what the format says."""
