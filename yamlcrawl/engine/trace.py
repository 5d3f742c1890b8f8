"""A tally that remembers how often each selector matched: what `try` shows of one page."""

from __future__ import annotations

from dataclasses import dataclass, field

from yamlcrawl.model.tally import Tally


@dataclass(slots=True)
class Trace(Tally):
    """Give it to a View in place of its tally; afterwards `matches` tells each selector that was asked."""

    matches: dict[str, int] = field(default_factory=dict)
    """Dotted path of the selector to how many matches it had on the page in all; 0 where it was asked in vain."""

    def saw(self, keys: tuple[str, str], matches: int) -> None:
        """As in a tally, and the number of matches is kept."""
        Tally.saw(self, keys, matches)
        path = keys[1].removeprefix("hit:")
        self.matches[path] = self.matches.get(path, 0) + matches
