"""A body to its outcome: parse, extract, follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from yamlcrawl.engine.door import Door
from yamlcrawl.engine.endings import Ending
from yamlcrawl.engine.extract import extract
from yamlcrawl.engine.follow import concealed, follow
from yamlcrawl.engine.redirects import follow_redirect
from yamlcrawl.engine.robots import read_robots
from yamlcrawl.engine.session import Session
from yamlcrawl.engine.statuses import MOVED, TEMP_MOVED
from yamlcrawl.engine.visit import Fetched
from yamlcrawl.errors import ParseError
from yamlcrawl.model.document import Parse
from yamlcrawl.model.item import Item
from yamlcrawl.model.outcome import Outcome, Robots
from yamlcrawl.model.plan import CrawlPlan, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.tally import Tally
from yamlcrawl.urls import host_name

ROBOTS_REDIRECTS = 5
"""RFC 9309, 2.3.1.2."""


class Reader:
    """Reads answers for one thread, with parsers of its own."""

    def __init__(
        self, plan: CrawlPlan, ending: Ending, known: Callable[[int], bool], session: Session | None = None
    ) -> None:
        self._plan, self._ending, self._known = plan, ending, known
        self._door = Door(plan.login, session, ending) if plan.login and session else None
        self._blocked = plan.blocked.judge()
        self._parsers: dict[str, Parse] = {kind: page.parse() for kind, page in plan.pages.items()}

    def read(self, fetched: Fetched) -> Outcome:
        """The outcome of an answer, with the items and links of its page."""
        lease, response = fetched.lease, fetched.response
        request, status = lease.request, response.status
        if request.purpose == "robots" and 200 <= status < 300:
            return self._robots(fetched)
        if request.purpose != "robots" and (why := self._blocked(response)):
            return self._ending.blocked(lease, why, response)
        if self._door and fetched.session and (shut := self._door.refused(fetched)):
            return shut
        if request.purpose == "file" and 200 <= status < 300:
            return self._file(fetched)
        if request.via in self._plan.listings and request.purpose != "page" and 200 <= status < 300:
            return self._listing(fetched)
        if 200 <= status < 300 or (request.purpose == "page" and status in self._plan.pages[request.page].accept):
            return self._page(fetched)
        if status in MOVED or status in TEMP_MOVED:
            return self._redirect(fetched)
        return self._ending.refused(lease, response)

    def _page(self, fetched: Fetched) -> Outcome:
        lease, response = fetched.lease, fetched.response
        request = lease.request
        page = self._plan.pages[request.page]
        tally = Tally()
        try:
            document = self._parsers[page.kind](response)
            view = View(document, request, tally, self._plan.secrets, self._plan.now)
            if self._door and fetched.session and (shut := self._door.shown(fetched, view)):
                return shut
            items = extract(view, page)
            links = follow(view, page, items, self._known)
            if view.repeats:
                items = []
                tally.without_items()
        except ParseError as error:
            return self._ending.final(
                lease, error.outcome, error.what, status=response.status, received=response.received
            )
        tally.add(f"parsed:{page.kind}")
        if document.warning:
            tally.note(f"warning:{page.kind}", f"{response.url}: {document.warning}")
        return self._ending.final(
            lease,
            "ok",
            "",
            tally=tally,
            status=response.status,
            links=(*links, *self._downloads(view, items)),
            items=tuple(items),
            received=response.received,
        )

    def _downloads(self, view: View, items: list[Item]) -> tuple[Request, ...]:
        """What the items wait for; files that only rejected items wanted are not fetched."""
        if not view.files:
            return ()
        wanted = dict.fromkeys(file.fingerprint for item in items for file in item.files)
        return self._concealed([view.files[fingerprint] for fingerprint in wanted])

    def _file(self, fetched: Fetched) -> Outcome:
        response, saved = fetched.response, fetched.response.saved
        if saved is None:
            return self._ending.final(fetched.lease, "wrong_format", "nothing was saved of it", status=response.status)
        outcome = self._ending.final(fetched.lease, "ok", "", status=response.status, received=response.received)
        return replace(outcome, file=self._plan.secrets.mask_value(dict(saved)))

    def _listing(self, fetched: Fetched) -> Outcome:
        lease, response = fetched.lease, fetched.response
        tally, name, reason = Tally(), "ok", ""
        links: list[Request] = []
        try:
            links = self._plan.listings[lease.request.via].read(response, tally)
        except ParseError as error:
            name, reason = error.outcome, error.what
        return self._ending.final(
            lease,
            name,
            reason,
            tally=tally,
            status=response.status,
            links=self._concealed(links),
            received=response.received,
        )

    def _concealed(self, links: list[Request]) -> tuple[Request, ...]:
        secrets = self._plan.secrets
        return tuple(concealed(secrets, link) for link in links) if secrets else tuple(links)

    def _redirect(self, fetched: Fetched) -> Outcome:
        lease, response = fetched.lease, fetched.response
        request = lease.request
        name = "moved" if response.status in MOVED else "temp_moved"
        redirect = follow_redirect(self._plan, response, name)
        if self._door and fetched.session and (shut := self._door.redirected(fetched, redirect)):
            return shut
        target, tally = redirect.request, Tally()
        if target and request.purpose != "robots" and (why := self._plan.blocked.leads(target.url)):
            return self._ending.blocked(lease, f"{redirect.reason}: {why}", response)
        if target and request.purpose == "robots" and target.redirects > ROBOTS_REDIRECTS:
            reason = f"{redirect.reason}; more than {ROBOTS_REDIRECTS} redirects in a row"
            return self._ending.final(
                lease, "redirect_exceeded", reason, status=response.status, received=response.received
            )
        if target and request.purpose == "robots":
            # its rules belong to the origin that was asked: the chain goes on outside of seen
            return replace(
                self._ending.moved(lease, name, redirect.reason, response),
                links=(target,),
            )
        if target and request.seed:
            self._widen(host_name(target.url), host_name(request.url), tally)
        return self._ending.final(
            lease,
            redirect.outcome,
            redirect.reason,
            tally=tally,
            status=response.status,
            links=(target,) if target else (),
            received=response.received,
        )

    def _widen(self, host: str, before: str, tally: Tally) -> None:
        if host != before:
            # counted, so that a resumed crawl knows the hosts that its start URLs led to
            tally.add(f"scope:{host}")
            self._plan.site.widen(host)

    def _robots(self, fetched: Fetched) -> Outcome:
        lease, response = fetched.lease, fetched.response
        text, delay, warning = read_robots(response, self._plan.site.user_agent)
        tally = Tally()
        if warning:
            tally.note("robots:warning", f"{response.url}: {warning}")
        return replace(
            self._ending.final(lease, "ok", "", tally=tally, status=response.status, received=response.received),
            robots=Robots(text, delay),
        )
