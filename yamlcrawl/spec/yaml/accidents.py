"""Values that YAML cannot read as they stand: what happened, and the quotes that mend it.

Selectors, regexes and queries are full of signs that mean something to YAML. Where its parser gives up, the value at
fault is looked for, quoted, and the text is parsed again: so the message can show the line as it should be, and the
rest of the file is checked in the same go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from yamlcrawl.options import quoted, shown
from yamlcrawl.spec.yaml.compose import UnreadableError, split_lines
from yamlcrawl.spec.yaml.tree import Place

MOST = 40
"""Accidents that are mended in one file."""
_TRIES = 48
"""Ways to quote that are tried for one accident; each parses the text once."""
_LONGEST = 60_000
"""Characters of a text that is worth so many parses."""


@dataclass(frozen=True, slots=True)
class Accident:
    """A value that had to be quoted; the place is that of the file as it was written."""

    place: Place
    mended_place: Place
    """The place in the mended text."""
    what: str
    fix: str


@dataclass(frozen=True, slots=True)
class Mended:
    """A text that YAML can read, and what had to be done for it."""

    text: str
    accidents: tuple[Accident, ...] = ()
    added: tuple[tuple[int, int, int], ...] = ()
    """Line, column, number of characters: what was put in, in the order it was put in."""

    def original(self, place: Place) -> Place:
        """Where a place of the mended text stood in the file."""
        line, column = place
        for at, after, count in reversed(self.added):
            if at == line and column > after:
                column = max(after, column - count)
        return line, column


def mend(text: str) -> Mended:
    """The text with quotes where YAML needs them; raises UnreadableError where that does not help."""
    mended = Mended(text)
    while (failure := _failure(mended.text)) is not None:
        if len(mended.accidents) >= MOST or len(text) > _LONGEST:
            raise _told(failure, mended)
        better = _quote(mended, failure)
        if better is None:
            raise _told(failure, mended)
        mended = better
    return mended


@dataclass(frozen=True, slots=True)
class _Failure:
    place: Place
    begun: Place
    """Where the thing began that could not be finished."""
    problem: str
    context: str


def _failure(text: str) -> _Failure | None:
    try:
        for _ in yaml.parse(text, Loader=yaml.SafeLoader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        begun = error.context_mark or mark
        return _Failure(_place(mark), _place(begun), error.problem or "", error.context or "")
    except yaml.YAMLError:
        return _Failure((1, 1), (1, 1), "", "")
    return None


def _place(mark: yaml.Mark | None) -> Place:
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


@dataclass(frozen=True, slots=True)
class _Span:
    """A part of a line, by its columns from 0, and the text that should stand there."""

    line: int
    start: int
    end: int
    by: str
    key: str


def _quote(mended: Mended, failure: _Failure) -> Mended | None:
    lines = split_lines(mended.text)
    best: tuple[tuple[int, Place], _Span, list[str]] | None = None
    for tried, span in enumerate(_spans(lines, failure)):
        if tried >= _TRIES:
            break
        line = lines[span.line]
        trial = [*lines]
        trial[span.line] = line[: span.start] + span.by + line[span.end :]
        after = _failure("\n".join(trial))
        reached = (len(lines) + 2, 0) if after is None else after.place
        end = (span.line + 1, span.start + len(span.by))
        rank = -_keys_inside(line[span.start : span.end]), reached
        if reached > max(failure.place, end) and (best is None or rank > best[0]):
            best = rank, span, trial
            if after is None and rank[0] == 0:
                break
    if best is None:
        return None
    _, span, trial = best
    line = lines[span.line]
    mended_line = trial[span.line].strip()
    short = f"{span.key}{span.by}"
    accident = Accident(
        mended.original((span.line + 1, span.start + 1)),
        (span.line + 1, span.start + 1),
        _what(line[span.start : span.end], failure, flow=span.start != _value_start(line)),
        f"quote it: {mended_line if len(mended_line) <= 100 else short}",
    )
    grown = len(span.by) - (span.end - span.start)
    return Mended(
        "\n".join(trial),
        (*mended.accidents, accident),
        (*mended.added, (span.line + 1, span.start + 1, 1), (span.line + 1, span.end + 2, grown - 1)),
    )


def _keys_inside(value: str) -> int:
    """How many further keys a value would swallow if it were quoted.

    >>> _keys_inside("a[x], type: b"), _keys_inside("items[].{a: b, c: d}")
    (1, 0)
    """
    outside = value
    while (flat := re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\)", "", outside)) != outside:
        outside = flat
    return len(re.findall(rf",\s*{_KEY}:\s", outside))


def _spans(lines: list[str], failure: _Failure) -> Iterator[_Span]:
    """The values that may be at fault, the likeliest first."""
    numbers = dict.fromkeys((failure.place[0] - 1, failure.begun[0] - 1, failure.place[0] - 2))
    for number in numbers:
        if 0 <= number < len(lines):
            column = failure.place[1] - 1 if number == failure.place[0] - 1 else len(lines[number])
            yield from _spans_of(number, lines[number], column)


_KEY = r"(?:[\w.-]+|\"[^\"]*\"|'[^']*')"
_BLOCK = re.compile(rf"\s*(?:- +)*(?:({_KEY}):[ \t]+)?")
_INNER = re.compile(rf"(?:[{{\[,]\s*|\s- )((?:{_KEY}:\s+)?)(?=\S)")


def _value_start(line: str) -> int:
    found = _BLOCK.match(line)
    return found.end() if found else 0


def _spans_of(number: int, line: str, column: int) -> Iterator[_Span]:
    start = _value_start(line)
    value = line[start:].rstrip()
    if not value or (value.startswith("#") and start == 0):
        return
    key = line[:start].lstrip(" -")
    if value[0] in "{[":
        yield from _inner_spans(number, line, start, column)
        if not re.search(r"[}\]]\s*[^\s#}\],]", value):
            return  # nothing follows its end, so it is a list or mapping indeed
    for end in dict.fromkeys((len(re.sub(r"\s+#(\s.*)?$", "", value)), len(value))):
        yield _Span(number, start, start + end, _in_quotes(value[:end]), key)


def _inner_spans(number: int, line: str, first: int, column: int) -> Iterator[_Span]:
    """The values inside braces or brackets, those that begin nearest before the column first."""
    starts = [(found.end(), found[1]) for found in _INNER.finditer(line, first)]
    ends = [found.start() for found in re.finditer(rf"\s*(?:[}}\]]|,\s*(?:{_KEY}:\s)|,)", line[first:])]
    ends = [first + end for end in ends]
    for start, key in sorted(starts, key=lambda s: (s[0] > column + 1, -s[0])):
        for end in ends:
            if end > start and line[start] not in "{":
                yield _Span(number, start, end, _in_quotes(line[start:end]), key)


def _in_quotes(value: str) -> str:
    """The value in single quotes; quotes that stand around it already are taken off."""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = (
            value[1:-1].replace("''", "'") if value[0] == "'" else value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        )
    return quoted(value)


_FIRST = {
    "*": "YAML reads a value that begins with * as an alias",
    "&": "YAML reads a value that begins with & as an anchor",
    "!": "YAML reads a value that begins with ! as a tag",
    "@": "YAML allows no value that begins with @",
    "`": "YAML allows no value that begins with `",
    "%": "YAML allows no value that begins with %",
    "[": "YAML reads a value that begins with [ as a list",
    "{": "YAML reads a value that begins with { as a mapping",
    ">": "YAML reads > at the beginning of a value as the mark of a text of several lines",
    "|": "YAML reads | at the beginning of a value as the mark of a text of several lines",
    "#": "YAML reads # as the beginning of a comment",
    "?": "YAML reads ? at the beginning of a value as the mark of a key",
    "-": "YAML reads - at the beginning of a value as an entry of a list",
    ",": "YAML allows no value that begins with ,",
    "]": "YAML allows no value that begins with ]",
    "}": "YAML allows no value that begins with }",
    "'": "the quote ends in the middle of the value; inside single quotes a ' is written twice",
}


def _what(value: str, failure: _Failure, *, flow: bool) -> str:
    if value.startswith('"'):
        escape = re.search(r"\\(.)", value)
        if "double-quoted" in failure.context and escape:
            return "in double quotes a \\ begins an escape, and YAML does not know this one"
        return "the quotes end before the value does"
    if flow and value[:1] not in _FIRST:
        sign = next((s for s in ("${", "?", "[", "{", " #", "]", "}", ": ") if s in value), "")
        if sign == " #":
            return f"YAML reads {shown(value[value.index(' #') + 1 :])} as a comment"
        if sign:
            return f"inside braces YAML ends a value at {sign.lstrip('$')}, so {shown(value)} is cut"
    if value[:1] in _FIRST:
        return _FIRST[value[0]]
    if ": " in value or value.endswith(":"):
        return f'YAML reads ": " as the end of a key, so {shown(value)} is no text'
    return f"YAML cannot read {shown(value)}"


def _told(failure: _Failure, mended: Mended) -> UnreadableError:
    lines = split_lines(mended.text)
    place = mended.original(failure.place)
    line = lines[place[0] - 1] if place[0] <= len(lines) else ""
    begun = mended.original(failure.begun)
    if "\\t" in failure.problem or re.match(r" *\t", line):
        return UnreadableError(place, "a tab indents this line", "YAML indents with blanks: put two for each tab")
    if "could not find expected ':'" in failure.problem:
        written = lines[begun[0] - 1].strip()
        return UnreadableError(begun, f"{shown(written)} is no  key: value", "add the colon, with a blank after it")
    if "quoted scalar" in failure.context:
        return UnreadableError(begun, "the quotes that begin here never end", "close them")
    if "flow" in failure.context:
        sign = "bracket [" if "sequence" in failure.context else "brace {"
        return UnreadableError(begun, f"the {sign} that begins here is not closed where YAML expects it", _CLOSE)
    if "mapping values are not allowed" in failure.problem or "block" in failure.context:
        return UnreadableError(place, "this line does not fit the indentation of the lines above", _INDENT)
    return UnreadableError(place, "this is no YAML", "look at the quotes and the indentation here")


_CLOSE = "close it, and quote values that hold [ ] { } , ? or #"
_INDENT = "keys that belong together begin in the same column; a value that holds a colon is quoted"
