"""What a page gives: item rules, and the fields of an item."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, model_validator
from pydantic import Field as Option

from yamlcrawl.options import (
    Expression,
    Filled,
    Flag,
    Listed,
    Named,
    Options,
    Plain,
    Spelling,
    Text,
    Wrong,
    alternatives,
    either,
    one_of,
    shown,
    text,
)
from yamlcrawl.spec.locales import Locale
from yamlcrawl.spec.names import Fields
from yamlcrawl.spec.reading import Reading
from yamlcrawl.spec.selectors import Each, Selector, spelled_out
from yamlcrawl.transforms.date_formats import FormatError, compile_format
from yamlcrawl.transforms.durations import FORMATS as DURATIONS

TYPES = (
    "text",
    "multiline",
    "html",
    "markdown",
    "article",
    "integer",
    "number",
    "boolean",
    "date",
    "datetime",
    "duration",
    "url",
    "file",
    "json",
)

Type = Annotated[str, *one_of(*TYPES)]


def _column(value: Any) -> str | int:
    if type(value) is int and value > 0:
        return value
    written = text(value)
    if isinstance(value, Plain) and re.fullmatch(r"[1-9][0-9]{0,2}", written, re.ASCII):
        return int(written)
    if not written.strip():
        raise Wrong("the column has no heading", "name it, or count it from 1")
    return written


Column = Annotated[str | int, BeforeValidator(_column), Spelling("a heading, or a number", type=["string", "integer"])]
"""A heading, or a place from 1."""


class Field(Reading):
    """How one value is read.

    A text alone is a selector: `title: h1`. A list is tried in order. A mapping has more to say: where to read, what
    to take out, which part of the text, the type, and what to do where nothing is found. The steps always come in this
    order: source, `remove`, `regex`, `replace`, `split`, `map`, `join`, `type`, `default`, `required`.
    """

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = alternatives("Field")
    noun: ClassVar[str] = "a selector, a list of fields, or a mapping"

    any: Listed[Field] = Option([], description="Alternatives, tried in order; the later steps are shared.")
    each: Selector | None = Option(
        None,
        description="Every match, which gives a list; `css`, `xpath`, `json` or `fields` beside it read inside "
        "each match.",
        examples=[".tag"],
    )
    column: Column | None = Option(
        None,
        description="The column of a table or a CSV: its heading, or as a number without quotes (up to 999) its place "
        "from 1.",
        examples=["Total 2025", 3],
    )
    value: Text | None = Option(
        None, description="A constant, or a template such as `${country}`.", examples=["EUR", "${country}"]
    )
    fields: Fields[Field] | None = Option(None, description="The parts of a record; with `each`, of a list of records.")
    split: Text | None = Option(None, description="Cuts the text at this text, which gives a list.", examples=[","])
    map_: Named[Text] | None = Option(
        None,
        alias="map",
        description="Values for texts; a text that is not listed is null and reported.",
        examples=[{"In stock": "true", "Sold out": "false"}],
    )
    join: Text | None = Option(None, description="Joins a list to one text, with this between.", examples=[", "])
    type: Type | None = Option(
        None,
        description="What the text is cast to: `text` (the default), `multiline`, `html`, `markdown`, `article` (the "
        "main text of a page), `integer`, `number` (exact), `boolean`, `date`, `datetime`, `duration` (seconds), "
        "`url`, `file` (downloaded), `json`. A cast that fails gives null and is reported.",
    )
    format: Filled | None = Option(
        None,
        description="How a date is written (strptime, such as `%d.%m.%Y`; `%s` is Unix time), or what a duration is "
        "given as: `seconds`, `minutes`, `hours`, `iso`.",
        examples=["%d/%m/%Y"],
    )
    locale: Locale | None = Option(
        None,
        description="The language in which numbers, dates and durations are written; default: `site.locale`.",
        examples=["de", "de-CH"],
    )
    default: Text | None = Option(None, description="Stands in for a missing value.")
    required: Flag = Option(False, description="Without this value the item is rejected, counted and listed.")

    @property
    def has_value(self) -> bool:
        """Whether it is a constant or a template."""
        return self.value is not None

    @property
    def gives_list(self) -> bool:
        """Whether its source and `split` give a list, so that `join` has something to join."""
        return self.each is not None or self.split is not None or any(way.gives_list for way in self.any)

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        return spelled_out(value, "bare", "say css, xpath or json", "any")

    @model_validator(mode="after")
    def _together(self) -> Field:
        self._check_source()
        self._check_steps()
        return self

    @property
    def _takes_the_place(self) -> bool:
        """Whether it reads a whole page or outer match, as its type says."""
        return self.from_ in ("page", "outer") and self.type is not None

    def _check_source(self) -> None:
        pointed = self.check_source(self.any)
        if self.has_value:
            self._check_constant(pointed)
        elif self.column is not None:
            if self.any or self.from_:
                raise Wrong("column and another source stand in one field", "keep one of them")
        elif self.each is not None and self.any:
            raise Wrong("each and any stand in one field", "put each into the list of any, or drop any")
        elif self.from_ == "before" and (self.each is not None or self.fields is not None):
            key = "each" if self.each is not None else "fields"
            raise Wrong(f"{key} and from: before do not go together", "say from: before in each field", (key,))
        elif self.each is not None and self.from_ in ("url", "response"):
            raise Wrong(f"each and from: {self.from_} do not go together", "drop one of them")
        elif not pointed and self.each is None and self.fields is None and not self._takes_the_place:
            raise Wrong("the field does not say what to read", "say css, xpath, json, each, regex, from: url or value")

    def _check_constant(self, pointed: bool) -> None:
        if pointed or self.each is not None or self.column is not None or self.fields is not None or self.from_:
            raise Wrong("value and another source stand in one field", "keep one of them")
        if self.remove:
            raise Wrong("value and remove do not go together", "drop remove")

    def _check_steps(self) -> None:
        if self.fields is not None:
            if not self.fields:
                raise Wrong("the record has no fields", "name at least one")
            if self.any:
                raise Wrong("fields and any stand in one field", "give each alternative its own fields")
            steps = {"regex": self.regex, "replace": self.replace, "split": self.split, "map": self.map_}
            steps |= {"join": self.join, "type": self.type, "default": self.default}
            for key, written in steps.items():
                if written:
                    raise Wrong(f"fields and {key} do not go together: a record is no text", f"move {key} into a field")
        if self.split == "":
            raise Wrong("split has nothing to cut at", "write for example  split: ','")
        if self.map_ == {}:
            raise Wrong("the map is empty", "name at least one text")
        if self.join is not None and not self.gives_list:
            raise Wrong("join has no list to join", "read a list with each or split first, or drop join")
        if self.format is not None:
            self._check_format(self.format)
        if self.type == "file" and self.default is not None:
            raise Wrong("a file has no default", "drop it", ("default",))

    def _check_format(self, written: str) -> None:
        if self.type == "duration":
            if written not in DURATIONS:
                raise Wrong(f"{shown(written)} is not known here", f"say {either(DURATIONS)}", ("format",))
            return
        if self.type not in ("date", "datetime"):
            fix = "say the type, or drop format"
            raise Wrong("format goes with the types date, datetime and duration", fix, ("format",))
        try:
            compile_format(written)
        except FormatError as wrong:
            raise Wrong(wrong.what, wrong.fix, ("format",)) from wrong

    def inner(self) -> Iterator[tuple[tuple[str | int, ...], Field]]:
        """The fields inside this one, with their paths: alternatives, and parts of a record."""
        for i, way in enumerate(self.any):
            yield ("any", i), way
        for name, part in (self.fields or {}).items():
            yield ("fields", name), part

    @property
    def wants_file(self) -> bool:
        """Whether it is a file, or holds one."""
        return self.type == "file" or any(inner.wants_file for _, inner in self.inner())


class ItemRule(Options):
    """How a page gives items of one type: one for the page, for each match of `each`, or for each row."""

    each: Each | None = Option(
        None,
        description="One item for each match; selectors in `fields` then see only that place.",
        examples=["article"],
    )
    table: Selector | None = Option(
        None, description="One item for each body row of the tables that match; `column` reads a cell.", examples=["#t"]
    )
    schema_: Listed[Expression] | None = Option(
        None,
        alias="schema",
        description="One item for each node of that schema.org type, in JSON-LD, microdata or RDFa; several types are "
        "tried in order. Bare selectors are then JMESPath on the node.",
        examples=["Recipe"],
    )
    fields: Fields[Field] = Option(description="The fields of an item, by name, in the order of the output.")
    key: Listed[Filled] = Option(
        [], description="The field or fields that identify an item; of two with the same key one is kept."
    )
    where: Filled | None = Option(
        None, description="A JMESPath condition on the finished item; others are left out.", examples=["price > `10`"]
    )
    noindex: Annotated[str, *one_of("obey", "ignore")] = Option(
        "ignore",
        description="`obey`: pages marked noindex, in a meta tag or the header X-Robots-Tag, give no items of this "
        "rule; their links are followed.",
    )

    @model_validator(mode="after")
    def _together(self) -> ItemRule:
        if not self.fields:
            raise Wrong("the rule has no fields", "name at least one")
        scopes = {"each": self.each, "table": self.table, "schema": self.schema_}
        named = [key for key, written in scopes.items() if written is not None]
        if len(named) > 1:
            raise Wrong(f"{named[0]} and {named[1]} stand in one item rule", "keep one of them", (named[1],))
        check_outer("fields", self.fields, levels(self.each) if self.each is not None else len(named))
        self._check_files()
        return self

    def _check_files(self) -> None:
        """Raise Wrong where a file is asked for before it is there: items are told apart and chosen before."""
        files = [name for name, field in self.fields.items() if field.wants_file]
        for i, name in enumerate(self.key):
            if name in files:
                raise Wrong(f"{name} is a file, which comes after the key is known", "name another field", ("key", i))
        for name in files:
            if self.where is not None and re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", self.where):
                fix = "ask for another field"
                raise Wrong(f"{name} is a file, which comes after where is judged", fix, ("where",))
        for path, field in walk(self.fields):
            if field.type == "file" and field.required and len(path) > 1:
                fix = "say required at the field of the item"
                raise Wrong("a file inside another field cannot be required", fix, ("fields", *path, "required"))


def walk(fields: dict[str, Field]) -> Iterator[tuple[tuple[str | int, ...], Field]]:
    """Every field with its path, those inside alternatives and records too."""
    pending: list[tuple[tuple[str | int, ...], Field]] = [((name,), field) for name, field in reversed(fields.items())]
    while pending:
        path, field = pending.pop()
        yield path, field
        pending.extend(((*path, *step), inner) for step, inner in field.inner())


def check_outer(key: str, fields: dict[str, Field], depth: int) -> None:
    """Raise Wrong where a field under `key` reads from an outer place that is not there, in so many `each`."""
    for name, field in fields.items():
        _check_outer((key, name), field, depth)


def levels(each: Each | None) -> int:
    """How many `each` are nested here."""
    return 0 if each is None else 1 + levels(each.each)


def _check_outer(path: tuple[str | int, ...], field: Field, depth: int) -> None:
    if field.from_ == "outer" and depth < 2:
        raise Wrong(
            "there is no outer each to read from",
            "nest them: each: {css: …, each: …}; or read the whole page: from: page",
            (*path, "from"),
        )
    if field.from_ == "before" and depth < 1:
        raise Wrong(
            "there is no each (or table) before whose elements to look", "say each, or read the page", (*path, "from")
        )
    for step, inner in field.inner():
        _check_outer((*path, *step), inner, depth + (step[0] == "fields" and field.each is not None))
