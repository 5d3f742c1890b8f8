"""What the rules of its page kind make of one answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from yamlcrawl.engine.extract import extract
from yamlcrawl.engine.follow import follow
from yamlcrawl.engine.trace import Trace
from yamlcrawl.model.files import settled
from yamlcrawl.model.item import Item
from yamlcrawl.model.plan import CrawlPlan, PagePlan, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Response


@dataclass(frozen=True, slots=True)
class Tried:
    """The items and links of a page, and how each selector did."""

    response: Response
    page: PagePlan
    items: Sequence[Item]
    links: Sequence[Request]
    trace: Trace
    warning: str
    selectors: Mapping[str, str]
    """Dotted path of each selector of the page kind to its text."""

    def items_of(self, kind: str) -> list[Item]:
        """The items of that type, in the order of the page."""
        return [item for item in self.items if item.kind == kind]


def read_answer(plan: CrawlPlan, response: Response) -> Tried:
    """What the rules find on the page; nothing is stored or fetched. Raises ParseError.

    A file that an item would wait for is shown by its address: ``{"url": …}``.
    """
    page, trace = plan.pages[response.request.page], Trace()
    document = page.parse()(response)
    view = View(document, response.request, trace, plan.secrets, plan.now)
    items = extract(view, page)
    links = follow(view, page, items, lambda _fingerprint: False)
    files = {fingerprint: {"url": plan.secrets.mask(file.url)} for fingerprint, file in view.files.items()}
    items = [replace(item, text=settled(item.text, files)) if item.files else item for item in items]
    selectors = {path: text for path, (text, kind) in plan.selectors.items() if kind == page.kind}
    return Tried(response, page, items, links, trace, document.warning, selectors)
