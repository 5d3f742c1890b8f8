"""What a page leads to: links once each and in order, what is known left out, then refresh and next."""

from collections.abc import Iterable, Sequence

from yamlcrawl.engine.follow import follow
from yamlcrawl.model.document import Document
from yamlcrawl.model.item import Item
from yamlcrawl.model.plan import LinkRule, NextRule, PagePlan, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.model.tally import Tally

HOME = "http://a.test/"


def request(tail: str, **more: object) -> Request:
    return Request(HOME + tail, HOME + tail, page="p", **more)  # type: ignore[arg-type]


def view() -> View:
    response = Response(request(""), HOME, 200, Headers(), b"", 0, 0.0, 0.0)
    return View(Document(response, "html", None, HOME), response.request, Tally(), Secrets(), 0.0)


def plan(*rules: Iterable[Request], next_: Request | None = None, refresh: Request | None = None) -> PagePlan:
    def step(_view: View, _items: Sequence[Item], _links: Sequence[Request]) -> Request | None:
        return next_

    follow_ = tuple(LinkRule(f"pages.p.follow.{n}", "p", lambda _view, r=r: r) for n, r in enumerate(rules))  # type: ignore[misc]
    return PagePlan(
        "p",
        "html",
        lambda: lambda response: Document(response, "html", None, HOME),
        next=NextRule("pages.p.next", step),
        refresh=lambda _view: refresh,
        follow=follow_,
    )


def test_links_come_once_in_the_order_of_rules_and_page() -> None:
    seen = view()
    found = follow(seen, plan([request("b"), request("a")], [request("c"), request("b")]), [], lambda _: False)
    assert [r.url for r in found] == [HOME + "b", HOME + "a", HOME + "c"]
    assert seen.tally.counts == {"duplicates": 1}


def test_one_link_with_other_carried_values_is_told() -> None:
    seen = view()
    found = follow(seen, plan([request("b", carry={"n": 1}), request("b", carry={"n": 2})]), [], lambda _: False)
    assert [r.carry for r in found] == [{"n": 1}]
    assert seen.tally.notes == [("carry:pages.p.follow.0", HOME + "b")]


def test_rules_are_told_what_is_known() -> None:
    seen = view()
    follow(seen, plan([]), [], lambda fingerprint: fingerprint == 7)
    assert seen.known(7)
    assert not seen.known(8)


def test_refresh_and_next_come_last_and_not_twice() -> None:
    found = follow(view(), plan([request("a")], next_=request("a"), refresh=request("z")), [], lambda _: False)
    assert [r.url for r in found] == [HOME + "a", HOME + "z"]


def test_next_sees_items_and_links() -> None:
    given: list[object] = []

    def step(_view: View, items: Sequence[Item], links: Sequence[Request]) -> Request | None:
        given.extend([items, list(links)])
        return None

    page = plan([request("a")], refresh=request("z"))
    item = Item("book", "{}")
    page = PagePlan("p", "html", page.parse, next=NextRule("n", step), refresh=page.refresh, follow=page.follow)
    follow(view(), page, [item], lambda _: False)
    assert given == [[item], [request("a")]]
