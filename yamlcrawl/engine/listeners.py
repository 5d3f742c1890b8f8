"""All listeners of a crawl as one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from yamlcrawl.model.listener import Listener

log = logging.getLogger(__name__)


class Listeners:
    """Tells each listener; one that raises is logged and dropped, the crawl goes on."""

    def __init__(self, listeners: Iterable[Listener]) -> None:
        self._listeners = list(listeners)

    def tell(self, event: Callable[[Listener], Any]) -> None:
        """Call the event on every listener, e.g. ``tell(lambda l: l.item(item))``."""
        for listener in list(self._listeners):
            try:
                event(listener)
            except Exception:
                log.exception("a listener failed and is dropped: %s", type(listener).__name__)
                self._listeners.remove(listener)
