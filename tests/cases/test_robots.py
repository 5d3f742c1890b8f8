"""What the answer to /robots.txt means (public case C09)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Answer, Page, Site, drop, html, redirect

SPEC = """
name: pages
site: {{sleep: 0s, retry: {{times: 1, wait: 50ms}}{more}}}
start: {{page: "{url}"}}
pages:
  page:
    follow: {{page: a}}
    items:
      page: {{fields: {{title: h1}}}}
"""

HOME = '<h1>home</h1><a href="/page">page</a><a href="/cart/x">cart</a>'


def serve(site: Site, robots: Page | None) -> str:
    site.pages.update({"/": HOME, "/page": "<h1>page</h1>", "/cart/x": "<h1>cart</h1>"})
    site.robots = robots
    return SPEC.format(url=site.url(), more="")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_c09a_no_robots_txt_allows_everything(site: Site, crawl: CommandLine, status: int) -> None:
    run = crawl(serve(site, html("<h1>no</h1>", status)))
    assert run.exit == 0, run.output
    assert sorted(site.targets()) == ["/", "/cart/x", "/page"]


@pytest.mark.parametrize(
    "robots",
    [
        html("<h1>busy</h1>", 503),
        html("<h1>bug</h1>", 500),
        drop(),
        redirect("/robots.txt"),
        drop(after=b"\x00garbage\r\n\r\n"),
    ],
    ids=["503", "500", "drop", "loop", "garbage"],
)
def test_c09bd_an_unreadable_robots_txt_denies_everything(site: Site, crawl: CommandLine, robots: Page) -> None:
    run = crawl(serve(site, robots))
    if isinstance(robots, Answer) and robots.status == 302:
        # RFC 9309, 2.3.1.2: after five redirects a crawler may assume that there are no rules
        assert run.exit in (0, 3), run.output
        return
    assert run.exit == 3, run.output
    assert site.targets() == []
    assert "robots.txt" in run.stderr
    assert len([hit for hit in site.log if hit.path == "/robots.txt"]) == 2
    assert not (run.folder / "pages.jsonl").exists()


def test_c09c_a_web_page_for_robots_txt_is_no_rule_and_is_warned_of_once(site: Site, crawl: CommandLine) -> None:
    run = crawl(serve(site, html("<!doctype html><html><body>Disallow: /</body></html>")))
    assert run.exit == 0, run.output
    assert sorted(site.targets()) == ["/", "/cart/x", "/page"]
    warnings = [line for line in run.stderr.splitlines() if "robots.txt" in line and "HTML" in line]
    assert len(warnings) == 1, run.stderr


RULES = """User-agent: *
Crawl-delay: 1

User-agent: greedybot
Disallow: /

User-agent: *
Disallow: /cart/
"""


def test_c09e_groups_of_one_name_are_one_and_the_longer_delay_holds(site: Site, crawl: CommandLine) -> None:
    run = crawl(serve(site, RULES))
    assert run.exit == 0, run.output
    assert site.targets() == ["/", "/page"]
    assert min(site.log.pauses("127.0.0.1")) >= 1.0  # robots.txt, the start, the page
    assert run.report["outcomes"]["robots_denied"] == 1
    assert [entry["url"] for entry in run.skipped if entry["rule"] == "robots_denied"] == [site.url("/cart/x")]


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("User-agent: yamlcrawl\nDisallow: /page\n\nUser-agent: *\nDisallow: /\n", ["/", "/cart/x"]),
        ("user-agent: YAMLCRAWL\ndisallow: /cart\n", ["/", "/page"]),
        ("User-agent: *\nDisallow: /*/x$\n", ["/", "/page"]),
        ("User-agent: *\nDisallow: /\nAllow: /$\nAllow: /page\n", ["/", "/page"]),
        ("\ufeffUser-agent: *\r\nDisallow: /cart/ # all\r\n", ["/", "/page"]),
        ("User-agent: a\nUser-agent: *\nDisallow: /cart/\n", ["/", "/page"]),
        ("Disallow: /\n", ["/", "/cart/x", "/page"]),
        ("", ["/", "/cart/x", "/page"]),
    ],
)
def test_rules_are_read_as_rfc_9309_says(site: Site, crawl: CommandLine, rules: str, allowed: list[str]) -> None:
    run = crawl(serve(site, rules))
    assert run.exit == 0, run.output
    assert sorted(site.targets()) == allowed


def test_a_redirect_of_robots_txt_is_followed_and_the_rules_are_for_who_was_asked(
    site: Site, crawl: CommandLine
) -> None:
    spec = serve(site, redirect("/rules"))
    site.pages["/rules"] = Answer("User-agent: *\nDisallow: /cart/", headers=[("Content-Type", "text/plain")])
    run = crawl(spec)
    assert run.exit == 0, run.output
    assert sorted(site.targets()) == ["/", "/page", "/rules"]


def test_ignore_asks_for_no_rules(site: Site, crawl: CommandLine) -> None:
    serve(site, "User-agent: *\nDisallow: /")
    run = crawl(SPEC.format(url=site.url(), more=", robots: ignore"))
    assert run.exit == 0, run.output
    assert sorted(site.targets()) == ["/", "/cart/x", "/page"]
    assert not [hit for hit in site.log if hit.path == "/robots.txt"]


def test_each_host_has_rules_of_its_own(site: Site, crawl: CommandLine) -> None:
    serve(site, None)
    other = f"http://127.0.0.2:{site.port}"
    site.host("127.0.0.2").pages.update(site.pages)
    site.host("127.0.0.2").robots = "User-agent: *\nDisallow: /cart/"
    site.pages["/"] = HOME + f'<a href="{other}/page">o</a><a href="{other}/cart/x">o</a>'
    run = crawl(SPEC.format(url=site.url(), more=", private_addresses: allow, hosts: [127.0.0.2]"))
    assert run.exit == 0, run.output
    assert sorted(site.targets("127.0.0.1")) == ["/", "/cart/x", "/page"]
    assert site.targets("127.0.0.2") == ["/page"]
