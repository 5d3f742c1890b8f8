"""A redirect answer to the request that follows it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Response
from yamlcrawl.model.secrets import MARK
from yamlcrawl.urls import host_name, join

_CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization"})
_BODY_HEADERS = frozenset({"content-type", "content-length", "content-encoding", "content-language"})


@dataclass(frozen=True, slots=True)
class Redirect:
    """What a redirect comes to: a request to follow, or the outcome and reason that end it."""

    outcome: str
    reason: str
    request: Request | None = None


def follow_redirect(plan: CrawlPlan, response: Response, outcome: str) -> Redirect:
    """The target as a request of its own, checked for scope, loops and number; see `Redirect`.

    301 and 302 turn a POST into a GET as browsers do, 303 everything but HEAD; 307 and 308 keep method and body
    (RFC 9110, 15.4). Credentials do not cross hosts.
    """
    request, site = response.request, plan.site
    location = response.headers.get("location")
    target = join(request.url, location) if location else None
    if not target:
        said = f"to {location!r}, which is no address" if location else "without a Location"
        return Redirect("redirect_broken", f"{response.status} {said}")
    target, names = plan.secrets.conceal(target)
    reason = f"{response.status} to {target}"
    if site.redirects == 0:
        return Redirect(outcome, reason)
    if request.redirects >= site.redirects:
        return Redirect("redirect_exceeded", f"{reason}; {site.redirects} redirects in a row (site.redirects)")
    canonical = site.canonical(target)
    hops = (*request.chain.hops, request.canonical)
    again = request.again
    if canonical in hops:
        if not response.cookies_changed or again:
            return Redirect("redirect_loop", f"{reason}, where this chain was before")
        again = 1
    if request.purpose == "page" and not request.seed and not site.in_scope(target):
        return Redirect("out_of_scope", f"{reason}, outside of the hosts of this spec (site.hosts)")
    followed = replace(
        _method_and_body(request, response.status),
        url=target,
        canonical=canonical,
        redirects=request.redirects + 1,
        front=True,
        chain=replace(request.chain, hops=hops),
        attempt=0,
        throttled=0,
        again=again,
        of=request.of or (request.fingerprint if request.purpose == "file" else 0),
        parent=request.url,
        secrets=tuple(dict.fromkeys((*request.secrets, *names))),
    )
    if host_name(target) != host_name(request.url):
        followed = _without_credentials(followed)
        if followed.body is not None and "\\u001a" in followed.body.identity.replace(MARK, "\\u001a"):
            return Redirect("redirect_broken", f"{reason}, another host, which must not get the secrets of the body")
    return Redirect(outcome, reason, followed)


def _method_and_body(request: Request, status: int) -> Request:
    to_get = request.method == "POST" if status in (301, 302) else status == 303 and request.method != "HEAD"
    if not to_get or request.method == "GET":
        return request
    headers = tuple((n, v) for n, v in request.headers if n.lower() not in _BODY_HEADERS)
    return replace(request, method="GET", body=None, headers=headers)


def _without_credentials(request: Request) -> Request:
    headers = tuple((n, v) for n, v in request.headers if n.lower() not in _CREDENTIALS and MARK not in v)
    return replace(request, headers=headers)
