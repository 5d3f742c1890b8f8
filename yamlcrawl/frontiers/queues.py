"""The queue of an origin: its order, and the gate that robots.txt opens."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from yamlcrawl import urls
from yamlcrawl.frontiers.hosts import Host
from yamlcrawl.model.outcome import Outcome, Robots
from yamlcrawl.model.request import Request

RULES_LIVE = 24 * 3600.0
"""Seconds for which a robots.txt holds (RFC 9309, 2.4)."""
ROBOTS_LANE = "robots "
"""Begins the name of the queue in which the robots.txt of a host's origins wait."""

DEPTHS = 1 << 20
PRIORITIES = 1 << 40


class Gate(IntEnum):
    """Whether an origin's requests may start; stored, so the numbers stay."""

    NEW = 0
    """Its robots.txt has not been asked for."""
    ASKED = 1
    OPEN = 2
    DENIED = 3
    """Its robots.txt is out of reach: everything of it ends."""


@dataclass(slots=True, eq=False)
class Queue:
    """What waits for one origin, or (see `lane_name`) the robots.txt of one host."""

    number: int
    name: str
    host: Host
    gate: Gate = Gate.NEW
    rules: str | None = None
    """The text of its robots.txt; None where there is none yet, or where it is in the store only."""
    read_at: float = 0.0
    """When the rules came."""
    denied: str = ""
    """Why everything ends."""

    @property
    def is_lane(self) -> bool:
        """Whether it holds robots.txt requests, which no gate holds back."""
        return self.name.startswith(ROBOTS_LANE)

    def wants_robots(self, now: float) -> bool:
        """Whether robots.txt has to be asked for, first or again, before anything else may start."""
        if not self.name.startswith(("http:", "https:")):
            return False
        return self.gate == Gate.NEW or (self.gate == Gate.OPEN and now - self.read_at > RULES_LIVE)


def queue_name(request: Request) -> str:
    """The name of the queue in which the request waits."""
    if request.purpose == "robots":
        return lane_name(urls.host_key(request.url))
    return urls.origin(request.url)


def lane_name(host: str) -> str:
    """The name of the queue for the robots.txt requests of a host.

    >>> lane_name("shop.test")
    'robots shop.test'
    """
    return ROBOTS_LANE + host


def robots_request(origin: str) -> Request:
    """The request for an origin's robots.txt."""
    url = urls.canonical(f"{origin}/robots.txt")
    return Request(url=url, canonical=url, purpose="robots", via="robots")


def robots_of(outcome: Outcome) -> Robots | None:
    """What the end of a robots.txt request says of its origin; None where the answer is still to come from a link."""
    if outcome.robots is None and any(link.purpose == "robots" for link in outcome.links):
        return None
    return outcome.robots or Robots(None)


def unreadable(outcome: Outcome) -> str:
    """Why everything of an origin ends whose robots.txt came to that end."""
    return f"its robots.txt cannot be read: {outcome.reason or outcome.name}"


def page_depth(request: Request) -> int | None:
    """The depth of a page, or of a sitemap, which may lead to pages of its own depth; None for all else."""
    return request.depth if request.purpose in ("page", "sitemap", "feed") else None


def brings_other(known: Request, request: Request) -> bool:
    """Whether an equal request carries other values, or comes from another choice of the variables."""
    if request.carry and known.carry and request.carry != known.carry:
        return True
    return request.vars != known.vars


def rank(request: Request, *, depth_first: bool) -> int:
    """Where the request stands in its queue; least first, equal ones in the order of discovery.

    Higher priority first, then lesser depth, then redirects and retries. With a depth limit the depth comes first,
    since a page may not be fetched before the shallower ones of its host.
    """
    depth = min(request.depth, DEPTHS - 1)
    priority = PRIORITIES - max(-PRIORITIES, min(request.priority, PRIORITIES - 1))
    back = 0 if request.front else 1
    if depth_first:
        return (depth * 2 * PRIORITIES + priority) << 1 | back
    return (priority * DEPTHS + depth) << 1 | back
