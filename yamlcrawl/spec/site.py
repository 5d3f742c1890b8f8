"""Who we are, how fast and how stubborn, and where links may lead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, model_validator
from pydantic import Field as Option

from yamlcrawl import __version__
from yamlcrawl.options import (
    EMPTY,
    AlsoWritten,
    Duration,
    Filled,
    Later,
    Listed,
    Named,
    Options,
    Size,
    Text,
    Whole,
    Wrong,
    one_of,
    shape,
    shown,
)
from yamlcrawl.spec.blocked import Marks
from yamlcrawl.spec.locales import Locale, Timezone
from yamlcrawl.spec.sending import Headers, Status
from yamlcrawl.urls import DROP_PARAMS

AGENT = f"yamlcrawl/{__version__} (+https://github.com/yamlcrawl/yamlcrawl)"


class Timeout(Options):
    """How long a request may take: one duration for the total, or a mapping."""

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "string"},)
    noun: ClassVar[str] = "a duration, or {connect, read, total}"

    connect: Duration = Option(30.0, gt=0, description="Until the connection stands.")
    read: Duration = Option(30.0, gt=0, description="Between two pieces of the answer.")
    total: Duration = Option(30.0, gt=0, description="Until the whole body is there.")

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        if isinstance(value, (str, float, int)):
            return {"connect": value, "read": value, "total": value}
        return _mapping(value, "write a duration such as 30s, or {connect, read, total}")


class Retry(Options):
    """How often a failed request is tried again: a number, or a mapping."""

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "integer"},)
    noun: ClassVar[str] = "a whole number, or {times, status, wait, max_wait}"

    times: Whole = Option(2, ge=0, le=100, description="Extra attempts.")
    status: Listed[Status] = Option([], description="Status codes that are tried again besides the usual ones.")
    wait: Duration = Option(2.0, ge=0, description="Before the first extra attempt; it doubles, with jitter.")
    max_wait: Duration = Option(600.0, ge=0, description="The longest wait, that of a Retry-After header too.")
    later: Later = Option(None, description="Passes at the end of the crawl.")

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        if isinstance(value, (str, int)):
            return {"times": value}
        return _mapping(value, "write a number, or {times, status, wait, max_wait}")


class HostOptions(Options):
    """What a host has of its own; what is not said is as in `site`."""

    noun: ClassVar[str] = "{sleep, per_host, headers}"

    sleep: Duration | None = Option(None, ge=0, description="Least time between two requests.")
    per_host: Whole | None = Option(None, ge=1, le=1000, description="Requests in the air to it.")
    headers: Headers = Option({}, description="Headers that go to it; secrets that they name may be sent to it.")


class Basic(Options):
    """Basic authentication (RFC 7617)."""

    noun: ClassVar[str] = "{user, password}"

    user: Filled = Option(description="The user's name.")
    password: Text = Option(description="The password, best as `${env.NAME}`.", examples=["${env.SHOP_PASSWORD}"])


class Auth(Options):
    """Credentials, sent to the start hosts alone."""

    noun: ClassVar[str] = "{basic: {user, password}} or {bearer}"

    basic: Basic | None = Option(None, description="User and password.")
    bearer: Filled | None = Option(None, description="A token, best as `${env.NAME}`.", examples=["${env.TOKEN}"])

    @model_validator(mode="after")
    def _one(self) -> Auth:
        if (self.basic is None) == (self.bearer is None):
            raise Wrong(
                "auth needs basic or bearer, one of them", "write {bearer: …} or {basic: {user: …, password: …}}"
            )
        return self


def _mapping(value: Any, fix: str) -> Any:
    if value is None:
        raise EMPTY
    if isinstance(value, (Mapping, Options)):
        return value
    raise Wrong(f"{shape(value)} does not fit here", fix)


_HOST = re.compile(r"(?:\*\.)?[^\s/:*?#@\[\]]+|\[[0-9A-Fa-f:.]+\]")


def _hosts(value: Any) -> Any:
    if isinstance(value, str):
        value = [value]
    if isinstance(value, (list, tuple)):
        if not value:
            raise Wrong("the list is empty", "name a host, or drop hosts")
        for entry in value:
            if not isinstance(entry, str):
                raise Wrong(
                    f"{shape(entry)} stands where the name of a host is needed", "write a name such as *.example.org"
                )
        value = {str(name): {} for name in value}
    value = _mapping(value, "write names, any, or a mapping of hosts")
    return {name: {} if options is None else options for name, options in value.items()}


def _check_hosts(hosts: dict[str, HostOptions]) -> dict[str, HostOptions]:
    for name in hosts:
        if not _HOST.fullmatch(name):
            bare = re.sub(r"^[a-z]+://|[/:].*$", "", name)
            fix = f"write a name alone, such as {bare or '*.example.org'}"
            raise Wrong(f"{shown(name)} is no name of a host", fix, (name,), named=True)
    return hosts


def _cookies(value: Any) -> Any:
    if value is False or value == "false":
        return False
    if isinstance(value, str):
        raise Wrong(f"{shown(value)} does not say which cookies", "write {name: value}, or false for none")
    return _mapping(value, "write {name: value}, or false for none")


def _drop_params(value: Any) -> Any:
    if value is False or value == "false":
        return False
    if value is None:
        raise EMPTY
    return list(value) if isinstance(value, (list, tuple)) else [value]


_NAMES = ({"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1})


class Site(Options):
    """Who we are, how fast, how stubborn."""

    user_agent: Filled = Option(AGENT, description="Who we are; a contact in it is good manners.")
    headers: Headers = Option({}, description="Headers of every request.", examples=[{"Accept-Language": "de"}])
    cookies: Annotated[Named[Text] | Literal[False], BeforeValidator(_cookies)] = Option(
        {}, description="Cookies that are there from the start; `false` turns the jar off."
    )
    timeout: Timeout = Option(
        Timeout(), description="How long a request may take.", examples=["30s", {"connect": "5s"}]
    )
    sleep: Duration = Option(
        1.0,
        ge=0,
        description="Least time between the end of one download and the start of the next on one host (with "
        "`per_host` > 1: between two starts).",
    )
    retry: Retry = Option(Retry(), description="Extra attempts.", examples=["3", {"times": "3", "wait": "5s"}])
    threads: Whole = Option(8, ge=1, le=1000, description="Requests in the air in all.")
    per_host: Whole = Option(1, ge=1, le=1000, description="Requests in the air to one host.")
    hosts_: Annotated[
        Named[HostOptions], BeforeValidator(_hosts), AfterValidator(_check_hosts), AlsoWritten(*_NAMES)
    ] = Option(
        {},
        alias="hosts",
        description="Further hosts that links may lead to: names, `*.example.org`, `any`; a mapping gives a host its "
        "own `sleep`, `per_host`, `headers`.",
        examples=[["img.example.org", "*.example.net"], "any"],
    )
    robots: Annotated[str, *one_of("obey", "ignore")] = Option(
        "obey", description="Whether robots.txt is obeyed (RFC 9309), its `Crawl-delay` too."
    )
    redirects: Whole = Option(10, ge=0, le=100, description="How many in a row; `0` records the target only.")
    proxy: Later = Option(None, description="The proxy, or several.")
    auth: Auth | None = Option(None, description="Credentials, sent to the start hosts alone.")
    tls: Later = Option(None, description="How certificates are checked.")
    max_file: Size = Option(500_000_000, ge=1, description="Size of one download.")
    max_body: Size = Option(20_000_000, ge=1, description="Size of a decoded body; past it the outcome is `too_large`.")
    private_addresses: Annotated[str, *one_of("deny", "allow")] = Option(
        "deny", description="Whether links, redirects and names may lead to loopback, private or link-local addresses."
    )
    encoding: Filled | None = Option(None, description="Forces the character encoding.", examples=["windows-1252"])
    locale: Locale | None = Option(
        None,
        description="The language in which people read numbers, dates and durations on these pages; attributes and "
        "JSON are in the machine's form unless a field says `locale`.",
        examples=["de"],
    )
    timezone: Timezone | None = Option(
        None,
        description="The zone (IANA name) of times that name none; `${now}`, days and words such as `yesterday` count "
        "in it, else in UTC.",
        examples=["Europe/Paris"],
    )
    blocked: Marks = Option(
        [],
        description="How a page looks that is no data, besides the challenge pages that are known anyway: "
        "`{text, css, status, url}`, all of which must hold; a list gives alternatives. Outcome `blocked`, retried. "
        "`false` looks for none.",
        examples=[{"text": "unusual traffic", "status": "200"}],
    )
    meta_refresh: Annotated[str, *one_of("follow", "ignore")] = Option(
        "follow", description="Whether a refresh in a page's head is a redirect."
    )
    drop_params: Annotated[Listed[Filled] | Literal[False], BeforeValidator(_drop_params)] = Option(
        [], description="Query parameters that do not tell pages apart, besides the usual ones; `false` drops none."
    )
    render: Later = Option(None, description="Fetch with a browser.")

    @property
    def hosts(self) -> list[tuple[str, HostOptions]] | Literal["any"]:
        """Host patterns and what each has of its own; `any` alone opens all."""
        if set(self.hosts_) == {"any"} and self.hosts_["any"] == HostOptions():
            return "any"
        return list(self.hosts_.items())

    @property
    def dropped(self) -> tuple[str, ...]:
        """The query parameters that are dropped, as names in which `*` stands for anything."""
        return () if self.drop_params is False else (*DROP_PARAMS, *self.drop_params)
