"""What was expected of a page and what it gave, compared field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from yamlcrawl.errors import Path
from yamlcrawl.model.item import json_text
from yamlcrawl.options import Plain

NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that is not as expected; both sides as JSON text, or ``nothing`` where one is not there."""

    path: Path
    """The field, and the way on inside a record or list; empty for a whole item."""
    expected: str
    found: str


def differences(expected: Any, found: Any, path: Path = (), *, partial: bool = False) -> Iterator[Difference]:
    """Where two JSON values differ; numbers are the same only if they are written the same.

    An unquoted text of a spec (`Plain`) is equal to any value whose JSON text it is, and to that text. With `partial`
    a mapping says something of the names that stand in it alone.

    >>> from decimal import Decimal
    >>> [d.found for d in differences({"price": Plain("51.77")}, {"price": Decimal("51.77"), "x": 1}, partial=True)]
    []
    >>> list(differences({"price": Decimal("12.50")}, {"price": Decimal("12.5")}))
    [Difference(path=('price',), expected='12.50', found='12.5')]
    """
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        names = dict.fromkeys([*expected, *(() if partial else found)])
        for name in map(str, names):
            if name not in found:
                yield Difference((*path, name), _shown(expected[name]), NOTHING)
            elif name not in expected:
                yield Difference((*path, name), NOTHING, json_text(found[name]))
            else:
                yield from differences(expected[name], found[name], (*path, name), partial=partial)
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for n, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(one, other, (*path, n), partial=partial)
    elif not _is_same(expected, found):
        yield Difference(path, _shown(expected), json_text(found))


def _is_same(expected: Any, found: Any) -> bool:
    if isinstance(found, str):
        return isinstance(expected, str) and str(expected) == found
    if isinstance(expected, str):
        return isinstance(expected, Plain) and str(expected) == json_text(found)
    return json_text(expected) == json_text(found)


def _shown(expected: Any) -> str:
    """What was expected as JSON text; an unquoted text as it was written."""
    return str(expected) if isinstance(expected, Plain) else json_text(expected)


def aligned(expected: Sequence[Any], found: Sequence[Any]) -> Iterator[tuple[int | None, int | None]]:
    """The positions of items that belong together; None on one side where an item came or went.

    Equal items find each other, and what lies between them is paired in order.

    >>> list(aligned([1, 2, 3], [1, 3, 4]))
    [(0, 0), (1, None), (2, 1), (None, 2)]
    """
    matcher = SequenceMatcher(None, list(map(json_text, expected)), list(map(json_text, found)), autojunk=False)
    for _, a, a_end, b, b_end in matcher.get_opcodes():
        for n in range(max(a_end - a, b_end - b)):
            yield (a + n if a + n < a_end else None), (b + n if b + n < b_end else None)
