"""A whole spec to its plan: what it starts with, what it is refused for, what its digest says."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.compiler.crawled import loaded, plan, problems, seeds
from yamlcrawl.compiler.digest import digest
from yamlcrawl.errors import SpecError
from yamlcrawl.model.frontier import HostPlan
from yamlcrawl.model.request import Body
from yamlcrawl.model.secrets import reference

PAGE = "pages: {p: {items: {x: {fields: {t: h1}}}}}\n"


def test_start_requests_are_multiplied_and_encoded() -> None:
    text = """
vars: {country: [de, fr], word: a b}
start:
  p:
    - {url: 'http://site.test/${country}?x=1', params: {q: '${word}&c', x: 2}, carry: {c: '${country}'}, priority: 2}
    - http://other.test/
"""
    first, second, third = seeds(text + PAGE)
    assert first.url == "http://site.test/de?x=2&q=a%20b%26c"
    assert (first.vars, first.carry, first.priority) == ({"country": "de"}, {"c": "de"}, 2)
    assert (first.seed, first.depth, first.page, first.via) == (True, 0, "p", "start.p.0")
    assert second.url.startswith("http://site.test/fr")
    assert (third.url, third.vars, third.via) == ("http://other.test/", {}, "start.p.1")


def test_bodies_and_forms() -> None:
    text = """
