"""JSON Feed (https://www.jsonfeed.org/version/1.1/) in the names of other feeds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from yamlcrawl.errors import ParseError
from yamlcrawl.parsers.json import read_json

_VERSION = re.compile(r"https?://(?:www\.)?jsonfeed\.org/version/(\d+)(?:\.(\d+))?")
_TOP = {"title": "title", "description": "subtitle", "home_page_url": "link", "icon": "icon", "language": "language"}
_ENTRY = {
    "id": "id",
    "title": "title",
    "url": "link",
    "date_published": "published",
    "date_modified": "updated",
    "summary": "summary",
    "image": "image",
    "language": "language",
}
_CONTENT = {"content_html": "text/html", "content_text": "text/plain"}


def read_json_feed(text: str) -> dict[str, Any] | None:
    """``{feed: {…}, entries: [{…}, …], version}`` as other feeds have it; None for JSON that is none.

    >>> feed = read_json_feed('{"version": "https://jsonfeed.org/version/1", "items": [{"id": 1, "url": "/a"}]}')
    >>> feed["version"], feed["entries"]
    ('json1', [{'id': '1', 'link': '/a', 'links': [{'rel': 'alternate', 'href': '/a'}]}])
    """
    try:
        found = read_json(text)
    except ParseError:
        return None
    version = _VERSION.fullmatch(found["version"]) if _is_feed(found) else None
    if version is None:
        return None
    return {
        "feed": _renamed(found, _TOP, home="home_page_url"),
        "entries": [_entry(item) for item in found["items"] if isinstance(item, Mapping)],
        "version": f"json{version[1]}{version[2] or ''}",
    }


def _is_feed(found: Any) -> bool:
    return isinstance(found, Mapping) and isinstance(found.get("version"), str) and isinstance(found.get("items"), list)


def _entry(item: Mapping[str, Any]) -> dict[str, Any]:
    entry = _renamed(item, _ENTRY, home="url")
    if content := [
        {"type": kind, "value": item[name]} for name, kind in _CONTENT.items() if isinstance(item.get(name), str)
    ]:
        entry["content"] = content
    if tags := [{"term": tag} for tag in _list(item, "tags") if isinstance(tag, str)]:
        entry["tags"] = tags
    return entry


def _renamed(part: Mapping[str, Any], names: Mapping[str, str], *, home: str) -> dict[str, Any]:
    named: dict[str, Any] = {names[key]: part[key] for key in names if part.get(key) is not None}
    if "id" in named:
        named["id"] = str(named["id"])  # version 1 had numbers too
    if links := list(_links(part, home)):
        named["links"] = links
    author = part.get("author")  # of version 1; 1.1 has a list
    if authors := [one for one in (_list(part, "authors") or [author]) if isinstance(one, Mapping)]:
        named["authors"] = [{name: one[key] for key, name in _AUTHOR.items() if key in one} for one in authors]
        if "name" in authors[0]:
            named["author"] = authors[0]["name"]
    return named


_AUTHOR = {"name": "name", "url": "href", "avatar": "avatar"}


def _links(part: Mapping[str, Any], home: str) -> Iterator[dict[str, Any]]:
    for key, rel in ((home, "alternate"), ("external_url", "related"), ("feed_url", "self"), ("next_url", "next")):
        if isinstance(part.get(key), str):
            yield {"rel": rel, "href": part[key]}
    for one in _list(part, "attachments"):
        if isinstance(one, Mapping) and "url" in one:
            length = one.get("size_in_bytes")
            yield {"rel": "enclosure", "href": one["url"], "type": one.get("mime_type")} | (
                {} if length is None else {"length": str(length)}
            )


def _list(part: Mapping[str, Any], key: str) -> list[Any]:
    value = part.get(key)
    return value if isinstance(value, list) else []
