"""Retries: n extra attempts, growing waits, throttling that costs no attempt at first."""

import pytest

from yamlcrawl.engine.retries import again
from yamlcrawl.model.plan import RetryPlan
from yamlcrawl.model.request import Request

START = Request("http://a.test/", "http://a.test/", page="p")


def attempts(plan: RetryPlan, outcome: str, status: int = 0) -> list[float]:
    waits, request = [], START
    while following := again(plan, request, outcome, status):
        waits.append(following.wait)
        request = following.request
        assert request.front
        assert len(waits) < 50
    return waits


@pytest.mark.parametrize("times", [0, 1, 2, 5])
@pytest.mark.parametrize("outcome", ["server_error", "network_error", "timeout"])
def test_retry_n_means_n_extra_attempts(times, outcome):
    assert len(attempts(RetryPlan(times=times), outcome)) == times


@pytest.mark.parametrize("outcome", ["not_found", "access_denied", "client_error", "too_large", "parse_failed", "gone"])
def test_what_is_final_is_not_tried_again(outcome):
    assert attempts(RetryPlan(times=5), outcome, 404) == []


def test_a_status_that_the_spec_names_is_tried_again():
    assert len(attempts(RetryPlan(times=2, status=frozenset({404})), "not_found", 404)) == 2


def test_waits_double_with_jitter_up_to_the_cap():
    waits = attempts(RetryPlan(times=6, wait=2, max_wait=20), "timeout")
    for wait, least in zip(waits, [2, 4, 8, 16, 20, 20], strict=True):
        assert least <= wait <= min(least * 1.25, 20)


def test_a_throttled_url_waits_five_times_before_it_uses_up_retry():
    request, plan, uses = START, RetryPlan(times=2), []
    while following := again(plan, request, "throttled", 429):
        request = following.request
        uses.append((request.throttled, request.attempt))
    assert uses == [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (5, 1), (5, 2)]
