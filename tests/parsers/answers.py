"""Answers to give to a parser."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yamlcrawl.errors import ParseError
from yamlcrawl.model.document import Parse
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response

URL = "http://site.test/dir/page"


def answer(body: str | bytes, content_type: str = "") -> Response:
    """An answer with that body."""
    data = body if isinstance(body, bytes) else body.encode()
    headers = Headers([("Content-Type", content_type)] if content_type else [])
    return Response(Request(URL, URL), URL, 200, headers, data, len(data), 0.1, 0.0)


def refused(parser: Callable[[], Parse], body: str | bytes, content_type: str = "") -> tuple[str, str]:
    """The outcome and the reason for which a parser refuses a body."""
    with pytest.raises(ParseError) as raised:
        parser()(answer(body, content_type))
    return raised.value.outcome, raised.value.what
