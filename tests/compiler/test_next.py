"""Chains of pages: every way to the next one, and every end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.compiler.crawled import Led, lead, plan, problems
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.secrets import reference

ITEMS = "items: {x: {each: li, fields: {t: ':scope'}}}"


def spec(next_: str, more: str = ITEMS, start: str = "http://site.test/l?q=a%20b&page=1", form: str = "html") -> str:
    return f"start: {{p: {start!r}}}\npages:\n  p:\n    format: {form}\n    next: {next_}\n    {more}\n"


def chain(crawl: CrawlPlan, page: Callable[[Request], str], most: int = 40) -> tuple[list[str], Led]:
    """The addresses of a chain, each page answered by the function, and what the last page led to."""
    request = next(iter(crawl.seeds()))
    urls, known = [request.url], {request.fingerprint}
    for _ in range(most):
        led = lead(crawl, page(request), request, known=known.__contains__)
        if led.next is None:
            return urls, led
        request = led.next
        known.add(request.fingerprint)
        urls.append(request.url)
    return urls, led


def numbered(request: Request) -> int:
    return int(request.url.rpartition("=")[2])


def test_a_link_leads_on_until_there_is_none() -> None:
    def page(request: Request) -> str:
        n = numbered(request)
        return f"<li>{n}</li>" + (f'<a class=n href="?page={n + 1}">next</a>' if n < 3 else "")

    urls, led = chain(plan(spec("a.n")), page)
    assert urls[1:] == ["http://site.test/l?page=2", "http://site.test/l?page=3"]
    assert led.ended == "no link"


def test_the_last_page_links_to_itself() -> None:
    def page(request: Request) -> str:
        n = numbered(request)
        return f'<li>{n}</li><a class=n href="?page={min(n + 1, 3)}">next</a>'

    urls, led = chain(plan(spec("a.n", start="http://site.test/a?page=1")), page)
    assert len(urls) == 3
    assert led.ended == "no new link"


def test_a_page_past_the_end_repeats_the_last_one() -> None:
    def page(request: Request) -> str:
        n = min(numbered(request), 3)
        return f"<li>{2 * n - 1}</li><li>{2 * n}</li>"

    urls, led = chain(plan(spec("{param: page}", start="http://site.test/b?page=1")), page)
    assert urls == [f"http://site.test/b?page={n}" for n in (1, 2, 3, 4)]
    assert led.ended == "no new item"


def test_an_address_in_the_item_is_no_news() -> None:
    items = "items: {x: {each: li, fields: {t: ':scope', u: {from: url}}}}"
    urls, led = chain(plan(spec("{param: page}", items, "http://site.test/b?page=1")), lambda _: "<li>1</li>")
    assert len(urls) == 2
    assert led.ended == "no new item"


def test_a_link_goes_on_over_ten_empty_pages() -> None:
    def page(request: Request) -> str:
        n = numbered(request)
        return (f"<li>{n}</li>" if n <= 3 else "") + f'<a class=n href="?page={n + 1}">next</a>'

    urls, led = chain(plan(spec("a.n", start="http://site.test/c?page=1")), page)
    assert len(urls) == 3 + 10 + 1
    assert led.ended == "more than 10 pages in a row gave nothing new"


def test_a_counter_ends_on_an_empty_page() -> None:
    urls, led = chain(plan(spec("{param: page}")), lambda r: "<li>x</li>" * (numbered(r) % 4))
    assert [url.rpartition("=")[2] for url in urls] == ["1", "2", "3", "4"]
    assert led.ended == "empty page"


def test_items_that_where_leaves_out_are_no_end() -> None:
    items = "items: {x: {each: li, fields: {t: ':scope'}, where: \"t == 'no'\"}}"
    urls, led = chain(plan(spec("{param: page, max: 4}", items)), lambda r: f"<li>{numbered(r)}</li>")
    assert len(urls) == 4
    assert led.ended == "max"


def test_links_keep_a_counter_going_until_they_repeat() -> None:
    def page(request: Request) -> str:
        return f'<a href="/d/{min(numbered(request), 3)}">x</a>'

    more = "follow: {p: a}"
    urls, led = chain(plan(spec("{param: page}", more)), page)
    assert len(urls) == 4
    assert led.ended == "no new item"


@pytest.mark.parametrize(
    ("next_", "start", "second"),
    [
        ("{param: page}", "http://site.test/l?q=a%20b&page=4&z=1", "http://site.test/l?q=a%20b&page=5&z=1"),
        ("{param: page}", "http://site.test/l?q=%C3%A4", "http://site.test/l?q=%C3%A4&page=2"),
        ("{param: offset, step: 100}", "http://site.test/l", "http://site.test/l?offset=100"),
        ("{param: offset, step: 100, start: 50}", "http://site.test/l", "http://site.test/l?offset=150"),
        ("{param: p, start: 0}", "http://site.test/l", "http://site.test/l?p=1"),
        ("{param: page}", "http://site.test/l?page=first", "http://site.test/l?page=2"),
        ("{url: '/shoes/page/${next}'}", "http://site.test/l?x=1", "http://site.test/shoes/page/2"),
    ],
)
def test_counters(next_: str, start: str, second: str) -> None:
    led = lead(plan(spec(next_, start=start)), "<li>1</li>")
    assert led.next
    assert led.next.url == second
    assert led.next.chain.step == 1


def test_a_template_counts_on() -> None:
    urls, _ = chain(
        plan(spec("{url: 'page/${next}', max: 4}", start="http://site.test/")), lambda r: f"<li>{r.url}</li>"
    )
    assert urls[1:] == ["http://site.test/page/2", "http://site.test/page/page/3", "http://site.test/page/page/page/4"]


def test_a_cursor_goes_into_the_query() -> None:
    text = spec(
        "{json: meta.next, param: cursor}", "items: {x: {each: rows, fields: {t: t}}}", "http://site.test/l", "json"
    )
    crawl = plan(text)
    led = lead(crawl, '{"rows": [{"t": 1}], "meta": {"next": "a+b/="}}')
    assert led.next
    assert led.next.url == "http://site.test/l?cursor=a%2Bb%2F%3D"
    again = lead(crawl, '{"rows": [{"t": 2}], "meta": {"next": "a+b/="}}', led.next)
    assert (again.next, again.ended) == (None, "no new value")
    for nothing in ("false", "null", '""'):
        end = lead(crawl, f'{{"rows": [], "meta": {{"next": {nothing}}}}}', led.next)
        assert (end.next, end.ended) == (None, "no value")
    number = lead(crawl, '{"rows": [{"t": 1}], "meta": {"next": 0}}', led.next)
    assert number.next
    assert number.next.url == "http://site.test/l?cursor=0"


def test_a_cursor_goes_over_ten_empty_pages() -> None:
    text = spec("{json: n, param: c}", "items: {x: {each: rows, fields: {t: t}}}", "http://site.test/l?c=0", "json")
    urls, led = chain(plan(text), lambda r: f'{{"rows": [], "n": {numbered(r) + 1}}}')
    assert len(urls) == 11
    assert led.ended == "more than 10 pages in a row gave nothing new"


POST = """
start: {p: {url: http://site.test/graphql, body: {query: q, variables: {first: 2}}, headers: {X-A: b}, carry: {c: d}}}
pages:
  p: {format: json, next: NEXT, items: {x: {each: rows, fields: {t: t}}}}
"""


def test_a_cursor_goes_into_the_body_and_all_else_stays() -> None:
    crawl = plan(POST.replace("NEXT", "{json: end, body: variables.after}"))
    led = lead(crawl, '{"rows": [{"t": 1}], "end": "abc"}')
    assert led.next
    assert led.next.body
    assert led.next.body.value == {"query": "q", "variables": {"first": 2, "after": "abc"}}
    assert (led.next.method, led.next.headers, led.next.carry) == ("POST", (("X-A", "b"),), {"c": "d"})
    assert (led.next.url, led.next.seed, led.next.step) == ("http://site.test/graphql", False, True)
    seed = next(iter(crawl.seeds()))
    assert seed.body
    assert seed.body.value == {"query": "q", "variables": {"first": 2}}


def test_a_counter_in_the_body_is_a_number() -> None:
    crawl = plan(POST.replace("NEXT", "{body: variables.first}"))
    led = lead(crawl, '{"rows": [{"t": 1}]}')
    assert led.next
    assert led.next.body
    assert led.next.body.value["variables"] == {"first": 3}


def test_a_counter_in_a_form() -> None:
    text = """
start: {p: {url: http://site.test/s, form: {q: x, page: 3}}}
pages: {p: {next: {form: page}, items: {x: {each: li, fields: {t: ':scope'}}}}}
"""
    led = lead(plan(text), "<li>1</li>")
    assert led.next
    assert led.next.body
    assert led.next.body.value == [["q", "x"], ["page", "4"]]


@pytest.mark.parametrize(
    ("header", "url"),
    [
        ('<http://site.test/?p=2>; rel="next", <http://site.test/?p=9>; rel="last"', "http://site.test/?p=2"),
        ('</x,y>; title="a, b; rel=no"; rel="prev Next"', "http://site.test/x,y"),
        ("<?p=3>; rel=next; type=text/html", "http://site.test/l?p=3"),
        ('<?p=3>; rel="last"', None),
        ('<?p=3>; rel="next"; anchor="#x"', None),
        ("nonsense", None),
    ],
)
def test_the_link_header(header: str, url: str | None) -> None:
    led = lead(plan(spec("{header: link}", start="http://site.test/l")), "<base href=/deep/>", headers={"Link": header})
    assert (led.next.url if led.next else None) == url
    assert led.ended == ("" if url else "no link")


def test_next_keeps_what_belongs_to_the_chain() -> None:
    led = lead(plan(spec("a")), '<li>1</li><a href="/2">n</a>', depth=3, priority=2, vars={"a": "b"}, carry={"c": 1})
    assert led.next
    assert (led.next.depth, led.next.priority, led.next.vars, led.next.carry) == (3, 2, {"a": "b"}, {"c": 1})
    assert (led.next.via, led.next.parent) == ("pages.p.next", "http://site.test/l?q=a%20b&page=1")


def test_next_stays_on_the_site_and_takes_no_secret_along() -> None:
    led = lead(plan(spec("a")), '<a href="http://other.test/">n</a>')
    assert (led.next, led.ended) == (None, "it leaves the site")
    assert led.tally.counts["offsite:other.test"] == 1
    text = """
site: {hosts: other.test}
start: {p: {url: http://site.test/, headers: {X-K: "${env.KEY}", X-L: de}}}
pages: {p: {next: a}}
"""
    crawl = plan(text, {"KEY": "s3cr3t"})
    led = lead(crawl, '<a href="/?x=%1AKEY%1A">n</a>')
    assert led.next
    assert led.next.headers == (("X-K", reference("KEY")), ("X-L", "de"))
    assert led.next.url == "http://site.test/?x=KEY"
    led = lead(crawl, '<a href="http://other.test/">n</a>')
    assert led.next
    assert (led.next.headers, led.next.secrets) == ((("X-L", "de"),), ())


def test_guards_do_not_hold_for_next() -> None:
    text = "limits: {guards: {url: 30, depth: 1, variants: 1}}\n" + spec("a")
    led = lead(plan(text), '<li>1</li><a href="/?aaaaaaaaaaaaaaaaaaaaaaaaaaaaa">n</a>', depth=5)
    assert led.next


@pytest.mark.parametrize(
    ("next_", "told"),
    [
        ("{param: page, max: 1}", "pages.p.next.max: the counter never sends anything"),
        ("{body: variables.page}", "pages.p.next.body: no request for p has a JSON body"),
        ("{css: a, url: 'https://${next}/'}", "pages.p.next.url: a value from a page would form the host"),
        ("{css: a, url: '/${nxt}${next}'}", 'pages.p.next.url: "nxt" is not set | did you mean "next"?'),
        ("'li ['", "pages.p.next: "),
    ],
)
def test_what_can_never_work_is_told(next_: str, told: str) -> None:
    found = problems(spec(next_, start="http://site.test/l"))
    assert len(found) == 1
    assert found[0].startswith(told)


def test_a_counter_may_start_where_the_request_does() -> None:
    assert problems(spec("{param: page, max: 1}", start="http://site.test/l?page=0")) == []
