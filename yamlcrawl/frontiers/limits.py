"""Which limit a crawl has reached."""

from __future__ import annotations

from dataclasses import dataclass

from yamlcrawl.model.frontier import Limits
from yamlcrawl.model.request import Request

SHARE_FROM = 50
"""A share of errors is judged when so many pages have ended."""
BACKLOG_ITEMS = 100_000
BACKLOG_BYTES = 256 * 1024 * 1024
"""What a streaming target may be behind before nothing new starts."""
BACKLOG_PAUSE = 0.25
"""Seconds after which a closed store is asked again whether its targets have caught up."""

WRONG_WAY = frozenset({"moved", "temp_moved"})
"""Outcomes after which the page is still to come; they are no part of a share."""

OUTSIDE = frozenset({"robots", "login"})
"""Purposes of requests that stand outside what was seen."""


@dataclass(slots=True)
class Totals:
    """What limits look at; exact."""

    pages: int = 0
    """Page requests begun."""
    items: int = 0
    """Items kept, doubles left out."""
    bytes: int = 0
    errors: int = 0
    ended: int = 0
    """Page requests that have ended, redirects left out."""
    elapsed: float = 0.0
    """Seconds of running."""
    failed: str = ""
    """Why the crawl was given up; empty while it was not."""


def reached(limits: Limits, totals: Totals) -> str:
    """The limit after which nothing starts any more, as ``limits.NAME``; empty for none. Pages are not among them.

    A crawl that was given up has reached its end too: then it is the reason, which no limit spells.

    >>> reached(Limits(items=3), Totals(items=3)), reached(Limits(error_share=0.1), Totals(errors=40, ended=49))
    ('limits.items', '')
    """
    if totals.failed:
        return totals.failed
    if limits.items is not None and totals.items >= limits.items:
        return "limits.items"
    if limits.time is not None and totals.elapsed >= limits.time:
        return "limits.time"
    if limits.bytes is not None and totals.bytes >= limits.bytes:
        return "limits.bytes"
    if limits.errors is not None and totals.errors >= max(1, limits.errors):
        return "limits.errors"
    share = limits.error_share
    if share is not None and totals.ended >= SHARE_FROM and 0 < totals.errors >= share * totals.ended:
        return "limits.errors"
    return ""


def backlogged(size: int, items: int) -> str:
    """``backlog`` while the slowest streaming target is too far behind (bytes, items)."""
    return "backlog" if items > BACKLOG_ITEMS or size > BACKLOG_BYTES else ""


def wake_after(closed: str, due: float | None, end: float | None, now: float) -> float | None:
    """Seconds until something may change by itself; None while only a completion or a new request can do that.

    `due` is when the next host is due, which has no meaning while the store is `closed`; `end` is when `limits.time`
    will be reached.

    >>> wake_after("", 12.0, None, 10.0), wake_after("backlog", None, 10.125, 10.0), wake_after("", None, None, 10.0)
    (2.0, 0.125, None)
    """
    if closed.startswith("limits."):
        return None
    times = [time for time in (now + BACKLOG_PAUSE if closed else due, end) if time is not None]
    return max(0.0, min(times) - now) if times else None


def pages_left(limits: Limits, totals: Totals) -> int | None:
    """How many more page requests may begin; None for any number."""
    return None if limits.pages is None else max(0, limits.pages - totals.pages)


def needs_page(request: Request) -> bool:
    """Whether the request counts for `limits.pages` when it begins."""
    return request.purpose == "page" and request.redirects == 0


def counts_as_page(purpose: str) -> bool:
    """Whether an outcome is one of a page: robots.txt, sitemaps and logins stand outside."""
    return purpose == "page"
