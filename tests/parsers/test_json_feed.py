"""JSON Feed in the names of other feeds."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from tests.parsers.answers import answer, refused
from yamlcrawl.parsers.feed import feed_parser

FEED: dict[str, Any] = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "News",
    "home_page_url": "/",
    "feed_url": "feed.json",
    "description": "All of it",
    "authors": [{"name": "Bo", "url": "/bo"}],
    "items": [
        {
            "id": 7,
            "url": "a?x=1",
            "external_url": "http://b.test/",
            "title": "Big day",
            "content_html": "<p>Hi</p>",
            "content_text": "Hi",
            "summary": "short",
            "date_published": "2024-01-01T00:00:00Z",
            "date_modified": "2024-02-01T00:00:00Z",
            "tags": ["x", "y"],
            "attachments": [{"url": "b.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 5}],
            "author": {"name": "Al"},
        },
        "no item",
    ],
}


def read(value: Any) -> Any:
    return feed_parser()(answer(json.dumps(value), "application/feed+json")).tree


def test_it_is_named_as_other_feeds_are() -> None:
    tree = read(FEED)
    assert tree["version"] == "json11"
    feed = tree["feed"]
    assert (feed["title"], feed["link"], feed["subtitle"]) == ("News", "http://site.test/", "All of it")
    assert feed["authors"] == [{"name": "Bo", "href": "http://site.test/bo"}]
    (entry,) = tree["entries"]
    assert {name: entry[name] for name in ("id", "title", "link", "published", "updated", "summary", "author")} == {
        "id": "7",
        "title": "Big day",
        "link": "http://site.test/dir/a?x=1",
        "published": "2024-01-01T00:00:00Z",
        "updated": "2024-02-01T00:00:00Z",
        "summary": "short",
        "author": "Al",
    }
    assert entry["content"] == [{"type": "text/html", "value": "<p>Hi</p>"}, {"type": "text/plain", "value": "Hi"}]
    assert entry.get("category") == "x"
    assert entry.get("enclosures") == [{"href": "http://site.test/dir/b.mp3", "type": "audio/mpeg", "length": "5"}]


def test_items_that_are_none_are_left_out() -> None:
    assert read({**FEED, "items": [1, None, []]})["entries"] == []


@pytest.mark.parametrize(
    "value",
    [
        {"version": "2.0", "items": []},
        {"version": 1, "items": []},
        {"items": []},
        {"version": "https://x.test/version/1", "items": []},
        {"version": "https://jsonfeed.org/version/1", "items": {}},
    ],
)
def test_other_json_is_no_feed(value: Any) -> None:
    outcome, what = refused(feed_parser, json.dumps(value), "application/json")
    assert outcome == "wrong_format"
    assert "the answer is JSON, not a feed" in what


def test_numbers_are_exact() -> None:
    body = json.dumps(FEED).replace('"short"', "1.10")
    assert feed_parser()(answer(body)).tree["entries"][0]["summary"] == Decimal("1.10")
