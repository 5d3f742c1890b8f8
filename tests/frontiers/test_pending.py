"""Items wait for their downloads, and come with them or without; none is lost."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.frontiers.crawling import Crawl, Make, item, request
from yamlcrawl.model.files import token
from yamlcrawl.model.frontier import Lease
from yamlcrawl.model.item import Item, Wanted, json_text
from yamlcrawl.model.request import Request

ONE, TWO = (request(path, page="", purpose="file") for path in ("/1.pdf", "/2.pdf"))
RECORD = {"name": "1.pdf"}


def waiting(value: str, *files: Request, required: bool = False, key: str | None = None) -> Item:
    """An item with a list of files."""
    made = item(value, key=key)
    tokens = json_text([token(file.fingerprint) for file in files])
    wanted = tuple(Wanted(file.fingerprint, "files", "x.files", required) for file in files)
    return replace(made, text=f'{made.text[:-1]}, "files": {tokens}}}', files=wanted)


def begun(make: Make, *items: Item, links: tuple[Request, ...] = (ONE, TWO), **how: Any) -> Crawl:
    """A crawl whose only page gave these items and downloads."""
    crawl = make(**how)
    crawl.begin("/")
    crawl.done(crawl.one(), items=items, links=links)
    return crawl


def leased(crawl: Crawl, file: Request) -> Lease:
    """The lease of a download; the others go back."""
    leases = crawl.claim(5)
    crawl.store.release([lease.token for lease in leases if lease.request.url != file.url])
    return next(lease for lease in leases if lease.request.url == file.url)


def rows(crawl: Crawl) -> list[dict[str, Any]]:
    return [json.loads(text) for text in crawl.streamed()]


def test_an_item_comes_when_the_last_of_its_files_has_ended(make: Make) -> None:
    crawl = begun(make, waiting("a", ONE, TWO), waiting("b", ONE), item("c"), per_host=5, sleep=0)
    assert rows(crawl) == [{"v": "c"}]
    crawl.done(leased(crawl, ONE), file=RECORD)
    assert rows(crawl) == [{"v": "c"}, {"v": "b", "files": [RECORD]}]
    crawl.done(leased(crawl, TWO), "not_found", status=404)
    assert rows(crawl)[2:] == [{"v": "a", "files": [RECORD]}]
    counts = crawl.store.stats().counts
    assert (counts["item:book"], counts["filled:book.files"], counts["file:ok"], counts["file:not_found"]) == (
        3,
        2,
        1,
        1,
    )
    assert counts["pages"] == 1


def test_what_waits_outlives_a_death(make: Make) -> None:
    crawl = begun(make, waiting("a", ONE, key="k"), links=(ONE,))
    crawl.die()
    crawl.done(crawl.one(), file=RECORD)
    crawl.die()
    assert rows(crawl) == [{"v": "a", "files": [RECORD]}]


def test_a_file_that_is_there_already_is_not_waited_for(make: Make) -> None:
    crawl = begun(make, waiting("a", ONE), links=(ONE, request("/next")), per_host=5, sleep=0)
    crawl.done(leased(crawl, ONE), file=RECORD)
    crawl.done(crawl.one(), items=(waiting("b", ONE),), links=(ONE,))
    assert [row["v"] for row in rows(crawl)] == ["a", "b"]
    assert crawl.store.stats().counts["duplicates"] == 1


def test_a_required_file_that_fails_rejects_the_item(make: Make) -> None:
    crawl = begun(make, waiting("a", ONE, required=True), waiting("b", ONE), links=(ONE,))
    crawl.done(crawl.one(), "timeout")
    assert rows(crawl) == [{"v": "b", "files": []}]
    stats = crawl.store.stats()
    assert stats.counts["rejected:x.files"] == 1
    assert stats.notes["rejected:x.files"] == ["http://a.test/a"]


def test_a_redirect_ends_the_download_that_was_asked_for(make: Make) -> None:
    crawl = begun(make, waiting("a", ONE), links=(ONE,))
    target = replace(request("/elsewhere", page="", purpose="file"), of=ONE.fingerprint, redirects=1)
    crawl.done(crawl.one(), "moved", links=(target,))
    assert rows(crawl) == []
    crawl.done(crawl.one(), file=RECORD)
    assert rows(crawl) == [{"v": "a", "files": [RECORD]}]


def test_downloads_of_a_host_that_is_given_up_have_failed(make: Make) -> None:
    far = request("http://b.test/1.pdf", page="", purpose="file")
    crawl = begun(make, waiting("a", far), links=(far,), robots=True, sleep=0, per_host=5)
    lease = next(lease for lease in crawl.claim(5) if lease.request.purpose == "robots")
    crawl.done(lease, "robots_unreachable", robots=None)
    assert rows(crawl) == [{"v": "a", "files": []}]


@pytest.mark.parametrize("limit", [{"time": 1.0}, {"errors": 1}])
def test_a_limit_that_ends_the_run_lets_them_go_without_their_files(make: Make, limit: dict[str, Any]) -> None:
    crawl = begun(make, waiting("a", ONE), links=(ONE, request("/bad")), per_host=5, sleep=0, **limit)
    lease = leased(crawl, request("/bad"))
    crawl.clock.now += 2
    crawl.done(lease, "server_error", status=500)
    assert crawl.store.stats().state == "finishing"
    assert rows(crawl) == [{"v": "a", "files": []}]


def test_the_limit_of_items_holds_for_those_that_come_late(make: Make) -> None:
    crawl = begun(make, waiting("a", ONE), waiting("b", ONE), item("c"), links=(ONE,), items=2)
    crawl.done(crawl.one(), file=RECORD)
    assert [row["v"] for row in rows(crawl)] == ["c", "a"]


def test_doubles_are_told_when_they_come(make: Make) -> None:
    crawl = begun(make, waiting("a", ONE, key="k"), item("b", key="k"), links=(ONE,))
    crawl.done(crawl.one(), file=RECORD)
    assert [row["v"] for row in rows(crawl)] == ["b"]
    (kept,) = crawl.store.sorted_items(["book"], None)
    assert json.loads(kept.text) == {"v": "a", "files": [RECORD]}
