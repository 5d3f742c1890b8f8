"""What politeness alone costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Request
from yamlcrawl.urls import host_key, origin

MANY = 100_000
"""Start requests that are looked at; what comes after them is not counted."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The least time that the start requests take, however fast everything else is."""

    requests: int
    hosts: int
    seconds: float
    sleep: float
    """Of the host that takes longest."""
    whole: bool
    """All start requests were counted."""

    def __str__(self) -> str:
        count = f"{'' if self.whole else 'more than '}{self.requests:,} start request{'s' * (self.requests != 1)}"
        hosts = f"{self.hosts:,} host{'s' * (self.hosts != 1)}"
        return (
            f"{count} to {hosts}: politeness alone takes at least {span(self.seconds)}, and "
            f"{self.sleep:g} s for each further page of a host (site.sleep changes it)"
        )


def cost(plan: CrawlPlan, requests: Iterable[Request] | None = None) -> Cost:
    """What the start requests cost: on each host a `sleep` between two, robots.txt counted where it is asked for."""
    seeds = iter(plan.seeds() if requests is None else requests)
    counted = Counter[str]()
    origins = set()
    for request in islice(seeds, MANY):
        counted[host_key(request.url)] += 1
        origins.add(origin(request.url))
    total = sum(counted.values())
    if plan.site.robots:
        counted.update(host_key(address + "/") for address in origins)
    waits = [((n - 1) * plan.site.host(host).sleep, plan.site.host(host).sleep) for host, n in counted.items()]
    seconds, sleep = max(waits, default=(0.0, 0.0))
    return Cost(total, len(counted), seconds, sleep, next(seeds, None) is None)


def span(seconds: float) -> str:
    """A length of time for people, two units at most.

    >>> span(0.5), span(61), span(7384), span(200000)
    ('0.5 s', '1 min 1 s', '2 h 3 min', '2 d 7 h')
    """
    if seconds < 60:
        return f"{seconds:.3g} s"
    units = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
    rest = int(seconds)
    said: list[str] = []
    for name, size in units:
        n, rest = divmod(rest, size)
        if n or said:
            said.append(f"{n} {name}")
    return " ".join(part for part in said[:2] if not part.startswith("0 "))
