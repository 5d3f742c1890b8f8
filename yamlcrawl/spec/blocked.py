"""How a page looks that is no data: what a site shows to those whom it takes for robots."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, model_validator
from pydantic import Field as Option

from yamlcrawl.options import EMPTY, AlsoWritten, Expression, Filled, Listed, Options, Wrong
from yamlcrawl.spec.patterns import Pattern
from yamlcrawl.spec.sending import Status


class Blocked(Options):
    """Marks of a page that is no data; all that are named must hold."""

    noun: ClassVar[str] = "{text, css, status, url}"

    text: Filled | None = Option(
        None,
        description="Words that stand in what the page shows or in its title, whatever their case.",
        examples=["unusual traffic"],
    )
    css: Expression | None = Option(
        None, description="A CSS selector that finds something on the page.", examples=["form#captcha"]
    )
    status: Listed[Status] = Option([], description="The status of the answer, or several of them.", examples=["200"])
    url: Listed[Pattern] = Option(
        [],
        description="Patterns, one of which the page's address matches. Alone, a redirect that leads there will do.",
        examples=["/captcha/**"],
    )

    @model_validator(mode="before")
    @classmethod
    def _mapping(cls, value: Any) -> Any:
        if isinstance(value, str):
            raise Wrong("a text does not say what is looked at", f"write {{text: {value}}}, or {{css: …}}")
        return value

    @model_validator(mode="after")
    def _some(self) -> Blocked:
        if self.text is None and self.css is None and not self.status and not self.url:
            raise Wrong("no mark is named", "name at least one of text, css, status and url")
        return self


def _marks(value: Any) -> Any:
    if value is False or value == "false":
        return None
    if value is None:
        raise EMPTY
    if value is True or value == "true":
        raise Wrong("true does not say how such a page looks", "drop the key: the known ones are looked for anyway")
    return value


Marks = Annotated[Listed[Blocked] | None, BeforeValidator(_marks), AlsoWritten({"const": False})]
"""Alternatives, besides the known pages; None where not even these are looked for."""
