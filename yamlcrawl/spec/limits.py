"""When to stop."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator
from pydantic import Field as Option

from yamlcrawl.options import Duration, Options, Size, Spelling, Whole, Wrong, shown, text


def _errors(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    written = text(value)
    number = written.removesuffix("%").strip()
    if number.isascii() and number.isdecimal() and number == written:
        return int(number)
    try:
        share = float(number) / 100 if written.endswith("%") and number.isascii() else -1
    except ValueError:
        share = -1
    if 0 <= share <= 1:
        return share
    raise Wrong(f"{shown(written)} is neither a number nor a share", "write for example 50 or 5%")


Errors = Annotated[
    int | float, BeforeValidator(_errors), Spelling("a whole number, or a share", type=["integer", "string"])
]
"""A number of errors (whole), or a share of the pages (0.0 to 1.0)."""


class Guards(Options):
    """Against traps; they hold for followed links, never for `start` or `next`."""

    noun: ClassVar[str] = "{url, depth, repeats, variants}"

    url: Whole = Option(2000, ge=1, description="Longest address, in characters.")
    depth: Whole = Option(100, ge=1, description="Greatest depth.")
    repeats: Whole = Option(3, ge=1, description="How often one path segment may stand in an address.")
    variants: Whole = Option(10_000, ge=1, description="How many queries of one path are fetched.")


class Limits(Options):
    """When to stop; a crawl that reaches one ends in good order."""

    pages: Whole | None = Option(None, ge=1, description="Page requests, whatever they answer.")
    items: Whole | None = Option(None, ge=1, description="Items, after `where` and `required` and without doubles.")
    depth: Whole | None = Option(None, ge=0, description="Steps of `follow` from the start.")
    time: Duration | None = Option(None, gt=0, description="Running time, summed over resumes.", examples=["2h"])
    errors: Errors | None = Option(
        None, description="Errors: a number, or a share of the pages (judged from 50 pages on); ends the run as failed."
    )
    bytes: Size | None = Option(None, ge=1, description="Bytes fetched.", examples=["1GB"])
    guards: Guards = Option(Guards(), description="Guards against traps.")
