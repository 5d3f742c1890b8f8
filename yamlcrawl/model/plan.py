"""What a spec means: frozen values and ready callables, nothing optional that could be decided before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from yamlcrawl.model.document import Document, Parse
from yamlcrawl.model.frontier import HostPlan, Limits
from yamlcrawl.model.item import Item
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Failure, Response
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.model.tally import Tally

Node = Any
"""An lxml element, a JSON value, a text, or the cells of a row of a CSV."""


@dataclass(slots=True)
class View:
    """One parsed page as rules see it."""

    document: Document
    request: Request
    tally: Tally
    secrets: Secrets
    now: float
    known: Callable[[int], bool] = lambda _fingerprint: False
    """Whether a request is surely known already, so that a rule need not make it again."""
    order: Mapping[Node, int] | None = None
    """Every element of the page to its place in the document, once a rule has asked for it."""
    structured: Any = None
    """The structured data of the page (`selectors.structured.Structured`), once a rule has asked for it."""
    files: dict[int, Request] = field(default_factory=dict)
    """Downloads that fields of the page want, by fingerprint."""
    passed: set[int] = field(default_factory=set)
    """Fingerprints of links that rules found and left out since they are known."""
    repeats: bool = False
    """It gave what the page before it in its chain gave, so its items are those of that page again."""

    @property
    def top(self) -> Place:
        """The whole page as a place."""
        return Place(self, self.document.tree)


@dataclass(slots=True)
class Place:
    """Where a selector reads: a node, and the node that the outer `each` gave."""

    view: View
    node: Node
    outer: Node = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The fields of the same item that were read so far."""
    row: Any = None
    """The row of a table or a CSV that the place is in, for `column` (`selectors.table.Row`)."""


Value = Any
"""None, str, int, Decimal, bool, list or dict: what JSON can hold, numbers exact."""

Read = Callable[[Place], Value]
"""A field, with all its steps; notes misses and failed casts in the view's tally."""


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """One field of an item, a carry or a record."""

    name: str
    path: str
    """Dotted path in the spec."""
    read: Read
    required: bool = False
    from_page: bool = True
    """False for constants, templates, `from: url` and `from: response`: these alone make no item."""
    file: bool = False
    """It holds files, itself or inside a list or a record."""


@dataclass(frozen=True, slots=True)
class ItemRule:
    """How a page gives items of one type."""

    kind: str
    path: str
    fields: tuple[FieldPlan, ...]
    scope: Callable[[Place], list[Place]] | None = None
    """The places of `each`; None where the page is the item."""
    key: tuple[str, ...] = ()
    where: Callable[[Mapping[str, Value]], bool] | None = None
    bars: Callable[[View], bool] | None = None
    """Whether the page forbids its items (`noindex: obey`); None where it is not asked."""


@dataclass(frozen=True, slots=True)
class LinkRule:
    """How a page leads to pages of one kind."""

    path: str
    target: str
    """The page kind that opens."""
    links: Callable[[View], Iterable[Request]]
    """The requests the rule finds on a page: absolute, in scope, let through by its patterns, with their carry."""
    refuses: Callable[[str], str] = lambda _url: ""
    """Why the rule would leave a link to the absolute URL out, in words; empty where it would follow it."""


@dataclass(frozen=True, slots=True)
class NextRule:
    """How a page leads to the following page of its kind."""

    path: str
    follow: Callable[[View, Sequence[Item], Sequence[Request]], Request | None]
    """Gets the items and links that the page gave; notes in the tally why a chain ended."""
    ends_on: frozenset[int] = frozenset()
    """Status codes that end the chain without being a failure (a counter: 400, 404, 410, 416)."""


