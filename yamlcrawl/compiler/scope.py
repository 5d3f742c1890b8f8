"""The hosts that a crawl may go to."""

from __future__ import annotations

from collections.abc import Iterable

from yamlcrawl.urls import Match, host_name


class Scope:
    """Which hosts links may lead to: those of the start, those the spec names, those that start URLs redirect to.

    A host is a name, with any port. Safe between threads: all that changes is replaced as a whole.
    """

    def __init__(self, hosts: Iterable[str], patterns: Iterable[Match] = (), *, everything: bool = False) -> None:
        self._hosts = frozenset(hosts)
        self._patterns = tuple(patterns)
        self._everything = everything

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that are in by name; what was judged before this changed need not hold now."""
        return self._hosts

    def has(self, host: str) -> bool:
        """Whether the host, without port, is in."""
        return self._everything or host in self._hosts or any(match(host) for match in self._patterns)

    def __contains__(self, url: object) -> bool:
        return isinstance(url, str) and self.has(host_name(url))

    def widen(self, host: str) -> None:
        """Take one more host in."""
        self._hosts |= {host}
