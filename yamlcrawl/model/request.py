"""A request as the frontier keeps it: one page (or robots.txt) to be fetched."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal

Purpose = Literal["page", "robots", "sitemap", "feed", "file", "login"]

EMPTY: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Body:
    """What a request sends, before it is encoded.

    ``value`` is JSON for ``json``, a list of ``[name, value]`` pairs for ``form`` and ``multipart``, text for ``text``.
    """

    kind: Literal["json", "form", "multipart", "text"]
    value: Any

    @property
    def identity(self) -> str:
        """Equal for bodies that say the same: JSON by value, so the order of its keys plays no part."""
        return f"{self.kind}:{json.dumps(self.value, sort_keys=True, ensure_ascii=False, default=str)}"


@dataclass(frozen=True, slots=True)
class Chain:
    """What a page must remember of the pages before it, for `next` and for redirects."""

    hops: tuple[str, ...] = ()
    """Canonical URLs of this redirect chain, the first one first."""
    sent: str | None = None
    """The value that `next` sent for this page (counter or cursor); None on a first page."""
    step: int = 0
    """How many times `next` was followed to come here."""
    seen: str = ""
    """Digest of the items and links of the page before (what a counter compares)."""
    idle: int = 0
    """Pages in a row, up to the one before, that had neither item nor link."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request. Texts may hold secret references (see `model.secrets`), never a secret itself."""

    url: str
    """The URL that is sent: absolute, without fragment, cleaned only as a browser cleans it."""
    canonical: str
    """The spelling under which the URL is remembered (`urls.canonical` with the site's drop_params)."""
    page: str = ""
    """The page kind; empty for robots.txt."""
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    """Those that the start or link rule set; the site's own come from the plan."""
    body: Body | None = None
    depth: int = 0
    priority: int = 0
    purpose: Purpose = "page"
    via: str = ""
    """Dotted path of the rule that made it, e.g. ``start.listing`` or ``pages.listing.follow.book``."""
    parent: str = ""
    """URL of the page it was found on (the referer); empty for a start request."""
    carry: Mapping[str, Any] = field(default_factory=dict)
    vars: Mapping[str, str] = field(default_factory=dict)
    seed: bool = False
    """It is a start request or the end of a start request's redirects."""
    step: bool = False
    """It was made by `next` (a 404 is then an error; a counter ends on it)."""
    chain: Chain = Chain()
    redirects: int = 0
    attempt: int = 0
    """Failed attempts that used up `retry` so far."""
    throttled: int = 0
    """Times it was told to come back later without using up `retry`."""
    front: bool = False
    """Goes to the front of its rank: redirects and retries."""
    renewed: int = 0
    """Times it was put back since its session was lost, in a row."""
    of: int = 0
    """For a download that a redirect led to: the fingerprint of the one that was asked for first."""
    again: int = 0
    """Told apart from an equal request on purpose (a loop that is allowed once since a cookie changed)."""
    secrets: tuple[str, ...] = ()
    """Names of the environment variables whose references may be filled in when it is sent."""

    @property
    def fingerprint(self) -> int:
        """What "seen" means: signed 64 bits of BLAKE2b over method, URL, body, headers, page kind and purpose."""
        return fingerprint(
            self.canonical,
            self.page,
            self.method,
            self.headers,
            self.body,
            purpose=self.purpose,
            again=self.again,
            of=self.of,
        )


def fingerprint(
    canonical: str,
    page: str,
    method: str = "GET",
    headers: tuple[tuple[str, str], ...] = (),
    body: Body | None = None,
    *,
    purpose: Purpose = "page",
    again: int = 0,
    of: int = 0,
) -> int:
    """The fingerprint of a request without making it (see `Request.fingerprint`).

    >>> fingerprint("http://a.test/", "p") == Request("http://a.test/#x", "http://a.test/", page="p").fingerprint
    True
    """
    parts = [canonical, page, method, purpose]
    if headers:
        parts += [f"{name.lower()}: {value}" for name, value in sorted(headers)]
    if body is not None:
        parts.append(body.identity)
    if again:
        parts.append(f"again {again}")
    if of:
        parts.append(f"of {of}")
    return _hashed("\0".join(parts))


def plain_fingerprint(canonical: str, page: str) -> int:
    """The fingerprint of a GET without headers of its own, which most links are; the same number, sooner.

    >>> plain_fingerprint("http://a.test/", "p") == fingerprint("http://a.test/", "p")
    True
    """
    return _hashed(f"{canonical}\0{page}\0GET\0page")


def _hashed(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
