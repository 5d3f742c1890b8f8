"""Keys from the environment (public case C18): sent where they belong, and readable nowhere else."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Answer, Hit, Page, Site, drop, html, redirect

SPEC = """name: catalog
start:
  list: {{url: "{url}?key=${{env.CATALOG_KEY}}", headers: {{X-Token: "${{env.TOKEN:-none}}"}}}}
site: {{sleep: 0s, retry: 0}}
pages:
  list:
    follow: {{list: a}}
    items:
      row:
        fields:
          url: {{from: url}}
          eur: {{css: .p, regex: '^EUR (\\d+)$', type: integer}}
          raw: {{value: "$${{NOT_A_VAR}}"}}
          echo: h1
"""

SECRET = "s3cr3t"


def test_c18_an_unset_name_is_an_error_before_any_request(site: Site, crawl: CommandLine) -> None:
    run = crawl(SPEC.format(url=site.url("/v1")))
    assert run.exit == 1, run.output
    assert "CATALOG_KEY" in run.stderr
    assert "spec.yml:3:" in run.stderr
    assert "TOKEN" not in run.stderr.replace("CATALOG_KEY", "")
    assert len(site.log) == 0


def test_c18_an_empty_value_is_set(site: Site, crawl: CommandLine) -> None:
    site.pages["/v1"] = '<h1>x</h1><p class="p">EUR 5</p>'
    crawl(SPEC.format(url=site.url("/v1")), env={"CATALOG_KEY": ""})
    assert site.targets() == ["/v1?key="]


def test_c18_the_server_sees_the_key_and_nobody_else(site: Site, crawl: CommandLine) -> None:
    site.pages["/v1"] = lambda hit: f'<h1>you sent {hit.query["key"]}</h1><p class="p">EUR 5</p>'
    run = crawl(SPEC.format(url=site.url("/v1")), env={"CATALOG_KEY": SECRET})
    assert run.exit == 0, run.output
    (hit,) = site.log.pages()
    assert hit.query["key"] == SECRET
    assert hit.header("x-token") == "none"
    (item,) = run.items
    assert item["eur"] == 5
    assert item["raw"] == "${NOT_A_VAR}"
    assert "***" in item["url"]
    assert item["echo"] == "you sent ***"
    assert run.holds(SECRET) == []


WRONG: dict[str, Page] = {
    "500": html("<h1>bug</h1>", 500),
    "404": html("<h1>no</h1>", 404),
    "401": html("<h1>no</h1>", 401, headers=[("WWW-Authenticate", f'Basic realm="{SECRET}"')]),
    "reason": Answer("<h1>odd</h1>", 500, reason=f"No key {SECRET}"),
    "redirect": redirect(f"/v2?key={SECRET}"),
    "loop": redirect(f"/loop?key={SECRET}"),
    "off site": redirect(f"http://elsewhere.test/?key={SECRET}"),
    "bad redirect": redirect(f"mailto:{SECRET}"),
    "drop": drop(),
    "garbage": drop(after=f"{SECRET} is no HTTP\r\n\r\n".encode()),
    "cast": html(f'<h1>x</h1><p class="p">EUR {SECRET}</p>'),
    "cookie": html(f'<h1>{SECRET}</h1><p class="p">EUR 7</p>', headers=[("Set-Cookie", f"sid={SECRET}")]),
    "links": html(f'<h1>x</h1><a href="/v2?key={SECRET}">next</a> <a href="http://elsewhere.test/{SECRET}">x</a>'),
    "refresh": html(f'<h1>x</h1><meta http-equiv="refresh" content="0; url=/v2?key={SECRET}">'),
}


@pytest.mark.parametrize("page", WRONG.values(), ids=list(WRONG))
def test_c18_not_even_when_things_go_wrong(site: Site, crawl: CommandLine, page: Page) -> None:
    site.pages.update({"/v1": page, "/v2": '<h1>ok</h1><p class="p">EUR 5</p>', "/loop": redirect(f"/v1?key={SECRET}")})
    run = crawl(SPEC.format(url=site.url("/v1")), env={"CATALOG_KEY": SECRET})
    assert run.exit in (0, 2, 3), run.output
    assert site.log.pages()[0].query["key"] == SECRET
    assert run.holds(SECRET) == []
    if page in (WRONG["links"], WRONG["refresh"], WRONG["redirect"]):
        assert site.targets()[1:] == [f"/v2?key={SECRET}"]


FOLLOWED = """name: catalog
start:
  list: {{url: "{url}", form: {{user: bo, password: "${{env.PASSWORD}}"}}}}
site:
  sleep: 0s
  hosts: [other.test]
  private_addresses: allow
  auth: {{basic: {{user: bo, password: "${{env.PASSWORD}}"}}}}
pages:
  list:
    next: a.next
    follow:
      detail: {{css: a.detail, params: {{key: "${{env.PASSWORD}}"}}}}
  detail:
    items:
      row: {{fields: {{title: h1, url: {{from: url}}}}}}
"""


def test_a_key_with_odd_characters_goes_to_the_start_hosts_alone(site: Site, crawl: CommandLine) -> None:
    password = "p&=%+ä #1/x"
    encoded = "p%26%3D%25%2B%C3%A4%20%231%2Fx"
    site.fallback = html("<h1>ok</h1>")
    links = ["/in", f"http://other.test:{site.port}/out"]

    def page(hit: Hit) -> str:
        return "".join(f'<a class="detail" href="{link}">x</a>' for link in links)

    site.pages["/"] = page
    run = crawl(FOLLOWED.format(url=site.url("/", "start.test")), env={"PASSWORD": password})
    assert site.log.pages()[0].form == {"user": "bo", "password": password}
    assert [hit.query["key"] for hit in site.log.pages("start.test") if hit.path == "/in"] == [password]
    for hit in site.log.pages("other.test"):
        assert hit.header("authorization") is None
        assert encoded not in hit.target
        assert "p%26" not in hit.target
    assert [place for text in (password, encoded) for place in run.holds(text)] == []


def test_a_secret_bound_elsewhere_is_an_error(site: Site, crawl: CommandLine) -> None:
    text = FOLLOWED.format(url=site.url("/", "start.test"))
    text = text.replace("css: a.detail, params", "each: a.detail, url: 'http://other.test/', params")
    run = crawl(text, env={"PASSWORD": "correct-horse"})
    assert run.exit == 1, run.output
    assert "PASSWORD" in run.stderr
    assert "other.test" in run.stderr
    assert len(site.log) == 0


def test_the_command_line_says_which_variables_a_spec_may_read(site, crawl):
    site.pages["/"] = "<h1>x</h1>"
    spec = f"name: s\nsite: {{sleep: 0s, headers: {{X-K: '${{env.KEY_ONE}}'}}}}\nstart: {{p: '{site.url()}'}}\n"
    spec += "pages: {p: {items: {i: {fields: {t: h1}}}}}\n"
    refused = crawl(spec, "--allow-env", "OTHER", env={"KEY_ONE": "abcdefgh"})
    assert refused.exit == 1
    assert "may not read the environment variable KEY_ONE: allowed is OTHER" in refused.stderr
    assert crawl(spec, "--allow-env", "OTHER,KEY_ONE", env={"KEY_ONE": "abcdefgh"}).exit == 0
