"""One page of a crawl, asked for by its address."""

from __future__ import annotations

from yamlcrawl.errors import RefusedError
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Response
from yamlcrawl.urls import join


def request_of(plan: CrawlPlan, url: str, page: str | None) -> Request:
    """The request of the URL: the start's own where it is one of these, else a plain one for the page kind.

    Secrets in a start URL may be masked or written out. Raises RefusedError.
    """
    address = join("", url)
    if address is None:
        raise RefusedError(f"{url} is no address", "write it whole, with http:// or https://")
    if page is not None and page not in plan.pages:
        raise RefusedError(f"there is no page kind {page}", f"there are {', '.join(plan.pages)}")
    canonical = plan.site.canonical(address)
    known = plan.secrets.mask(canonical)
    for seed in plan.seeds():
        if known == plan.secrets.mask(seed.canonical) and page in (None, seed.page):
            return seed
    if page is None and len(plan.pages) > 1:
        raise RefusedError(
            f"{url} is no start URL, so its page kind is not known", f"say --page {' or --page '.join(plan.pages)}"
        )
    return Request(address, canonical, page=page or next(iter(plan.pages)))


def is_read(plan: CrawlPlan, answer: Response) -> bool:
    """Whether a crawl reads the body of an answer with that status."""
    return 200 <= answer.status < 300 or answer.status in plan.pages[answer.request.page].accept
