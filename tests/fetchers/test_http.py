from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from tests.site import Site, html
from tests.site.answer import Answer
from yamlcrawl.fetchers import HttpFetcher, Jar, open_jar
from yamlcrawl.fetchers.decoding import ACCEPTED
from yamlcrawl.model.plan import Credentials, SitePlan, Timeouts
from yamlcrawl.model.request import Body, Request
from yamlcrawl.model.response import Failure, Response
from yamlcrawl.model.secrets import Secrets, reference

SECRETS = Secrets({"KEY": "s3cr3t/é", "OTHER": "another-one"})
KEY = reference("KEY")
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


def request(url: str, **more: Any) -> Request:
    return Request(url, url, **more)


def plan(**more: Any) -> SitePlan:
    return SitePlan(**({"user_agent": "yamlcrawl/test", "private_addresses": True} | more))


class Fetchers:
    """Makes fetchers and closes them."""

    def __init__(self) -> None:
        self.made: list[HttpFetcher] = []

    def __call__(self, jar: Jar | None = None, **site: Any) -> HttpFetcher:
        self.made.append(HttpFetcher(plan(**site), SECRETS, jar))
        return self.made[-1]


@pytest.fixture
def fetchers() -> Iterator[Fetchers]:
    made = Fetchers()
    yield made
    for fetcher in made.made:
        fetcher.close()


def good(answer: Response | Failure) -> Response:
    assert isinstance(answer, Response), answer
    return answer


def failed(answer: Response | Failure) -> Failure:
    assert isinstance(answer, Failure), answer
    return answer


def echo(fetcher: HttpFetcher, site: Site, target: str = "/echo", *, host: str = "127.0.0.1", **more: Any) -> Any:
    """What arrived at the server; headers as a mapping of lower-case names."""
    seen = json.loads(good(fetcher.fetch(request(site.url(target, host), **more))).body)
    seen["headers"] = {name.lower(): value for name, value in seen["headers"]}
    return seen


def test_a_page_comes_whole(site: Site, fetchers: Fetchers) -> None:
    site.pages["/"] = "<h1>Grüße</h1>"
    sent: list[float] = []
    response = good(fetchers().fetch(request(site.url("/")), sent.append))
    assert (response.status, response.body) == (200, "<h1>Grüße</h1>".encode())
    assert response.url == site.url("/")
    assert response.headers.get("Content-Type") == "text/html; charset=utf-8"
    assert response.received == len(response.body)
    assert len(sent) == 1
    assert sent[0] <= response.fetched_at
    assert response.elapsed >= 0
    assert not response.cookies_changed


@pytest.mark.parametrize("status", [204, 301, 302, 304, 404, 410, 429, 500, 503, 599])
def test_every_status_is_an_answer(site: Site, fetchers: Fetchers, status: int) -> None:
    site.pages["/"] = Answer(b"" if status in (204, 304) else b"body", status)
    assert good(fetchers().fetch(request(site.url("/")))).status == status


def test_redirects_are_not_followed(site: Site, fetchers: Fetchers) -> None:
    response = good(fetchers().fetch(request(site.url("/redirect/3"))))
    assert (response.status, response.headers.get("location")) == (302, "/redirect/2")
    assert len(site.log) == 1


def test_what_a_request_says_of_us(site: Site, fetchers: Fetchers) -> None:
    headers = echo(fetchers(), site)["headers"]
    assert headers.pop("host") == f"127.0.0.1:{site.port}"
    assert headers.pop("user-agent") == "yamlcrawl/test"
    assert headers.pop("accept-encoding") == ACCEPTED
    assert headers.pop("accept").startswith("text/html")
    assert headers == {}


def test_header_fields_of_the_request_go_over_those_of_the_host_over_those_of_the_site(
    site: Site, fetchers: Fetchers
) -> None:
    fetcher = fetchers(
        headers=(("X-A", "site"), ("X-B", "site"), ("X-C", "site"), ("accept", "*/*")),
        host_headers={"127.0.0.1": (("x-b", "host"), ("X-C", "host"))},
    )
    headers = echo(fetcher, site, headers=(("x-c", "request"), ("Content-Length", "999")))["headers"]
    assert [headers[name] for name in ("x-a", "x-b", "x-c", "accept")] == ["site", "host", "request", "*/*"]
    assert "content-length" not in headers
    headers = echo(fetcher, site, host="127.0.0.2")["headers"]
    assert [headers[name] for name in ("x-a", "x-b", "x-c")] == ["site", "site", "site"]


