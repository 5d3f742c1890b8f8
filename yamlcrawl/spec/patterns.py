"""Patterns on addresses: a glob, or a regex where a glob will not do."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field as Option
from pydantic import model_validator

from yamlcrawl.options import SHORT, Expression, Options, Wrong
from yamlcrawl.spec.selectors import spelled_out


class Pattern(Options):
    """What an address must look like as a whole: `*` stops at `/` and `?`, `**` does not.

    A glob that begins with `/` is matched against the path (with a `?` in it, against path and query), one with `://`
    against the whole address; any other as if `/**/` stood before it.
    """

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "string"},)
    noun: ClassVar[str] = "a pattern, or {regex}"

    glob: Expression | None = Option(None, description="The pattern, written as a bare text.", json_schema_extra=SHORT)
    regex: Expression | None = Option(
        None, description="A regular expression for the whole address, where a pattern will not do."
    )

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        return spelled_out(value, "glob", "a pattern is a text such as /shop/**, or {regex: …}")

    @model_validator(mode="after")
    def _one(self) -> Pattern:
        if (self.glob is None) == (self.regex is None):
            raise Wrong("the pattern is missing", "write a text such as /shop/**, or {regex: …}")
        return self
