"""Where to begin: start requests."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, PrivateAttr, ValidationInfo, model_validator
from pydantic import Field as Option

from yamlcrawl.options import (
    Flag,
    Listed,
    Spelling,
    Text,
    Whole,
    Wrong,
    either,
    nearest,
    shown,
    text,
)
from yamlcrawl.spec.names import Fields
from yamlcrawl.spec.patterns import Pattern
from yamlcrawl.spec.selectors import spelled_out
from yamlcrawl.spec.sending import Sending
from yamlcrawl.spec.variables import is_date

SCHEMES = ("http", "https", "file", "ftp")


def _made_absolute(written: str) -> str:
    if written.startswith("/") and not written.startswith("//"):
        return f"write it with its host, such as https://shop.example{written}"
    return f"write https://{written.lstrip('/')}"


def _start_url(value: Any) -> str:
    written = text(value).strip()
    if not written:
        raise Wrong("the address is empty", "write one, such as https://shop.example/")
    if written.startswith("${"):
        return written
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", written)
    if scheme and scheme[1].lower() in SCHEMES:
        if not re.match(r"(?:file:/|[A-Za-z]+://[^/?#\s])", written, re.IGNORECASE):
            raise Wrong(f"{shown(written)} names no host", f"write {scheme[1].lower()}://host/path")
        return written
    if scheme and "://" in written:
        raise Wrong(f"{scheme[1]}:// cannot be fetched", nearest(scheme[1], SCHEMES) or f"say {either(SCHEMES)}")
    raise Wrong(f"{shown(written)} is no absolute address", _made_absolute(written))


StartUrl = Annotated[str, BeforeValidator(_start_url), Spelling("an address", type="string")]
"""An absolute address, or a template of one."""


def _address_path(value: Any) -> str:
    written = text(value)
    if not written.strip():
        raise Wrong("the name of the file is missing", "write one such as urls.txt, or - for standard input")
    if re.match(r"https?://", written):
        raise Wrong(f"{shown(written)} is an address", "say url, sitemap or feed")
    if "${" in written:
        raise Wrong("the name of a file holds no variables", "write it out")
    return written


AddressPath = Annotated[str, BeforeValidator(_address_path), Spelling("a path, or -", type="string")]
"""A path that is taken from the spec's own folder, or ``-``."""


SOURCES = ("url", "sitemap", "feed", "file")
"""Where the addresses of a start request may come from."""


def _since(value: Any) -> str:
    written = text(value).strip()
    if written == "last_run":
        raise Wrong("last_run is not yet supported in this version", "write a date, or an age such as -30d")
    if not is_date(written) or written.startswith("+"):
        raise Wrong(f"{shown(written)} is no date", "write a date such as 2025-03-01, today, or an age such as -30d")
    return written


Since = Annotated[str, BeforeValidator(_since), Spelling("a date", type="string")]
"""A date as ISO 8601, `today`, or days before today."""


class Start(Sending):
    """A start request: an address, or a mapping with `url`."""

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "string"},)
    noun: ClassVar[str] = "an address, or a mapping"

    url: StartUrl | None = Option(None, description="The address.", examples=["https://shop.example/list?page=1"])
    sitemap: StartUrl | None = Option(
        None,
        description="A sitemap whose addresses are fetched: an index (what it names is read too), XML, text, RSS or "
        "Atom, each also gzipped.",
        examples=["https://ministry.example/sitemap.xml"],
    )
    feed: StartUrl | None = Option(
        None,
        description="A feed whose entries' links are fetched: RSS, Atom, RDF or JSON Feed.",
        examples=["https://news.example/rss"],
    )
    file: AddressPath | None = Option(
        None,
        description="A file in the spec's folder with one address a line, or a CSV with a column `url`, whose other "
        "columns are the first fields of the items; `-` is standard input.",
        examples=["urls.txt"],
    )
    _columns: tuple[str, ...] | None = PrivateAttr(())
    include: Listed[Pattern] = Option(
        [], description="Patterns that the addresses of a sitemap, feed or file must match."
    )
    exclude: Listed[Pattern] = Option(
        [], description="Patterns that the addresses of a sitemap, feed or file must not match."
    )
    since: Since | None = Option(
        None,
        description="A date, `today` or an age such as `-30d`: only entries of the sitemap or feed that were "
        "changed (else: published) since. "
        "Those that do not say when are kept.",
        examples=["2025-03-01", "-30d"],
    )
    carry: Fields[Text] = Option(
        {}, description="Constants for the items of the page.", examples=[{"country": "${country}"}]
    )
    fetch: Flag = Option(True, description="`false` lists the address in the report and makes no request.")
    priority: Whole = Option(0, description="Whole number; higher comes first.")

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"url": value}
        return spelled_out(value, "(address)", "write an address, or a mapping with url")

    @model_validator(mode="after")
    def _together(self, info: ValidationInfo) -> Start:
        named = [key for key in SOURCES if getattr(self, key) is not None]
        if not named:
            raise Wrong("the start request has no address", "add url: https://…")
        if len(named) > 1:
            raise Wrong(f"{named[0]} and {named[1]} stand in one start request", "keep one of them", (named[1],))
        for key in ("include", "exclude", "since"):
            if self.file is not None and key == "since" and self.since:
                raise Wrong("a file does not say when its pages were changed", "drop since", ("since",))
            if self.url is not None and getattr(self, key):
                raise Wrong(f"{key} sorts the addresses of a sitemap, feed or file; url is one address", f"drop {key}")
        self.check_sending()
        if self.file is not None:
            self._columns = info.context(self.file) if info.context else None
        return self

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns of its file that are carried; None where they cannot be known."""
        return self._columns

    @property
    def source(self) -> str:
        """Which key says where the addresses come from: ``url``, ``sitemap``, ``feed`` or ``file``."""
        return next(key for key in SOURCES if getattr(self, key) is not None)

    @property
    def address(self) -> str:
        """The address that stands there."""
        return str(getattr(self, self.source))
