"""URLs: the cases of the public test suites where they are at hand, and what this crawler adds."""

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yamlcrawl import urls

SHARED = Path(os.environ.get("YAMLCRAWL_SHARED", Path(__file__).parents[2] / "shared")) / "conformance" / "url"


def cases(name: str) -> list[dict[str, str | None]]:
    if not SHARED.is_dir():
        pytest.skip("the conformance cases are not here (YAMLCRAWL_SHARED)")
    return [json.loads(line) for line in (SHARED / name).read_text("utf-8").splitlines()]


def test_join_is_what_browsers_do() -> None:
    for case in cases("wpt-resolve.jsonl"):
        followed = case["tier"] in ("core", "browser")
        expected = (case["resolved"] or "").partition("#")[0] if followed else None
        assert urls.join(case["base"] or "", case["ref"] or "") == expected, case


def test_join_is_rfc_3986() -> None:
    for case in cases("rfc3986-5.4.jsonl"):
        resolved = (case["resolved"] or "").partition("#")[0]
        # the URL standard gives an empty path its slash
        expected = "http://g/" if resolved == "http://g" else resolved
        assert urls.join(case["base"] or "", case["ref"] or "") == (expected if "http" in expected else None), case


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("\n    http://other.test/x ", "http://other.test/x"),
        ("/s?q=tea&sort=up", "http://site.test/s?q=tea&sort=up"),
        ("/s?x=1&copy=7&para=3", "http://site.test/s?x=1&copy=7&para=3"),
        ("", "http://site.test/p/?post=7"),
        ("#top", "http://site.test/p/?post=7"),
        ("mailto:bo@site.test", None),
        ("javascript:void(0)", None),
        ("tel:+4512345678", None),
        ("data:text/plain,x", None),
        ("http://[::1", None),
        ("http://\ud800.test/", None),
        ("http://xn--/", None),
        ("\\\\other.test\\x", "http://other.test/x"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://ex。com/", "http://ex.com/"),
    ],
)
def test_dirty_hrefs(href: str, url: str | None) -> None:
    assert urls.join("http://site.test/p/?post=7", href) == url


def test_an_encoded_hash_is_part_of_the_path() -> None:
    found = [urls.join("http://a.test/", href) for href in ("/f/lot%20%231", "/f/lot%20%232", "/f/lot%20%231#top")]
    assert found == ["http://a.test/f/lot%20%231", "http://a.test/f/lot%20%232", "http://a.test/f/lot%20%231"]
    assert [urls.canonical(url or "") for url in found] == found


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("HTTP://A.test:80", "http://a.test/"),
        ("https://a.test:443/x", "https://a.test/x"),
        ("http://a.test/%7euser/%e2%82%ac", "http://a.test/~user/€"),
        ("http://a.test/a/./b/../c", "http://a.test/a/c"),
        ("http://a.test/?", "http://a.test/"),
        ("http://a.test/?utm_source=x", "http://a.test/"),
        ("http://a.test/?a=1&gclid=3&b=2", "http://a.test/?a=1&b=2"),
        ("http://a.test/?q=a|b", "http://a.test/?q=a%7cb"),
    ],
)
def test_spellings_of_one_page(left: str, right: str) -> None:
    drop = urls.drop_params(urls.DROP_PARAMS)
    assert urls.canonical(left, drop) == urls.canonical(right, drop)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("http://a.test/A", "http://a.test/a"),
        ("http://a.test/?a=1&b=2", "http://a.test/?b=2&a=1"),
        ("http://a.test/a%2Fb", "http://a.test/a/b"),
        ("http://a.test/a%26b", "http://a.test/a&b"),
        ("http://a.test/", "https://a.test/"),
        ("http://a.test/x", "http://a.test/x/"),
        ("http://a.test/?about_utm_x=1", "http://a.test/"),
    ],
)
def test_pages_that_stay_apart(left: str, right: str) -> None:
    drop = urls.drop_params(urls.DROP_PARAMS)
    assert urls.canonical(left, drop) != urls.canonical(right, drop)


@given(st.text(alphabet=st.sampled_from("ab/.?&=%#:@;|é 7Ff2eE~\\[]utm_"), max_size=40))
def test_canonical_is_its_own_canonical(tail: str) -> None:
    drop = urls.drop_params(["u*", "a"])
    once = urls.canonical("http://h.test/" + tail, drop)
    assert urls.canonical(once, drop) == once


@given(st.text(max_size=40))
def test_what_join_gives_is_an_ascii_web_url_without_fragment(href: str) -> None:
    url = urls.join("http://h.test/a/b?c", href)
    if url is not None:
        assert re.fullmatch(r"https?://[!-~]+/[!-~]*", url)
        assert "#" not in url
        assert urls.join("", url) == url


