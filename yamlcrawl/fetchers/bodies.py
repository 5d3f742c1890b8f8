"""What requests builds for us: bodies, and the fields of basic and bearer authentication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import Credentials
from yamlcrawl.model.request import Body

Reveal = Callable[[str], str]


def encoded(body: Body, reveal: Reveal) -> tuple[bytes, str]:
    """The body as it is sent, and its media type; `reveal` fills secrets into its texts.

    >>> encoded(Body("form", [["q", "a b"], ["q", "ü"]]), str)
    (b'q=a+b&q=%C3%BC', 'application/x-www-form-urlencoded')
    >>> encoded(Body("json", {"page": 2}), str)
    (b'{"page": 2}', 'application/json')
    """
    if body.kind == "json":
        return _bytes(json_text(_revealed(body.value, reveal))), "application/json"
    if body.kind == "text":
        return _bytes(reveal(str(body.value))), "text/plain; charset=utf-8"
    from requests import PreparedRequest

    prepared = PreparedRequest()
    prepared.prepare_headers({})
    pairs = [(_bytes(str(name)), _bytes(reveal(str(value)))) for name, value in body.value]
    if body.kind == "multipart":
        prepared.prepare_body(None, [(name.decode(), (None, value)) for name, value in pairs])
    else:
        prepared.prepare_body(pairs, None)
    text = prepared.body or ""
    kind = prepared.headers.get("Content-Type") or "application/x-www-form-urlencoded"
    return (text if isinstance(text, bytes) else text.encode()), kind


def _bytes(text: str) -> bytes:
    """UTF-8; half a character, as JSON can hold one, becomes a question mark."""
    return text.encode("utf-8", "replace")


def _revealed(value: Any, reveal: Reveal) -> Any:
    if isinstance(value, str):
        return reveal(value)
    if isinstance(value, list):
        return [_revealed(part, reveal) for part in value]
    if isinstance(value, dict):
        return {name: _revealed(part, reveal) for name, part in value.items()}
    return value


def authorization(credentials: Credentials, reveal: Reveal) -> str:
    """The Authorization field (RFC 7617 with UTF-8, RFC 6750).

    >>> authorization(Credentials("basic", "jo", "secret"), str)
    'Basic am86c2VjcmV0'
    """
    if credentials.kind == "bearer":
        return f"Bearer {reveal(credentials.secret)}"
    from requests import PreparedRequest
    from requests.auth import HTTPBasicAuth

    prepared = PreparedRequest()
    prepared.prepare_headers({})
    user, password = _bytes(reveal(credentials.user)), _bytes(reveal(credentials.secret))
    return str(HTTPBasicAuth(user, password)(prepared).headers["Authorization"])
