"""`yamlcrawl try`: one page read by its rules, nothing stored."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from yamlcrawl.commands.checked import compiled, read
from yamlcrawl.engine.extract import extract
from yamlcrawl.engine.follow import follow
from yamlcrawl.engine.redirects import follow_redirect
from yamlcrawl.engine.robots import parse_robots, product_token, read_robots
from yamlcrawl.engine.statuses import MOVED, TEMP_MOVED, phrase
from yamlcrawl.engine.trace import Trace
from yamlcrawl.errors import Exit, ParseError, RefusedError, YamlcrawlError
from yamlcrawl.fetchers import HttpFetcher, open_jar
from yamlcrawl.model.item import Item
from yamlcrawl.model.plan import CrawlPlan, PagePlan, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure, Headers, Response
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.words import counted, plain
from yamlcrawl.urls import join, origin

SHOWN = 3
"""Items of a type, and links of a rule, that are written out."""


class NotFetchedError(YamlcrawlError):
    """The page could not be had."""

    exit = Exit.FAILED


def try_page(
    spec: Annotated[Path, typer.Argument(metavar="SPEC")],
    url: Annotated[str, typer.Argument(metavar="URL", help="The page; with --file what it stands for.")],
    page: Annotated[
        str | None, typer.Option("--page", metavar="KIND", help="The page kind; default: that of the start URL.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="SAVED", help="A saved page in place of a request.")
    ] = None,
    var: Annotated[list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="A variable's value.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A key of the spec.")] = None,
) -> int:
    """Read one page and show what each rule finds there; nothing is stored, nothing else is fetched."""
    loaded = read(spec, set_, partial=True)
    plan = compiled(loaded, var, without_env=file is not None)
    request = _request(plan, url, page)
    response = _saved(file, request) if file else _fetched(plan, request)
    tried = _try(plan, response)
    typer.echo(plan.secrets.mask("\n".join(tried.lines(plan))))
    return Exit.MISSED if tried.page.items and not tried.items else Exit.GOOD


def _request(plan: CrawlPlan, url: str, page: str | None) -> Request:
    """The request of the URL: the start's own where it is one of these, else a plain one for the page kind."""
    address = join("", url)
    if address is None:
        raise RefusedError(f"{url} is no address", "write it whole, with http:// or https://")
    if page is not None and page not in plan.pages:
        raise RefusedError(f"there is no page kind {page}", f"there are {', '.join(plan.pages)}")
    canonical = plan.site.canonical(address)
    for seed in plan.seeds():
        if seed.canonical == canonical and page in (None, seed.page):
            return seed
    if page is None and len(plan.pages) > 1:
        raise RefusedError(
            f"{url} is no start URL, so its page kind is not known", f"say --page {' or --page '.join(plan.pages)}"
        )
    return Request(address, canonical, page=page or next(iter(plan.pages)))


def _saved(file: Path, request: Request) -> Response:
    try:
        body = file.read_bytes()
    except OSError as error:
        raise RefusedError(f"{file} cannot be read: {error.strerror}", "name a page that was saved") from None
    return Response(request, request.url, 200, Headers(), body, len(body), 0.0, time.time())


def _fetched(plan: CrawlPlan, request: Request) -> Response:
    """The answer, after its redirects; robots.txt is asked first, as in a crawl."""
    fetcher = HttpFetcher(plan.site, plan.secrets, open_jar(plan.site))
    try:
        while True:
            if plan.site.robots:
                _ask_robots(plan, fetcher, request)
            answer = fetcher.fetch(request)
            if isinstance(answer, Failure):
                raise NotFetchedError(f"{plan.secrets.mask(request.url)}: {answer.outcome}: {answer.reason}")
            if answer.status not in MOVED | TEMP_MOVED:
                return _accepted(plan, answer)
            redirect = follow_redirect(plan, answer, "moved")
            if redirect.request is None:
                raise NotFetchedError(f"{plan.secrets.mask(request.url)}: {redirect.outcome}: {redirect.reason}")
            request = redirect.request
    finally:
        fetcher.close()


def _accepted(plan: CrawlPlan, answer: Response) -> Response:
    page = plan.pages[answer.request.page]
    if not 200 <= answer.status < 300 and answer.status not in page.accept:
        url = plan.secrets.mask(answer.url)
        raise NotFetchedError(
            f"{url} answered {phrase(answer.status)}", f"pages.{page.kind}.accept: [{answer.status}] would read it"
        )
    return answer


