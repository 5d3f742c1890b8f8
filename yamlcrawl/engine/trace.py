"""A tally that remembers how often each selector matched: what `try` shows of one page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from yamlcrawl.model.tally import NearMiss, Tally

ASKED = 100
"""Places where a selector found nothing that are kept."""

Near = Callable[[Any, Any], Iterable[NearMiss]]


@dataclass(slots=True)
class Trace(Tally):
    """Give it to a View in place of its tally; afterwards `matches` tells each selector that was asked."""

    matches: dict[str, int] = field(default_factory=dict)
    """Dotted path of the selector to how many matches it had on the page in all; 0 where it was asked in vain."""
    taken: dict[str, dict[int | None, int]] = field(default_factory=dict)
    """Dotted path of a list of alternatives to how often each gave the value; None where none did."""
    _missed: dict[str, list[tuple[Any, Any, Near]]] = field(default_factory=dict)

    def saw(self, keys: tuple[str, str], matches: int) -> None:
        """As in a tally, and the number of matches is kept."""
        Tally.saw(self, keys, matches)
        path = keys[1].removeprefix("hit:")
        self.matches[path] = self.matches.get(path, 0) + matches

    def missed(self, path: str, place: Any, node: Any, near: Near) -> None:
        """Keep the place, for `near_misses`."""
        places = self._missed.setdefault(path, [])
        if len(places) < ASKED:
            places.append((place, node, near))

    def took(self, path: str, number: int | None) -> None:
        """Count the alternative."""
        taken = self.taken.setdefault(path, {})
        taken[number] = taken.get(number, 0) + 1

    def samples(self, name: str) -> list[str]:
        """The notes of a counter."""
        return [text for noted, text in self.notes if noted == name]

    def near_misses(self, path: str) -> list[NearMiss]:
        """What a selector that found nothing on the page matches without its last steps, the longest first.

        Matches are summed over its places; in each of them no step more is left out than is needed to match.
        """
        sums: dict[str, NearMiss] = {}
        for place, node, near in self._missed.get(path, ()):
            for one in near(place, node):
                known = sums.get(one.selector)
                matches = one.matches + (known.matches if known else 0)
                sums[one.selector] = NearMiss(one.selector, matches, (known and known.names) or one.names)
        return list(sums.values())
