"""Ctrl-C and SIGTERM as wishes that a crawl ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from yamlcrawl.errors import Exit

ENDS = {"SIGINT": Exit.INTERRUPTED, "SIGTERM": Exit.STOPPED, "SIGHUP": Exit.STOPPED}
"""Signal to the exit code it leads to; those that a system does not have are left out."""


@contextmanager
def heard(ask: Callable[[Exit], None]) -> Iterator[None]:
    """Within it, signals ask for the end in place of ending the process; outside they do what they did before."""

    def hear(number: int, _: FrameType | None) -> None:
        ask(ENDS[signal.Signals(number).name])

    known = [getattr(signal, name) for name in ENDS if hasattr(signal, name)]
    before = {number: signal.signal(number, hear) for number in known if signal.getsignal(number) != signal.SIG_IGN}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
