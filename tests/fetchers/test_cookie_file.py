"""Cookies outlive the process that got them."""

import stat

import pytest

from yamlcrawl.errors import RefusedError
from yamlcrawl.fetchers.cookie_file import CookieFile
from yamlcrawl.fetchers.cookies import Jar


def jar_with(*cookies: str) -> Jar:
    jar = Jar()
    jar.store("a.test", "/", cookies, 1000.0)
    return jar


def test_a_resumed_run_sends_the_cookies_of_the_one_before(tmp_path):
    path = tmp_path / "cookies.json"
    before = jar_with()
    kept = CookieFile(path, before)
    before.store("a.test", "/", ["sid=1; Max-Age=9999999999"], 1000.0)
    kept.tick(lambda: None)
    after = Jar()
    CookieFile(path, after).load()
    assert after.header("a.test", "/", False, 1001.0) == "sid=1"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_nothing_is_written_while_nothing_changes(tmp_path):
    path = tmp_path / "cookies.json"
    kept = CookieFile(path, jar_with())
    kept.tick(lambda: None)
    assert not path.exists()


def test_a_first_run_has_nothing_to_load(tmp_path):
    jar = Jar()
    CookieFile(tmp_path / "cookies.json", jar).load()
    assert jar.header("a.test", "/", False, 1001.0) == ""


@pytest.mark.parametrize("text", ["", "{", '[{"x": 1}]'])
def test_a_file_that_holds_no_cookies_is_refused_with_the_cure(tmp_path, text):
    path = tmp_path / "cookies.json"
    path.write_text(text)
    with pytest.raises(RefusedError, match="--fresh"):
        CookieFile(path, Jar()).load()