@dataclass(frozen=True, slots=True)
class PagePlan:
    """One kind of page."""

    kind: str
    format: str
    parse: Callable[[], Parse]
    """Makes a parser for one thread."""
    accept: frozenset[int] = frozenset()
    next: NextRule | None = None
    refresh: Callable[[View], Request | None] | None = None
    """The target of a meta refresh, as one more request of this kind; None where it is ignored."""
    follow: tuple[LinkRule, ...] = ()
    items: tuple[ItemRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A start request that lists addresses: a sitemap or a feed."""

    path: str
    page: str
    """The page kind of what it lists."""
    noun: str
    """``sitemap`` or ``feed``."""
    read: Callable[[Response, Tally], list[Request]]
    """The requests that an answer leads to: pages, and further sitemaps. Raises ParseError."""
    refuses: Callable[[str], str] = lambda _url: ""
    """Why an absolute URL would be left out if it were listed, in words; empty where it would be followed."""


@dataclass(frozen=True, slots=True)
class BlockedPlan:
    """How answers are told that are no data, such as challenge pages."""

    judge: Callable[[], Callable[[Response], str]] = lambda: lambda _response: ""
    """Makes a judge for one thread: why an answer is no data, in words or as a dotted path; empty where it is."""
    leads: Callable[[str], str] = lambda _url: ""
    """The same of a redirect, by the absolute address that it leads to."""


@dataclass(frozen=True, slots=True)
class LoginPlan:
    """How to sign in."""

    path: str
    first: Request
    """The page with the form, or what takes the credentials."""
    submit: Callable[[Response], Request] | None
    """The request that sends the form of the answer; None where the first request is all. Raises LoginError."""
    accept: Callable[[Response], Mapping[str, str]]
    """The values to take of the last answer, by their reference. Raises LoginError where the check fails."""
    shows_form: Callable[[View], bool]
    """Whether a page holds the login form, as it does when the session is lost."""
    refuses: Callable[[Response], bool]
    """The same of an answer that was not parsed as a page."""
    is_login: Callable[[str], bool]
    """Whether an address is that of the login page, whatever its query."""


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """How stubborn the crawl is; seconds."""

    times: int = 2
    status: frozenset[int] = frozenset()
    """Status codes that are tried again besides the usual ones."""
    wait: float = 2.0
    max_wait: float = 600.0


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds."""

    connect: float = 30.0
    read: float = 30.0
    total: float = 30.0


@dataclass(frozen=True, slots=True)
class Credentials:
    """`site.auth`; texts may hold secret references."""

    kind: str
    """``basic`` or ``bearer``."""
    user: str = ""
    secret: str = ""


@dataclass(frozen=True, slots=True)
class SitePlan:
    """Identity, politeness, scope."""

    user_agent: str
    headers: tuple[tuple[str, str], ...] = ()
    host_headers: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """Host pattern of `site.hosts` to the headers that go to it."""
    cookies: Mapping[str, str] | None = field(default_factory=dict)
    """Cookies that are set at the start, for the start hosts; None turns the jar off."""
    timeout: Timeouts = Timeouts()
    retry: RetryPlan = RetryPlan()
    threads: int = 8
    redirects: int = 10
    robots: bool = True
    auth: Credentials | None = None
    max_body: int = 20_000_000
    max_file: int = 500_000_000
    """Bytes of one download."""
    private_addresses: bool = False
    """True: nothing is denied."""
    private_hosts: frozenset[str] = frozenset()
    """``host:port`` of start URLs, which may be private."""
    encoding: str | None = None
    meta_refresh: bool = True
    start_hosts: frozenset[str] = frozenset()
    """Host names (without port) of the start: credentials, cookies and secrets go to these alone."""
    secret_hosts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further host patterns that secrets may be sent to, and which."""
    in_scope: Callable[[str], bool] = lambda _url: True
    """Whether links may lead to the URL (its host; every start host is in)."""
    widen: Callable[[str], None] = lambda _host: None
    """Take the host name, to which a start URL redirects, into the scope."""
    canonical: Callable[[str], str] = lambda url: url
    """`urls.canonical` with the site's drop_params."""
    host: Callable[[str], HostPlan] = lambda _key: HostPlan(1.0, 1)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a good run gives of one item type; without an `expect` in the spec this is the implicit one."""

    kind: str
    pages: tuple[str, ...]
    """The page kinds whose rules give it: it must match where one of these was parsed."""
    path: str
    fields: tuple[tuple[str, str], ...]
    """Name and dotted path of each field that must not be empty in every item."""
    least: int | None = None
    """Fewest items; None where the spec does not say: then something must match."""
    most: int | None = None
    filled: Mapping[str, float] = field(default_factory=dict)
    """Field to the least share of items (0.0 to 1.0) that have a value in it; 0 allows one that is always empty."""
    unique: tuple[str, ...] = ()
    """Fields in which no value comes twice."""


@dataclass(frozen=True, slots=True)
class RunExpectation:
    """What is expected of the whole run."""

    errors: int | None = None
    error_share: float | None = None
    time: float | None = None
    """Seconds."""


class Fetcher(Protocol):
    """Requests to answers; opened and closed by the one thread that uses it."""

    def fetch(self, request: Request, on_sent: Callable[[float], None] | None = None) -> Response | Failure:
        """The answer with its whole body, or why there is none; never raises for what a server does.

        `on_sent` gets the time (seconds since the epoch) when the request has left, at most once.
        """

    def close(self) -> None:
        """Let go of the connections."""


class Stream(Protocol):
    """A streaming target that is open; used by its relay alone."""

    def begin(self) -> Any:
        """What must be remembered before the first byte is written (JSON), None for nothing.

        The relay acknowledges it with the position as it is, so that a kill right after the first write is undone
        from the length before.
        """

    def write(self, rows: Sequence[Any]) -> Any:
        """Write the rows and make them durable; what `target_ack` is to remember (JSON)."""

    def close(self) -> None:
        """Let go; what was written stays."""


@dataclass(frozen=True, slots=True)
class TargetPlan:
    """One target of the pipelines."""

    name: str
    """The resolved `to`, which names the target in the state."""
    path: str
    """Dotted path in the spec."""
    kinds: tuple[str, ...]
    """The item types it takes, in the order of the spec."""
    streaming: bool
    """True: written by a relay while the crawl runs. False: written whole in `finishing`."""
    open: Callable[[Any], Stream] | None = None
    """Streaming: opens it, given the `part` of the last acknowledgement (None at first). Raises TargetError."""
    replace: Callable[[Callable[[Sequence[str], Sequence[str] | None], Iterable[Any]], bool], str] | None = None
    """Else: writes it whole from `sorted_items`; True writes the good file, False the ``.rejected`` one beside it.
    The path that was written. `sorted_items` is called once, under the file's lock. Raises TargetError."""
    settle: Callable[[Any, Iterable[Any]], None] | None = None
    """Append files: cut back to the length before the run, given the last acknowledged part and the rows that would
    have been written next: what lies beyond the part must be their beginning. Raises RefusedError where it is not."""
    check: Callable[[], None] | None = None
    """Asked before the first request: raises TargetError where it could not be written; touches nothing."""
    shape: str = ""
    """Hash of its items, fields and meta: an append path with another shape is refused on resume."""


@dataclass(frozen=True, slots=True)
class CrawlPlan:
    """The whole crawl."""

    name: str
    description: str
    digest: Mapping[str, str]
    """Dotted key to a hash of its meaning; speed, limits, targets and values of env take no part."""
    seeds: Callable[[], Iterable[Request]]
    """The start requests in their order; the same sequence at each call."""
    parked: tuple[tuple[str, str], ...]
    """Page kind and URL of `fetch: false`."""
    pages: Mapping[str, PagePlan]
    site: SitePlan
    limits: Limits
    targets: tuple[TargetPlan, ...]
    expect: tuple[Expectation, ...]
    secrets: Secrets
    selectors: Mapping[str, tuple[str, str]]
    """Dotted path of each selector to its text and its page kind: what the report names when it matched nothing."""
    now: float = 0.0
    origins: frozenset[str] = frozenset()
    """`host_key` and `origin` of each host that start requests lead to."""
    downloads: str = ""
    """The folder in which downloaded files are kept."""
    login: LoginPlan | None = None
    blocked: BlockedPlan = BlockedPlan()
    listings: Mapping[str, Listing] = field(default_factory=dict)
    """By the path of the start request, which is the `via` of its requests."""
    expect_run: RunExpectation = RunExpectation()
    where: Callable[[str], str] = lambda path: path
    """Dotted path to ``file:line:column`` for reports."""
