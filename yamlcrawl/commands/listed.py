"""What a start request that lists addresses (a sitemap) leads to, told for people."""

from __future__ import annotations

from collections.abc import Iterator

from yamlcrawl.commands.told import left_out, links_told
from yamlcrawl.engine.statuses import phrase
from yamlcrawl.engine.trace import Trace
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.response import Response
from yamlcrawl.reports.words import counted


def listed(plan: CrawlPlan, answer: Response) -> Iterator[str]:
    """The addresses in the answer, and what was left out; secrets are not masked yet. Raises ParseError."""
    request, trace = answer.request, Trace()
    links = plan.listings[request.via].read(answer, trace)
    nested = [link for link in links if link.purpose != "page"]
    pages = [link for link in links if link.purpose == "page"]
    yield f"{answer.url}  {phrase(answer.status)}: a {request.purpose} of pages of the kind {request.page}"
    if nested:
        yield from links_told(f"further {counted(len(nested), request.purpose)}, which a crawl reads too", nested)
    if pages or not nested:
        yield from links_told(f"{request.via}: {counted(len(pages), 'link')}", pages)
    yield from left_out(trace)


def lists(plan: CrawlPlan, answer: Response) -> bool:
    """Whether the answer is that of a start request which lists addresses."""
    return answer.request.purpose != "page" and answer.request.via in plan.listings
