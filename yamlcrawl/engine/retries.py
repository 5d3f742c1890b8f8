"""Whether a failed request is tried again, and when."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from yamlcrawl.model.plan import RetryPlan
from yamlcrawl.model.request import Request

RETRIED = frozenset({"server_error", "network_error", "timeout", "blocked"})
FREE_WAITS = 5
"""How often a throttled URL comes back without using up `retry`."""


@dataclass(frozen=True, slots=True)
class Again:
    """A request to be put back, and the seconds it waits."""

    request: Request
    wait: float


def again(plan: RetryPlan, request: Request, outcome: str, status: int = 0) -> Again | None:
    """The next attempt after that outcome; None where there is none left.

    `retry: n` means n extra attempts. The wait doubles from `wait` with a quarter of jitter, up to `max_wait`.
    """
    if outcome == "throttled" and request.throttled < FREE_WAITS:
        wait = _growing(plan, request.throttled)
        return Again(replace(request, throttled=request.throttled + 1, front=True), wait)
    if outcome not in RETRIED and outcome != "throttled" and status not in plan.status:
        return None
    if request.attempt >= plan.times:
        return None
    wait = _growing(plan, request.attempt)
    return Again(replace(request, attempt=request.attempt + 1, front=True), wait)


def _growing(plan: RetryPlan, before: int) -> float:
    wait = plan.wait * 2.0 ** min(before, 40)
    return float(min(wait * (1 + random.random() / 4), plan.max_wait))
