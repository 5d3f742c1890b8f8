"""A page and its rules to the requests that it leads to: pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from yamlcrawl.model.item import Item
from yamlcrawl.model.plan import PagePlan, View
from yamlcrawl.model.request import Body, Request
from yamlcrawl.model.secrets import Secrets


def follow(view: View, page: PagePlan, items: Sequence[Item], known: Callable[[int], bool]) -> list[Request]:
    """The requests that the page leads to: links in the order of the rules and of the page, its refresh, then `next`.

    `known` says of a fingerprint whether it is surely in the frontier already: such links are counted as duplicates and
    left out, and so is what the page names twice.
    """
    view.known = known
    found: dict[object, Request] = {}
    for rule in page.follow:
        for request in rule.links(view):
            first = found.setdefault(_identity(request), request)
            if first is not request:
                _count_double(view, rule.path, first, request)
    links = list(found.values())
    if page.refresh is not None and (refresh := page.refresh(view)):
        found.setdefault(_identity(refresh), refresh)
    if page.next is not None and (following := page.next.follow(view, items, links)):
        found.setdefault(_identity(following), following)
    requests = list(found.values())
    return [concealed(view.secrets, request) for request in requests] if view.secrets else requests


def _identity(request: Request) -> object:
    """Equal for requests with equal fingerprints; nothing is hashed for a plain GET, which most links are."""
    if request.method == "GET" and not request.headers and request.body is None:
        return request.canonical, request.page, request.again
    return request.fingerprint


def concealed(secrets: Secrets, request: Request) -> Request:
    """The request without secrets that the page echoed: references in its URL, nothing to read in what goes along."""
    url, names = secrets.conceal(request.url)
    body, more = _concealed_body(secrets, request.body)
    names = (*names, *more)
    carry = secrets.mask_value(dict(request.carry)) if request.carry else request.carry
    if not names and carry == request.carry:
        return request
    canonical, _ = secrets.conceal(request.canonical)
    used = tuple(dict.fromkeys((*request.secrets, *names)))
    return replace(request, url=url, canonical=canonical, carry=carry, secrets=used, body=body)


def _concealed_body(secrets: Secrets, body: Body | None) -> tuple[Body | None, tuple[str, ...]]:
    """The body of a form of the page, secrets that the page echoed in it as references, and their names."""
    if body is None or body.kind not in ("form", "multipart"):
        return body, ()
    names: dict[str, None] = {}
    pairs = []
    for name, value in body.value:
        concealed_value, used = secrets.conceal(value)
        names.update(dict.fromkeys(used))
        pairs.append([name, concealed_value])
    return Body(body.kind, pairs), tuple(names)


def _count_double(view: View, path: str, first: Request, request: Request) -> None:
    view.tally.add("duplicates")
    if first.carry != request.carry or first.vars != request.vars:
        view.tally.note(f"carry:{path}", request.url)
