"""HTTP status to outcome: the table of the manual."""

from __future__ import annotations

from http import HTTPStatus

MOVED = frozenset({301, 308})
TEMP_MOVED = frozenset({302, 303, 307})
_NAMES = {
    300: "redirect_broken",
    304: "not_modified",
    305: "redirect_broken",
    401: "access_denied",
    403: "access_denied",
    404: "not_found",
    407: "proxy_error",
    408: "server_error",
    410: "gone",
    425: "server_error",
    429: "throttled",
    451: "access_denied",
}


def outcome_of(status: int, *, retry_after: bool = False) -> str:
    """The outcome of an answer with that status (RFC 9110, 15); ``ok`` for 2xx.

    >>> [outcome_of(s) for s in (204, 302, 404, 418, 500)]
    ['ok', 'temp_moved', 'not_found', 'client_error', 'server_error']
    >>> outcome_of(503, retry_after=True)
    'throttled'
    """
    if 200 <= status < 300:
        return "ok"
    if status in MOVED:
        return "moved"
    if status in TEMP_MOVED:
        return "temp_moved"
    if status == 503 and retry_after:
        return "throttled"
    if name := _NAMES.get(status):
        return name
    return "server_error" if 500 <= status < 600 else "client_error"


def phrase(status: int) -> str:
    """The status as people read it.

    >>> phrase(404), phrase(799)
    ('404 Not Found', '799')
    """
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
