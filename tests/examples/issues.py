"""Three issues, two in an answer, behind a token."""

from __future__ import annotations

import json
from typing import Any

from tests.site import Answer, Hit, json_answer

OUTPUT = "issues.jsonl"
ENVIRONMENT = {"FORGE_TOKEN": "t0ken-t0ken"}

_NODES: list[dict[str, Any]] = [
    {"number": 7, "title": "It is slow", "author": {"login": "ines"}, "labels": [{"name": "speed"}], "closed": False},
    {"number": 12, "title": "It is “fast”", "author": {"login": "pál"}, "labels": [], "closed": False},
    {"number": 9, "title": "Docs", "author": None, "labels": [{"name": "docs"}, {"name": "easy"}], "closed": False},
]


def _query(hit: Hit) -> Answer:
    if hit.header("authorization") != "Bearer t0ken-t0ken":
        return json_answer({"message": "who are you?"}, 401)
    asked = json.loads(hit.body)
    assert hit.method == "POST"
    assert "issues(state: OPEN" in asked["query"]
    start = int(asked["variables"]["after"] or 0)
    end = start + asked["variables"]["first"]
    cursor = str(end) if end < len(_NODES) else None
    return json_answer({"data": {"issues": {"nodes": _NODES[start:end], "pageInfo": {"endCursor": cursor}}}})


PAGES = {"/graphql": _query}

ROWS = [
    {"number": 7, "title": "It is slow", "author": "ines", "labels": ["speed"], "closed": False},
    {"number": 9, "title": "Docs", "author": None, "labels": ["docs", "easy"], "closed": False},
    {"number": 12, "title": "It is “fast”", "author": "pál", "labels": [], "closed": False},
]
