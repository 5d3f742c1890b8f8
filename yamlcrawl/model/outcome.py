"""How a request ended: one name of a closed list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from yamlcrawl.model.item import Item
from yamlcrawl.model.request import Request


class Kind(NamedTuple):
    """What an outcome means; the manual's table is made from these."""

    meaning: str
    error: bool
    """It counts for `limits.errors`, and stands in failures.jsonl."""
    host: bool = False
    """It speaks against the host: its wait doubles (line 26 of the engine's rules)."""


OUTCOMES: Mapping[str, Kind] = {
    "ok": Kind("2xx or an accepted status, parsed (204 and an empty body too)", False),
    "not_modified": Kind("304, or the body has the digest it had", False),
    "fresh": Kind("`revisit` says not yet", False),
    "moved": Kind("301, 308: the target is a request of its own", False),
    "temp_moved": Kind("302, 303, 307: the target is a request of its own", False),
    "redirect_exceeded": Kind("more redirects in a row than `site.redirects`", True),
    "redirect_loop": Kind("a redirect to a URL of its own chain", True),
    "redirect_broken": Kind("300, 305, or a redirect without a usable Location", True),
    "gone": Kind("410", False),
    "not_found": Kind("404", False),
    "access_denied": Kind("401, 403, 451", True),
    "session_lost": Kind("the login was lost", True),
    "throttled": Kind("429, or 503 with Retry-After", True, True),
    "server_error": Kind("other 5xx, 408, 425", True, True),
    "client_error": Kind("any other status", True),
    "network_error": Kind("DNS, refused, reset, TLS, protocol, a body that was cut or wrongly encoded", True, True),
    "proxy_error": Kind("407, or the proxy failed", True),
    "timeout": Kind("connect, read or total", True, True),
    "too_large": Kind("the decoded body is over `site.max_body`", True),
    "robots_denied": Kind("robots.txt says no (RFC 9309)", False),
    "robots_unreachable": Kind("robots.txt could not be read", True),
    "out_of_scope": Kind("a redirect or start that leaves the scope", False),
    "blocked_address": Kind("a private address", False),
    "bad_url": Kind("not a URL that can be sent", False),
    "blocked": Kind("a challenge page in place of data", True, True),
    "wrong_format": Kind("the body is not what `format` says", True),
    "parse_failed": Kind("the parser gave up, or a regex ran out of its time", True),
    "not_fetching": Kind("`fetch: false`", False),
    "host_unavailable": Kind("given up with its host", True),
    "limit": Kind("cut by a limit", False),
    "trap": Kind("cut by a guard against traps", False),
    "lost": Kind("its parser's process died five times", True),
}
"""The closed list. Of pages, `gone` and `not_found` are errors for start requests and `next` only (see `is_error`)."""


def is_error(name: str, request: Request) -> bool:
    """Whether the request's end counts as an error."""
    if name in ("gone", "not_found"):
        return request.seed or request.step or request.purpose != "page"
    return OUTCOMES[name].error


class Result(StrEnum):
    """What the frontier says to a completion."""

    COMMITTED = "committed"
    STALE = "stale"
    """The lease is gone: nothing was changed, the work is dropped."""


class Token(NamedTuple):
    """Names a lease: the number of the request and a random part."""

    number: int
    random: int


@dataclass(frozen=True, slots=True)
class Robots:
    """What a request for robots.txt gave its origin."""

    rules: str | None
    """The text of the rules ("" allows everything); None where it is unreachable, so that everything is denied."""
    delay: float | None = None
    """Crawl-delay in seconds, where there is one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one attempt, with all that the page gave; committed as a whole or not at all."""

    token: Token
    request: Request
    name: str
    reason: str = ""
    """For people: which status, which error, asked-for waits; secrets masked."""
    status: int = 0
    url: str = ""
    """Where the page ended (the URL asked, redirects are requests of their own)."""
    again: Request | None = None
    """The same request, to be put back (a retry); the outcome is not final then."""
    wait: float = 0.0
    """Seconds before `again` may be handed out."""
    host_wait: float = 0.0
    """Seconds that the whole host asked to be left alone (Retry-After, capped)."""
    contact: bool = True
    """False: nothing reached the host (robots_denied, blocked_address): slot, clock and page are given back."""
    links: tuple[Request, ...] = ()
    items: tuple[Item, ...] = ()
    file: Mapping[str, Any] | None = None
    """The record of a file that was downloaded."""
    robots: Robots | None = None
    """Only for requests of that purpose, when final."""
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[tuple[str, str], ...] = ()
    received: int = 0
    """Bytes that came over the wire."""
    excused: bool = False
    """The status was foreseen (a counter ends on a 404): no error, whatever the name says."""

    @property
    def download(self) -> int | None:
        """The fingerprint of the download that has ended by it, well or not; None where none has."""
        request = self.request
        if request.purpose != "file" or not self.final or any(link.of for link in self.links):
            return None
        return request.of or request.fingerprint

    @property
    def final(self) -> bool:
        """Whether the request is done with."""
        return self.again is None

    @property
    def error(self) -> bool:
        """Whether it counts for `limits.errors`."""
        return self.final and not self.excused and is_error(self.name, self.request)
