"""Pages with structured data, read without a crawl."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from yamlcrawl.selectors.structured import Structured
from yamlcrawl.transforms.text import one_line

BASE = "http://site.test/dir/page.html"


@dataclass
class Marked:
    """A page, and what was reported of it."""

    html: str
    reports: list[str] = field(default_factory=list)
    _structured: Structured | None = None

    def __post_init__(self) -> None:
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
        self.tree: Any = etree.HTML(f"<html>{self.html}</html>".encode(), parser)

    def find(self, *types: str, within: str = "") -> list[dict[str, Any]]:
        """The nodes of the types on the page, or in the first element of that XPath."""
        if self._structured is None:
            self._structured = Structured(self.tree, BASE, one_line, self.reports.append)
        element = self.tree.xpath(within)[0] if within else self.tree
        return self._structured.find(types, element)


CUT = "structured data beyond 100 levels, or 10,000 values by references, is left out"


def cut(html: str, *types: str) -> list[dict[str, Any]]:
    """The nodes of the types in a page of which something had to be left out."""
    page = Marked(html)
    nodes = page.find(*types)
    assert page.reports == [CUT]
    return nodes


def found(html: str, *types: str) -> list[dict[str, Any]]:
    """The nodes of the types in a page of which nothing is reported."""
    page = Marked(html)
    nodes = page.find(*types)
    assert page.reports == []
    return nodes
