"""One page fetched by itself, as politely as in a crawl: robots.txt first, redirects judged one by one."""

from __future__ import annotations

from yamlcrawl.commands.asked import is_read
from yamlcrawl.engine.redirects import follow_redirect
from yamlcrawl.engine.robots import parse_robots, product_token, read_robots
from yamlcrawl.engine.session import Session
from yamlcrawl.engine.statuses import MOVED, TEMP_MOVED, phrase
from yamlcrawl.errors import Exit, LoginError, YamlcrawlError
from yamlcrawl.fetchers import HttpFetcher, open_jar
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure, Response
from yamlcrawl.urls import origin


class NotFetchedError(YamlcrawlError):
    """The page could not be had, or not be read."""

    exit = Exit.FAILED


def fetched(plan: CrawlPlan, request: Request) -> Response:
    """The answer, after its redirects; robots.txt is asked first, and a spec with a login signs in.

    Raises NotFetchedError where a crawl has no page, LoginError.
    """
    fetcher = HttpFetcher(plan.site, plan.secrets, open_jar(plan.site))
    session = Session(plan, plan.login, lambda _why: None) if plan.login else None
    try:
        while True:
            if plan.site.robots:
                _ask_robots(plan, fetcher, request)
            if session is not None and session.concerns(request):
                _sign_in(plan, fetcher, session)
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


def _sign_in(plan: CrawlPlan, fetcher: HttpFetcher, session: Session) -> None:
    try:
        session.ensure(fetcher)
    except LoginError as error:
        raise LoginError(f"login: {plan.secrets.mask(error.what)}", plan.secrets.mask(error.fix)) from error


def _accepted(plan: CrawlPlan, answer: Response) -> Response:
    if why := plan.blocked.judge()(answer):
        said = f"{plan.secrets.mask(answer.url)}: blocked: {phrase(answer.status)}: {why}"
        raise NotFetchedError(said, "try again later, more slowly; site.blocked: false reads the page as it is")
    page = plan.pages[answer.request.page]
    if not is_read(plan, answer):
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
