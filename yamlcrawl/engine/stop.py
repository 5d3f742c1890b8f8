"""The wish to end a crawl before it is done."""

from __future__ import annotations

from collections.abc import Callable

from yamlcrawl.errors import Exit


class Stop:
    """Told by signal handlers, asked by the crawl. The first wish ends it in good order, a second one at once."""

    def __init__(self) -> None:
        self.wishes = 0
        self.exit = Exit.GOOD
        self._wake: Callable[[], None] | None = None

    def on_wish(self, wake: Callable[[], None]) -> None:
        """What to call at each wish; must be safe inside a signal handler."""
        self._wake = wake

    def ask(self, exit_code: Exit) -> None:
        """Wish the end; the first exit code is the one that stands."""
        self.wishes += 1
        if self.wishes == 1:
            self.exit = exit_code
        if self._wake:
            self._wake()

    @property
    def at_once(self) -> bool:
        """Whether nobody wants to wait for the work in the air."""
        return self.wishes > 1
