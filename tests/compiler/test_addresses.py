"""Addresses on pages: followed or left out, and remembered without changing anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yamlcrawl.compiler.addresses import IGNORED, Admitted, Folders, Judge, LeftOut
from yamlcrawl.compiler.guards import Guards
from yamlcrawl.compiler.scope import Scope
from yamlcrawl.model.request import Request
from yamlcrawl.urls import DROP_PARAMS, canonical, drop_params, glob, host_pattern, join

DROP = drop_params(DROP_PARAMS)


def judge(**given_: object) -> Judge:
    scope = Scope(["shop.test"], [match for match in [host_pattern("*.shop.test")] if match])
    parts = {"path": "pages.a.follow.b", "target": "b", "scope": scope, "drop": DROP, "guards": Guards()} | given_
    return Judge(**parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("href", "counter"),
    [
        ("http://shop.test/a", None),
        ("http://www.shop.test/b", None),
        ("http://SHOP.TEST/f", None),
        ("http://shop.test:8080/f", None),
        ("http://notshop.test/c", "offsite:notshop.test"),
        ("http://shop.test.evil.test/d", "offsite:shop.test.evil.test"),
        ("http://share.test/submit?url=http://shop.test/a", "offsite:share.test"),
        ("http://shop.test@evil.test/e", "offsite:evil.test"),
        ("http://[oops", "bad_url:pages.a.follow.b"),
        ("mailto:jo@shop.test", ""),
        (" JavaScript:void(0)", ""),
        ("tel:+45", ""),
    ],
)
def test_links_leave_the_start_hosts_only_where_the_spec_allows(href: str, counter: str | None) -> None:
    base = "http://shop.test/p/q?r"
    verdict = Folders(judge()).folder(base).verdict(base, href)
    assert (verdict.counter if isinstance(verdict, LeftOut) else None) == counter


def test_patterns_see_the_canonical_url() -> None:
    rule = judge(include=[glob("/shop/**"), glob("*.html")], exclude=[glob("/shop/**?page=*")])
    tails = ["shop/%61", "x/shop/a", "a.html?x", "shop/a?page=2", "shop/a?utm_source=1&page=2"]
    verdicts = [rule.judge(f"http://shop.test/{tail}") for tail in tails]
    assert [isinstance(verdict, Admitted) for verdict in verdicts] == [True, False, True, False, False]
    assert verdicts[1] == LeftOut("excluded:pages.a.follow.b", "http://shop.test/x/shop/a")


def test_a_widened_scope_forgets_what_was_left_out() -> None:
    rule = judge()
    folders, base = Folders(rule), "http://shop.test/"
    assert isinstance(folders.folder(base).verdict(base, "http://new.test/"), LeftOut)
    rule.scope.widen("new.test")
    assert isinstance(folders.folder(base).verdict(base, "http://new.test/"), Admitted)


def test_hrefs_that_belong_to_the_page_are_not_mixed_up_within_its_folder() -> None:
    folders = Folders(judge())
    for name in ("a", "b"):
        base = f"http://shop.test/d/{name}"
        folder = folders.folder(base)
        for href in ("", "?x=1", " ?x=1", "http:?x=1", "http:"):
            verdict = folder.verdict(base, href)
            assert isinstance(verdict, Admitted)
            assert verdict.url == f"{base}{'?x=1' if 'x' in href else ''}"


HREFS = st.text(alphabet=st.sampled_from("ab/.?=%7e&:# -_~\\u\n"), max_size=12)
BASES = st.sampled_from(["http://shop.test/", "http://shop.test/%7ea/b/c?d=/e", "https://a.shop.test:81/x/y/"])


@given(BASES, HREFS)
def test_what_is_remembered_and_quick_equals_what_a_browser_does(base: str, href: str) -> None:
    href = href.partition("#")[0]
    folders = Folders(judge(guards=Guards(repeats=1000)))
    for _ in range(2):
        verdict = folders.folder(base).verdict(base, href)
        url = join(base, href)
        if url is None:
            assert isinstance(verdict, LeftOut)
        elif isinstance(verdict, LeftOut):
            assert verdict.counter.startswith("offsite:")
        else:
            assert verdict.url == url
            assert verdict.canonical == canonical(url, DROP)
            assert verdict.fingerprint == Request(url, verdict.canonical, page="b").fingerprint


def test_a_growing_path_is_cut() -> None:
    rule, url = judge(), "http://shop.test/privacy/"
    found = []
    while True:
        verdict = rule.judge(join(url, "www.partner.test/terms/") or "")
        if isinstance(verdict, LeftOut):
            break
        url = verdict.url
        found.append(url)
    assert verdict.counter == "cut:repeats"
    assert len(found) == 3


def test_query_variants_of_one_path_are_bounded() -> None:
    rule = judge(guards=Guards(variants=3))
    verdicts = [rule.judge(f"http://shop.test/list?n={n}") for n in range(5)]
    assert [isinstance(verdict, Admitted) for verdict in verdicts] == [True, True, True, False, False]
    assert isinstance(rule.judge("http://shop.test/other?n=4"), Admitted)
    assert isinstance(rule.judge("http://shop.test/list?n=0"), Admitted)
    assert isinstance(rule.judge("http://shop.test/list"), Admitted)


def test_nothing_is_said_of_what_asks_no_web_server() -> None:
    assert judge().resolve("http://shop.test/", "mailto:x") is IGNORED
