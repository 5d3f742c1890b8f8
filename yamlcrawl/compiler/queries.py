"""Query parameters of a URL, read and set without touching the others."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, unquote_plus


def with_params(url: str, params: Iterable[tuple[str, str]]) -> str:
    """The URL with these parameters, percent-encoded; one that is there already gets the new value in its place.

    >>> with_params("http://a.test/?q=x%20y&page=1&page=7", [("page", "2"), ("sort", "a&b")])
    'http://a.test/?q=x%20y&page=2&sort=a%26b'
    """
    address, _, query = url.partition("?")
    parts = query.split("&") if query else []
    for name, value in params:
        new = f"{quote(name, safe='')}={quote(value, safe='', errors='replace')}"
        places = [i for i, part in enumerate(parts) if _name(part) == name]
        if not places:
            parts.append(new)
            continue
        parts[places[0]] = new
        parts = [part for i, part in enumerate(parts) if i not in places[1:]]
    return f"{address}?{'&'.join(parts)}" if parts else address


def param(url: str, name: str) -> str | None:
    """The value of the first parameter of that name, decoded; None where there is none.

    >>> param("http://a.test/?a=1&next+page=x%20y", "next page")
    'x y'
    """
    for part in url.partition("?")[2].split("&"):
        if part and _name(part) == name:
            return unquote_plus(part.partition("=")[2])
    return None


def _name(part: str) -> str:
    return unquote_plus(part.partition("=")[0])
