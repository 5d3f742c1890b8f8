"""The following page of the same kind: a link, a value to send, or a counter."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import blake2b

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.clicks import Clicked, as_field, compile_clicks
from yamlcrawl.compiler.fields import compile_field
from yamlcrawl.compiler.follow import check_address, check_secrets
from yamlcrawl.compiler.frame import Frame
from yamlcrawl.compiler.places import Sink, compile_sink
from yamlcrawl.compiler.sending import Outgoing
from yamlcrawl.compiler.spots import Spot
from yamlcrawl.compiler.templates import without_references
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.item import Item
from yamlcrawl.model.plan import NextRule, Place, Value, View
from yamlcrawl.model.request import Chain, Request
from yamlcrawl.model.secrets import MARK
from yamlcrawl.selectors.forms import Submission
from yamlcrawl.spec.pages import Next, Page
from yamlcrawl.urls import host_name, join

MOST_IDLE = 10
"""Pages in a row without anything new that a link or a cursor goes on over."""

PAST_THE_END = frozenset({400, 404, 410, 416})
"""What a server answers to a counter that went too far."""

EMPTY_PAGES = f"more than {MOST_IDLE} pages in a row gave nothing new"


_NOTHING_MORE = Outgoing("GET")


class Ended(Exception):  # noqa: N818 (no error: every chain ends)
    """The chain ends here; the text says why."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a page gave, as far as `next` asks."""

    nothing: bool
    """No element for an item matched, and no link."""
    digest: str
    """Equal for pages that gave the same items and links."""

    def same(self, chain: Chain) -> bool:
        """Whether the page before gave the same."""
        return bool(chain.seen) and chain.seen == self.digest


Step = Callable[[View, Gain], tuple[Request, Chain]]
"""The following request and what its page must remember; raises Ended."""


def compile_next(rule: Next, kind: str, spot: Spot, bench: Bench, frame: Frame) -> NextRule:
    """The rule that leads from page to page; what is wrong is noted."""
    path: Path = ("pages", kind, "next")
    gain = _gain_of(frame.spec.pages[kind])
    step = _step(rule, path, spot, bench, frame)
    site, full = frame.scope, dotted(path)

    def follow(view: View, items: Sequence[Item], links: Sequence[Request]) -> Request | None:
        try:
            request, chain = step(view, gain(view, items, links))
            if request.url not in site:
                view.tally.note(f"offsite:{host_name(request.url)}", request.url)
                raise Ended("it leaves the site")
            request = _as_step(request, view, full, chain)
            if request.fingerprint == view.request.fingerprint or view.known(request.fingerprint):
                view.tally.add("duplicates")
                raise Ended("no new link" if rule.sink is None else "no new value")
        except Ended as why:
            view.tally.add(f"ended:{full}:{why}")
            if view.repeats:
                view.tally.note(f"repeated:{full}", view.document.response.url)
            return None
        return request

    return NextRule(full, follow, PAST_THE_END if rule.counts else frozenset())


def _as_step(request: Request, view: View, path: str, chain: Chain) -> Request:
    """The request as one of this chain: carry, vars, priority and depth are kept, secrets do not cross hosts."""
    if host_name(request.url) != host_name(view.request.url):
        headers = tuple(pair for pair in request.headers if MARK not in pair[1])
        request = replace(request, headers=headers, secrets=())
    return replace(
        request,
        via=path,
        parent=view.document.response.url,
        seed=False,
        step=True,
        chain=chain,
        redirects=0,
        attempt=0,
        throttled=0,
        renewed=0,
        front=False,
        again=0,
    )


def _gain_of(page: Page) -> Callable[[View, Sequence[Item], Sequence[Request]], Gain]:
    """What pages of that kind gave, comparably. An address that tells the page itself is no news."""
    several = {
        item
        for item, rule in page.items.items()
        if page.format == "csv" or any(one is not None for one in (rule.each, rule.table, rule.schema_))
    }
    matches = [f"match:{item}" for item in several]
    whole = page.items.keys() - several
    telling = {
        name
        for rule in page.items.values()
        for name, field in rule.fields.items()
        if field.from_ in ("url", "response")
    }

    def told(item: Item) -> str:
        if item.key:
            return item.key.hex()
        if not telling:
            return item.text
        return repr([pair for pair in json.loads(item.text).items() if pair[0] not in telling])

    def gain(view: View, items: Sequence[Item], links: Sequence[Request]) -> Gain:
        matched = any(view.tally.counts.get(name) for name in matches) or any(item.kind in whole for item in items)
        fingerprints = {request.fingerprint for request in links} | view.passed
        digest = blake2b(digest_size=16)
        if not items and not fingerprints:
            digest.update(view.document.response.body)
        for item in items:
            digest.update(f"{item.kind}\0{told(item)}\0".encode("utf-8", "surrogatepass"))
        for fingerprint in sorted(fingerprints):
            digest.update(fingerprint.to_bytes(8, "big", signed=True))
        return Gain(not matched and not fingerprints, digest.hexdigest())

    return gain


