"""A request to its body: what a thread that fetches does with a lease, top to bottom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from yamlcrawl.engine.endings import Ending
from yamlcrawl.engine.robots import RobotsRules, parse_robots, product_token
from yamlcrawl.engine.session import Session
from yamlcrawl.errors import LoginError
from yamlcrawl.model.frontier import Lease
from yamlcrawl.model.outcome import Outcome
from yamlcrawl.model.plan import CrawlPlan, Fetcher
from yamlcrawl.model.response import Failure, Response

_WAITS = frozenset({429, 503})
"""Statuses that come with Retry-After (RFC 9110, 10.2.3)."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer on its way to the threads that parse."""

    lease: Lease
    response: Response
    session: int = 0
    """Number of the session that it was fetched in (see `engine.session`)."""

    @property
    def size(self) -> int:
        """Bytes that it keeps in memory."""
        return len(self.response.body)

    @property
    def tells_pace(self) -> bool:
        """Whether it may say how its host is to be asked from now on: nothing may start there before it is read."""
        return self.response.status in _WAITS or self.lease.request.purpose == "robots"


class Visitor:
    """Visits requests for one thread: robots, then the fetch. Never raises for what a server does."""

    def __init__(self, plan: CrawlPlan, fetcher: Fetcher, ending: Ending, session: Session | None) -> None:
        self._plan, self._fetcher, self._ending, self._session = plan, fetcher, ending, session
        self._token = product_token(plan.site.user_agent)
        self._rules: dict[str, RobotsRules] = {}

    def visit(self, lease: Lease, on_sent: Callable[[float], None] | None) -> Fetched | Outcome:
        """The answer, to be read by another thread; or the outcome of a request that has no answer."""
        if denied := self._denied(lease):
            return denied
        session = 0
        if self._session is not None and self._session.concerns(lease.request):
            try:
                session = self._session.ensure(self._fetcher)
            except LoginError as error:
                return self._ending.final(lease, "session_lost", error.what, contact=False)
        answer = self._fetcher.fetch(lease.request, on_sent)
        if isinstance(answer, Failure):
            return self._ending.failed(lease, answer)
        return Fetched(lease, answer, session)

    def _denied(self, lease: Lease) -> Outcome | None:
        if not lease.rules or lease.request.purpose == "robots":
            return None
        rules = self._rules.get(lease.rules)
        if rules is None:
            rules = self._rules[lease.rules] = parse_robots(lease.rules)
        if rules.allows(lease.request.url, self._token):
            return None
        reason = f"robots.txt denies it to {self._token}"
        return self._ending.final(lease, "robots_denied", reason, contact=False)
