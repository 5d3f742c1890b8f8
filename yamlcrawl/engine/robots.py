"""robots.txt: text to rules, as RFC 9309 reads it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from protego import Protego

from yamlcrawl.model.response import Response

LONGEST = 500 * 1024
"""Bytes that are read (RFC 9309, 2.5); what is beyond plays no part."""
OWN_TOKEN = "yamlcrawl"  # noqa: S105 - the name of a crawler

_LINE_END = re.compile(r"\r\n|\r|\n")
_PRODUCT = re.compile(r"[A-Za-z_-]+")
_RULES = {"allow": "Allow", "disallow": "Disallow"}


def product_token(user_agent: str) -> str:
    """The name under which a crawler looks for its rules: the first product of its User-Agent.

    >>> product_token("shopbot/2.1 (+https://shop.test)"), product_token("Mozilla/5.0 (X11; Linux x86_64)")
    ('shopbot', 'yamlcrawl')
    """
    match = _PRODUCT.match(user_agent.strip())
    if match is None or match[0].lower() == "mozilla":
        return OWN_TOKEN
    return match[0]


class Reading(NamedTuple):
    """What a robots.txt that was fetched says to one crawler."""

    text: str
    """For `parse_robots`; empty where everything is allowed."""
    delay: float | None = None
    """Crawl-delay in seconds."""
    warning: str = ""
    """What is odd about it, for people."""


def read_robots(response: Response, user_agent: str) -> Reading:
    """The text of a robots.txt, and the delay it asks of this crawler; a page of HTML in its place says nothing."""
    whole = len(response.body) <= LONGEST
    text = response.body[:LONGEST].decode("utf-8", "replace").lstrip("\ufeff")
    if text.lstrip().startswith("<"):
        return Reading("", warning="robots.txt is a page of HTML; taken as one without rules")
    warning = ""
    if not whole:
        # a line that the bound cuts could say the contrary of what was meant
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
        warning = f"robots.txt is longer than {LONGEST // 1024} KiB; the rest plays no part"
    rules = parse_robots(text)
    return Reading(text if rules.groups else "", rules.delay(product_token(user_agent)), warning)


@dataclass
class Group:
    """What a robots.txt says to one crawler, all its groups of that name taken together."""

    rules: list[str] = field(default_factory=list)
    """Lines of Allow and Disallow."""
    delay: float | None = None
    """The longest Crawl-delay, in seconds."""

    @cached_property
    def matcher(self) -> Protego:
        """The longest pattern decides, Allow where two are equally long (RFC 9309, 2.2.2)."""
        return Protego.parse("\n".join(["User-agent: *", *self.rules]))


@dataclass(frozen=True)
class RobotsRules:
    """The rules of one origin.

    >>> rules = parse_robots("User-agent: *\\nDisallow: /cart/\\nCrawl-delay: 2")
    >>> rules.allows("http://shop.test/cart/1", "yamlcrawl"), rules.delay("yamlcrawl")
    (False, 2.0)
    """

    groups: dict[str, Group]
    """By name in lower case, ``*`` for all others."""

    def allows(self, url: str, token: str) -> bool:
        """Whether the crawler of that name may ask for the URL, spelled as it is sent."""
        group = self._group(token)
        return group is None or not group.rules or bool(group.matcher.can_fetch(url, token))

    def delay(self, token: str) -> float | None:
        """Seconds that the crawler is asked to wait between two requests."""
        group = self._group(token)
        return group.delay if group else None

    def _group(self, token: str) -> Group | None:
        return self.groups.get(token.lower()) or self.groups.get("*")


def parse_robots(text: str) -> RobotsRules:
    """The rules that the text holds; what is no rule is passed over, so every text has rules, if only none."""
    groups: dict[str, Group] = {}
    named: list[Group] = []
    naming = delayed = False
    for key, value in _lines(text.removeprefix("\ufeff")):
        if key == "user-agent":
            named = named if naming else []
            if (name := _agent(value)) is not None:
                named.append(groups.setdefault(name, Group()))
            naming, delayed = True, False
        elif key in _RULES:
            naming = False
            for group in named:
                group.rules.append(f"{_RULES[key]}: {value}")
        elif key == "crawl-delay":
            delayed = True
            _slow_down(named, value)
        elif not key and delayed:
            # to the RFC a delay says nothing and the group would go on; who wrote it with a gap below ended one
            naming = False
    return RobotsRules(groups)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Key in lower case and value of each line; two empty texts for an empty line."""
    for line in _LINE_END.split(text):
        said = line.partition("#")[0].strip()
        if not said:
            if not line.strip():
                yield "", ""
            continue
        key, colon, value = said.partition(":")
        if not colon:
            key, value = [*said.split(None, 1), ""][:2]
        yield key.strip().lower(), value.strip()


def _agent(value: str) -> str | None:
    if value == "*" or value[:2] in ("* ", "*\t"):
        return "*"
    match = _PRODUCT.match(value)
    return match[0].lower() if match else None


def _slow_down(groups: list[Group], value: str) -> None:
    try:
        seconds = float(value)
    except ValueError:
        return
    if math.isfinite(seconds) and seconds > 0:
        for group in groups:
            group.delay = max(seconds, group.delay or 0.0)
