"""Seven events, three on a page; the page after the last one is empty."""

from __future__ import annotations

from typing import Any

from tests.site import Hit

OUTPUT = "quakes.jsonl"


def _event(number: int, magnitude: float, felt: int | None) -> dict[str, Any]:
    return {
        "id": f"q{number}",
        "properties": {"place": f"{number} km off", "mag": magnitude, "felt": felt},
        "geometry": {"coordinates": [1.5, 2.5, number * 10.5]},
    }


_EVENTS = [
    _event(n, mag, felt)
    for n, mag, felt in [
        (1, 5.0, 3),
        (2, 4.9, 1),
        (3, 7.25, None),
        (4, 5.5, 0),
        (5, 3.1, None),
        (6, 6.0, 12),
        (7, 2.0, None),
    ]
]


def _page(hit: Hit) -> dict[str, Any]:
    assert (hit.query["year"], hit.query["limit"]) == ("2025", "3")
    start = (int(hit.query.get("page", 1)) - 1) * 3
    return {"features": _EVENTS[start : start + 3]}


PAGES = {"/api/events": _page}

ROWS = [
    {"id": "q1", "year": 2025, "place": "1 km off", "magnitude": 5.0, "depth_km": 10.5, "felt": 3},
    {"id": "q4", "year": 2025, "place": "4 km off", "magnitude": 5.5, "depth_km": 42.0, "felt": 0},
    {"id": "q6", "year": 2025, "place": "6 km off", "magnitude": 6.0, "depth_km": 63.0, "felt": 12},
    {"id": "q3", "year": 2025, "place": "3 km off", "magnitude": 7.25, "depth_km": 31.5, "felt": 0},
]
