"""Link rules: from what a page shows to the requests that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from yamlcrawl.compiler.addresses import Admitted, Folders, Judge, LeftOut, count, reason
from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.clicks import Clicks, compile_clicks
from yamlcrawl.compiler.fields import compile_fields, missing
from yamlcrawl.compiler.frame import Frame, compile_patterns
from yamlcrawl.compiler.marks import Marks, compile_marks
from yamlcrawl.compiler.selectors import compile_each
from yamlcrawl.compiler.sending import Outgoing, UnfitError, compile_sending
from yamlcrawl.compiler.sheets import row_spot, rows_of_sheet
from yamlcrawl.compiler.spots import Spot
from yamlcrawl.compiler.start import hosts_named
from yamlcrawl.compiler.templates import Template, host_trouble, names_in, without_references
from yamlcrawl.compiler.variables import Axis, combinations
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.plan import FieldPlan, LinkRule, Place, Value, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.secrets import MARK
from yamlcrawl.selectors.forms import Submission
from yamlcrawl.selectors.regex import compile_fullmatch
from yamlcrawl.spec.items import walk
from yamlcrawl.spec.pages import Link


def compile_link(link: Link, target: str, spot: Spot, path: Path, bench: Bench, frame: Frame) -> LinkRule:
    """The rule that finds the links to a kind of page; what is wrong is noted."""
    places: Callable[[Place], list[Place]] | None = None
    inside = spot
    if spot.kind == "sheet":
        if link.each is not None:
            bench.problems.error((*path, "each"), "every row of a CSV is a place for a link already", "drop each")
        places, inside = rows_of_sheet, row_spot(spot)
    elif link.each is not None:
        places, inside = compile_each(link.each, spot, (*path, "each"), bench)
    carry = compile_fields(link.carry, inside, (*path, "carry"), bench)
    carried = frozenset(link.carry)
    url = None
    if link.url is not None:
        url = frame.names.template(link.url, (*path, "url"), carry=carried)
        check_address(url, (*path, "url"), frame)
    obey = link.nofollow == "obey"
    clicks = None if url is not None else compile_clicks(link, link.any, inside, path, bench, obey=obey)
    outgoing = compile_sending(link, path, frame.names, carry=carried)
    if url is not None:
        check_secrets(url, (url, *outgoing.templates()), path, frame)
    judge = Judge(
        dotted(path),
        target,
        frame.scope,
        frame.drop,
        frame.guards,
        compile_patterns(link.include, (*path, "include"), frame.problems, compile_fullmatch),
        compile_patterns(link.exclude, (*path, "exclude"), frame.problems, compile_fullmatch),
    )
    rule = _Rule(judge, link.priority or 0, _axes(link, url, outgoing, frame), carry, outgoing, frame.may)
    if clicks is not None and clicks.simple and places is None and rule.plain:
        links = _plain_links(rule, clicks)
    else:
        links = _links(rule, clicks, url, places)
    if obey:
        links = _unless_nofollow(links, compile_marks(bench.token), f"nofollow:{dotted(path)}")
    return LinkRule(dotted(path), target, links, partial(reason, judge))


def _unless_nofollow(
    links: Callable[[View], Iterable[Request]], marks: Callable[[View], Marks], counter: str
) -> Callable[[View], Iterable[Request]]:
    """The links of pages that do not forbid to follow them."""

    def allowed(view: View) -> Iterable[Request]:
        if "nofollow" in marks(view):
            view.tally.note(counter, f"all links of {view.document.response.url}")
            return ()
        return links(view)

    return allowed


def _axes(link: Link, url: Template | None, outgoing: Outgoing, frame: Frame) -> tuple[Axis, ...]:
    """The variables that the rule uses, and so multiplies where they are not chosen yet."""
    templates = [*outgoing.templates(), *([url] if url else [])]
    named = {name for template in templates for name in template.slots("var")}
    for _, field in walk(link.carry):
        named.update(names_in(field.value or ""))
    return frame.matrix.naming(named)


def check_address(url: Template, path: Path, frame: Frame) -> None:
    """Note what is wrong with the template of an address; a host that it writes out is in scope."""
    trouble = host_trouble(url)
    if trouble:
        fix = "write scheme and host out; a whole address from a page stands alone: ${carry.name}"
        frame.problems.error(path, trouble, fix)
        return
    for host in hosts_named(url, frame.matrix):
        frame.scope.widen(host)


def check_secrets(url: Template, templates: Iterable[Template], path: Path, frame: Frame) -> None:
    """Note secrets that a host written out may not get; where only pages tell the host, they are left out for it."""
    secrets = {name for template in templates for name in template.secrets}
    for host in hosts_named(url, frame.matrix) if secrets else ():
        for name in sorted(secrets - frame.may(host)):
            fix = f"name it in the host's own headers: site.hosts.{host}.headers, or leave it out here"
            frame.problems.error(path, f"the secret {name} would go to {host}, which is no start host", fix)


@dataclass(frozen=True, slots=True)
class _Rule:
    """What all link rules have."""

    judge: Judge
    priority: int
    axes: tuple[Axis, ...]
    carry: tuple[FieldPlan, ...]
    outgoing: Outgoing
    may: Callable[[str], frozenset[str]]

    @property
    def plain(self) -> bool:
        """Whether nothing goes along with an address."""
        return self.outgoing.plain and not self.axes and not self.carry

    def too_deep(self, view: View) -> bool:
        """Whether the links of this page are cut by the guard on depth; noted."""
        if view.request.depth < self.judge.guards.depth:
            return False
        view.tally.note("cut:depth", view.request.url)
        return True

    def admitted(
        self, view: View, admitted: Admitted, carry: Mapping[str, Value], chosen: Mapping[str, str]
    ) -> Request:
        """A plain request."""
        return Request(
            admitted.url,
            admitted.canonical,
            page=self.judge.target,
            depth=view.request.depth + 1,
            priority=self.priority,
            via=self.judge.path,
            parent=view.document.response.url,
            carry=carry,
            vars=chosen,
        )


def _plain_links(rule: _Rule, clicks: Clicks) -> Callable[[View], Iterable[Request]]:
    """The links of elements, with nothing to send: what most rules are, and what costs most in a crawl."""
    folders = Folders(rule.judge)

    def links(view: View) -> list[Request]:
        clicked = clicks.find(view.top)
        hrefs = clicked.hrefs
        if not (hrefs or clicked.forms) or rule.too_deep(view):
            return []
        base, known, tally = view.document.base, view.known, view.tally
        folder = folders.folder(base)
        remembered = folder.known
        variables = view.request.vars
        found: list[Request] = []
        once = dict.fromkeys([href.partition("#")[0] if "#" in href else href for href in hrefs])
        passed: list[int] = []
        for href in once:
            verdict = remembered.get(href) or folder.verdict(base, href)
            if isinstance(verdict, LeftOut):
                count(tally, verdict)
            elif not variables and known(verdict[0]):
                passed.append(verdict[0])
            else:
                found.append(rule.admitted(view, verdict, {}, variables))
        view.passed.update(passed)
        doubles = len(passed) + len(hrefs) - len(once)
        if doubles:
            tally.add("duplicates", doubles)
        found += [request for form in clicked.forms if (request := _request(rule, view, form, {}, variables))]
        return found

    return links


def _links(
    rule: _Rule, clicks: Clicks | None, url: Template | None, each: Callable[[Place], list[Place]] | None
) -> Callable[[View], Iterable[Request]]:
    """The links of any rule, one place after the other."""

    def links(view: View) -> Iterator[Request]:
        if rule.too_deep(view):
            return
        for chosen in combinations(rule.axes, view.request.vars):
            seen = view if chosen == view.request.vars else replace(view, request=replace(view.request, vars=chosen))
            for place in [seen.top] if each is None else each(seen.top):
                yield from _at(place, chosen)

    def _at(place: Place, chosen: Mapping[str, str]) -> Iterator[Request]:
        carry = _carried(rule.carry, place)
        if carry is None:
            return
        addresses: list[str | Submission]
        if url is not None:
            text = url.text(vars=chosen, carry=carry, encode=True)
            addresses = [] if text is None else [text]
            secrets = url.secrets
        else:
            assert clicks is not None, "a link rule has a selector or a template"
            clicked = clicks.find(place)
            addresses = [*clicked.hrefs, *clicked.forms]
            addresses = addresses[:1] if each is not None else addresses
            secrets = ()
        for address in addresses:
            request = _request(
                rule, place.view, address, carry, chosen, secrets, own=url is not None and url.whole is None
            )
            if request is not None:
                yield request

    return links


def note_missing(view: View, sent: Submission, path: str, names: Iterable[str]) -> None:
    """Note the fields that the spec fills in and the form does not have; they are sent all the same."""
    missing = [name for name in names if name not in sent.names]
    if missing:
        known = ", ".join(sorted(sent.names)) or "no fields"
        view.tally.note(f"form_field:{path}", f"{', '.join(missing)} (it has {known}), on {view.document.response.url}")


def _carried(fields: tuple[FieldPlan, ...], place: Place) -> dict[str, Value] | None:
    """The values that go along; None, and noted, where one that is required is missing."""
    carry: dict[str, Value] = {}
    for field in fields:
        value = field.read(place)
        if field.required and missing(value):
            place.view.tally.note(f"rejected:{field.path}", place.view.document.response.url)
            return None
        carry[field.name] = value
    return carry


def _request(
    rule: _Rule,
    view: View,
    target: str | Submission,
    carry: Mapping[str, Value],
    chosen: Mapping[str, str],
    secrets: tuple[str, ...] = (),
    *,
    own: bool = False,
) -> Request | None:
    """The request for an address or a form; None, and noted, where it is not followed. `own`: the spec wrote it."""
    judge, tally = rule.judge, view.tally
    sent = None if isinstance(target, str) else target
    address = target if isinstance(target, str) else target.action or view.document.response.url
    if sent is not None:
        note_missing(view, sent, judge.path, [name for name, _ in rule.outgoing.form or ()])
    if own:
        address = address.replace(MARK, "%1A")
    elif not rule.outgoing.plain:
        address = without_references(address)
    url = judge.resolve(view.document.base, address)
    if isinstance(url, LeftOut):
        count(tally, url)
        return None
    try:
        message = rule.outgoing.message(url, rule.may, vars=chosen, carry=carry, secrets=secrets, sent=sent)
    except UnfitError as unfit:
        tally.note(f"bad_url:{judge.path}", f"{unfit}, on {view.document.response.url}")
        return None
    verdict = judge.judge(message.url)
    if isinstance(verdict, LeftOut):
        count(tally, verdict)
        return None
    request = rule.admitted(view, verdict, carry, chosen)
    if rule.outgoing.plain and not secrets and sent is None:
        known = verdict.fingerprint
    else:
        request = replace(
            request, method=message.method, headers=message.headers, body=message.body, secrets=message.secrets
        )
        known = request.fingerprint
    if not carry and not chosen and view.known(known):
        tally.add("duplicates")
        view.passed.add(known)
        return None
    return request