def test_header_fields_for_any_host(site: Site, fetchers: Fetchers) -> None:
    headers = echo(fetchers(host_headers={"any": (("X-A", "1"),)}), site, headers=(("X-B", "half \ud83d"),))["headers"]
    assert (headers["x-a"], headers["x-b"]) == ("1", "half ?")


def test_the_target_arrives_as_it_was_found(site: Site, fetchers: Fetchers) -> None:
    site.fallback = html("page")
    target = "/%7euser/a%2fb/./c?q=|&x=%zz&y=a+b"
    good(fetchers().fetch(request(site.url(target) + "#part")))
    assert site.targets() == [target]


def test_the_environment_plays_no_part(
    site: Site, fetchers: Fetchers, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "netrc").write_text("default login me password mine\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert "authorization" not in echo(fetchers(), site)["headers"]


@pytest.mark.parametrize(
    ("body", "media_type", "sent"),
    [
        (Body("form", [["q", "a b&c"], ["q", "ü"], ["n", ""]]), FORM, "q=a+b%26c&q=%C3%BC&n="),
        (Body("form", []), FORM, ""),
        (Body("json", {"q": "ü", "n": Decimal("1.10"), "t": [True]}), JSON, '{"q": "ü", "n": 1.10, "t": [true]}'),
        (Body("text", "grün"), "text/plain; charset=utf-8", "grün"),
        (Body("text", "half \ud83d"), "text/plain; charset=utf-8", "half ?"),
        (Body("json", "half \ud83d"), JSON, '"half ?"'),
        (Body("form", [["half", "\ud83d"]]), FORM, "half=%3F"),
    ],
)
def test_bodies(site: Site, fetchers: Fetchers, body: Body, media_type: str, sent: str) -> None:
    seen = echo(fetchers(), site, method="POST", body=body)
    assert (seen["method"], seen["body"]) == ("POST", sent)
    assert seen["headers"]["content-type"] == media_type
    assert seen["headers"]["content-length"] == str(len(sent.encode()))


def test_a_content_type_of_the_spec_stands(site: Site, fetchers: Fetchers) -> None:
    fields = (("content-type", "text/xml"),)
    seen = echo(fetchers(), site, method="POST", body=Body("text", "<a/>"), headers=fields)
    assert seen["headers"]["content-type"] == "text/xml"


def test_a_post_without_a_body_says_so(site: Site, fetchers: Fetchers) -> None:
    assert echo(fetchers(), site, method="POST")["headers"]["content-length"] == "0"


# -- secrets and credentials -------------------------------------------------------------------------------------------

HOME = frozenset({"127.0.0.1"})


def test_secrets_are_filled_in_where_the_request_names_them(site: Site, fetchers: Fetchers) -> None:
    fetcher = fetchers(start_hosts=HOME)
    seen = echo(
        fetcher,
        site,
        "/echo?key=%1AKEY%1A",
        method="POST",
        headers=(("X-Key", KEY),),
        body=Body("json", {"key": [KEY]}),
        secrets=("KEY",),
    )
    assert seen["target"] == "/echo?key=s3cr3t%2F%C3%A9"
    assert seen["headers"]["x-key"].encode("latin-1").decode() == "s3cr3t/é"
    assert json.loads(seen["body"]) == {"key": ["s3cr3t/é"]}


def test_secrets_the_request_does_not_name_stay_here(site: Site, fetchers: Fetchers) -> None:
    seen = echo(fetchers(start_hosts=HOME), site, "/echo?x=%1AOTHER%1A", headers=(("X-Key", KEY),), secrets=())
    assert seen["target"] == "/echo?x=%1AOTHER%1A"
    assert "x-key" not in seen["headers"]


def test_secrets_go_to_the_start_hosts_alone(site: Site, fetchers: Fetchers) -> None:
    fetcher = fetchers(start_hosts=HOME, headers=(("X-Key", KEY), ("X-Plain", "1")))
    assert "x-key" in echo(fetcher, site)["headers"]
    seen = echo(fetcher, site, "/echo?%1AKEY%1A", host="127.0.0.2", secrets=("KEY",), headers=(("X-Own", KEY),))
    assert "s3cr3t" not in json.dumps(seen)
    assert "x-key" not in seen["headers"]
    assert "x-own" not in seen["headers"]
    assert seen["headers"]["x-plain"] == "1"


def test_a_host_gets_the_secrets_that_its_own_headers_name(site: Site, fetchers: Fetchers) -> None:
    fetcher = fetchers(
        start_hosts=HOME,
        headers=(("X-Other", reference("OTHER")),),
        host_headers={"127.0.0.2": (("X-Key", KEY),)},
        secret_hosts={"127.0.0.2": ("KEY",)},
    )
    headers = echo(fetcher, site, host="127.0.0.2")["headers"]
    assert headers["x-key"].encode("latin-1").decode() == "s3cr3t/é"
    assert "x-other" not in headers
    assert "x-key" not in echo(fetcher, site, host="127.0.0.3")["headers"]


def test_a_failure_does_not_tell_a_secret(site: Site, fetchers: Fetchers) -> None:
    made = request(site.url("/a b?key=%1AOTHER%1A"), secrets=("OTHER",))
    failure = failed(fetchers(start_hosts=HOME).fetch(made))
    assert failure.outcome == "bad_url"
    assert "another-one" not in failure.reason


@pytest.mark.parametrize(
    ("auth", "target"),
    [
        (Credentials("basic", "jo", "pass"), "/basic-auth/jo/pass"),
        (Credentials("basic", "jo", KEY), "/basic-auth/jo/s3cr3t/%C3%A9"),
        (Credentials("bearer", secret="another-one"), "/bearer/another-one"),
        (Credentials("bearer", secret=reference("OTHER")), "/bearer/another-one"),
    ],
)
def test_credentials_go_to_the_start_hosts_alone(
    site: Site, fetchers: Fetchers, auth: Credentials, target: str
) -> None:
    fetcher = fetchers(auth=auth, start_hosts=HOME)
    assert good(fetcher.fetch(request(site.url(target)))).status == 200
    assert good(fetcher.fetch(request(site.url(target, "127.0.0.2")))).status == 401


def test_credentials_in_the_address(site: Site, fetchers: Fetchers) -> None:
    url = site.url("/basic-auth/jo/p:ss").replace("//", "//jo:p%3Ass@")
    assert good(fetchers().fetch(request(url))).status == 200
    assert site.log.hits[0].host == "127.0.0.1"


# -- cookies -----------------------------------------------------------------------------------------------------------


def test_cookies_come_back(site: Site, fetchers: Fetchers) -> None:
    jar = Jar()
    first, second = fetchers(jar), fetchers(jar)
    assert good(first.fetch(request(site.url("/cookies/set?sid=1")))).cookies_changed
    assert json.loads(good(second.fetch(request(site.url("/cookies")))).body) == {"sid": "1"}
    assert not good(second.fetch(request(site.url("/cookies/set?sid=1")))).cookies_changed
    assert json.loads(good(second.fetch(request(site.url("/cookies", "127.0.0.2")))).body) == {}


def test_without_a_jar_nothing_is_kept(site: Site, fetchers: Fetchers) -> None:
    assert open_jar(plan(cookies=None)) is None
    fetcher = fetchers(None)
    assert not good(fetcher.fetch(request(site.url("/cookies/set?sid=1")))).cookies_changed
    assert "cookie" not in echo(fetcher, site)["headers"]


def test_cookies_of_the_spec_go_to_the_start_hosts(site: Site, fetchers: Fetchers) -> None:
    settings: dict[str, Any] = {"cookies": {"lang": "en", "key": reference("OTHER")}, "start_hosts": HOME}
    jar = open_jar(plan(**settings))
    assert jar is not None
    assert "another-one" not in jar.dump()
    fetcher = fetchers(jar, **settings)
    assert echo(fetcher, site)["headers"]["cookie"] == "lang=en; key=another-one"
    assert "cookie" not in echo(fetcher, site, host="127.0.0.2")["headers"]


# -- what goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["/gzip", "/deflate", "/chunked"])
def test_sound_encodings(site: Site, fetchers: Fetchers, target: str) -> None:
    response = good(fetchers().fetch(request(site.url(target))))
    assert b"<h1>ok</h1>" in response.body
    assert response.received > 0


@pytest.mark.parametrize(
    ("target", "outcome"),
    [
        ("/cut", "network_error"),
        ("/chunk-broken", "network_error"),
        ("/chunk-cut", "network_error"),
        ("/reset", "network_error"),
        ("/reset-body", "network_error"),
        ("/drop", "network_error"),
        ("/gzip-broken", "network_error"),
        ("/gzip-cut", "network_error"),
        ("/header-flood", "network_error"),
        ("/header-long", "network_error"),
        ("/status-line-garbage", "network_error"),
        ("/gzip-bomb?mb=30", "too_large"),
        ("/huge?mb=3", "too_large"),
        ("/slow?ms=9000", "timeout"),
        ("/stall", "timeout"),
        ("/drip?bytes=200&ms=20", "timeout"),
    ],
)
def test_a_server_that_misbehaves_is_an_outcome(site: Site, fetchers: Fetchers, target: str, outcome: str) -> None:
    fetcher = fetchers(max_body=1_000_000, timeout=Timeouts(5, 0.4, 0.8))
    failure = failed(fetcher.fetch(request(site.url(target))))
    assert (failure.outcome, failure.contact) == (outcome, True)
    assert failure.reason
    assert good(fetcher.fetch(request(site.url("/status/200")))).status == 200


def test_the_limit_on_the_body_is_exact(site: Site, fetchers: Fetchers) -> None:
    site.pages["/fits"] = b"x" * 100_000
    site.pages["/over"] = b"x" * 100_001
    fetcher = fetchers(max_body=100_000)
    assert len(good(fetcher.fetch(request(site.url("/fits")))).body) == 100_000
    failure = failed(fetcher.fetch(request(site.url("/over"))))
    assert (failure.outcome, failure.final, failure.status) == ("too_large", True, 200)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://shop.test/",
        "file:///etc/passwd",
        "shop.test",
        "http://",
        "http:///x",
        "http://127.0.0.1:port/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1/ü",
        "http://a..b/",
        "http://a b/",
        "http://a\tb/",
        "http://ü.test/",
        "http://[shop.test]/",
        "http://[::zz]/",
        "http://127.0.0.1?x",
        "",
    ],
)
def test_what_is_no_url_is_no_contact(fetchers: Fetchers, url: str) -> None:
    failure = failed(fetchers().fetch(request(url)))
    assert (failure.outcome, failure.contact, failure.final) == ("bad_url", False, True)


def test_nothing_listens(fetchers: Fetchers) -> None:
    failure = failed(fetchers().fetch(request("http://127.0.0.1:1/")))
    assert (failure.outcome, failure.contact, failure.final) == ("network_error", True, False)
    assert "refused" in failure.reason


def test_private_addresses_are_out_of_reach(site: Site, fetchers: Fetchers) -> None:
    fetcher = fetchers(private_addresses=False)
    for url in (site.url("/"), site.url("/").replace("127.0.0.1", "localhost"), "http://[::1]/", "http://10.0.0.1/"):
        sent: list[float] = []
        failure = failed(fetcher.fetch(request(url), sent.append))
        assert (failure.outcome, failure.contact, failure.final) == ("blocked_address", False, True)
        assert sent == []
    assert len(site.log) == 0


def test_a_private_start_opens_itself(site: Site, fetchers: Fetchers) -> None:
    fetcher = fetchers(private_addresses=False, private_hosts=frozenset({f"127.0.0.1:{site.port}"}))
    assert good(fetcher.fetch(request(site.url("/status/200")))).status == 200
    assert failed(fetcher.fetch(request(site.url("/", "127.0.0.2")))).outcome == "blocked_address"
