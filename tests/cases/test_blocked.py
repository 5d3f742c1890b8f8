"""Challenge pages in place of data (public case C31), and pages that only speak of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Answer, Site, html, redirect

CHALLENGE = """<html><head><title>Just a moment...</title></head><body>
<script>window._cf_chl_opt={cvId:"3"};</script>
<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>
<h1>Checking your browser</h1></body></html>"""

SPEC = """
name: articles
site: {{sleep: 0s, retry: {{times: 2, wait: 20ms, max_wait: 100ms}}{site}}}
start:
  page: [{urls}]
pages:
  page:
    items:
      page: {{fields: {{title: title, head: h1}}}}
{more}
"""


def run(site: Site, crawl: CommandLine, *args: str, blocked: str = "", more: str = "", pages: int = 4) -> Ran:
    urls = ", ".join(f'"{site.url(f"/{n}")}"' for n in range(1, pages + 1))
    for n in range(1, pages + 1):
        site.pages.setdefault(f"/{n}", f"<title>t{n}</title><h1>h{n}</h1>")
    return crawl(SPEC.format(urls=urls, site=f", blocked: {blocked}" if blocked else "", more=more), *args)


def heads(ran: Ran) -> list[str]:
    return [item["head"] for item in ran.items]


def test_c31_a_challenge_with_status_200_is_no_item(site: Site, crawl: CommandLine) -> None:
    # the case wants marks by page type; the language has them by address: site.blocked.url
    site.pages["/3"] = CHALLENGE
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert heads(ran) == ["h1", "h2", "h4"]
    (failure,) = ran.failures
    assert (failure["url"], failure["outcome"]) == (site.url("/3"), "blocked")
    assert failure["reason"] == "200 OK: a challenge page of Cloudflare"
    assert ran.report["outcomes"] == {"ok": 3, "blocked": 1}
    assert site.targets().count("/3") == 3


def test_c31_the_pace_of_the_host_drops(site: Site, crawl: CommandLine) -> None:
    site.fallback = CHALLENGE
    site.pages.update({f"/{n}": CHALLENGE for n in range(1, 4)})
    ran = run(site, crawl, "--set", "site.retry=0", "--set", "site.sleep=50ms", pages=3)
    assert ran.exit == 3, ran.output
    assert "no start request for page was ok (3 tried)" in ran.output
    assert "blocked: 200 OK: a challenge page of Cloudflare" in ran.output
    hits = [hit for hit in site.log if hit.path != "/robots.txt"]
    # from the second failure in a row on the host waits twice its pause, then four times
    assert hits[2].arrived - (hits[1].answered or 0.0) >= 0.1
    assert all(later.arrived - (hit.answered or 0.0) >= 0.05 for hit, later in pairwise(hits))


def test_c31_a_run_of_which_much_is_blocked_does_not_end_well(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/2": CHALLENGE, "/3": CHALLENGE})
    ran = run(site, crawl)
    assert ran.exit == 2, ran.output
    assert "2 of 4 pages were blocked; expect.run.errors says how many may be" in ran.output
    assert [item["head"] for item in ran.lines("articles.jsonl.rejected")] == ["h1", "h4"]
    allowed = run(site, crawl, more="expect: {run: {errors: 50%}}")
    assert allowed.exit == 0, allowed.output
    refused = run(site, crawl, more="expect: {run: {errors: 40%}}")
    assert refused.exit == 2, refused.output


def test_a_page_that_comes_the_second_time_is_good(site: Site, crawl: CommandLine) -> None:
    answers = iter([html(CHALLENGE, 403), html("<title>t</title><h1>h1</h1>")])
    site.pages["/1"] = lambda _hit: next(answers)
    ran = run(site, crawl, pages=1)
    assert ran.exit == 0, ran.output
    assert heads(ran) == ["h1"]
    assert ran.failures == []


def test_challenges_that_are_not_looked_for_are_pages(site: Site, crawl: CommandLine) -> None:
    site.pages["/1"] = CHALLENGE
    ran = run(site, crawl, blocked="false", pages=1)
    assert ran.exit == 0, ran.output
    assert heads(ran) == ["Checking your browser"]


@pytest.mark.parametrize(
    ("page", "blocked", "mark"),
    [
        ("<h1>Sorry</h1><p>We saw UNUSUAL\n <b>traffic</b> from you", "{text: unusual traffic}", "site.blocked"),
        ("<title>Unusual traffic</title>", "{text: unusual traffic, status: 200}", "site.blocked"),
        (Answer(b'{"error": "unusual  traffic"}'), "{text: unusual traffic}", "site.blocked"),
        ("<form id=captcha>", "[{css: form.x}, {css: 'form#captcha'}]", "site.blocked.1"),
        (html("slow down", 420), "{status: [420, 421]}", "site.blocked"),
        ("<h1>h</h1>", "{url: ['/x', '/1'], css: h1}", "site.blocked"),
    ],
)
def test_marks_of_ones_own(site: Site, crawl: CommandLine, page: str | Answer, blocked: str, mark: str) -> None:
    site.pages["/1"] = page
    ran = run(site, crawl, "--set", "site.retry=0", blocked=blocked, more="expect: {run: {errors: 50%}}", pages=2)
    assert ran.exit == 0, ran.output
    assert heads(ran) == ["h2"]
    assert [one["reason"].rpartition(": ")[2] for one in ran.failures] == [mark]


def test_all_marks_of_one_alternative_must_hold(site: Site, crawl: CommandLine) -> None:
    site.pages["/1"] = html("<title>unusual traffic</title><h1>h1</h1>")
    ran = run(site, crawl, blocked="{text: unusual traffic, status: 503, css: h1}", pages=1)
    assert ran.exit == 0, ran.output
    assert heads(ran) == ["h1"]


def test_a_redirect_to_an_address_that_says_it_all_is_tried_again_where_it_began(
    site: Site, crawl: CommandLine
) -> None:
    answers = iter([redirect("/sorry/index?continue=/1"), html("<title>t</title><h1>h1</h1>")])
    site.pages["/1"] = lambda _hit: next(answers)
    ran = run(site, crawl, blocked="{url: /sorry/**}", pages=1)
    assert ran.exit == 0, ran.output
    assert heads(ran) == ["h1"]
    assert site.targets() == ["/1", "/1"]


def test_a_login_that_is_answered_by_a_challenge_says_so(site: Site, crawl: CommandLine) -> None:
    site.pages["/login"] = CHALLENGE
    login = f'login: {{url: "{site.url("/login")}", form: {{user: a}}}}'
    ran = run(site, crawl, more=login, pages=1)
    assert ran.exit == 3, ran.output
    assert "/login answered 200 OK: a challenge page of Cloudflare" in ran.output