def _ask_robots(plan: CrawlPlan, fetcher: HttpFetcher, request: Request) -> None:
    url = f"{origin(request.url)}/robots.txt"
    answer = fetcher.fetch(Request(url, url, purpose="robots"))
    if isinstance(answer, Failure) or answer.status >= 500:
        why = answer.reason if isinstance(answer, Failure) else phrase(answer.status)
        raise NotFetchedError(f"{url} could not be read: {why}", "site.robots: ignore does not ask it")
    if not 200 <= answer.status < 300:
        return
    rules = parse_robots(read_robots(answer, plan.site.user_agent).text)
    if not rules.allows(request.url, product_token(plan.site.user_agent)):
        said = f"{plan.secrets.mask(request.url)}: robots.txt denies it"
        raise NotFetchedError(said, "`yamlcrawl explain site.robots` says what that means")


@dataclass(frozen=True, slots=True)
class Tried:
    """What the rules of a page found on it."""

    response: Response
    page: PagePlan
    items: Sequence[Item]
    links: Sequence[Request]
    trace: Trace
    warning: str

    def lines(self, plan: CrawlPlan) -> Iterator[str]:
        """It all, for people."""
        yield f"{self.response.url}  {phrase(self.response.status)}, {self.page.format}, page kind {self.page.kind}"
        if self.warning:
            yield f"warning: {self.warning}"
        yield from self._items()
        yield from self._selectors(plan)
        yield from self._links()
        yield from self._left_out()

    def _items(self) -> Iterator[str]:
        for rule in self.page.items:
            mine = [item for item in self.items if item.kind == rule.kind]
            tried = self.trace.counts.get(f"match:{rule.kind}", 0)
            yield ""
            places = "1 match" if tried == 1 else f"{tried:,} matches"
            yield f"{rule.kind}: {counted(len(mine), 'item')} of {places}"
            yield from (f"  {plain(item.text)}" for item in mine[:SHOWN])
            if len(mine) > SHOWN:
                yield f"  … {len(mine) - SHOWN} more"

    def _selectors(self, plan: CrawlPlan) -> Iterator[str]:
        mine = [path for path, (_, kind) in plan.selectors.items() if kind == self.page.kind]
        if not mine:
            return
        yield ""
        yield "selectors, and how often each matched:"
        width = max(map(len, mine))
        for path in mine:
            matches = self.trace.matches.get(path)
            said = "not asked" if matches is None else f"{matches:,}" if matches else "nothing"
            yield f"  {path.ljust(width)}  {said.rjust(9)}  {plain(plan.selectors[path][0])}"
            for shorter in self._notes(f"tbody:{path}"):
                yield f"    the page has no tbody there, browsers add it: say {shorter}"
            for prefix in self._notes(f"prefix:{path}"):
                yield f"    the document does not declare {prefix}"

    def _links(self) -> Iterator[str]:
        rules = list(dict.fromkeys([*(rule.path for rule in self.page.follow), *(link.via for link in self.links)]))
        for path in rules:
            mine = [link for link in self.links if link.via == path]
            yield ""
            yield f"{path}: {counted(len(mine), 'link')}"
            for link in mine[:SHOWN]:
                carried = f"  carries {dict(link.carry)}" if link.carry else ""
                yield f"  {link.method} {link.url}{carried}"
            if len(mine) > SHOWN:
                yield f"  … {len(mine) - SHOWN} more"

    def _left_out(self) -> Iterator[str]:
        told = (
            ("rejected", "rejected"),
            ("cast", "not read as its type"),
            ("unmapped", "not listed in map"),
            ("object", "an object, where a text was wanted"),
            ("excluded", "links left out by include or exclude"),
            ("offsite", "links that leave the scope"),
            ("bad_url", "addresses that are no URL"),
            ("form", "links that are forms"),
            ("cut", "links taken for a trap"),
            ("ended", "end of a chain"),
        )
        lines = [
            f"  {what}: {n:,}  {of}{''.join(f'  e.g. {note}' for note in self._notes(f'{name}:{of}')[:1])}"
            for name, what in told
            for of, n in under(self.trace.counts, name).items()
        ]
        if lines:
            yield ""
            yield "left out:"
            yield from map(plain, lines)

    def _notes(self, name: str) -> list[str]:
        return [text for noted, text in self.trace.notes if noted == name]


def _try(plan: CrawlPlan, response: Response) -> Tried:
    page, trace = plan.pages[response.request.page], Trace()
    try:
        document = page.parse()(response)
        view = View(document, response.request, trace, plan.secrets, plan.now)
        items = extract(view, page)
        links = follow(view, page, items, lambda _fingerprint: False)
    except ParseError as error:
        raise NotFetchedError(f"{plan.secrets.mask(response.url)}: {error.outcome}: {error.what}") from error
    return Tried(response, page, items, links, trace, document.warning)
