"""Saved pages and what they must give, so that a spec can be tested offline."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, model_validator
from pydantic import Field as Option

from yamlcrawl.options import EMPTY, Filled, Options, Spelling, Whole, Wrong, shown
from yamlcrawl.spec.names import Fields, Kinds
from yamlcrawl.spec.sending import Headers, Status, body_leaf
from yamlcrawl.urls import join

ITEM_FILES = (".json", ".jsonl")


def below(written: str) -> str:
    """The path, if it stays in the folder that it is taken from; raises Wrong."""
    normal = posixpath.normpath(written)
    odd = any(sign < " " or sign in "\\\x7f" for sign in written)
    if odd or posixpath.isabs(written) or normal.split("/")[0] in ("..", "."):
        what = f"{shown(written)} does not name a file below the spec's own folder"
        raise Wrong(what, "write it from there, with slashes, such as saved/page-1.html")
    return written


def _items_file(written: str) -> str:
    if not written.endswith(ITEM_FILES):
        raise Wrong(f"{shown(written)} is no file of items", "name one that ends in .json or .jsonl")
    return written


SavedFile = Annotated[Filled, AfterValidator(below), Spelling("a path", type="string")]
"""A path that is taken from the spec's own folder and does not leave it."""


def _moment(written: str) -> str:
    try:
        datetime.fromisoformat(written)
    except ValueError:
        raise Wrong(f"{shown(written)} is no moment", "write it as ISO 8601: 2025-03-01T12:00:00Z") from None
    return written


Moment = Annotated[Filled, AfterValidator(_moment), Spelling("a moment (ISO 8601)", type="string")]


def _value(value: Any) -> Any:
    """The value as it is, if nothing in it was left empty; raises Wrong."""
    if value is None:
        raise EMPTY
    parts = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in parts:
        try:
            _value(inner)
        except Wrong as wrong:
            raise Wrong(wrong.what, "write null where nothing is expected", (step, *wrong.at)) from None
    return value


Value = Annotated[Any, BeforeValidator(_value), Spelling("a value")]
"""Texts, lists and mappings as they were written: a text without quotes may stand for any JSON value."""


def _address(written: str) -> str:
    if join("", written) is None:
        raise Wrong(f"{shown(written)} is no address", "write it whole, with http:// or https://")
    return written


Address = Annotated[Filled, AfterValidator(_address), Spelling("an address", type="string")]


def _exact(value: Any) -> Any:
    """The JSON value that was written: an unquoted number, true, false or null is that, all else is text."""
    if isinstance(value, Mapping):
        return {str(name): _exact(inner) for name, inner in value.items()}
    return [_exact(inner) for inner in value] if isinstance(value, list) else body_leaf(value)


class Gives(Options):
    """What a saved page must give of one item type."""

    noun: ClassVar[str] = "{count, first, items}"

    count: Whole | None = Option(None, ge=0, description="The exact number of items.", examples=["20"])
    first: Fields[Value] = Option(
        {},
        description="Values of the first item; fields that are not named may be anything, in records too. Without "
        "quotes `51.77`, `true` and `null` are what they look like in JSON, or the text.",
        examples=[{"title": "A Light in the Attic", "price": "51.77"}],
    )
    items: Annotated[SavedFile, AfterValidator(_items_file)] | None = Option(
        None,
        description="All items, exactly: a `.json` file with a list or a `.jsonl` file, below the spec's own folder.",
        examples=["saved/book-1.json"],
    )

    @model_validator(mode="after")
    def _something(self) -> Gives:
        if self.count is None and not self.first and self.items is None:
            raise Wrong("nothing is expected here", "say count, first or items")
        if self.count == 0 and self.first:
            raise Wrong("where no item is expected there is no first one", "drop first, or mend count", ("first",))
        return self


class Test(Options):
    """A saved page, and what its page kind must make of it."""

    page: Filled = Option(description="The page kind that reads it.", examples=["book"])
    file: SavedFile = Option(description="The saved page, below the spec's own folder.", examples=["saved/book-1.html"])
    url: Address = Option(
        description="The address where the page ended: addresses in it are taken from there. That of a start request "
        "brings its variables and carried values.",
        examples=["https://books.example/1"],
    )
    requested_url: Address | None = Option(None, description="The address that was asked for, where that was another.")
    status: Status = Option(200, description="The status of the answer.")
    headers: Headers = Option(
        {},
        description="Headers of the answer; the charset of `content-type` counts as in a crawl.",
        examples=[{"content-type": "text/html; charset=utf-8"}],
    )
    fetched_at: Moment | None = Option(
        None,
        description="When it was fetched, from where relative dates and `${now}` count; without a zone in UTC. "
        "Default: now.",
        examples=["2025-03-01T12:00:00Z"],
    )
    carry: Fields[Value] = Option(
        {}, description="What the link carried to the page.", examples=[{"list_price": "51.77"}]
    )
    expect: Kinds[Gives] = Option(
        description="What it must give, by item type.", examples=[{"book": {"count": "1", "first": {"stock": "22"}}}]
    )

    @model_validator(mode="after")
    def _something(self) -> Test:
        if not self.expect:
            raise Wrong("nothing is expected of this page", "name an item type: {book: {count: 1}}", ("expect",))
        return self

    @property
    def carried(self) -> dict[str, Any]:
        """What the link carried, as values."""
        return {name: _exact(value) for name, value in self.carry.items()}

    @property
    def moment(self) -> float | None:
        """When it was fetched, in seconds since the epoch; None where that is not said."""
        if self.fetched_at is None:
            return None
        moment = datetime.fromisoformat(self.fetched_at)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
