"""Sites that want one to sign in: forms with tokens, JSON logins, sessions that end in mid-crawl, wrong passwords.

Among them the public cases C12 and C13.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Answer, Hit, Site, html, json_answer, redirect

PASSWORD = "correct-horse"
ENV = {"PORTAL_USER": "member-7", "PORTAL_PASSWORD": PASSWORD}

SPEC = """
name: portal
site: {{sleep: 0s, threads: 4, per_host: 4}}
login:
  url: "{url}"
  form:
    user: ${{env.PORTAL_USER}}
    password: ${{env.PORTAL_PASSWORD}}
  check: a[href="/logout"]
start: {{list: "{start}"}}
pages:
  list:
    follow: {{invoice: a.invoice}}
  invoice:
    items:
      invoice: {{key: number, fields: {{number: b}}}}
"""


class Portal:
    """A site with a login form, whose session ends after so many pages."""

    def __init__(self, site: Site, invoices: int = 20, ends_after: int = 10**6, denies: str = "redirect") -> None:
        self.site, self.ends_after, self.denies = site, ends_after, denies
        self.tokens = (f"t{n}" for n in itertools.count(1))
        self.sessions = itertools.count(1)
        self.token = ""
        self.session = ""
        self.left = 0
        self.sent: list[dict[str, list[str]]] = []
        links = "".join(f'<a class=invoice href="/invoice/{n}">{n}</a>' for n in range(invoices))
        site.pages["/login"] = self.login
        site.pages["/list"] = self.member(lambda _hit: html(f"{links}<a href=/logout>out</a>"))
        site.fallback = self.member(lambda hit: html(f"<b>{hit.path.rpartition('/')[2]}</b><a href=/logout>out</a>"))

    def login(self, hit: Hit) -> Answer:
        if hit.method == "GET":
            return self.form()
        self.sent.append(parse_qs(hit.body.decode(), keep_blank_values=True))
        if self.sent[-1].get("password") != [PASSWORD] or self.sent[-1].get("token") != [self.token]:
            return self.form()
        self.session, self.left = f"s{next(self.sessions)}", self.ends_after
        cookie = ("Set-Cookie", f"sid={self.session}; Path=/; HttpOnly")
        return redirect("/list", headers=[cookie])

    def form(self, status: int = 200) -> Answer:
        self.token = next(self.tokens)
        return html(
            f"<form method=post action=/login><input type=hidden name=token value={self.token}><input name=user>"
            "<input type=password name=password><button>in</button></form>",
            status,
        )

    def member(self, page: Callable[[Hit], Answer]) -> Callable[[Hit], Answer]:
        def guarded(hit: Hit) -> Answer:
            if self.session and f"sid={self.session}" in (hit.header("cookie") or "") and self.left > 0:
                self.left -= 1
                return page(hit)
            if self.denies in ("form", "403"):
                return self.form(403 if self.denies == "403" else 200)
            return html("no", 401) if self.denies == "401" else redirect(f"/login?next={hit.path}")

        return guarded


def run(site: Site, crawl: CommandLine, *args: str, env: dict[str, str] | None = None) -> Ran:
    return crawl(SPEC.format(url=site.url("/login"), start=site.url("/list")), *args, env=env or ENV)


def numbers(ran: Ran) -> list[int]:
    return sorted(int(item["number"]) for item in ran.items)


def test_a_form_with_a_hidden_token_is_filled_in_once(site: Site, crawl: CommandLine) -> None:
    portal = Portal(site)
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert numbers(ran) == list(range(20))
    assert portal.sent == [{"token": ["t1"], "user": ["member-7"], "password": [PASSWORD]}]
    assert site.targets()[:3] == ["/login", "/login", "/list"]
    assert ran.holds(PASSWORD) == []


@pytest.mark.parametrize("denies", ["redirect", "401", "403", "form"])
def test_a_session_that_ends_is_renewed_by_one_thread_and_nothing_is_lost(
    site: Site, crawl: CommandLine, denies: str
) -> None:
    portal = Portal(site, invoices=60, ends_after=25, denies=denies)
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert numbers(ran) == list(range(60))
    # 61 pages and the page after each sign-in, 25 a session
    assert len(portal.sent) == 3
    assert ran.report["outcomes"] == {"ok": 61}
    assert ran.failures == []


def test_a_wrong_password_stops_the_run_and_is_not_shown(site: Site, crawl: CommandLine) -> None:
    portal = Portal(site)
    ran = run(site, crawl, env={**ENV, "PORTAL_PASSWORD": "wrong-donkey"})
    assert ran.exit == 3, ran.output
    said = f"login: the check found nothing on {site.url('/login')} after signing in (check user and password"
    assert said in ran.output
    assert "spec.yml:5:3" in ran.output or "spec.yml:4:1" in ran.output
    assert len(portal.sent) == 1
    assert "/list" not in site.targets()
    assert ran.holds("wrong-donkey") == []
    again = run(site, crawl)
    assert again.exit == 0, again.output


def test_without_a_check_a_form_that_comes_back_is_a_failed_login(site: Site, crawl: CommandLine) -> None:
    Portal(site)
    spec = SPEC.format(url=site.url("/login"), start=site.url("/list")).replace('  check: a[href="/logout"]\n', "")
    ran = crawl(spec, env={**ENV, "PORTAL_PASSWORD": "wrong-donkey"})
    assert ran.exit == 3
    assert "shows the login form again after signing in" in ran.output


def test_a_session_that_never_holds_stops_the_run(site: Site, crawl: CommandLine) -> None:
    # the page after signing in is let through, and no other
    portal = Portal(site, ends_after=1)
    ran = run(site, crawl)
    assert ran.exit == 3, ran.output
    assert "the session was lost again right after signing in" in ran.output
    assert len(portal.sent) == 2


def test_one_page_that_is_refused_to_members_too_is_that_pages_error(site: Site, crawl: CommandLine) -> None:
    portal = Portal(site, invoices=8)
    site.pages["/invoice/3"] = html("no", 401)
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert numbers(ran) == [0, 1, 2, 4, 5, 6, 7]
    assert [(one["url"], one["outcome"]) for one in ran.failures] == [(site.url("/invoice/3"), "access_denied")]
    assert len(portal.sent) == 2


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("<p>We moved to single sign-on</p>", "there is no form with a password input on"),
        (
            "<form method=post><input name=email><input type=password name=password></form>",
            "has no field user; it has email, password",
        ),
        (html("down", 503), "the login page {url} answered 503 Service Unavailable"),
        (html("gone", 404), "the login page {url} answered 404 Not Found"),
    ],
)
def test_a_login_page_that_changed_is_said_clearly(
    site: Site, crawl: CommandLine, page: str | Answer, said: str
) -> None:
    Portal(site)
    site.pages["/login"] = page
    ran = run(site, crawl, "--set", "site.retry=0")
    assert ran.exit == 3, ran.output
    assert said.format(url=site.url("/login")) in ran.output
    assert site.targets() == ["/login"]


def test_a_page_that_is_simply_forbidden_is_no_lost_session(site: Site, crawl: CommandLine) -> None:
    portal = Portal(site, invoices=8)
    site.pages["/invoice/3"] = html("not for you", 403)
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert [one["outcome"] for one in ran.failures] == ["access_denied"]
    assert len(portal.sent) == 1


def test_login_requests_are_paced_and_not_asked_of_robots(site: Site, crawl: CommandLine) -> None:
    Portal(site, invoices=1)
    site.robots = "User-agent: *\nDisallow: /login"
    ran = run(site, crawl, "--set", "site.sleep=300ms", "--set", "site.per_host=1")
    assert ran.exit == 0, ran.output
    hits = [hit for hit in site.log.hits if hit.path != "/robots.txt"]
    assert [hit.path for hit in hits] == ["/login", "/login", "/list", "/list", "/invoice/0"]
    gaps = [after.arrived - before.arrived for before, after in itertools.pairwise(hits)]
    assert min(gaps) >= 0.3


API = """
name: api
site: {{sleep: 0s, headers: {{Authorization: "Bearer ${{login.token}}"}}}}
login:
  url: "{url}"
  body: {{user: "${{env.PORTAL_USER}}", password: "${{env.PORTAL_PASSWORD}}"}}
  take: {{token: auth.token}}
  check: auth.ok
