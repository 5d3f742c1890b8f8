"""Variables and the matrix: which values there are, and which of them a request is made with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta

from yamlcrawl.compiler.templates import Names, Template
from yamlcrawl.errors import Path
from yamlcrawl.options import Wrong, nearest
from yamlcrawl.spec.variables import Var

Binding = Mapping[str, str]
"""Names to values: ``{"country": "de"}``, or the two ends of a piece."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A variable that has many values."""

    name: str
    names: tuple[str, ...]
    """What templates call it: its name, or the names of the ends of a piece."""
    bindings: Callable[[], Iterable[Binding]]
    """Its values in order, made as they are asked for."""
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Matrix:
    """All variables with many values, in the order of the spec."""

    axes: tuple[Axis, ...] = ()

    def used(self, templates: Iterable[Template]) -> tuple[Axis, ...]:
        """The variables that the templates name, in the order of the spec."""
        return self.naming({name for template in templates for name in template.slots("var")})

    def naming(self, names: AbstractSet[str]) -> tuple[Axis, ...]:
        """Those among the names that have many values, in the order of the spec."""
        return tuple(axis for axis in self.axes if not frozenset(axis.names).isdisjoint(names))

    def secrets(self, axes: Iterable[Axis]) -> tuple[str, ...]:
        """The secrets that stand in values of these variables."""
        return tuple(dict.fromkeys(name for axis in axes for name in axis.secrets))


def combinations(axes: Sequence[Axis], bound: Binding) -> Iterator[dict[str, str]]:
    """Every choice of values, the first variable slowest; what is bound already stays as it is.

    >>> axes = [Axis("a", ("a",), lambda: [{"a": "1"}, {"a": "2"}]), Axis("b", ("b",), lambda: [{"b": "x"}])]
    >>> list(combinations(axes, {"c": "0"}))
    [{'c': '0', 'a': '1', 'b': 'x'}, {'c': '0', 'a': '2', 'b': 'x'}]
    >>> list(combinations(axes, {"a": "7"}))
    [{'a': '7', 'b': 'x'}]
    """
    if not axes:
        yield dict(bound)
        return
    first, rest = axes[0], axes[1:]
    if first.names[0] in bound:
        yield from combinations(rest, bound)
        return
    for binding in first.bindings():
        yield from combinations(rest, {**bound, **binding})


def compile_variables(written: Mapping[str, Var], given: Mapping[str, str], names: Names) -> Matrix:
    """The variables with many values; those with one are put into `names` as constants.

    `given` are the values of the command line, which stand instead of those of the spec. What is wrong is noted.
    """
    variables = {**written, **_given(written, given, names)}
    axes: list[Axis] = []
    known: dict[str, Template | None] = {}
    for name, var in variables.items():
        path: Path = ("vars", name)
        if var.values:
            values = [names.template(value, path) for value in var.values]
            if len(values) == 1:
                known[name] = values[0]
                continue
            known[name] = None
            axes.append(_list_axis(name, values))
        else:
            axis = _piece_axis(name, var, path, names)
            if axis is not None:
                axes.append(axis)
            known.update(dict.fromkeys((f"{name}.from", f"{name}.to")))
    names.vars = known
    return Matrix(tuple(axes))


def _given(written: Mapping[str, Var], given: Mapping[str, str], names: Names) -> dict[str, Var]:
    found: dict[str, Var] = {}
    for name, text in given.items():
        if name not in written:
            fix = nearest(name, list(written)) or (
                f"vars has: {', '.join(written)}" if written else f"add it to the spec:  vars: {{{name}: …}}"
            )
            names.problems.error(("vars",), f'--var names "{name}", which the spec does not have', fix)
            continue
        try:
            found[name] = Var.model_validate(text)
        except ValueError as wrong:
            said = _first_wrong(wrong)
            names.problems.error(("vars", name), f"--var {name}: {said.what}", said.fix)
    return found


def _first_wrong(error: ValueError) -> Wrong:
    """What a model says of a text, in its own words."""
    for entry in getattr(error, "errors", list)():
        wrong = entry.get("ctx", {}).get("error")
        if isinstance(wrong, Wrong):
            return wrong
    return Wrong("the value does not fit", "write a value, or a range such as 1..9")


def _list_axis(name: str, values: Sequence[Template]) -> Axis:
    texts = [value.text() or "" for value in values]
    secrets = tuple(dict.fromkeys(secret for value in values for secret in value.secrets))
    return Axis(name, (name,), lambda: ({name: text} for text in texts), secrets)


