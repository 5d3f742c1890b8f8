"""Requests to answers over HTTP: what is sent to whom, cookies, codings, limits. Redirects are the engine's."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from yamlcrawl import urls
from yamlcrawl.fetchers.addresses import allowance
from yamlcrawl.fetchers.bodies import authorization, encoded
from yamlcrawl.fetchers.connections import KeptConnections
from yamlcrawl.fetchers.cookies import Jar
from yamlcrawl.fetchers.decoding import ACCEPTED, decoded
from yamlcrawl.fetchers.transport import Allow, Answer, Deadline, Message, Transport, TransportError
from yamlcrawl.model.plan import Credentials, SitePlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure, Response
from yamlcrawl.model.secrets import MARK, Secrets

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.9,*/*;q=0.8"
RAW_SLACK = 65_536
"""Bytes by which a body may be larger over the wire than decoded: codings cost a little where nothing shrinks."""
ORIGINS = 1_000
"""Origins whose prepared headers are remembered."""

Fields = tuple[tuple[str, str], ...]
_FRAMING = frozenset({"content-length", "transfer-encoding", "connection", "host"})


@dataclass(frozen=True, slots=True)
class _Origin:
    """What is the same for all requests to one origin."""

    scheme: str
    host: str
    port: int
    allow: Allow
    secrets: tuple[str, ...]
    """Names of the secrets that may be sent there."""
    fields: Fields
    """Header fields that every request gets, secrets filled in."""


def open_jar(site: SitePlan) -> Jar | None:
    """The jar of a new run with the cookies that the spec sets; None where cookies are off."""
    if site.cookies is None:
        return None
    jar = Jar()
    for host in site.start_hosts:
        jar.set(host.strip("[]"), site.cookies)
    return jar


class HttpFetcher:
    """Fetches over http and https; one for each thread."""

    def __init__(
        self,
        site: SitePlan,
        secrets: Secrets,
        jar: Jar | None,
        *,
        transport: Transport | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """The jar is shared by the fetchers of a run; None sends and keeps no cookies."""
        self._site = site
        self._secrets = secrets
        self._jar = jar
        self._clock = clock
        self._transport = transport or KeptConnections(max_raw=site.max_body + RAW_SLACK)
        self._origins: dict[str, _Origin] = {}

    def fetch(self, request: Request, on_sent: Callable[[float], None] | None = None) -> Response | Failure:
        """The answer with its whole body, or why there is none; never raises for what a server does.

        `on_sent` gets the time (seconds since the epoch) when the request has left, at most once.
        """
        answer: Answer | None = None
        sent: list[float] = []

        def note_sent() -> None:
            if not sent:
                sent.append(time.monotonic())
                if on_sent is not None:
                    on_sent(self._clock())

        try:
            origin, target = self._place(request)
            message = self._message(request, origin, target)
            answer = self._transport.send(message, Deadline(self._site.timeout), origin.allow, note_sent)
            changed = self._keep_cookies(origin, target, answer)
            body = decoded(answer.pieces, answer.headers, self._site.max_body)
        except TransportError as e:
            status = answer.status if answer else 0
            return Failure(request, e.outcome, self._secrets.mask(e.reason), e.contact, e.final, status)
        elapsed = time.monotonic() - sent[0]
        return Response(
            request,
            request.url,
            answer.status,
            answer.headers,
            body,
            answer.received,
            elapsed,
            self._clock(),
            changed,
        )

    def close(self) -> None:
        """Let go of the connections."""
        self._transport.close()

    def _place(self, request: Request) -> tuple[_Origin, str]:
        """The origin of a request and the target that is sent there."""
        scheme, _, rest = request.url.partition("://")
        authority, slash, target = rest.partition("/")
        if scheme not in ("http", "https") or not authority or "?" in authority:
            raise TransportError("bad_url", "not an absolute http or https address", contact=False, final=True)
        place = f"{scheme}://{authority}"
        origin = self._origins.get(place)
        if origin is None:
            if len(self._origins) >= ORIGINS:
                self._origins.clear()
            origin = self._origins[place] = self._origin(place)
        target = slash + target.partition("#")[0] or "/"
        if request.secrets:
            target = self._secrets.reveal(target, self._allowed(request, origin), url=True)
        return origin, target

    def _origin(self, place: str) -> _Origin:
        site = self._site
        host = urls.host_name(place + "/")
        port = _port(place)
        names = self._secrets.names if host in site.start_hosts else self._names_for(host)
        scheme = place.partition(":")[0]
        usual = port == (443 if scheme == "https" else 80)

        def reveal(text: str) -> str:
            return self._secrets.reveal(text, names)

        fields = {
            "host": ("Host", host if usual else f"{host}:{port}"),
            "user-agent": ("User-Agent", reveal(site.user_agent)),
            "accept": ("Accept", ACCEPT),
            "accept-encoding": ("Accept-Encoding", ACCEPTED),
        }
        credentials = _credentials(place)
        if site.auth is not None and host in site.start_hosts:
            credentials = site.auth
        if credentials is not None:
            fields["authorization"] = ("Authorization", authorization(credentials, reveal))
        for name, value in (*site.headers, *self._host_headers(host)):
            fields[name.lower()] = (name, reveal(value))
        # what names a secret that must not go there stays here
        kept = tuple(field for field in fields.values() if MARK not in field[1])
        return _Origin(scheme, host.strip("[]"), port, allowance(site, host, port), names, kept)

    def _names_for(self, host: str) -> tuple[str, ...]:
        return tuple(name for p, names in self._site.secret_hosts.items() if _matches(p, host) for name in names)

    def _host_headers(self, host: str) -> Fields:
        return tuple(
            field for pattern, fields in self._site.host_headers.items() if _matches(pattern, host) for field in fields
        )

    def _allowed(self, request: Request, origin: _Origin) -> tuple[str, ...]:
        return tuple(name for name in request.secrets if name in origin.secrets)

    def _message(self, request: Request, origin: _Origin, target: str) -> Message:
        fields, body = origin.fields, b""
        more = list(request.headers)
        if self._jar is not None:
            path = target.partition("?")[0]
            cookies = self._jar.header(origin.host, path, origin.scheme == "https", self._clock())
            if cookies:
                more.insert(0, ("Cookie", self._secrets.reveal(cookies, origin.secrets)))
        if more or request.body is not None:
            allowed = self._allowed(request, origin)

            def reveal(text: str) -> str:
                return self._secrets.reveal(text, allowed)

            merged = {name.lower(): (name, value) for name, value in fields}
            if request.body is not None:
                body, media_type = encoded(request.body, reveal)
                merged["content-type"] = ("Content-Type", media_type)
            for name, value in more:
                if name.lower() not in _FRAMING:
                    merged[name.lower()] = (name, reveal(value))
            fields = tuple(field for field in merged.values() if MARK not in field[1])
        if body or request.method in ("POST", "PUT", "PATCH"):
            fields = (*fields, ("Content-Length", str(len(body))))
        return Message(origin.scheme, origin.host, origin.port, request.method, target, fields, body)

    def _keep_cookies(self, origin: _Origin, target: str, answer: Answer) -> bool:
        if self._jar is None or not (fields := answer.headers.all("set-cookie")):
            return False
        path = target.partition("?")[0]
        return self._jar.store(origin.host, path, fields, self._clock())


def _port(place: str) -> int:
    try:
        port = urls.port(place + "/")
    except ValueError:
        port = 0
    if not 0 < port < 65536:
        raise TransportError("bad_url", "its port is not a number from 1 to 65535", contact=False, final=True)
    return port


def _matches(pattern: str, host: str) -> bool:
    match = urls.host_pattern(pattern)
    return match is not None and match(host)


def _credentials(place: str) -> Credentials | None:
    """User and password that stand in the address itself."""
    user_info, at, _ = place.partition("://")[2].rpartition("@")
    if not at:
        return None
    user, _, password = user_info.partition(":")
    return Credentials("basic", unquote(user), unquote(password))