start: {{list: "{start}"}}
pages:
  list:
    format: json
    next: {{json: next, param: cursor}}
    items:
      row: {{each: rows, key: id, fields: {{id: id}}}}
"""


def test_a_token_of_a_json_login_goes_into_headers_and_is_renewed(site: Site, crawl: CommandLine) -> None:
    tokens: list[str] = []
    left = [0]

    def login(hit: Hit) -> Answer:
        assert hit.body == b'{"user": "member-7", "password": "correct-horse"}'
        tokens.append(f"token-{len(tokens)}-secret")
        left[0] = 3
        return json_answer({"auth": {"ok": True, "token": tokens[-1]}})

    def rows(hit: Hit) -> Answer:
        if hit.header("authorization") != f"Bearer {tokens[-1]}" or not left[0]:
            return json_answer({"error": "expired"}, 401)
        left[0] -= 1
        page = int(hit.query.get("cursor", 0))
        return json_answer({"rows": [{"id": page, "note": tokens[-1]}], "next": page + 1 if page < 6 else None})

    site.pages.update({"/token": login, "/rows": rows})
    ran = crawl(API.format(url=site.url("/token"), start=site.url("/rows")), env=ENV)
    assert ran.exit == 0, ran.output
    assert [item["id"] for item in ran.items] == list(range(7))
    assert len(tokens) == 3
    assert [ran.holds(token) for token in tokens] == [[], [], []]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (json_answer({"auth": {"ok": True}}), "login.take.token found nothing on"),
        (json_answer({"auth": {"ok": False, "token": "x"}}), "the check found nothing on"),
        (json_answer({"error": "bad credentials"}, 403), "signing in was answered 403"),
        (html("<h1>Maintenance</h1>"), "the check found nothing on"),
        (json_answer({}, 500), "signing in was answered 500"),
    ],
)
def test_a_json_login_that_gives_no_token(site: Site, crawl: CommandLine, answer: Answer, said: str) -> None:
    site.pages.update({"/token": answer})
    ran = crawl(API.format(url=site.url("/token"), start=site.url("/rows")), "--set", "site.retry=0", env=ENV)
    assert ran.exit == 3, ran.output
    assert said in ran.output
    assert ran.holds(PASSWORD) == []


def test_a_killed_crawl_signs_in_again_when_it_goes_on(site: Site, crawl: CommandLine) -> None:
    portal = Portal(site, invoices=40)
    site.latency = 0.02
    running = crawl.start(SPEC.format(url=site.url("/login"), start=site.url("/list")), env=ENV)
    assert running.until(site.reached(20))
    running.process.kill()
    running.end()
    ran = run(site, crawl, "--resume")
    assert ran.exit == 0, ran.output
    assert numbers(ran) == list(range(40))
    assert len(portal.sent) == 2


ACCOUNT = """
name: account
site: {{sleep: 0s}}
login: {{url: "{url}", form: {{user: anna, pw: "${{env.PORTAL_PASSWORD}}"}}}}
start: {{account: "{url}"}}
pages: {{account: {{items: {{me: {{fields: {{name: .me}}}}}}}}}}
"""
TWO_FORMS = """
<form action="/search"><input type="hidden" name="csrf" value="AAA"><input name="q"></form>
<form id="login" action="/account" method="post"><input type="hidden" name="csrf" value="BBB">
<input name="user"><input name="pw" type="password"><button name="_submit" value="go">Go</button></form>
"""


def account(hit: Hit) -> Answer:
    """The account of case C12: a search form above the login form, and a login that leads to the address posted to."""
    if hit.method == "POST":
        good = {"csrf": ["BBB"], "_submit": ["go"], "user": ["anna"], "pw": [PASSWORD]}
        cookie = ("Set-Cookie", "sid=1; Path=/")
        return redirect("/account", headers=[cookie]) if parse_qs(hit.body.decode()) == good else html("no", 403)
    return html('<h1 class="me">Hello</h1>' if "sid=1" in (hit.header("cookie") or "") else TWO_FORMS)


def methods(site: Site) -> list[str]:
    return [hit.method for hit in site.log.hits if hit.path == "/account"]


def test_c12_the_form_with_the_password_is_sent_with_its_button_and_the_redirect_is_followed(
    site: Site, crawl: CommandLine
) -> None:
    site.pages["/account"] = account
    ran = crawl(ACCOUNT.format(url=site.url("/account")), env=ENV)
    assert ran.exit == 0, ran.output
    assert ran.items == [{"name": "Hello"}]
    assert methods(site) == ["GET", "POST", "GET", "GET"]


def test_c12_a_login_that_fails_is_no_crawl_as_a_guest(site: Site, crawl: CommandLine) -> None:
    site.pages["/account"] = account
    ran = crawl(ACCOUNT.format(url=site.url("/account")), env={**ENV, "PORTAL_PASSWORD": "wrong-donkey"})
    assert ran.exit == 3, ran.output
    assert "signing in was answered 403" in ran.output
    assert methods(site) == ["GET", "POST"]


ITEMS = """
name: members
site: {{sleep: 0s, threads: 8, per_host: 8}}
login: {{url: "{url}/login", form: {{user: anna, pw: "${{env.PORTAL_PASSWORD}}"}}}}
vars: {{n: 1..6}}
start: {{item: "{url}/item/${{n}}"}}
pages: {{item: {{items: {{row: {{key: h1, fields: {{h1: h1}}}}}}}}}}
"""


class Forgetful:
    """The site of case C13: the session ends after so many pages, and what follows is sent to the login page."""

    def __init__(self, site: Site, pages: int, logins: int) -> None:
        self.each, self.logins, self.left, self.done = pages, logins, 0, 0
        site.pages["/login"] = self.login
        site.fallback = self.item

    def login(self, hit: Hit) -> Answer:
        if hit.method == "POST" and self.done < self.logins:
            self.done, self.left = self.done + 1, self.each
            return html("<h1>Welcome</h1>", headers=[("Set-Cookie", f"sid={self.done}; Path=/")])
        return html(
            "<h1>Sign in</h1><form method=post action=/login><input name=user><input name=pw type=password></form>"
        )

    def item(self, hit: Hit) -> Answer:
        if f"sid={self.done}" not in (hit.header("cookie") or "") or not self.left:
            return redirect("/login")
        self.left -= 1
        return html(f"<h1>Item {hit.path.rpartition('/')[2]}</h1>")


def test_c13_the_login_page_never_becomes_data_and_the_login_is_done_once_more(site: Site, crawl: CommandLine) -> None:
    forgetful = Forgetful(site, pages=3, logins=9)
    ran = crawl(ITEMS.format(url=site.url("")), env=ENV)
    assert ran.exit == 0, ran.output
    assert sorted(item["h1"] for item in ran.items) == [f"Item {n}" for n in range(1, 7)]
    assert forgetful.done == 2


def test_c13_a_second_login_that_fails_ends_the_run_and_says_where_the_session_was_lost(
    site: Site, crawl: CommandLine
) -> None:
    Forgetful(site, pages=3, logins=1)
    ran = crawl(ITEMS.format(url=site.url("")), env=ENV)
    assert ran.exit == 3, ran.output
    assert "the session was lost at http" in ran.output
    assert "/item/" in ran.output
    kept = (ran.folder / "members.jsonl.rejected").read_text(encoding="utf-8")
    assert "Item " in kept
    assert "Sign in" not in kept
