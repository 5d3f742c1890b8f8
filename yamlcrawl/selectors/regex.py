"""Regular expressions that run with a time limit."""

from __future__ import annotations

from collections.abc import Callable

import regex

from yamlcrawl.errors import ParseError
from yamlcrawl.selectors.expression import ExpressionError

SECONDS = 1.0
"""What one match may take (section 12 of the language)."""

MOST_MATCHES = 100_000
"""Matches of one pattern on one text that are kept."""

_GROUP = regex.compile(r"(?<!\\)(?:\\\\)*\\(?:([1-9][0-9]?)|g<([^>]+)>)")

Search = Callable[[str], str | None]


def _compile(pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern)
    except regex.error as error:
        said, _, position = str(error).partition(" at position ")
        place = f" at character {int(position) + 1}" if position.isdecimal() else ""
        raise ExpressionError(f'"{pattern}" is no regular expression: {said}{place}', _hint(pattern, said)) from error


def _hint(pattern: str, said: str) -> str:
    if "character set" in said:
        return r"a [ is not closed: close it with ], or write \[ where it is meant itself"
    if pattern.count("(") != pattern.count(")"):
        return r"close each bracket; a bracket that is meant itself is \( or \)"
    return r"signs that are meant themselves get a backslash: \. \? \+ \( \["


def _ran_out(pattern: str) -> ParseError:
    return ParseError(f'the regex "{pattern}" ran for more than {SECONDS:g} s on one text')


def compile_search(pattern: str) -> Search:
    """Group 1 of the first match, or the whole match where the pattern has no group; None without a match.

    Raises ParseError when it runs out of time. `concurrent` lets other threads work meanwhile: without it one bad
    pattern would stop them all.
    """
    compiled = _compile(pattern)
    group = 1 if compiled.groups else 0

    def search(text: str) -> str | None:
        try:
            match = compiled.search(text, timeout=SECONDS, concurrent=True)
        except TimeoutError as error:
            raise _ran_out(pattern) from error
        return match[group] if match else None

    return search


def compile_find_all(pattern: str) -> Callable[[str], list[str]]:
    """Group 1 of every match, or the whole match without a group; empty ones are left out.

    At most one more than MOST_MATCHES. Raises ParseError when one match runs out of time.
    """
    compiled = _compile(pattern)
    group = 1 if compiled.groups else 0

    def find(text: str) -> list[str]:
        found: list[str] = []
        position = 0
        while position <= len(text) and len(found) <= MOST_MATCHES:
            try:
                match = compiled.search(text, position, timeout=SECONDS, concurrent=True)
            except TimeoutError as error:
                raise _ran_out(pattern) from error
            if match is None:
                break
            if match[group]:
                found.append(match[group])
            position = match.end() if match.end() > match.start() else match.end() + 1
        return found

    return find


def compile_replace(pattern: str, replacement: str) -> Callable[[str], str]:
    r"""The text with every match replaced; ``\1`` and ``\g<name>`` stand for groups. Raises ParseError as above."""
    compiled = _compile(pattern)
    for group in (number or name for number, name in _GROUP.findall(replacement)):
        if group not in compiled.groupindex and not (group.isdigit() and int(group) <= compiled.groups):
            said = f'"{replacement}" names the group {group}, which "{pattern}" does not have'
            raise ExpressionError(said, "count the brackets")
    try:
        compiled.sub(replacement, "")
    except (regex.error, IndexError) as error:
        raise ExpressionError(f'"{replacement}" cannot be put in: {error}', r"a backslash itself is \\") from error

    def replace(text: str) -> str:
        try:
            return str(compiled.sub(replacement, text, timeout=SECONDS, concurrent=True))
        except TimeoutError as error:
            raise _ran_out(pattern) from error

    return replace


def compile_fullmatch(pattern: str) -> Callable[[str], bool]:
    """Whether the pattern matches the whole text; raises ParseError as above."""
    compiled = _compile(pattern)

    def matches(text: str) -> bool:
        try:
            return compiled.fullmatch(text, timeout=SECONDS, concurrent=True) is not None
        except TimeoutError as error:
            raise _ran_out(pattern) from error

    return matches
