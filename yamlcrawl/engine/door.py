"""Whether an answer is what was asked for, or a door that is shut: where a session has been lost."""

from __future__ import annotations

from yamlcrawl.engine.endings import Ending
from yamlcrawl.engine.redirects import Redirect
from yamlcrawl.engine.session import Session
from yamlcrawl.engine.statuses import phrase
from yamlcrawl.engine.visit import Fetched
from yamlcrawl.model.outcome import Outcome
from yamlcrawl.model.plan import LoginPlan, View


class Door:
    """Judges the answers that came in a session; each verb gives the outcome where the door was shut, else None.

    The request is put back then, to be made again in the next session; where it is refused in a good one, it ends.
    """

    def __init__(self, login: LoginPlan, session: Session, ending: Ending) -> None:
        self._login, self._session, self._ending = login, session, ending

    def refused(self, fetched: Fetched) -> Outcome | None:
        """By a status that says one has to sign in: 401, or 403 with the login form. Others end by that status."""
        response = fetched.response
        if response.status == 401 or (response.status == 403 and self._login.refuses(response)):
            return self._renewed(fetched, phrase(response.status))
        return None

    def redirected(self, fetched: Fetched, redirect: Redirect) -> Outcome | None:
        """By a redirect to the login page."""
        if redirect.request is None or not self._login.is_login(redirect.request.url):
            return None
        return self._renewed(fetched, redirect.reason) or self._lost(fetched, redirect.reason)

    def shown(self, fetched: Fetched, view: View) -> Outcome | None:
        """By the login form in place of the page."""
        if not self._login.shows_form(view):
            self._session.holds(fetched.session)
            return None
        reason = "the page shows the login form"
        return self._renewed(fetched, reason) or self._lost(fetched, reason)

    def _renewed(self, fetched: Fetched, reason: str) -> Outcome | None:
        request = fetched.lease.request
        renewed = self._session.lost(fetched.session, request.renewed, f"{request.url} ({reason})")
        if renewed is None:
            return None
        return self._ending.lost(fetched.lease, reason, fetched.response, renewed=renewed)

    def _lost(self, fetched: Fetched, reason: str) -> Outcome:
        response = fetched.response
        return self._ending.final(
            fetched.lease, "session_lost", reason, status=response.status, received=response.received
        )
