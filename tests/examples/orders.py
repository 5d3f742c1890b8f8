"""Two pages of orders behind a password; the second page is named in a Link header."""

from __future__ import annotations

from typing import Any

from tests.site import Answer, Hit, json_answer

OUTPUT = "order-lines.csv"
ENVIRONMENT = {"SHOP_USER": "clerk", "SHOP_PASSWORD": "s3cr3t-s3cr3t"}

_BASIC = "Basic Y2xlcms6czNjcjN0LXMzY3IzdA=="


def _line(position: int, article: str, amount: float, note: str = "") -> dict[str, Any]:
    return {"position": position, "article": article, "amount": amount, "note_html": note}


def _orders(hit: Hit) -> Answer:
    if hit.header("authorization") != _BASIC:
        return json_answer({}, 401)
    if hit.query.get("page") == "2":
        return json_answer(
            {"orders": [{"id": 8, "customer": {"name": "Pál"}, "lines": [_line(1, "Sugar, 500 g", 2.9)]}]}
        )
    lines = [_line(1, "Cup", 12.5, "<p>a <b>gift</b></p>"), _line(2, "Pot", 40)]
    orders = [{"id": 10, "customer": {"name": "Ōe"}, "lines": lines}, {"id": 9, "customer": None, "lines": []}]
    return json_answer({"orders": orders}, headers=[("Link", '</api/orders?page=2>; rel="next"')])


PAGES = {"/api/orders": _orders}

ROWS = [
    {"order": "8", "position": "1", "article": "Sugar, 500 g", "amount": "2.9", "customer": "Pál", "note": ""},
    {"order": "10", "position": "1", "article": "Cup", "amount": "12.5", "customer": "Ōe", "note": "gift"},
    {"order": "10", "position": "2", "article": "Pot", "amount": "40", "customer": "Ōe", "note": ""},
]
