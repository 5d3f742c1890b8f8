"""Requests to answers over HTTP: one fetcher for each thread, one jar for all. Redirects are the engine's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from yamlcrawl.fetchers.bodies import encoded
from yamlcrawl.fetchers.connections import KEPT, KeptConnections
from yamlcrawl.fetchers.cookies import Jar
from yamlcrawl.fetchers.decoding import codings, decoded, unpacked
from yamlcrawl.fetchers.downloads import Downloads, Part, file_name, suffix_of
from yamlcrawl.fetchers.origins import Fields, Origin, bad_url, prepare, sendable
from yamlcrawl.fetchers.transport import Allow, Answer, Deadline, Message, Transport, TransportError
from yamlcrawl.model.plan import SitePlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure, Headers, Response
from yamlcrawl.model.secrets import Secrets

RAW_SLACK = 65_536
"""Bytes by which a body may be larger over the wire than decoded: codings cost a little where nothing shrinks."""
SITEMAP = 52_428_800
"""Bytes that a sitemap may have whatever `site.max_body` says (sitemaps.org)."""
SLOWEST = 10_000
"""Bytes a second that a download brings at least, once `site.timeout.total` is over."""
ORIGINS = 1_000
"""Origins that a fetcher remembers how to ask."""
CONNECTIONS = 512
"""Connections that all threads together keep open: many systems allow a process 1,024 files."""

_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
_FRAMING = frozenset({"content-length", "transfer-encoding", "connection", "host"})
"""Fields of a rule that are not taken over: they say how a message is carried."""


def open_jar(site: SitePlan) -> Jar | None:
    """The jar of a new run with the cookies that the spec sets; None where cookies are off."""
    if site.cookies is None:
        return None
    jar = Jar()
    for host in sorted(site.start_hosts):
        jar.set(host.strip("[]"), site.cookies)
    return jar


class HttpFetcher:
    """Fetches over http and https; used and closed by one thread."""

    def __init__(
        self,
        site: SitePlan,
        secrets: Secrets,
        jar: Jar | None,
        *,
        downloads: Downloads | None = None,
        transport: Transport | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """The jar is shared by the fetchers of a run; None sends and keeps no cookies."""
        self._site = site
        self._secrets = secrets
        self._jar = jar
        self._downloads = downloads
        self._clock = clock
        kept = max(2, min(KEPT, CONNECTIONS // site.threads))
        self._transport = transport or KeptConnections(max_raw=site.max_body + RAW_SLACK, kept=kept)
        self._origins: dict[str, Origin] = {}
        self._version = secrets.version

    def fetch(self, request: Request, on_sent: Callable[[float], None] | None = None) -> Response | Failure:
        """The answer with its whole body, or why there is none; never raises for what a server does.

        `on_sent` gets the time (seconds since the epoch) when the request has left, at most once.
        """
        answer: Answer | None = None
        began = 0.0

        def sent() -> None:
            nonlocal began
            if not began:
                began = time.monotonic()
                if on_sent is not None:
                    on_sent(self._clock())

        saved: Mapping[str, Any] | None = None
        try:
            message, allow = self._message(request)
            deadline = Deadline(self._site.timeout)
            if request.purpose == "file" and self._downloads is not None:
                part = self._downloads.part(request.fingerprint)
                message = replace(message, headers=(*_for_files(message.headers), *part.fields))
                answer = self._transport.send(message, deadline, allow, sent)
                changed = self._keep_cookies(message, answer)
                body, saved = self._download(request, answer, part, deadline)
            else:
                answer = self._transport.send(message, deadline, allow, sent)
                changed = self._keep_cookies(message, answer)
                most = self._most(request)
                answer.most = most + RAW_SLACK
                body = decoded(answer.pieces, answer.headers, most)
        except TransportError as e:
            status = answer.status if answer else 0
            return Failure(request, e.outcome, self._secrets.mask(e.reason), e.contact, e.final, status)
        return Response(
            request,
            request.url,
            answer.status,
            answer.headers,
            body,
            answer.received,
            time.monotonic() - began,
            self._clock(),
            changed,
            saved,
        )

    def _download(
        self, request: Request, answer: Answer, part: Part, deadline: Deadline
    ) -> tuple[bytes, Mapping[str, Any] | None]:
        """A whole file to the disk, and its record; another answer's body, as of a page."""
        headers, downloads = answer.headers, self._downloads
        assert downloads is not None
        if answer.status == 416:
            part.forget()
            raise TransportError("network_error", "416: what was there of the file is no part of it any more")
        if not 200 <= answer.status < 300:
            return decoded(answer.pieces, headers, self._site.max_body), None
        answer.most = downloads.most + RAW_SLACK
        coded = bool(codings(headers)) and not _is_packed(headers)
        pieces = unpacked(answer.pieces, headers, downloads.most) if coded else answer.pieces
        digest, size = part.take(answer.status, headers, _unhurried(pieces, deadline), ranges=not coded)
        name = file_name(headers, request.url)
        media_type = (headers.get("content-type") or "").partition(";")[0].strip().lower()
        path = part.keep(digest, suffix_of(name, media_type))
        return b"", {
            "path": f"{downloads.folder.name}/{path.name}",
            "name": name,
            "url": request.url,
            "sha256": digest,
            "bytes": size,
            "media_type": media_type or None,
        }

    def _most(self, request: Request) -> int:
        """Bytes that a decoded body may have."""
        return max(self._site.max_body, SITEMAP) if request.purpose == "sitemap" else self._site.max_body

    def close(self) -> None:
        """Let go of the connections."""
        self._transport.close()

    def _message(self, request: Request) -> tuple[Message, Allow]:
        scheme, _, rest = request.url.partition("://")
        authority, slash, target = rest.partition("/")
        if not slash:
            raise bad_url("it is not an absolute http or https address")
        origin = self._origin(f"{scheme}://{authority}")
        # a name that the request may use, and that may go there
        names = tuple(name for name in request.secrets if name in origin.secrets)
        target = self._secrets.reveal(slash + target.partition("#")[0], names, url=True)
        fields, body = self._fields_and_body(request, origin, target, names)
        return Message(origin.scheme, origin.host, origin.port, request.method, target, fields, body), origin.allow

    def _origin(self, place: str) -> Origin:
        if self._version != self._secrets.version:  # header fields may hold what has changed
            self._version = self._secrets.version
            self._origins.clear()
        origin = self._origins.get(place)
        if origin is None:
            if len(self._origins) >= ORIGINS:
                self._origins.clear()
            origin = self._origins[place] = prepare(place, self._site, self._secrets)
        return origin

    def _fields_and_body(
        self, request: Request, origin: Origin, target: str, names: tuple[str, ...]
    ) -> tuple[Fields, bytes]:
        cookies = self._cookies(origin, target)
        if not cookies and not request.headers and request.body is None and request.method not in _WITH_BODY:
            return origin.fields, b""

        def reveal(text: str) -> str:
            return self._secrets.reveal(text, names)

        fields = {name.lower(): (name, value) for name, value in origin.fields}
        if cookies:
            fields["cookie"] = ("Cookie", cookies)
        body = b""
        if request.body is not None:
            body, media_type = encoded(request.body, reveal)
            fields["content-type"] = ("Content-Type", media_type)
        for name, value in request.headers:
            if name.lower() not in _FRAMING:
                fields[name.lower()] = (name, reveal(value))
        if body or request.method in _WITH_BODY:
            fields["content-length"] = ("Content-Length", str(len(body)))
        return sendable(fields), body

    def _cookies(self, origin: Origin, target: str) -> str:
        if self._jar is None:
            return ""
        path = target.partition("?")[0]
        cookies = self._jar.header(origin.host, path, origin.scheme == "https", self._clock())
        return self._secrets.reveal(cookies, origin.secrets)

    def _keep_cookies(self, message: Message, answer: Answer) -> bool:
        if self._jar is None or not (fields := answer.headers.all("set-cookie")):
            return False
        if self._secrets:
            fields = [self._secrets.conceal(field)[0] for field in fields]
        return self._jar.store(message.host, message.target.partition("?")[0], fields, self._clock())


def _for_files(fields: Fields) -> Fields:
    """The header fields without the wish for codings: a range of a coded body cannot be gone on with."""
    kept = tuple(field for field in fields if field[0].lower() not in ("accept-encoding", "accept"))
    return (*kept, ("Accept", "*/*"), ("Accept-Encoding", "identity"))


def _is_packed(headers: Headers) -> bool:
    """Whether the file itself is packed, which servers tell as its coding too (``x.tar.gz``)."""
    media_type = (headers.get("content-type") or "").partition(";")[0].strip().lower()
    return media_type in ("application/gzip", "application/x-gzip", "application/x-tgz", "application/x-compressed-tar")


def _unhurried(pieces: Iterable[bytes], deadline: Deadline) -> Iterator[bytes]:
    """The pieces, each of which gives time for the next ones: a large file may take longer than a page in all."""
    for piece in pieces:
        deadline.give(len(piece) / SLOWEST)
        yield piece
