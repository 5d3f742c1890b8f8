"""The outcomes of requests that gave no page: failures, statuses, what is tried again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from yamlcrawl.engine.retries import again
from yamlcrawl.engine.retry_after import retry_after
from yamlcrawl.engine.statuses import outcome_of, phrase
from yamlcrawl.model.frontier import Lease
from yamlcrawl.model.outcome import Outcome, Robots, is_error
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.response import Failure, Response
from yamlcrawl.model.tally import NOTE_LENGTH, Tally

LEFT_OUT = frozenset({"robots_denied", "out_of_scope", "blocked_address", "bad_url"})
"""Outcomes that are no errors and gave no page: samples of them stand in ``skipped.jsonl``."""


class Ending:
    """Makes outcomes. Pure but for the jitter of waits; safe between threads."""

    def __init__(self, plan: CrawlPlan, clock: Callable[[], float]) -> None:
        self._plan, self._clock = plan, clock

    def failed(self, lease: Lease, failure: Failure) -> Outcome:
        """The end of a request without an answer, or its next attempt."""
        request = lease.request
        if not failure.final and (next_try := again(self._plan.site.retry, request, failure.outcome, failure.status)):
            return self._outcome(
                lease,
                failure.outcome,
                failure.reason,
                status=failure.status,
                again=next_try.request,
                wait=next_try.wait,
                contact=failure.contact,
            )
        return self.final(lease, failure.outcome, failure.reason, status=failure.status, contact=failure.contact)

    def moved(self, lease: Lease, name: str, reason: str, response: Response) -> Outcome:
        """A redirect within a chain that is not judged by itself."""
        return self._outcome(lease, name, reason, status=response.status, received=response.received)

    def lost(self, lease: Lease, reason: str, response: Response, *, renewed: int) -> Outcome:
        """A page that a lost session did not get: it is put back, to be fetched with the next one."""
        again = replace(lease.request, renewed=renewed, front=True)
        return self._outcome(
            lease, "session_lost", reason, status=response.status, again=again, received=response.received
        )

    def blocked(self, lease: Lease, why: str, response: Response) -> Outcome:
        """The end of a request that was answered with no data, or its next attempt."""
        reason = f"{phrase(response.status)}: {why}"
        more: dict[str, Any] = {"status": response.status, "received": response.received}
        if next_try := again(self._plan.site.retry, lease.request, "blocked"):
            return self._outcome(lease, "blocked", reason, again=next_try.request, wait=next_try.wait, **more)
        return self.final(lease, "blocked", reason, **more)

    def refused(self, lease: Lease, response: Response) -> Outcome:
        """The end of a request whose status is neither accepted nor a redirect, or its next attempt."""
        request, status, site = lease.request, response.status, self._plan.site
        asked = response.headers.get("retry-after")
        wait = retry_after(asked, self._clock())
        name = outcome_of(status, retry_after=wait is not None)
        reason = phrase(status)
        if name == "throttled" and asked is not None:
            reason += f"; Retry-After: {asked.strip()[:80]}"
        received = response.received
        host_wait = min(wait, site.retry.max_wait) if wait is not None else 0.0
        next_try = again(site.retry, request, name, status)
        if next_try:
            pause = host_wait if wait is not None else next_try.wait
            if name == "throttled":
                host_wait = pause
            return self._outcome(
                lease,
                name,
                reason,
                status=status,
                again=next_try.request,
                wait=pause,
                host_wait=host_wait,
                received=received,
            )
        if name == "throttled":
            reason += f"; still so after {request.throttled + request.attempt} waits"
        return self.final(lease, name, reason, status=status, host_wait=host_wait, received=received)

    def final(self, lease: Lease, name: str, reason: str, *, tally: Tally | None = None, **more: Any) -> Outcome:
        """The last outcome of a request, with what the judgement of the run needs to know of it."""
        request = lease.request
        tally = tally or Tally()
        page = self._plan.pages.get(request.page)
        status = more.get("status", 0)
        excused = bool(request.step and page and page.next and status in page.next.ends_on)
        if request.purpose == "robots":
            return self._without_robots(lease, name, reason, tally, more)
        if request.seed and name not in ("moved", "temp_moved"):
            tally.add(f"seed:{request.page}")
            if name == "ok":
                tally.add(f"seed_ok:{request.page}")
            else:
                tally.note(f"seed_failed:{request.page}", f"{request.url} {name}: {reason}".rstrip(": "))
        if request.via in self._plan.listings and request.purpose != "page" and is_error(name, request):
            tally.note(f"listing_failed:{request.via}", f"{request.url} ({name}: {reason})")
        if name in LEFT_OUT:
            tally.note(f"skipped:{name}", f"{request.url} {reason}")
        if request.step and page and page.next and name != "ok":
            if excused:
                tally.add(f"ended:{page.next.path}:{status}")
            elif is_error(name, request):
                tally.note(f"ended:{page.next.path}:failure", f"{request.url} ({name}: {reason})")
        return self._outcome(lease, name, reason, tally=tally, excused=excused, **more)

    def _without_robots(self, lease: Lease, name: str, reason: str, tally: Tally, more: dict[str, Any]) -> Outcome:
        # 4xx allows everything (RFC 9309, 2.3.1.3); what cannot be reached denies everything (2.3.1.4)
        status = more.get("status", 0)
        if name in ("blocked_address", "ok"):
            rules: Robots = Robots("")
        elif 400 <= status < 500 and status not in (408, 425, 429):
            name, rules = "ok", Robots("")
        elif name in ("redirect_exceeded", "redirect_loop", "redirect_broken"):
            tally.note("robots:redirects", f"{lease.request.url}: {reason}")
            name, rules = "ok", Robots("")
        else:
            name, rules = "robots_unreachable", Robots(None)
        return self._outcome(lease, name, reason, tally=tally, robots=rules, **more)

    def _outcome(self, lease: Lease, name: str, reason: str, *, tally: Tally | None = None, **more: Any) -> Outcome:
        mask = self._plan.secrets.mask
        shown = mask(reason)[:NOTE_LENGTH]
        counts, notes = (tally.counts, tuple(tally.notes)) if tally else ({}, ())
        if notes and self._plan.secrets:
            notes = tuple((counter, mask(note)) for counter, note in notes)
        return Outcome(
            lease.token, lease.request, name, shown, url=lease.request.url, counts=counts, notes=notes, **more
        )
