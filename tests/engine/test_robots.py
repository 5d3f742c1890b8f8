from __future__ import annotations

import pytest

from tests.shared import cases
from yamlcrawl.engine.robots import LONGEST, parse_robots, product_token, read_robots
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response

OTHERWISE = {
    "e89b7ee34d93": "RFC 9309, 2.2.2 compares after decoding, so /%62%61%7A is /baz",
    "842e77a5beba": "asks with an address that is never sent so: it goes out as /foo/bar/%E3%83%84, which is allowed",
}
"""Cases of other projects that are answered otherwise, and why."""


def allowed(text: str, path: str, token: str = "yamlcrawl") -> bool:
    return parse_robots(text).allows(f"http://shop.test{path}", token)


def read(body: bytes, user_agent: str = "yamlcrawl/1.0") -> tuple[str, float | None, str]:
    request = Request("http://shop.test/robots.txt", "http://shop.test/robots.txt", purpose="robots")
    return read_robots(Response(request, request.url, 200, Headers(), body, len(body), 0.0, 0.0), user_agent)


@pytest.mark.parametrize("case", cases("robots/google.jsonl"))
def test_what_google_tests(case: dict[str, object]) -> None:
    long = "/x/" + "a" * 16_640
    text, url = (str(case[name]).replace("{L}", long) for name in ("robots_txt", "url"))
    verdict = parse_robots(text).allows(url, str(case["user_agent"]))
    assert verdict is (case["allowed"] is not True if case["id"] in OTHERWISE else case["allowed"])


@pytest.mark.parametrize("case", cases("robots/real-files.jsonl"))
def test_what_three_parsers_agree_on(case: dict[str, object]) -> None:
    rules = parse_robots(str(case["robots_txt"]))
    checks: list[tuple[str, str, bool]] = case["checks"]  # type: ignore[assignment]
    wrong = [(token, path) for token, path, verdict in checks if rules.allows("http://a.test" + path, token) != verdict]
    assert wrong == []


def test_groups_of_one_name_are_one() -> None:
    """Handed-out case C09 (e)."""
    text = "User-agent: *\nCrawl-delay: 10\n\nUser-agent: greedybot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart/\n"
    assert allowed(text, "/page")
    assert not allowed(text, "/cart/x")
    assert not allowed(text, "/page", "GreedyBot")
    assert parse_robots(text).delay("yamlcrawl") == 10
    assert parse_robots(text).delay("greedybot") is None


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffUser-agent: *\nDisallow: /cart/",
        "User-agent: *\rDisallow: /cart/\r",
        "User-agent: *\r\n\r\nDisallow: /cart/\r\n",
        "User-agent: yamlcrawl/1.0\nDisallow: /cart/",
        "User-agent: YamlCrawl and others\nDisallow: /cart/",
        "User-agent: other\nX-Unknown: 1\nUser-agent: yamlcrawl\nDisallow: /cart/",
        "User-agent: yamlcrawl\nX-Unknown: 1\nUser-agent: other\nDisallow: /cart/",
        "User-agent: yamlcrawl\nCrawl-delay: 5\nUser-agent: other\nDisallow: /cart/",
        "User-agent yamlcrawl\nDisallow /cart/",
        "  user-AGENT :  yamlcrawl # us\n  DISALLOW:/cart/ # all of it",
        "Disallow: /\nUser-agent: *\nDisallow: /cart/",
    ],
)
def test_odd_spellings_still_deny(text: str) -> None:
    assert not allowed(text, "/cart/x")
    assert allowed(text, "/page")


def test_own_group_stands_instead_of_the_group_for_all() -> None:
    text = "User-agent: *\nDisallow: /\nUser-agent: yamlcrawl\nDisallow: /private"
    assert allowed(text, "/page")
    assert not allowed(text, "/private")
    assert not allowed(text, "/page", "yamlcrawler")


def test_longest_rule_wins_and_wildcards_work() -> None:
    text = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /shop\nAllow: /shop/open\nDisallow: /a?q="
    assert [allowed(text, path) for path in ("/x.pdf", "/x.pdf?v=1", "/shop/x", "/shop/open/1", "/a?q=1", "/a")] == [
        False,
        True,
        False,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("text", ["", "\0\0\0", "Disallow: /", "User-agent:\nDisallow: /", "User-agent: *\nDisallow:"])
def test_without_rules_everything_is_allowed(text: str) -> None:
    assert allowed(text, "/page")


@pytest.mark.parametrize("value", ["", "soon", "-1", "0", "nan", "inf", "1e999"])
def test_nonsense_delays_are_none(value: str) -> None:
    assert parse_robots(f"User-agent: *\nCrawl-delay: {value}").delay("yamlcrawl") is None


def test_longest_delay_of_a_name_counts() -> None:
    assert parse_robots("User-agent: *\nCrawl-delay: 0.5\nCrawl-delay: 3\n").delay("yamlcrawl") == 3


def test_html_in_its_place_says_nothing_and_is_warned_of() -> None:
    """Handed-out case C09 (c)."""
    text, delay, warning = read(b"<!doctype html><html><body>\nUser-agent: *\nDisallow: /</body></html>")
    assert (text, delay) == ("", None)
    assert "HTML" in warning


def test_what_is_read_keeps_its_meaning_as_text() -> None:
    text, delay, warning = read(b"\xef\xbb\xbfUser-agent: *\nDisallow: /caf\xe9\nDisallow: /cart\nCrawl-delay: 4\n")
    assert not allowed(text, "/cart")
    assert (delay, warning) == (4.0, "")


def test_delay_is_that_of_the_crawlers_own_group() -> None:
    body = b"User-agent: shopbot\nCrawl-delay: 7\n\nUser-agent: *\nCrawl-delay: 2\n"
    assert read(body, "ShopBot/2.1 (+http://shop.test)")[1] == 7
    assert read(body, "Mozilla/5.0 (compatible; ShopBot)")[1] == 2


def test_only_the_first_500_kib_count() -> None:
    start = b"User-agent: *\nDisallow: /first\n"
    line = b"Disallow: /" + b"x" * 88 + b"\n"
    filling = line * ((LONGEST - len(start)) // len(line))
    rest = LONGEST - len(start) - len(filling)
    cut = b"Disallow: /".ljust(rest, b"c") + b"ut-in-the-middle\nDisallow: /late\n"
    text, _, warning = read(start + filling + cut)
    assert "500 KiB" in warning
    assert not allowed(text, "/first")
    assert allowed(text, "/late")
    assert allowed(text, "/" + "c" * (rest - 11))


@pytest.mark.parametrize(
    ("user_agent", "token"),
    [
        ("yamlcrawl/0.1 (+https://yamlcrawl.test)", "yamlcrawl"),
        ("My-Bot_x/2", "My-Bot_x"),
        ("Mozilla/5.0 (compatible; other)", "yamlcrawl"),
        ("", "yamlcrawl"),
        ("42", "yamlcrawl"),
    ],
)
def test_token_is_the_first_product(user_agent: str, token: str) -> None:
    assert product_token(user_agent) == token
