from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.site import Site
from yamlcrawl.fetchers import HttpFetcher, Jar
from yamlcrawl.model.plan import SitePlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure, Response
from yamlcrawl.model.secrets import Secrets

OPEN = SitePlan("yamlcrawl/test", private_addresses=True)


@pytest.fixture
def fetcher() -> Iterator[HttpFetcher]:
    made = HttpFetcher(OPEN, Secrets(), Jar())
    yield made
    made.close()


def request(url: str, **more: object) -> Request:
    return Request(url, url, **more)  # type: ignore[arg-type]


def test_a_page_comes_whole(site: Site, fetcher: HttpFetcher) -> None:
    site.pages["/"] = "<h1>Grüße</h1>"
    sent: list[float] = []
    response = fetcher.fetch(request(site.url("/")), sent.append)
    assert isinstance(response, Response)
    assert (response.status, response.body) == (200, "<h1>Grüße</h1>".encode())
    assert response.headers.get("Content-Type") == "text/html; charset=utf-8"
    assert response.received == len(response.body)
    assert len(sent) == 1
    assert sent[0] <= response.fetched_at


def test_nothing_listens(fetcher: HttpFetcher) -> None:
    failure = fetcher.fetch(request("http://127.0.0.1:1/"))
    assert isinstance(failure, Failure)
    assert (failure.outcome, failure.contact) == ("network_error", True)
