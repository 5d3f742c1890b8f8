"""Signals are wishes while a crawl runs, and what they were before and after."""

from __future__ import annotations

import os
import signal

import pytest

from yamlcrawl.commands.signals import heard
from yamlcrawl.errors import Exit


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGINT, Exit.INTERRUPTED), (signal.SIGTERM, Exit.STOPPED)])
def test_a_signal_asks_for_the_end(number: signal.Signals, exit_code: Exit) -> None:
    asked: list[Exit] = []
    before = signal.getsignal(number)
    with heard(asked.append):
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
    assert asked == [exit_code, exit_code]
    assert signal.getsignal(number) is before


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        asked: list[Exit] = []
        with heard(asked.append):
            os.kill(os.getpid(), signal.SIGHUP)
        assert asked == []
    finally:
        signal.signal(signal.SIGHUP, before)
