"""Variables, which multiply the requests that use them."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, ClassVar

from pydantic import Field as Option
from pydantic import model_validator

from yamlcrawl.options import SHORT, Filled, Listed, Options, Text, Wrong, nearest, shown
from yamlcrawl.spec.selectors import spelled_out

_AGE = re.compile(r"[+-][0-9]{1,6}d", re.ASCII)


def is_date(written: str) -> bool:
    """Whether it is a date as ISO 8601, `today`, or days from today such as ``-30d``."""
    if written == "today" or _AGE.fullmatch(written):
        return True
    try:
        date.fromisoformat(written)
    except ValueError:
        return False
    return "-" in written


_RANGE = re.compile(r"([0-9]{1,18})\.\.([0-9]{1,18})", re.ASCII)
_LONGEST = 100_000


def expanded(written: str) -> list[str]:
    """The values that a text stands for: a range of whole numbers is all of them; raises Wrong.

    >>> expanded("09..11"), expanded("2023..2024"), expanded("shoes")
    (['09', '10', '11'], ['2023', '2024'], ['shoes'])
    """
    found = _RANGE.fullmatch(written)
    if not found:
        return [written]
    first, last = int(found[1]), int(found[2])
    if last < first:
        raise Wrong(f"{shown(written)} runs backwards", f"write {found[2]}..{found[1]}")
    if last - first >= _LONGEST:
        raise Wrong(f"{shown(written)} is more than {_LONGEST:,} values", "use a shorter range, or {from, to, by}")
    width = len(found[1]) if found[1].startswith("0") else 0
    return [str(number).zfill(width) for number in range(first, last + 1)]


_UNITS = ("day", "week", "month", "year")
_WHOLE_END = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


class Var(Options):
    """A variable: a value, a list of values, a range such as `2015..2024`, or a range cut into pieces."""

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = (
        {"type": ["string", "number"]},
        {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
    )
    noun: ClassVar[str] = "a value, a list, a range, or {from, to, by}"

    values: Listed[Text] = Option([], description="The values.", json_schema_extra=SHORT)
    from_: Filled | None = Option(None, alias="from", description="Where the range begins: a number or a date.")
    to: Filled | None = Option(None, description="Where the range ends, this value included.")
    by: Filled | None = Option(
        None, description="How long a piece is: a number; `day`, `week`, `month`, `year`, or days such as `14d`."
    )
    format: Filled | None = Option(None, description="How dates are written (strftime). Default: ISO 8601.")

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        if isinstance(value, list):
            return {"values": value}
        if isinstance(value, str):
            return {"values": expanded(value)}
        return spelled_out(value, "values", "write a value, a list, a range such as 1..9, or {from, to, by}")

    @model_validator(mode="after")
    def _together(self) -> Var:
        if self.values:
            return self
        for key, written in (("from", self.from_), ("to", self.to), ("by", self.by)):
            if written is None:
                raise Wrong(f"a range in pieces needs {key}", "write {from: …, to: …, by: …}")
        self._check_ends(str(self.from_), str(self.to), str(self.by))
        return self

    def _check_ends(self, first: str, last: str, by: str) -> None:
        if "${" in first + last:
            return
        if _WHOLE_END.fullmatch(first) and _WHOLE_END.fullmatch(last):
            if not by.isdecimal() or int(by) == 0:
                raise Wrong(f"{shown(by)} cannot cut a range of numbers", "write a whole number", ("by",))
            if int(last) < int(first):
                raise Wrong("the range runs backwards", "put the smaller number into from", ("to",))
            if self.format is not None:
                raise Wrong("format is for dates", "drop it", ("format",))
            return
        for key, end in (("from", first), ("to", last)):
            if not is_date(end):
                fix = "write a date such as 2019-01-01, today, +90d or -30d" if is_date(first) or is_date(last) else ""
                raise Wrong(f"{shown(end)} is no end of a range", fix or "write two numbers or two dates", (key,))
        if by not in _UNITS and not re.fullmatch(r"[1-9][0-9]{0,5}d", by):
            raise Wrong(
                f"{shown(by)} cannot cut a range of dates",
                nearest(by, _UNITS) or "say day, week, month, year, or days such as 14d",
                ("by",),
            )
