"""What a request sends: the keys that start requests and link rules share."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator
from pydantic import Field as Option

from yamlcrawl.options import Named, Options, Plain, Spelling, Text, Whole, Wrong, shown, text

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")


def _method(value: Any) -> str:
    word = text(value)
    if word.upper() not in METHODS:
        raise Wrong(f"{shown(word)} is no method", "say GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS")
    return word.upper()


Method = Annotated[str, BeforeValidator(_method), Spelling(enum=list(METHODS))]
"""An HTTP method, in capitals."""


def _status(value: Any) -> int:
    written = value if isinstance(value, int) else text(value)
    if not re.fullmatch("[1-5][0-9][0-9]", str(written)):
        raise Wrong(f"{shown(str(written))} is no status code", "write one from 100 to 599")
    return int(written)


Status = Annotated[int, BeforeValidator(_status), Spelling("a status code", type="integer", minimum=100, maximum=599)]
"""A status code of HTTP."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""RFC 9110, section 5.6.2."""


def _check_headers(headers: dict[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise Wrong(f"{shown(name)} cannot name a header", "use letters, digits and - only", (name,), named=True)
        if "\n" in value or "\r" in value:
            raise Wrong("a header cannot hold a line break", "write it on one line", (name,))
    return headers


Headers = Annotated[Named[Text], AfterValidator(_check_headers)]
"""Header names to values."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_WORDS = {"true": True, "false": False, "null": None}


def body_leaf(written: str) -> Any:
    """What an unquoted text in a body means: a JSON number, true, false or null is that, all else is text.

    >>> [body_leaf(Plain(t)) for t in ("1.10", "01", "true", "null", "no")]
    [Decimal('1.10'), '01', True, None, 'no']
    >>> body_leaf("true")
    'true'
    """
    if not isinstance(written, Plain):
        return written
    if written in _WORDS:
        return _WORDS[written]
    if not _NUMBER.fullmatch(written):
        return str(written)
    return json.loads(written, parse_float=Decimal)


def _body(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return str(value) if depth == 0 else body_leaf(value)
    if isinstance(value, Mapping):
        return {str(name): _body(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_body(inner, depth + 1) for inner in value]
    if value is None:
        raise Wrong("a value of the body is missing", "write null, or '' for an empty text")
    return value


Body = Annotated[Any, BeforeValidator(_body), Spelling()]
"""Text that is sent as it is, or a JSON value whose leaves may be templates."""


class Sending(Options):
    """What is sent besides the address."""

    params: Named[Text] = Option({}, description="Query parameters, merged into the address, percent-encoded.")
    method: Method | None = Option(None, description="The HTTP method; default: `GET`, with `body` or `form` `POST`.")
    headers: Headers = Option({}, description="Headers of this request, besides those of `site`.")
    body: Body = Option(None, description="A mapping is sent as JSON, a text as it is.", examples=[{"page": 1}])
    form: Named[Text] | None = Option(None, description="A form, sent URL-encoded.", examples=[{"q": "shoes"}])
    priority: Whole | None = Option(None, description="Whole number; higher comes first. Default: 0.")

    def check_sending(self) -> None:
        """Raise Wrong where its keys do not go together."""
        if self.body is not None and self.form is not None:
            raise Wrong("body and form stand in one request", "keep one of them", ("form",))
        if self.method in ("GET", "HEAD") and (self.form is not None):
            raise Wrong(f"a {self.method} request sends no form", "use params, or drop method", ("method",))


def address(value: Any) -> str:
    """A template of an address: text without blanks at its ends; raises Wrong."""
    written = text(value)
    if written != written.strip() or not written:
        raise Wrong("the address is empty or has blanks at its ends", "write it without them")
    return written