def _step(rule: Next, path: Path, spot: Spot, bench: Bench, frame: Frame) -> Step:
    if rule.header:
        return _by_link(lambda view: Clicked(_header_links(view)), frame)
    if rule.sink is None:
        clicks = compile_clicks(rule, rule.any, spot, path, bench)
        return _by_link(lambda view: clicks.find(view.top), frame)
    sink = _sink(rule, path, bench, frame)
    if rule.counts:
        _check_counter(rule, path, bench.page, frame)
        return _by_counter(rule, sink)
    as_json = rule.body is not None and spot.kind == "json" and rule.regex is None and not rule.replace
    read = compile_field(as_field(rule, rule.any, type="json" if as_json else None), spot, path, bench)
    return _by_cursor(read, sink)


def _sink(rule: Next, path: Path, bench: Bench, frame: Frame) -> Sink:
    url = None
    if rule.url is not None:
        here = (*path, "url")
        url = frame.names.template(rule.url, here, carry=bench.carried, fields=("next",))
        check_address(url, here, frame)
        check_secrets(url, (url,), here, frame)
    return compile_sink(rule, url, frame.canonical)


def _by_link(find: Callable[[View], Clicked], frame: Frame) -> Step:
    def step(view: View, gain: Gain) -> tuple[Request, Chain]:
        clicked = find(view)
        targets: list[str | Submission] = [*clicked.hrefs, *clicked.forms]
        for target in targets:
            sent = None if isinstance(target, str) else target
            href = target if isinstance(target, str) else target.action or view.document.response.url
            url = join(view.document.base, without_references(href) if view.request.secrets else href)
            if url is None:
                continue
            message = _NOTHING_MORE.message(url, frame.may, sent=sent)
            request = replace(
                view.request,
                url=message.url,
                canonical=frame.canonical(message.url),
                method=message.method,
                body=message.body,
            )
            return request, _idle(view, gain)
        raise Ended("no link")

    return step


def _by_cursor(read: Callable[[Place], Value], sink: Sink) -> Step:
    def step(view: View, gain: Gain) -> tuple[Request, Chain]:
        value = read(view.top)
        if value is None or value is False or value in ("", [], {}):
            raise Ended("no value")
        sent = value if isinstance(value, str) else json.dumps(value, default=str, sort_keys=True)
        if sent == view.request.chain.sent:
            raise Ended("no new value")
        return sink.put(view, value), replace(_idle(view, gain), sent=sent)

    return step


def _idle(view: View, gain: Gain) -> Chain:
    """What a page after this one remembers; raises Ended after too many pages that gave nothing new."""
    before = view.request.chain
    idle = before.idle + 1 if gain.nothing or gain.same(before) else 0
    if idle > MOST_IDLE:
        raise Ended(EMPTY_PAGES)
    return Chain(step=before.step + 1, seen=gain.digest, idle=idle)


def _by_counter(rule: Next, sink: Sink) -> Step:
    first = (1 if rule.step == 1 else 0) if rule.start is None else rule.start

    def step(view: View, gain: Gain) -> tuple[Request, Chain]:
        before = view.request.chain
        if gain.nothing:
            raise Ended("empty page")
        if gain.same(before):
            view.repeats = True
            raise Ended("no new item")
        own = before.sent if before.sent is not None else sink.own(view.request)
        number = (_whole(own) if own is not None else None) or 0
        if own is None or _whole(own) is None:
            number = first
        number += rule.step
        if rule.max is not None and number > rule.max:
            raise Ended("max")
        chain = Chain(sent=str(number), step=before.step + 1, seen=gain.digest)
        return sink.put(view, number), chain

    return step


def _whole(value: Value) -> int | None:
    """The whole number that a value of a request is; None where it is none."""
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value, re.ASCII):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, Decimal) and value == value.to_integral_value() else None


def _check_counter(rule: Next, path: Path, page: str, frame: Frame) -> None:
    first = (1 if rule.step == 1 else 0) if rule.start is None else rule.start
    own = any(
        rule.param in start.params or f"{rule.param}=" in start.address for start in frame.spec.start.get(page, ())
    )
    if rule.max is not None and rule.max < first + rule.step and not (rule.param and own):
        what = f"the counter never sends anything: its first value would be {first + rule.step}, and max is {rule.max}"
        frame.problems.error((*path, "max"), what, "raise max, or drop next")
    if rule.body is not None and not _has_json_body(frame, page):
        fix = "give the start request (or the link rule) a body, or use param"
        frame.problems.error((*path, "body"), f"no request for {page} has a JSON body to put a value into", fix)


def _has_json_body(frame: Frame, page: str) -> bool:
    links = [link for other in frame.spec.pages.values() for link in other.follow.get(page, ())]
    return any(isinstance(one.body, dict) for one in (*frame.spec.start.get(page, ()), *links))


_PARAMETER = r";\s*([\w!#$&+.^`|~*-]+)(?:\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^\s\",;]*))?"
_LINK = re.compile(rf"<([^>]*)>((?:\s*{_PARAMETER})*)", re.ASCII)


def _header_links(view: View) -> list[str]:
    """The targets of ``rel=next`` in the Link headers (RFC 8288, 3), resolved as it says: against the page's URL."""
    response = view.document.response
    found = []
    for header in response.headers.all("link"):
        for link in _LINK.finditer(header):
            # of a parameter that stands there twice the first one counts
            given = {name.lower(): value for name, value in reversed(re.findall(_PARAMETER, link[2]))}
            if "next" in given.get("rel", "").strip('"').lower().split() and "anchor" not in given:
                found.append(join(response.url, link[1]) or link[1])
    return found