def _piece_axis(name: str, var: Var, path: Path, names: Names) -> Axis | None:
    first, last = (
        names.template(str(end), (*path, key)).text() or "" for key, end in (("from", var.from_), ("to", var.to))
    )
    by = str(var.by)
    ends = (f"{name}.from", f"{name}.to")
    try:
        pieces = _pieces(first, last, by, var.format, names.today)
    except Wrong as wrong:
        names.problems.error((*path, *wrong.at), wrong.what, wrong.fix)
        return None
    return Axis(name, ends, lambda: (dict(zip(ends, piece, strict=True)) for piece in pieces()))


Pieces = Callable[[], Iterator[tuple[str, str]]]

_NUMBER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_DAYS = re.compile(r"([0-9]{1,6})d", re.ASCII)


def _pieces(first: str, last: str, by: str, form: str | None, today: date) -> Pieces:
    if _NUMBER.fullmatch(first) and _NUMBER.fullmatch(last):
        if not by.isdecimal() or int(by) == 0:
            raise Wrong(f'"{by}" cannot cut a range of numbers', "write a whole number", ("by",))
        return _number_pieces(int(first), int(last), int(by), len(first) if first.startswith("0") else 0)
    begin, end = day(first, today, "from"), day(last, today, "to")
    if end < begin:
        raise Wrong(f"the range runs backwards: {begin} to {end}", "put the earlier date into from", ("to",))
    return _date_pieces(begin, end, _step(by), form)


def _number_pieces(first: int, last: int, by: int, width: int) -> Pieces:
    if last < first:
        raise Wrong("the range runs backwards", "put the smaller number into from", ("to",))

    def pieces() -> Iterator[tuple[str, str]]:
        for begin in range(first, last + 1, by):
            yield str(begin).zfill(width), str(min(begin + by - 1, last)).zfill(width)

    return pieces


def _date_pieces(first: date, last: date, step: Callable[[date, int], date], form: str | None) -> Pieces:
    def shown(day: date) -> str:
        return day.strftime(form) if form else day.isoformat()

    def pieces() -> Iterator[tuple[str, str]]:
        count, begin = 0, first
        while begin <= last:
            count += 1
            # counted from the first day, so that the 31st does not drift to the 28th for good
            following = step(first, count)
            if following > last or following == date.max:
                yield shown(begin), shown(last)
                return
            yield shown(begin), shown(following - timedelta(days=1))
            begin = following

    return pieces


def day(text: str, today: date, key: str) -> date:
    """The day that ``2019-01-01``, ``today``, ``+90d`` or ``-30d`` means; raises Wrong at the key."""
    if text == "today":
        return today
    sign, age = text[:1], _DAYS.fullmatch(text[1:])
    try:
        if sign in ("+", "-") and age:
            return today + timedelta(days=int(sign + age[1]))
        return date.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        fix = "write a date such as 2019-01-01, today, +90d or -30d"
        raise Wrong(f'"{text}" is no end of a range', fix, (key,)) from error


def _step(by: str) -> Callable[[date, int], date]:
    """The day on which a piece begins, from the first day and its number; raises Wrong."""
    if by in ("month", "year"):
        months = 1 if by == "month" else 12
        return lambda first, count: _months_later(first, months * count)
    age = _DAYS.fullmatch(by)
    days = {"day": 1, "week": 7}.get(by) or (int(age[1]) if age else 0)
    if not days:
        raise Wrong(f'"{by}" cannot cut a range of dates', "say day, week, month, year, or days such as 14d", ("by",))
    return lambda first, count: _capped(first, days * count)


def _capped(first: date, days: int) -> date:
    return first + timedelta(days=min(days, (date.max - first).days))


def _months_later(first: date, months: int) -> date:
    """The same day of a later month, or that month's last.

    >>> _months_later(date(2024, 1, 31), 1), _months_later(date(2024, 1, 31), 2)
    (datetime.date(2024, 2, 29), datetime.date(2024, 3, 31))
    """
    month = first.year * 12 + first.month - 1 + months
    year, month = divmod(month, 12)
    if year > date.max.year:
        return date.max
    following = date(year + month // 11, (month + 1) % 12 + 1, 1) if year < date.max.year else date.max
    last = (following - timedelta(days=1)).day
    return date(year, month + 1, min(first.day, last))
