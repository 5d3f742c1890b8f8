"""What points into a page: a bare text, a list that is tried in order, or a mapping of languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field as Option
from pydantic import model_validator

from yamlcrawl.options import (
    EMPTY,
    SHORT,
    Expression,
    FlowList,
    Listed,
    Options,
    Plain,
    Written,
    Wrong,
    alternatives,
    quoted,
)


def spelled_out(value: Any, bare: str, fix: str, listed: str = "") -> Any:
    """The mapping that a bare text (or a list) stands for; raises Wrong for what can be neither.

    `bare` is the name under which a text is kept, `listed` that of a list of alternatives.
    """
    if isinstance(value, Options):
        return value
    if isinstance(value, str):
        return {bare: value}
    if isinstance(value, list) and listed:
        _refuse_one_word(value)
        return {listed: value}
    if isinstance(value, Mapping):
        if isinstance(value, Written) and bare in value:
            raise Wrong(f'unknown key "{bare}"', fix)
        return value
    if value is None:
        raise EMPTY
    raise Wrong("a list stands where one text is needed", fix)


def _refuse_one_word(value: list[Any]) -> None:
    if not value:
        raise Wrong("the list is empty", "name at least one selector, or drop the key")
    if isinstance(value, FlowList) and len(value) == 1 and isinstance(value[0], Plain):
        word = str(value[0])
        raise Wrong(
            f"YAML reads [{word}] as a list with one entry",
            f"quote an attribute selector: {quoted(f'[{word}]')}; drop the brackets if {word} alone is meant",
        )


class Languages(Options):
    """The keys that say in which language a place is pointed at."""

    bare: Expression | None = Option(
        None,
        description="A selector in the language of the page's `format`: CSS on HTML, JMESPath on JSON and feeds, "
        "XPath on XML, a heading on CSV, a regex on text.",
        json_schema_extra=SHORT,
    )
    css: Expression | None = Option(
        None, description="A CSS selector; `@name` at its end reads an attribute.", examples=["li.next a@href"]
    )
    xpath: Expression | None = Option(
        None, description="An XPath 1.0 expression; inside an `each` it begins with `./`.", examples=["//h2/a/@href"]
    )
    json_: Expression | None = Option(
        None,
        alias="json",
        description="A JMESPath expression; beside `css` or `xpath` it reads the JSON found there (on JSON pages the "
        "other way round).",
        examples=["data.items[0].price"],
    )
    js: Expression | None = Option(
        None,
        description="The name to which a script assigns the value that is wanted; `json` beside it reads inside.",
        examples=["window.__DATA__"],
    )
    schema_: Listed[Expression] | None = Option(
        None,
        alias="schema",
        description="The nodes of that schema.org type in the page's JSON-LD, microdata or RDFa; several types are "
        "tried in order, `any` is all of them. `json` beside it reads inside.",
        examples=["Recipe"],
    )

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that are named, as keys of the spec."""
        named = {"css": self.css, "xpath": self.xpath, "js": self.js, "schema": self.schema_, "json": self.json_}
        return tuple(language for language, written in named.items() if written is not None)

    def check_languages(self, alternatives: object) -> bool:
        """Whether something is pointed at; raises Wrong where the languages do not make one path."""
        first, *more = [language for language in self.languages if language != "json"] or ["json"]
        if more:
            raise Wrong(
                f"{first} and {more[0]} stand in one selector",
                f"keep one of them; a list tries several in order: [{{{first}: …}}, {{{more[0]}: …}}]",
            )
        if alternatives and self.languages:
            raise Wrong(
                f"any and {self.languages[0]} stand in one selector", "put it into the list of any, or drop any"
            )
        return bool(alternatives or self.languages or self.bare is not None)


class Selector(Languages):
    """A place in a page."""

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = alternatives("Selector")
    noun: ClassVar[str] = "a selector"

    any: Listed[Selector] = Option([], description="Alternatives, tried in order.")

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        return spelled_out(value, "bare", "say css, xpath or json", "any")

    @model_validator(mode="after")
    def _one(self) -> Selector:
        if not self.check_languages(self.any):
            raise Wrong("the selector is missing", "say css, xpath or json")
        return self


class Each(Selector):
    """The places that give one item (or link) each."""

    each: Each | None = Option(
        None, description="Inner places: one item for each of them; `from: outer` reads the outer one."
    )
