from __future__ import annotations

import pytest

from yamlcrawl.fetchers.transport import Deadline, TransportError
from yamlcrawl.model.plan import Timeouts


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_each_step_has_its_own_time_and_all_have_the_total() -> None:
    clock = Clock()
    deadline = Deadline(Timeouts(connect=5, read=10, total=30), clock)
    assert (deadline.connect(), deadline.read()) == (5, 10)
    clock.now += 27
    assert (deadline.connect(), deadline.read()) == (3, 3)
    clock.now += 3
    for step in (deadline.connect, deadline.read):
        with pytest.raises(TransportError, match=r"site\.timeout\.total") as caught:
            step()
        assert caught.value.outcome == "timeout"


def test_the_reason_names_the_time_that_ran_out() -> None:
    clock = Clock()
    deadline = Deadline(Timeouts(connect=5, read=10, total=30), clock)
    assert "5 s (site.timeout.connect)" in deadline.connect_expired("shop.test").reason
    assert "10 s (site.timeout.read)" in deadline.read_expired().reason
    clock.now += 30
    assert "30 s in all (site.timeout.total)" in deadline.connect_expired("shop.test").reason
    assert "30 s in all (site.timeout.total)" in deadline.read_expired().reason
