"""A listener that fails is dropped; the others are still told."""

import logging

from yamlcrawl.engine.listeners import Listeners


class Recorder:
    def __init__(self, fails=False):
        self.fails, self.told = fails, []

    def item(self, item):
        self.told.append(item)
        if self.fails:
            raise RuntimeError("no")


def test_a_listener_that_fails_is_logged_and_dropped(caplog):
    good, bad = Recorder(), Recorder(fails=True)
    listeners = Listeners([bad, good])
    with caplog.at_level(logging.ERROR):
        for n in range(3):
            listeners.tell(lambda listener, n=n: listener.item(n))
    assert good.told == [0, 1, 2]
    assert bad.told == [0]
    assert "Recorder" in caplog.text
