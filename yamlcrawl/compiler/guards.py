"""Guards against traps: places where a site makes new addresses for ever."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

FULL = 200_000
"""Queries that are remembered in all, over all paths (about 20 MB); then everything is forgotten and counted anew."""


@dataclass(slots=True)
class Guards:
    """Judges the canonical addresses of followed links; one for a process, safe between its threads.

    >>> guards = Guards(url=60, repeats=2, variants=1)
    >>> [guards.cut(f"http://a.test/{tail}") for tail in ("a/a", "a/b/a/a", "p?x=1", "p?x=2", "p?x=1", "x" * 50)]
    ['', 'repeats', '', 'variants', '', 'url']
    """

    url: int = 2000
    """Longest address, in characters."""
    depth: int = 100
    """Greatest depth; judged by the rule, not here."""
    repeats: int = 3
    """How often one path segment may stand in an address."""
    variants: int = 10_000
    """How many queries of one path are let through; counted in this process."""
    _queries: dict[int, set[int]] = field(default_factory=dict)
    _remembered: int = 0

    def cut(self, url: str) -> str:
        """The name of the guard that leaves the address out, empty if none does."""
        if len(url) > self.url:
            return "url"
        path, _, query = url.partition("?")
        # scheme and host bring three slashes
        if path.count("/") - 2 > self.repeats and self._repeats(path):
            return "repeats"
        if query and self._is_one_too_many(path, query):
            return "variants"
        return ""

    def _repeats(self, path: str) -> bool:
        segments = path.split("/")[3:]
        if len(segments) - len(set(segments)) < self.repeats:
            return False
        counted = Counter(segments)
        del counted[""]
        return bool(counted) and max(counted.values()) > self.repeats

    def _is_one_too_many(self, path: str, query: str) -> bool:
        queries = self._queries.setdefault(hash(path), set())
        if hash(query) in queries:
            return False
        if len(queries) >= self.variants:
            return True
        if self._remembered >= FULL:
            self._queries, self._remembered = {}, 0
            queries = self._queries.setdefault(hash(path), set())
        queries.add(hash(query))
        self._remembered += 1
        return False


class _NoGuards(Guards):
    """Lets everything through."""

    def cut(self, url: str) -> str:  # noqa: ARG002
        return ""


NO_GUARDS = _NoGuards()
"""For addresses that a person listed: start requests, sitemaps."""
