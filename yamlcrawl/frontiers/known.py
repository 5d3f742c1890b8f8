"""Fingerprints of requests that are surely known: what keeps most links of a page from reaching the store."""

from __future__ import annotations

from collections.abc import Iterable

GENERATION = 250_000
"""Fingerprints a generation; two are kept, which is about 40 MB at most."""


class Known:
    """A set that forgets what was not met for long; safe to ask from any thread.

    >>> known = Known()
    >>> known.update([1, 2]); known(1), known(3)
    (True, False)
    """

    def __init__(self) -> None:
        self._young: set[int] = set()
        self._old: set[int] = set()

    def __call__(self, fingerprint: int) -> bool:
        return fingerprint in self._young or fingerprint in self._old

    def update(self, fingerprints: Iterable[int]) -> None:
        """Remember these; only what is committed may be told here."""
        self._young.update(fingerprints)
        if len(self._young) >= GENERATION:
            self._old = self._young
            self._young = set()
