"""The kinds of page: what they give, and where they lead."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, model_validator
from pydantic import Field as Option

from yamlcrawl.options import Filled, Later, Listed, Options, Spelling, Whole, Wrong, alternatives, one_of, shown
from yamlcrawl.spec.items import Field, ItemRule, check_outer, levels
from yamlcrawl.spec.names import Fields, Kinds
from yamlcrawl.spec.patterns import Pattern
from yamlcrawl.spec.reading import Reading
from yamlcrawl.spec.selectors import Each, Selector, spelled_out
from yamlcrawl.spec.sending import Sending, Status, address

FORMATS = ("html", "json", "xml", "feed", "csv", "text", "pdf")

Address = Annotated[str, BeforeValidator(address), Spelling("an address", type="string")]
"""A template of an address, relative to the page or absolute."""

Format = Annotated[str, *one_of(*FORMATS)]

_SINKS = ("param", "body", "form", "url")


class Next(Reading):
    """The following page of the same kind: a selector for its address, or a value to send.

    A value goes into a query parameter, a place of the JSON body, a form field or a template; it is read from the
    page, or counted where there is no selector.
    """

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = alternatives("Selector")
    noun: ClassVar[str] = "a selector, or a mapping"

    any: Listed[Selector] = Option([], description="Alternatives, tried in order.")
    header: Annotated[str, *one_of("link")] | None = Option(
        None, description='`link`: the address is in the header `Link: <…>; rel="next"` (RFC 8288).'
    )
    param: Filled | None = Option(None, description="The query parameter that takes the value.")
    body: Filled | None = Option(
        None, description="The place in the JSON body that takes the value.", examples=["variables.after"]
    )
    form: Filled | None = Option(None, description="The form field that takes the value.")
    url: Address | None = Option(
        None, description="A template of the address, with `${next}` for the value.", examples=["/shoes/page/${next}"]
    )
    start: Whole | None = Option(
        None, description="The first value of a counter; default: 1 where `step` is 1, else 0; the request's own wins."
    )
    step: Whole = Option(1, ge=1, description="What a counter adds each time.")
    max: Whole | None = Option(None, description="The last value that a counter sends.")
    until: Later = Option(None, description="`known`: ends where everything was there in an earlier run.")

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        return spelled_out(value, "bare", "say css, xpath or json, or param", "any")

    @property
    def sink(self) -> str | None:
        """The key that says where the value goes; None where the selector finds the address itself."""
        return next((key for key in _SINKS if getattr(self, key) is not None), None)

    @property
    def counts(self) -> bool:
        """Whether the value is a counter."""
        return self.sink is not None and not self.check_source(self.any)

    @model_validator(mode="after")
    def _together(self) -> Next:
        read = self.check_source(self.any)
        sinks = [key for key in _SINKS if getattr(self, key) is not None]
        if self.from_ in ("outer", "page"):
            raise Wrong(f"next has no each to leave, so from: {self.from_} says nothing", "drop from", ("from",))
        if self.header and (read or sinks or self.from_):
            raise Wrong("header and another way stand in one next", "keep one of them", ("header",))
        if len(sinks) > 1:
            raise Wrong(f"{sinks[0]} and {sinks[1]} stand in one next", "keep one of them", (sinks[1],))
        if not (self.header or read or sinks):
            raise Wrong("next does not say where to go", "write a selector, or {param: page}")
        if self.url and "${next}" not in self.url:
            raise Wrong(f"{shown(self.url)} leads to one address only", "put ${next} where the value goes", ("url",))
        self._check_counter(counts=bool(sinks) and not read)
        return self

    def _check_counter(self, *, counts: bool) -> None:
        if not counts:
            for key, written in (("start", self.start), ("max", self.max), ("step", None if self.step == 1 else 1)):
                if written is not None:
                    raise Wrong(f"{key} is for a counter, and a selector finds the value here", f"drop {key}", (key,))
        elif self.max is not None and self.start is not None and self.max < self.start:
            raise Wrong("max is less than start", "turn them round", ("max",))
        elif self.remove or self.replace:
            raise Wrong("a counter has no text to change", "add a selector, or drop remove and replace")


class Link(Reading, Sending):
    """A link rule: which links lead to pages of a kind, and what goes along with them."""

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "string"},)
    noun: ClassVar[str] = "a selector, or a mapping"

    any: Listed[Selector] = Option([], description="Alternatives for the address, tried in order.")
    each: Each | None = Option(
        None, description="One link for each match; without it every match of the selector is a link.", examples=["li"]
    )
    url: Address | None = Option(
        None,
        description="A template for the address instead; one whose value is null makes no request.",
        examples=["https://api.example/v2/${carry.id}"],
    )
    include: Listed[Pattern] = Option([], description="Patterns that the absolute address must match one of.")
    exclude: Listed[Pattern] = Option([], description="Patterns that the absolute address must not match.")
    carry: Fields[Field] = Option(
        {}, description="Fields read where the link is; they are the first fields of every item on the page that opens."
    )
    nofollow: Annotated[str, *one_of("obey", "ignore")] = Option(
        "ignore",
        description='`obey`: links with `rel="nofollow"`, and those of pages marked nofollow in a meta tag or the '
        "header X-Robots-Tag, are left out.",
    )

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        return spelled_out(value, "bare", "say css, xpath or json", "any")

    @model_validator(mode="after")
    def _together(self) -> Link:
        read = self.check_source(self.any)
        if read and self.url is not None:
            raise Wrong("url and a selector stand in one link rule", "keep one of them", ("url",))
        if not read and self.url is None:
            raise Wrong("the link rule does not say where the address is", "add css, xpath or json, or url")
        if self.from_ == "outer" and levels(self.each) < 2:
            raise Wrong("there is no outer each to read from", "nest them: each: {css: …, each: …}", ("from",))
        for name, field in self.carry.items():
            if field.wants_file:
                fix = "carry the address (type: url), and give it  type: file  in the item"
                raise Wrong("a file belongs to an item and cannot be carried", fix, ("carry", name))
        check_outer("carry", self.carry, levels(self.each))
        self.check_sending()
        return self


class Page(Options):
    """A kind of page."""

    format: Format = Option(
        "html",
        description="What the body is, and so what a bare selector means: `html` (CSS), `json` (JMESPath), `xml` "
        "(XPath), `feed` (JMESPath, as feedparser names things), `csv` (a heading; every row is an item), `text` and "
        "`pdf` (a regex).",
    )
    next: Next | None = Option(None, description="The following page of the same kind.", examples=["li.next a"])
    follow: Kinds[Listed[Link]] = Option({}, description="Links, by the kind of page they lead to.")
    items: Kinds[ItemRule] = Option({}, description="Items, by type.")
    revisit: Later = Option(None, description="When a later run fetches the page again.")
    accept: Listed[Status] = Option([], description="Status codes whose body is read besides 2xx.", examples=[[404]])
    render: Later = Option(None, description="Fetch with a browser.")
