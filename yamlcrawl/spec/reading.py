"""From what a selector found to the text that is meant: the keys that fields and link rules share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, model_validator
from pydantic import Field as Option

from yamlcrawl.options import EMPTY, SHORT, Expression, Listed, Options, Spelling, Text, Wrong, one_of, shape
from yamlcrawl.spec.selectors import Languages, Selector

Source = Annotated[str, *one_of("page", "outer", "before", "url", "response")]
"""Where a value is read that is not in this place."""


class Replacement(Options):
    """One replacement: `plain` is literal text, `regex` a pattern; exactly one of them is there."""

    plain: Text | None = Option(None, description="The text that is replaced.", json_schema_extra=SHORT)
    regex: Expression | None = Option(None, description="A regular expression for what is replaced.")
    with_: Text = Option("", alias="with", description="What stands there instead; `\\1` is group 1 of the regex.")

    @model_validator(mode="after")
    def _one(self) -> Replacement:
        if self.plain == "":
            raise Wrong("an empty text cannot be replaced", "name the text to replace, or use a regex")
        return self


def _replacements(value: Any) -> Any:
    if value is None:
        raise EMPTY
    given = value if isinstance(value, list) else [value]
    return [replacement for entry in given for replacement in _pairs(entry)]


def _pairs(entry: Any) -> list[Any]:
    if isinstance(entry, Replacement):
        return [entry]
    if not isinstance(entry, Mapping):
        raise Wrong(f"{shape(entry)} stands where a replacement is needed", "write {from: to} or {regex: …, with: …}")
    if not entry:
        raise Wrong("the replacement is empty", "write {from: to} or {regex: …, with: …}")
    if "regex" in entry and set(entry) <= {"regex", "with"}:
        if "with" not in entry:
            raise Wrong("the replacement does not say with what", "add with: …; an empty text is with: ''")
        return [dict(entry)]
    if set(entry) == {"from", "to"}:
        raise Wrong(
            'this replaces the words "from" and "to" themselves',
            f"write {{{entry['from']}: {entry['to']}}}; if the words are meant, write a list: [{{from: …}}, {{to: …}}]",
        )
    return [{"plain": plain, "with": by} for plain, by in entry.items()]


_REPLACE = {
    "anyOf": [
        {"type": "object", "minProperties": 1},
        {"type": "array", "items": {"type": "object", "minProperties": 1}, "minItems": 1},
    ]
}

Replace = Annotated[list[Replacement], BeforeValidator(_replacements), Spelling(**_REPLACE)]
"""Replacements, made in the order written."""


class Reading(Languages):
    """The keys of a value that is read: where, without what, and which part of the text."""

    from_: Source | None = Option(
        None,
        alias="from",
        description="Where to read: `page` (the whole page, from inside an `each`), `outer` (the outer `each`), "
        "`before` (the nearest match that begins before this element), `url` (the address where the page ended), "
        "`response` (JMESPath on `{url, requested_url, status, headers, fetched_at, depth, referer}`).",
    )
    remove: Listed[Selector] = Option([], description="Selectors whose matches are taken out first.")
    regex: Expression | None = Option(
        None, description="A regular expression: its group 1, or the whole match.", examples=[r"(\d+) available"]
    )
    replace: Replace = Option(
        [],
        description="Replacements: `{from: to}` for plain text, or `{regex: …, with: …}`; a list for several in turn.",
        examples=[{",": "."}, {"regex": r"\s+", "with": " "}],
    )

    def check_source(self, alternatives: object) -> bool:
        """Whether it says what to read; raises Wrong where its keys do not go together."""
        pointed = self.check_languages(alternatives)
        if self.from_ == "url":
            if pointed:
                raise Wrong("from: url reads the address, so a selector has nothing to look at", "drop the selector")
            self._without_remove("from: url")
            return True
        if self.from_ == "response":
            if self.json_ is None or self.languages != ("json",):
                raise Wrong("from: response needs a JMESPath that says which part", "add for example  json: status")
            self._without_remove("from: response")
        return pointed or self.regex is not None

    def _without_remove(self, source: str) -> None:
        if self.remove:
            raise Wrong(f"remove and {source} do not go together", "drop remove")
