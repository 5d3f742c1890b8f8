from __future__ import annotations

import threading
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import cases
from yamlcrawl.fetchers.cookie_dates import cookie_date
from yamlcrawl.fetchers.cookies import DOMAINS, PER_DOMAIN, Jar

NOW = 1_420_070_400.0
"""2015-01-01: the cases of other projects take 2019 for the future."""

OTHERWISE = {"disabled-path0029": "paths are compared as they are written (RFC 6265, 5.1.4)"}


def sent(*set_cookie: str, at: str = "shop.test", to: str | None = None, path: str = "/", secure: bool = False) -> str:
    jar = Jar()
    jar.store(at, "/", set_cookie, NOW)
    return jar.header(to or at, path, secure, NOW)


@pytest.mark.parametrize("case", cases("cookies/http-state.jsonl"))
def test_what_the_http_state_group_tests(case: dict[str, object]) -> None:
    jar = Jar()
    asked, following = urlsplit(str(case["request_url"])), urlsplit(str(case["next_url"]))
    fields: list[str] = case["set_cookie"]  # type: ignore[assignment]
    jar.store(str(asked.hostname), asked.path, fields, NOW)
    header = jar.header(str(following.hostname), following.path, following.scheme == "https", NOW)
    if case["id"] in OTHERWISE:
        assert header == ""
    else:
        assert header == (case["cookie"] or "")


@pytest.mark.parametrize("case", cases("cookies/dates.jsonl"))
def test_dates_of_other_projects(case: dict[str, str | None]) -> None:
    expected = case["expected"]
    assert cookie_date(str(case["date"])) == (parsedate_to_datetime(expected).timestamp() if expected else None)


@given(st.text())
def test_no_text_raises(text: str) -> None:
    Jar().store("shop.test", "/", [text, f"a=b; Expires={text}; Max-Age={text}; Domain={text}; Path={text}"], NOW)


def test_a_host_keeps_its_cookies_to_itself_unless_they_name_a_domain() -> None:
    assert sent("a=1") == "a=1"
    assert sent("a=1", to="www.shop.test") == ""
    assert sent("a=1; Domain=shop.test", to="www.shop.test") == "a=1"
    assert sent("a=1; Domain=.shop.test", at="www.shop.test", to="shop.test") == "a=1"


@pytest.mark.parametrize("domain", ["test", ".test", "other.test", "op.test", "www.shop.test"])
def test_no_host_sets_cookies_for_others(domain: str) -> None:
    jar = Jar()
    assert not jar.store("shop.test", "/", [f"a=1; Domain={domain}"], NOW)
    for host in ("shop.test", "other.test", "op.test", "www.shop.test", "test"):
        assert jar.header(host, "/", False, NOW) == ""


@pytest.mark.parametrize(("host", "domain"), [("shop.co.uk", "co.uk"), ("shop.com.au", "com.au"), ("a.com", "com")])
def test_no_cookie_spans_what_others_may_register(host: str, domain: str) -> None:
    assert sent(f"a=1; Domain={domain}", at=host) == ""


def test_a_host_of_one_word_may_name_itself() -> None:
    assert sent("a=1; Domain=localhost", at="localhost") == "a=1"
    assert sent("a=1; Domain=localhost", at="localhost", to="x.localhost") == ""


def test_addresses_have_no_domains() -> None:
    assert sent("a=1", at="127.0.0.1") == "a=1"
    assert sent("a=1; Domain=0.0.1", at="127.0.0.1") == ""
    assert sent("a=1; Domain=127.0.0.1", at="127.0.0.1") == "a=1"


def test_secure_cookies_go_over_tls_alone() -> None:
    assert sent("a=1; Secure") == ""
    assert sent("a=1; Secure", secure=True) == "a=1"


def test_longer_paths_and_older_cookies_go_first() -> None:
    assert sent("a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "a=4; Path=/", path="/x/y") == "b=2; a=4; c=3"


def test_ages() -> None:
    jar = Jar()
    jar.store("shop.test", "/", ["a=1; Max-Age=10", "b=2; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:01 GMT"], NOW)
    assert jar.header("shop.test", "/", False, NOW + 9) == "a=1; b=2"
    assert jar.header("shop.test", "/", False, NOW + 11) == ""
    jar.store("shop.test", "/", ["c=3"], NOW)
    assert jar.store("shop.test", "/", ["c=; Max-Age=0"], NOW)
    assert jar.header("shop.test", "/", False, NOW) == "a=1; b=2"


def test_it_tells_whether_anything_changed() -> None:
    jar = Jar()
    assert jar.store("shop.test", "/", ["a=1"], NOW)
    assert not jar.store("shop.test", "/", ["a=1"], NOW)
    assert jar.store("shop.test", "/", ["a=2"], NOW)
    assert not jar.store("shop.test", "/", ["gone=; Max-Age=0"], NOW)
    assert not jar.store("shop.test", "/", ["no cookie"], NOW)


def test_it_survives_as_text() -> None:
    jar = Jar()
    jar.set("shop.test", {"z": "own"})
    jar.store("shop.test", "/x/y", ["a=1; Domain=shop.test; Secure; Max-Age=60", "b=2", "c=3; Path=/"], NOW)
    again = Jar()
    again.set("shop.test", {"z": "older"})
    again.load(jar.dump())
    for host, path, secure in [("shop.test", "/x/z", True), ("www.shop.test", "/x", True), ("shop.test", "/", False)]:
        assert again.header(host, path, secure, NOW + 1) == jar.header(host, path, secure, NOW + 1)
    again.store("shop.test", "/", ["d=4"], NOW)
    assert again.header("shop.test", "/", False, NOW) == "z=own; c=3; d=4"


def test_it_is_bounded() -> None:
    jar = Jar()
    jar.store("shop.test", "/", [f"c{n}=1" for n in range(PER_DOMAIN + 5)], NOW)
    names = jar.header("shop.test", "/", False, NOW).split("; ")
    assert (len(names), names[0]) == (PER_DOMAIN, "c5=1")
    for n in range(DOMAINS):
        jar.store(f"h{n}.test", "/", ["a=1"], NOW)
    assert jar.header("shop.test", "/", False, NOW) == ""
    assert jar.header(f"h{DOMAINS - 1}.test", "/", False, NOW) == "a=1"
    assert not jar.store("shop.test", "/", ["a=" + "x" * 5000], NOW)


@pytest.mark.parametrize("text", ["a=\x1aKEY\x1a", "a=%1AKEY%1A", "a=%1aKEY%1a", "a=b\x00c", "a=b\r\nX: y"])
def test_no_server_plants_a_secret_or_a_header(text: str) -> None:
    assert sent(text) == ""


def test_threads_share_it() -> None:
    jar = Jar()

    def fill(number: int) -> None:
        for n in range(50):
            jar.store(f"h{number}.test", "/", [f"c{n}=1"], NOW)
            jar.header(f"h{number}.test", "/", False, NOW)

    threads = [threading.Thread(target=fill, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [jar.header(f"h{number}.test", "/", False, NOW).count("=") for number in range(8)] == [50] * 8
