"""What goes to whom: the header fields, credentials and secrets that an origin gets, and the addresses it may have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from yamlcrawl import urls
from yamlcrawl.fetchers.addresses import allowance, ip_literal
from yamlcrawl.fetchers.bodies import authorization
from yamlcrawl.fetchers.decoding import ACCEPTED
from yamlcrawl.fetchers.transport import Allow, TransportError
from yamlcrawl.model.plan import Credentials, SitePlan
from yamlcrawl.model.secrets import MARK, Secrets

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.9,*/*;q=0.8"

Fields = tuple[tuple[str, str], ...]

_HOST = re.compile(r"[!-~]+").fullmatch


@dataclass(frozen=True, slots=True)
class Origin:
    """What is the same for all requests to one scheme, host and port."""

    scheme: str
    host: str
    """An IPv6 address without its brackets."""
    port: int
    allow: Allow
    secrets: tuple[str, ...]
    """Names of the secrets that may be sent there."""
    fields: Fields
    """Header fields that every request gets, secrets filled in."""


def prepare(place: str, site: SitePlan, secrets: Secrets) -> Origin:
    """The origin at ``scheme://authority``. Raises TransportError (bad_url)."""
    scheme, _, authority = place.partition("://")
    if scheme not in ("http", "https"):
        raise bad_url("it is not an absolute http or https address")
    host, port = urls.host_name(place + "/"), _port(place)
    bare = host.strip("[]")
    if not _HOST(host) or (bare != host and ip_literal(bare) is None):
        raise bad_url(f"{host!r} is not a host name")
    names = secrets.names if host in site.start_hosts else _secrets_of(host, site)

    def reveal(text: str) -> str:
        return secrets.reveal(text, names)

    fields = {
        "host": ("Host", host if port == (443 if scheme == "https" else 80) else f"{host}:{port}"),
        "user-agent": ("User-Agent", reveal(site.user_agent)),
        "accept": ("Accept", ACCEPT),
        "accept-encoding": ("Accept-Encoding", ACCEPTED),
    }
    own = host in site.start_hosts and site.auth
    credentials = own or _credentials(authority)
    if credentials:
        fields["authorization"] = ("Authorization", authorization(credentials, reveal))
    for name, value in (*site.headers, *_headers_of(host, site)):
        fields[name.lower()] = (name, reveal(value))
    return Origin(scheme, bare, port, allowance(site, host, port), names, sendable(fields))


def sendable(fields: dict[str, tuple[str, str]]) -> Fields:
    """The fields without those that name a secret which must not go where they go."""
    return tuple(field for field in fields.values() if MARK not in field[1])


def bad_url(reason: str) -> TransportError:
    """The error for an address that cannot be asked."""
    return TransportError("bad_url", reason, contact=False, final=True)


def _port(place: str) -> int:
    try:
        port = urls.port(place + "/")
    except ValueError:
        port = 0
    if not 0 < port < 65536:
        raise bad_url("its port is not a number from 1 to 65535")
    return port


def _secrets_of(host: str, site: SitePlan) -> tuple[str, ...]:
    return tuple(name for pattern, names in site.secret_hosts.items() if _matches(pattern, host) for name in names)


def _headers_of(host: str, site: SitePlan) -> Fields:
    return tuple(field for pattern, fields in site.host_headers.items() if _matches(pattern, host) for field in fields)


def _matches(pattern: str, host: str) -> bool:
    if pattern == "any":
        return True
    match = urls.host_pattern(pattern)
    return match is not None and match(host)


def _credentials(authority: str) -> Credentials | None:
    """User and password that stand in the address itself."""
    user_info, at, _ = authority.rpartition("@")
    if not at:
        return None
    user, _, password = user_info.partition(":")
    return Credentials("basic", unquote(user), unquote(password))
