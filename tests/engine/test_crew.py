"""What the threads of a crawl tell the loop, and in which order."""

from __future__ import annotations

import time
from queue import SimpleQueue

import pytest

from tests.engine.small import Site, make_plan, request
from yamlcrawl.engine.crew import Crew, Event, Freed, Idle
from yamlcrawl.engine.endings import Ending
from yamlcrawl.model.frontier import Lease
from yamlcrawl.model.outcome import Outcome, Token
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure


def told(answers: dict[str, object], asked: Request) -> list[Event]:
    """The events of one request, the first one (a thread is there) left out."""
    site = Site(answers)
    plan = make_plan(site, threads=1)
    inbox: SimpleQueue[Event] = SimpleQueue()
    crew = Crew(plan, site, Ending(plan, time.time), lambda _fingerprint: False, inbox, time.time)
    crew.start()
    try:
        assert isinstance(inbox.get(timeout=10), Idle)
        crew.hand(Lease(Token(1, 1), asked, "a.test:80"))
        events = [inbox.get(timeout=10), inbox.get(timeout=10)]
    finally:
        crew.end(patience=10)
    assert inbox.empty()
    return events


def test_a_page_frees_its_host_before_it_is_read() -> None:
    events = told({"/": {"title": "x"}}, request("/"))
    assert {type(event) for event in events} == {Freed, Outcome}


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ((429, {"Retry-After": "5"}), request("/")),
        ((503, {"Retry-After": "5"}), request("/")),
        (b"User-agent: *\nCrawl-delay: 5", request("/robots.txt", purpose="robots")),
        (Failure(request("/"), "network_error", "reset"), request("/")),
    ],
    ids=["429", "503", "robots.txt", "failure"],
)
def test_what_tells_how_to_ask_the_host_keeps_the_slot_until_it_is_known(answer: object, asked: Request) -> None:
    # the outcome frees the host, so no request can slip in between the answer and what it asks for
    events = told({asked.url.removeprefix("http://a.test"): answer}, asked)
    assert {type(event) for event in events} == {Idle, Outcome}
