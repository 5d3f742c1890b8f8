"""The cookies of a run, as RFC 6265 (5.2 to 5.4) keeps and sends them."""

from __future__ import annotations

import ipaddress
import json
import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from yamlcrawl.fetchers.cookie_dates import cookie_date

LONGEST = 4096
"""Bytes of name and value."""
PER_DOMAIN = 180
DOMAINS = 3000
"""What came first gives way."""

_CONTROL = re.compile("[\0-\x08\x0a-\x1f\x7f]").search
_DIGITS = re.compile("-?[0-9]+").fullmatch
_SECOND_LEVEL = frozenset(
    ("ac", "co", "com", "edu", "gob", "gov", "go", "gv", "ltd", "me", "mil", "ne", "net", "nom", "or", "org", "sch")
)
"""Labels under which a country lets others register: ``co.uk``, ``com.au``."""

_Key = tuple[str, str]
"""Path and name; one domain holds one cookie of each."""


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie; times are seconds since the epoch."""

    name: str
    value: str
    """May be a secret reference, where the spec set it."""
    domain: str
    path: str
    host_only: bool
    secure: bool
    expires: float | None
    """None: with the run."""
    number: int
    """Rises with each new cookie: of two with equally long paths the older one is sent first."""


class Jar:
    """The cookies of one run, shared by its threads.

    >>> jar = Jar()
    >>> jar.store("shop.test", "/login", ["sid=1; Path=/", "lang=en; Domain=test"], now=0)
    True
    >>> jar.header("shop.test", "/cart", False, now=1)
    'sid=1'
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._domains: dict[str, dict[_Key, Cookie]] = {}
        self._number = 0

    def set(self, host: str, cookies: Mapping[str, str]) -> None:
        """Put in cookies of the spec's own, for all paths of the host."""
        with self._lock:
            for name, value in cookies.items():
                self._put(Cookie(name, value, host, "/", True, False, None, self._next()))

    def store(self, host: str, path: str, set_cookie: Iterable[str], now: float) -> bool:
        """Take in the Set-Cookie fields of an answer (RFC 6265, 5.3); whether any cookie changed by it.

        `path` is that of the URL asked.
        """
        changed = False
        with self._lock:
            for text in set_cookie:
                cookie = parse(text, host, path, now)
                if cookie is not None:
                    changed |= self._take(cookie, now)
        return changed

    def header(self, host: str, path: str, secure: bool, now: float) -> str:
        """The Cookie field of a request (RFC 6265, 5.4); empty where no cookie belongs to it."""
        if not self._domains:
            return ""
        with self._lock:
            sent = [
                cookie
                for domain in _domains_of(host)
                for cookie in self._domains.get(domain, {}).values()
                if _belongs(cookie, host, path, secure, now)
            ]
        sent.sort(key=lambda cookie: (-len(cookie.path), cookie.number))
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in sent)

    def dump(self) -> str:
        """All cookies as JSON text, for `load`."""
        with self._lock:
            return json.dumps([asdict(cookie) for kept in self._domains.values() for cookie in kept.values()])

    def load(self, text: str) -> None:
        """Put in what `dump` gave, over cookies of the same name."""
        with self._lock:
            for values in sorted(json.loads(text), key=lambda values: values["number"]):
                self._put(Cookie(**(values | {"number": self._next()})))

    def _take(self, cookie: Cookie, now: float) -> bool:
        old = self._domains.get(cookie.domain, {}).get((cookie.path, cookie.name))
        if cookie.expires is not None and cookie.expires <= now:
            if old is not None:
                del self._domains[cookie.domain][cookie.path, cookie.name]
            return old is not None
        if old is None:
            self._put(_numbered(cookie, self._next()))
            return True
        self._put(_numbered(cookie, old.number))
        return old.value != cookie.value

    def _put(self, cookie: Cookie) -> None:
        kept = self._domains.setdefault(cookie.domain, {})
        kept[cookie.path, cookie.name] = cookie
        if len(kept) > PER_DOMAIN:
            del kept[min(kept, key=lambda key: kept[key].number)]
        if len(self._domains) > DOMAINS:
            del self._domains[next(iter(self._domains))]

    def _next(self) -> int:
        self._number += 1
        return self._number


def parse(text: str, host: str, path: str, now: float) -> Cookie | None:
    """The cookie that a Set-Cookie field means (RFC 6265, 5.2 and 5.3); None where it means none."""
    # no server may write down the name of a secret
    if _CONTROL(text) or "%1a" in text.lower():
        return None
    pair, *attributes = text.split(";")
    name, equals, value = pair.partition("=")
    name, value = name.strip(), value.strip()
    if not (equals and name) or len(name) + len(value) > LONGEST:
        return None
    found = {}
    for attribute in attributes:
        key, _, said = attribute.partition("=")
        found[key.strip().lower()] = said.strip()
    domain = found.get("domain", "").lower().removeprefix(".")
    host_only = not domain or (domain == host and _is_suffix(domain))
    if not host_only and (_is_suffix(domain) or not _within(host, domain)):
        return None
    where = found.get("path", "")
    return Cookie(
        name,
        value,
        host if host_only else domain,
        where if where.startswith("/") else _folder(path),
        host_only,
        "secure" in found,
        _expiry(found, now),
        0,
    )


def _expiry(attributes: Mapping[str, str], now: float) -> float | None:
    age = attributes.get("max-age", "")
    if _DIGITS(age):
        return now + float(age[:18]) if not age.startswith("-") else now
    return cookie_date(attributes["expires"]) if "expires" in attributes else None


def _numbered(cookie: Cookie, number: int) -> Cookie:
    return Cookie(**(asdict(cookie) | {"number": number}))


def _belongs(cookie: Cookie, host: str, path: str, secure: bool, now: float) -> bool:
    return (
        (not cookie.host_only or cookie.domain == host)
        and (secure or not cookie.secure)
        and (cookie.expires is None or cookie.expires > now)
        and _below(path, cookie.path)
    )


def _below(path: str, folder: str) -> bool:
    """Path-match of RFC 6265, 5.1.4."""
    return path.startswith(folder) and (len(path) == len(folder) or folder.endswith("/") or path[len(folder)] == "/")


def _folder(path: str) -> str:
    """Default-path of RFC 6265, 5.1.4."""
    return path[: path.rfind("/")] or "/" if path.startswith("/") else "/"


def _within(host: str, domain: str) -> bool:
    """Domain-match of RFC 6265, 5.1.3."""
    return host == domain or (host.endswith("." + domain) and not _is_address(host))


def _domains_of(host: str) -> Iterable[str]:
    yield host
    if not _is_address(host):
        while "." in host:
            host = host.partition(".")[2]
            yield host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _is_suffix(domain: str) -> bool:
    """Whether others may register below the domain, so that no cookie may span it: ``com``, ``co.uk``.

    The usual forms only: the full list (publicsuffix.org) is larger than all the rest of the crawler.
    """
    first, _, rest = domain.rstrip(".").partition(".")
    return not rest or (len(rest) == 2 and first in _SECOND_LEVEL)