def test_hosts_are_compared_whole() -> None:
    match = urls.host_pattern("shop.test")
    assert match
    links = ["http://shop.test/a", "http://SHOP.TEST/f", "http://notshop.test/c", "http://shop.test.evil.test/d"]
    links += ["http://share.test/submit?url=http://shop.test/a", "http://shop.test@evil.test/e"]
    found = [urls.join("", link) or "" for link in links]
    assert [match(urls.host_name(url)) for url in found] == [True, True, False, False, False, False]


@pytest.mark.parametrize(
    "text", ["", "*", "a.*.test", "http://a.test", "a test", "a.test/x", "*.", "jo@a.test", "a:80"]
)
def test_no_host_pattern(text: str) -> None:
    assert urls.host_pattern(text) is None


def test_host_patterns_may_be_international() -> None:
    match = urls.host_pattern("*.Bücher.example")
    assert match
    assert match("www.xn--bcher-kva.example")


def test_ports() -> None:
    assert urls.host_name("http://[::1]:81/") == urls.host_name("http://[::1]/") == "[::1]"
    assert urls.host_key("http://[::1]:81/") == "[::1]:81"
    assert urls.host_key("http://a.test:443/") == urls.host_key("https://a.test/") == "a.test"
    assert urls.origin("http://a.test:443/x") == "http://a.test:443"
    assert urls.origin("http://jo:pw@a.test/x") == "http://a.test:80"
    assert (urls.port("http://a.test/"), urls.port("https://a.test/"), urls.port("http://a.test:81/")) == (80, 443, 81)


@pytest.mark.parametrize(
    ("pattern", "url", "fits"),
    [
        ("/a/*", "http://h.test/a/b", True),
        ("/a/*", "http://h.test/a/b/c", False),
        ("/a/**", "http://h.test/a/b/c?d=/e", True),
        ("/a/**", "http://h.test/x/a/b", False),
        ("/a?page=*", "http://h.test/a?page=2", True),
        ("/a?page=*", "http://h.test/a", False),
        ("/a?**page=*", "http://h.test/a?x=/1&page=2", True),
        ("*.pdf", "http://h.test/deep/down/x.pdf?v=1", True),
        ("*.pdf", "http://h.test/x.pdf/y", False),
        ("/**/x", "http://h.test/x", True),
        ("/**/x", "http://h.test/a/b/x", True),
        ("/**/x", "http://h.test/ax", False),
        ("http://h.test/*", "http://h.test/a", True),
        ("https://*.H.test/**", "https://www.h.test/a/b", True),
        ("https://*.h.test/**", "http://www.h.test/a/b", False),
        ("*://h.test/a", "https://h.test/a?q", True),
        ("http://h.test?a=*", "http://h.test/?a=1", True),
        ("http://h.test", "http://h.test/", True),
        ("/straße/*", "http://h.test/stra%C3%9Fe/1", True),
        ("/stra%c3%9fe/*", "http://h.test/stra%C3%9Fe/1", True),
        ("/a.b(c)", "http://h.test/a.b(c)", True),
        ("/a.b", "http://h.test/axb", False),
    ],
)
def test_globs(pattern: str, url: str, fits: bool) -> None:
    assert urls.glob(pattern)(url) is fits


@pytest.mark.parametrize("text", [r"/p/\d+", "^/p", "/p$", "/p/.*", "/[a-z]+/x", "/(a|b)/", r"/a\.html"])
def test_regexes_in_the_place_of_globs(text: str) -> None:
    assert urls.looks_like_regex(text)


@pytest.mark.parametrize("text", ["/a/**", "*.pdf", "/a?x=*&y=[1]", "/a.b-(c)", "https://*.h.test/**", "/c++/*"])
def test_globs_that_are_no_regexes(text: str) -> None:
    assert not urls.looks_like_regex(text)


NOT_PUBLIC = """
    0.0.0.0 0.1.2.3 10.1.2.3 100.64.1.1 127.0.0.1 127.9.9.9 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255
    192.0.0.192 192.168.0.1 198.18.0.1 192.0.2.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 [::1] ::7f00:1
    ::ffff:127.0.0.1 ::ffff:169.254.169.254 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 64:ff9b::7f00:1
    64:ff9b::169.254.169.254 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1:: 2001::1 2001:db8::1
"""
PUBLIC = "1.1.1.1 93.184.216.34 172.32.0.1 2606:4700:4700::1111 ::ffff:1.1.1.1 64:ff9b::101:101 2002:101:101::"


@pytest.mark.parametrize("address", NOT_PUBLIC.split())
def test_addresses_that_are_not_public(address: str) -> None:
    assert not urls.is_public(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_addresses_that_are_public(address: str) -> None:
    assert urls.is_public(address)