start:
  p:
    - {url: http://site.test/, body: {a: 1, b: '1', c: [true, null, 1.50]}}
    - {url: http://site.test/, body: plain}
    - {url: http://site.test/, form: {a: ä}}
    - {url: http://site.test/, method: PUT, body: {a: x}}
"""
    found = seeds(text + PAGE)
    assert found[0].body
    assert found[0].body.kind == "json"
    assert str(found[0].body.value) == "{'a': 1, 'b': '1', 'c': [True, None, Decimal('1.50')]}"
    assert [r.body for r in found[1:3]] == [Body("text", "plain"), Body("form", [["a", "ä"]])]
    assert [r.method for r in found] == ["POST", "POST", "POST", "PUT"]


def test_a_huge_matrix_costs_nothing_until_it_is_fetched() -> None:
    text = "vars: {id: {from: 1, to: 900000000000, by: 1}}\nstart: {p: 'http://site.test/${id.from}'}\n" + PAGE
    assert [r.url for r in islice(plan(text).seeds(), 2)] == ["http://site.test/1", "http://site.test/2"]


def test_hosts_of_the_start_are_known_for_every_choice() -> None:
    text = "vars: {c: [de, fr], n: 1..90000}\nstart: {p: 'https://${c}.site.test:8443/${n}'}\n" + PAGE
    site = plan(text).site
    assert site.start_hosts == {"de.site.test", "fr.site.test"}
    assert site.private_hosts == {"de.site.test:8443", "fr.site.test:8443"}
    assert site.in_scope("http://fr.site.test/x")
    assert not site.in_scope("http://it.site.test/x")
    site.widen("it.site.test")
    assert site.in_scope("http://it.site.test/x")


def test_parked_requests_are_listed_and_not_made() -> None:
    text = "start: {p: [http://a.test/, {url: http://b.test/, fetch: false}]}\n" + PAGE
    crawl = plan(text)
    assert crawl.parked == (("p", "http://b.test/"),)
    assert [r.url for r in crawl.seeds()] == ["http://a.test/"]


def test_keys_from_the_environment() -> None:
    text = """
start: {p: {url: 'http://api.test/v1?key=${env.CATALOG_KEY}', headers: {X-Token: '${env.TOKEN:-none}'}}}
pages: {p: {items: {x: {fields: {eur: {css: .p, regex: '^EUR (\\d+)$'}, raw: {value: '$${NOT_A_VAR}'}}}}}}
"""
    (missing,) = problems(text)
    assert missing.startswith("start.p.url: the environment variable CATALOG_KEY is not set")
    with pytest.raises(SpecError, match=r"spec\.yml:2:\d+  start\.p\.url"):
        plan(text)
    crawl = plan(text, {"CATALOG_KEY": "s3cr3t"})
    (request,) = crawl.seeds()
    assert request.url == "http://api.test/v1?key=%1ACATALOG_KEY%1A"
    assert crawl.secrets.reveal(request.url, request.secrets, url=True) == "http://api.test/v1?key=s3cr3t"
    assert crawl.secrets.mask(request.url) == "http://api.test/v1?key=***"
    assert request.headers == (("X-Token", "none"),)
    assert "s3cr3t" not in str(crawl.digest)
    assert problems(text, check_env=False) == []


def test_site_settings() -> None:
    text = """
site:
  user_agent: bot/1 (+https://me.test)
  headers: {X-Key: '${env.KEY}'}
  cookies: {a: b}
  auth: {basic: {user: me, password: '${env.KEY}'}}
  sleep: 200ms
  retry: {times: 1, status: 418}
  hosts: {cdn.test: {sleep: 0s, per_host: 4}, '*.api.test': {headers: {X-Api: '${env.KEY}'}}}
  robots: ignore
limits: {pages: 5, errors: 5%}
"""
    crawl = plan(text + PAGE, {"KEY": "s3cr3t"})
    site = crawl.site
    assert site.headers == (("X-Key", reference("KEY")),)
    assert site.host_headers == {"*.api.test": (("X-Api", reference("KEY")),)}
    assert site.secret_hosts == {"*.api.test": ("KEY",)}
    assert site.auth
    assert (site.auth.user, site.auth.secret) == ("me", reference("KEY"))
    assert site.host("site.test:8080") == HostPlan(0.2, 1)
    assert site.host("cdn.test") == site.host("cdn.test:81") == HostPlan(0.0, 4)
    assert (site.retry.times, site.retry.status, site.robots, site.cookies) == (1, {418}, False, {"a": "b"})
    assert (crawl.limits.pages, crawl.limits.errors, crawl.limits.error_share) == (5, None, 0.05)
    assert site.canonical("http://site.test/?utm_source=x") == "http://site.test/"


def test_targets() -> None:
    assert [(t.name, t.streaming, t.kinds) for t in plan(PAGE).targets] == [("t.jsonl", False, ("x",))]
    text = "vars: {c: de}\npipelines: ['-', 'out/${c}-${item}.csv', {to: a.jsonl, mode: append}]\n" + PAGE
    assert [(t.name, t.streaming) for t in plan(text).targets] == [
        ("-", True),
        ("out/de-x.csv", False),
        ("a.jsonl", True),
    ]
    assert [t.name for t in plan(text, to=["/tmp/y.json"]).targets] == ["/tmp/y.json"]
    assert plan(PAGE, folder=Path("/srv")).targets[0].name == "t.jsonl"


def test_the_implicit_expectation() -> None:
    text = """
start: {a: http://site.test/}
pages:
  a: {follow: {b: a}, items: {x: {fields: {t: h1}}}}
  b: {items: {x: {each: li, fields: {t: h2, u: h3}}, y: {fields: {v: p}}}}
"""
    x, y = plan(text).expect
    assert (x.kind, x.pages, x.path) == ("x", ("a", "b"), "pages.a.items.x")
    assert x.fields == (("t", "pages.a.items.x.fields.t"), ("u", "pages.b.items.x.fields.u"))
    assert (y.kind, y.pages) == ("y", ("b",))


def test_places_are_named() -> None:
    assert plan(PAGE).where("pages.p.items.x.fields.t") == "spec.yml:3:37"


TWO = "pages: {p: {follow: {q: FOLLOW}}, q: {items: {x: {fields: {t: h1}}}}}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (PAGE + "vars: {a: '${b}'}", 'vars.a: "b" is not set'),
        ("pages: {p: {}, q: {follow: {r: a}}, r: {}}", 'pages.q: nothing leads to pages of the kind "q"'),
        ("start: {p: 'http://${env.HOST}/'}\n" + PAGE, "start.p: a secret of the environment would form the host"),
        ("start: {p: 'http://a b/'}\n" + PAGE, 'start.p: "http://a b/" is no address'),
        ("vars: {h: [a.test, 'b c']}\nstart: {p: 'http://${h}/'}\n" + PAGE, 'start.p: "http://b c/" is no address'),
        ("start: {p: ftp://a.test/x}\n" + PAGE, "start.p: ftp: addresses are not yet supported"),
        (
            "start: {p: {url: http://a.test/, carry: {k: '${env.HOST}'}}}\n" + PAGE,
            "start.p.carry.k: a secret cannot be",
        ),
        ("site: {user_agent: 'bot ${env.HOST}'}\n" + PAGE, "site.user_agent: the user agent goes to every host"),
        ("site: {user_agent: bot}\n" + PAGE, "site.user_agent: the user agent names nobody"),
        ("vars: {l: [a, b]}\nsite: {headers: {X: '${l}'}}\n" + PAGE, 'site.headers.X: "l" has many values'),
        ("site: {hosts: {any: {headers: {X: '${env.HOST}'}}}}\n" + PAGE, "site.hosts.any.headers: the secret HOST"),
        (
            TWO.replace("FOLLOW", "{css: a, include: '/b/\\d+'}"),
            'pages.p.follow.q.include: "/b/\\d+" is read as a pattern',
        ),
        (TWO.replace("FOLLOW", "{css: a, include: {regex: '('}}"), "pages.p.follow.q.include.regex: "),
        (TWO.replace("FOLLOW", "{css: a, include: '/a#b'}"), 'pages.p.follow.q.include: "/a#b" never matches'),
        (TWO.replace("FOLLOW", "{css: a, include: 'ftp://a/**'}"), "pages.p.follow.q.include: "),
        (TWO.replace("FOLLOW", "{css: a, include: 'https://x.test/**'}"), "pages.p.follow.q.include: "),
        (TWO.replace("FOLLOW", "{css: a, include: /a/**, exclude: /a/**}"), "pages.p.follow.q.exclude: everything"),
        (TWO.replace("FOLLOW", "{css: a, exclude: '**'}"), "pages.p.follow.q.exclude: this excludes every address"),
        (TWO.replace("FOLLOW", "{url: '/${carry.id}'}"), 'pages.p.follow.q.url: no link carries "id"'),
        (TWO.replace("FOLLOW", "{css: a, each: 'li ['}"), "pages.p.follow.q.each: "),
        ("pipelines: ../x.jsonl\n" + PAGE, "pipelines: ../x.jsonl lies outside the working directory"),
        ("pipelines: [a.jsonl, ./a.jsonl]\n" + PAGE, "pipelines.1: two targets would write a.jsonl"),
        ("pipelines: 'x-${env.HOST}.jsonl'\n" + PAGE, "pipelines: a secret cannot stand in the name of a file"),
        (
            "vars: {c: [a, b]}\npages: {p: {items: {x: {fields: {t: {value: '${c}'}}}}}}",
            'pages.p.items.x.fields.t.value: "c" has many values, and not every way to p chooses one',
        ),
    ],
)
def test_what_is_wrong_is_found_before_the_first_request(text: str, told: str) -> None:
    found = problems(text, {"HOST": "example.test"})
    assert len(found) == 1, found
    assert found[0].startswith(told)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("start: {p: {url: http://site.test/, headers: {X: '${env.KEY}'}}}\n", "start.p.headers.X"),
        ("site: {cookies: {x: '${env.KEY}'}}\n", "site.cookies.x"),
    ],
)
def test_a_secret_with_a_line_break_enters_no_header(text: str, place: str) -> None:
    (found,) = problems(text + PAGE, {"KEY": "s3cr3t\nX-Evil: 1"})
    assert found.startswith(f"{place}: a header cannot hold a line break")
    assert "s3cr3t" not in found


def test_a_variable_that_every_way_chooses_may_stand_in_an_item() -> None:
    text = """
vars: {c: [a, b]}
start: {p: 'http://site.test/${c}'}
pages:
  p: {follow: {q: a}}
  q: {items: {x: {fields: {t: {value: '${c}'}}}}}
"""
    assert problems(text) == []


def test_all_problems_are_told_at_once() -> None:
    found = problems("start: {p: 'http://site.test/${a}'}\npages: {p: {next: 'a [', follow: {p: {url: '/${b}'}}}}")
    assert len(found) == 3


def test_the_digest_is_of_what_a_crawl_means() -> None:
    def of(text: str, given: dict[str, str] | None = None) -> dict[str, str]:
        return digest(loaded(text + PAGE).spec, given or {}, {})

    base = of("vars: {a: x}\n")
    assert of("vars: {a: x}\nsite: {sleep: 5s, threads: 2}\nlimits: {pages: 3}\npipelines: a.csv\n") == base
    assert of("vars: {a: x}\nsite: {hosts: {b.test: {sleep: 1s}}}\n") == of("vars: {a: x}\nsite: {hosts: b.test}\n")
    changed = of("vars: {a: x}\nsite: {robots: ignore}\n")
    assert {key for key in changed.keys() | base.keys() if changed.get(key) != base.get(key)} == {"site.robots"}
    assert of("vars: {a: x}\n", {"a": "y"}) != base
    assert "pages.p.items.x.fields.t.bare" in base
