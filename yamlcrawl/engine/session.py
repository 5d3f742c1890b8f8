"""The session of a crawl that signs in: begun once, by one thread, and renewed where it was lost."""

from __future__ import annotations

import threading
from collections.abc import Callable

from yamlcrawl.engine.redirects import follow_redirect
from yamlcrawl.engine.retries import again
from yamlcrawl.engine.statuses import MOVED, TEMP_MOVED, outcome_of, phrase
from yamlcrawl.errors import LoginError
from yamlcrawl.model.plan import CrawlPlan, Fetcher, LoginPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure, Response
from yamlcrawl.urls import host_key, host_name


class Session:
    """Signs in; safe between threads.

    Sessions are numbered from 1, so that a page which was fetched in an earlier one is known to have been: it is only
    fetched again. Login requests stand outside of the frontier: they go out one after the other from the thread that
    noticed first, each `sleep` after the one before, while all other pages of the crawl wait.
    """

    def __init__(self, plan: CrawlPlan, login: LoginPlan, give_up: Callable[[str], None]) -> None:
        self._plan, self._login, self._give_up = plan, login, give_up
        self._blocked = plan.blocked.judge()
        self._lock = threading.Lock()
        self._leaving = threading.Event()
        self._number = 0
        self._valid = False
        self._held = False
        """A page was read in this session."""
        self._in_vain = False
        """No page was read in the session before this one."""
        self._lost_at = ""
        """The page that was refused last, and how."""
        self._error: LoginError | None = None

    def concerns(self, request: Request) -> bool:
        """Whether the request needs the session: pages and sitemaps of the hosts of the start."""
        return request.purpose != "robots" and host_name(request.url) in self._plan.site.start_hosts

    def ensure(self, fetcher: Fetcher) -> int:
        """The number of the session, which is begun where there is none. Raises LoginError, then and ever after."""
        if self._valid:
            return self._number
        with self._lock:
            if self._error is not None:
                raise self._error
            if not self._valid:
                self._begin(fetcher)
            return self._number

    def holds(self, number: int) -> None:
        """A page was read in that session."""
        if number == self._number:
            self._held = True

    def lost(self, number: int, renewed: int, why: str) -> int | None:
        """Note that a page (`why` names it) was refused in that session.

        What comes back is how often it has been renewed when it is fetched again.

        None: it is not. Where it was refused in the session before as well, the page alone is refused. Where two
        sessions in a row gave no page at all, signing in is in vain and the crawl is given up.
        """
        with self._lock:
            if self._error is not None:
                return None
            if number < self._number or not self._valid:
                return renewed if number < self._number else renewed + 1
            if self._in_vain and not self._held:
                self._fail(LoginError(f"the session was lost again right after signing in: {why}"))
                return None
            if renewed:
                return None
            self._valid, self._lost_at = False, why
            return 1

    def leave(self) -> None:
        """The crawl ends: nobody waits any longer."""
        self._leaving.set()

    def _begin(self, fetcher: Fetcher) -> None:
        try:
            self._sign_in(fetcher)
        except LoginError as error:
            if self._lost_at:
                error = LoginError(f"{error.what}; the session was lost at {self._lost_at}", error.fix)
            self._fail(error)
            raise error from None
        self._in_vain = self._number > 0 and not self._held
        self._number += 1
        self._valid, self._held = True, False

    def _fail(self, error: LoginError) -> None:
        self._error, self._valid = error, False
        self._give_up(f"login: {self._plan.secrets.mask(error.what)}{f' ({error.fix})' if error.fix else ''}")

    def _sign_in(self, fetcher: Fetcher) -> None:
        login, secrets = self._login, self._plan.secrets
        answer = self._answer(fetcher, login.first)
        if login.submit is not None:
            if not 200 <= answer.status < 300:
                raise LoginError(f"the login page {answer.url} answered {phrase(answer.status)}", "look at login.url")
            answer = self._answer(fetcher, login.submit(answer))
        secrets.learn(login.accept(answer))

    def _answer(self, fetcher: Fetcher, request: Request) -> Response:
        """The answer at the end of the redirects. Raises LoginError where there is none."""
        while True:
            answer = self._tried(fetcher, request)
            if why := self._blocked(answer):
                raise LoginError(f"{request.url} answered {phrase(answer.status)}: {why}")
            if answer.status not in MOVED | TEMP_MOVED:
                return answer
            redirect = follow_redirect(self._plan, answer, outcome_of(answer.status))
            if redirect.request is None:
                raise LoginError(f"{request.url}: {redirect.outcome}: {redirect.reason}")
            request = redirect.request

    def _tried(self, fetcher: Fetcher, request: Request) -> Response:
        """The answer, after as many attempts as `site.retry` allows."""
        while True:
            answer = fetcher.fetch(request)
            self._pause(self._plan.site.host(host_key(request.url)).sleep)
            outcome = answer.outcome if isinstance(answer, Failure) else outcome_of(answer.status)
            final = answer.final if isinstance(answer, Failure) else False
            next_try = None if final else again(self._plan.site.retry, request, outcome, answer.status)
            if next_try is not None:
                self._pause(next_try.wait)
                request = next_try.request
            elif isinstance(answer, Failure):
                raise LoginError(f"{request.url}: {answer.outcome}: {answer.reason}")
            else:
                return answer

    def _pause(self, seconds: float) -> None:
        if self._leaving.wait(seconds):
            raise LoginError("the crawl was stopped while it signed in")
