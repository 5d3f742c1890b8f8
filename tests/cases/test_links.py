"""What becomes of the addresses that pages hold (public cases C05 and C06)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Answer, Hit, Site, html

ONE_KIND = """
name: links
site: {{sleep: 0s, robots: ignore, private_addresses: allow, hosts: [other.test]}}
start: {{page: "{url}"}}
pages:
  page:
    follow: {{page: a}}
    items:
      page: {{fields: {{title: h1, url: {{from: url}}}}}}
"""


def asked(site: Site) -> set[str]:
    """Host and target of each request."""
    hits = [f"{hit.host}{hit.target}" for hit in site.log.pages()]
    assert len(hits) == len(set(hits)), hits
    return set(hits)


def test_c05_dirty_hrefs(site: Site, crawl: CommandLine) -> None:
    site.fallback = html("<h1>ok</h1>")
    site.pages["/p/?post=7"] = f"""<h1>start</h1>
<a href="
    http://other.test:{site.port}/x ">a</a>
<a href="/s?q=tea&amp;sort=up">b</a>
<a href="/s?x=1&copy=7&para=3">c</a>
<a href="/s?p=1&#38;v=2">d</a>
<a href="mailto:bo@site.test">e</a> <a href="javascript:void(0)">f</a> <a href="tel:+4512345678">g</a>
<a href="">h</a>"""
    run = crawl(ONE_KIND.format(url=site.url("/p/?post=7", "site.test")))
    assert run.exit == 0, run.output
    assert asked(site) == {
        "site.test/p/?post=7",
        "other.test/x",
        "site.test/s?q=tea&sort=up",
        "site.test/s?x=1&copy=7&para=3",
        "site.test/s?p=1&v=2",
    }
    assert run.failures == []
    assert len(run.items) == 5


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("\t/a\n", "/a"),
        ("/a\n/b", "/a/b"),
        ("?page=2", "/p/?page=2"),
        ("./x", "/p/x"),
        ("../x", "/x"),
        ("../../../x", "/x"),
        ("//site.test:{port}/y", "/y"),
        ("HTTP://SITE.TEST:{port}/z", "/z"),
        ("\\w", "/w"),
        ("/a b", "/a%20b"),
        ("/ü", "/%C3%BC"),
        ("/a?q=ü", "/a?q=%C3%BC"),
        ("/a|b", None),
        ("/x#frag", "/x"),
        ("/amp?a=1&amp;amp;b=2", "/amp?a=1&amp;b=2"),
        ("/not?x=1&notit=2", "/not?x=1&notit=2"),
    ],
)
def test_hrefs_are_read_as_a_browser_reads_them(site: Site, crawl: CommandLine, href: str, target: str | None) -> None:
    site.fallback = html("<h1>ok</h1>")
    site.pages["/p/?post=7"] = f'<h1>start</h1><a href="{href.replace("{port}", str(site.port))}">x</a>'
    run = crawl(ONE_KIND.format(url=site.url("/p/?post=7", "site.test")))
    assert run.exit == 0, run.output
    found = site.targets()[1:]
    # the path "|" may stand or be encoded: the WHATWG rules leave it, others do not
    assert found == [target] if target else found in (["/a|b"], ["/a%7Cb"])


@pytest.mark.parametrize(
    "href",
    [
        *(
            "#top",
            "",
            " ",
            "mailto:a@b.test",
            "JavaScript:void(0)",
            "data:text/html,x",
            "tel:1",
            "about:blank",
            "blob:x",
        ),
        *("http://", "http://[::1", "http://site.test:99999/", "https:///", "ftp://site.test/x", "file:///etc/passwd"),
    ],
)
def test_what_is_no_page_is_no_request_and_no_failure(site: Site, crawl: CommandLine, href: str) -> None:
    site.pages["/"] = f'<h1>start</h1><a href="{href}">x</a>'
    run = crawl(ONE_KIND.format(url=site.url("/", "site.test")))
    assert run.exit == 0, run.output
    assert site.targets() == ["/"]
    assert run.failures == []


def test_the_base_element_counts(site: Site, crawl: CommandLine) -> None:
    site.fallback = html("<h1>ok</h1>")
    site.pages["/deep/page"] = '<base href="/base/"><h1>start</h1><a href="x">x</a><a href="">self</a>'
    run = crawl(ONE_KIND.format(url=site.url("/deep/page", "site.test")))
    assert run.exit == 0, run.output
    assert asked(site) == {"site.test/deep/page", "site.test/base/x", "site.test/base/"}


def test_c06_a_path_that_grows_by_repeating_itself_ends(site: Site, crawl: CommandLine) -> None:
    pages = "".join(f'<a href="/p/{n}">{n}</a>' for n in range(1, 21))
    site.pages["/"] = f'<h1>home</h1><a href="/privacy/">privacy</a>{pages}'

    def grow(hit: Hit) -> str:
        return (
            '<h1>x</h1><a href="www.partner.test/terms/">terms</a>'
            if hit.path.startswith("/privacy/")
            else "<h1>p</h1>"
        )

    site.fallback = grow
    run = crawl(ONE_KIND.format(url=site.url("/", "s.test")))
    assert run.exit == 0, run.output
    targets = site.targets()
    assert max(target.count("www.partner.test") for target in targets) <= 3
    assert sum(target.startswith("/privacy/") for target in targets) <= 5
    assert {f"/p/{n}" for n in range(1, 21)} <= set(targets)
    cut = [line for line in run.stderr.splitlines() if "repeat" in line]
    assert cut, run.stderr
    assert any("www.partner.test/terms/" in line for line in run.stderr.splitlines()), run.stderr
    assert [(cut["of"], cut["count"]) for cut in run.report["guards"]] == [("repeats", 1)]


@pytest.mark.parametrize(
    ("page", "guards", "most"),
    [
        # one step deeper at a time, never the same segment twice
        (lambda hit: f'<h1>x</h1><a href="{hit.path.rstrip("/")}/{hit.path.count("/")}/">deeper</a>', "depth: 6", 7),
        # a longer address at a time
        (lambda hit: f'<h1>x</h1><a href="/{"a" * (len(hit.path) + 100)}">longer</a>', "url: 700", 7),
        # a calendar
        (lambda hit: f'<h1>x</h1><a href="/cal?day={int(hit.query.get("day", 0)) + 1}">next day</a>', "variants: 6", 8),
        # two segments in turn
        (lambda hit: f'<h1>x</h1><a href="{"a" if hit.path.endswith("b/") else "b"}/">turn</a>', "repeats: 2", 8),
    ],
    ids=["depth", "url", "variants", "repeats"],
)
def test_other_traps_end_too(site: Site, crawl: CommandLine, page: object, guards: str, most: int) -> None:
    site.fallback = page  # type: ignore[assignment]
    spec = ONE_KIND.format(url=site.url("/", "s.test")) + f"limits: {{guards: {{{guards}}}}}\n"
    run = crawl(spec)
    assert run.exit == 0, run.output
    assert 2 <= len(site.targets()) <= most
    guard = guards.split(":")[0]
    assert [cut["of"] for cut in run.report["guards"]] == [guard]


def test_queries_are_sent_in_the_charset_of_the_page(site: Site, crawl: CommandLine) -> None:
    site.fallback = html("<h1>ok</h1>")
    page = '<h1>start</h1><a href="/цена?q=цена&amp;r=€#цена">a</a><a href="/b?q=%D1%86">b</a>'
    site.pages["/"] = Answer(page.encode("windows-1251"), headers=[("Content-Type", "text/html; charset=windows-1251")])
    run = crawl(ONE_KIND.format(url=site.url("/", "site.test")))
    assert run.exit == 0, run.output
    path = "site.test/%D1%86%D0%B5%D0%BD%D0%B0"
    assert asked(site) == {"site.test/", f"{path}?q=%F6%E5%ED%E0&r=%88", "site.test/b?q=%D1%86"}
