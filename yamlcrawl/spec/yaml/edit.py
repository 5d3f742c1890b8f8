"""Small changes to the text of a spec that leave everything else in it as it was written, comments too.

Each is made on the text and then held against what it should mean: a change that does anything else is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import yaml

from yamlcrawl.errors import Path
from yamlcrawl.spec.yaml.compose import UnreadableError, compose
from yamlcrawl.spec.yaml.tree import Node, Place, find

_LINE = re.compile("[^\n\r\x85\u2028\u2029]*(?:\r\n|[\n\r\x85\u2028\u2029]|\\Z)")


def with_value(text: str, path: Path, written: str) -> str | None:
    """The text with another scalar at the path, `written` as YAML has it; None where that cannot be done exactly.

    >>> with_value("a: 1  # one\\nb: {c: 'x'}\\n", ("b", "c"), "2.50")
    'a: 1  # one\\nb: {c: 2.50}\\n'
    >>> with_value("a: &x 1\\nb: *x\\n", ("b",), "2")
    """
    before = _tree(text)
    if before is None:
        return None
    spot = find(before, path)
    span = _span(text, spot.node.place)
    if not spot.path or spot.path[-1] != path[-1] or not isinstance(spot.node.value, str) or span is None:
        return None
    changed = text[: span[0]] + written + text[span[1] :]
    wanted = before.plain()
    holder = wanted
    for step in spot.path[:-1]:
        holder = holder[step]
    value = _tree(f"[{written}]")
    if value is None or not isinstance(value.value, list) or len(value.value) != 1:
        return None
    holder[spot.path[-1]] = value.value[0].plain()
    return changed if _means(changed, wanted) else None


def with_entry(text: str, key: str, entry: Sequence[str]) -> str | None:
    """The text with one more entry at the end of the block list under a key of its top level, or with such a list.

    The entry is lines of YAML, the first of which begins with a dash. None where there is no place for it: the list or
    the whole text is written in brackets, comes from an anchor, or is no list.

    >>> print(with_entry("name: x  # mine\\ntests:\\n- {page: a}\\n# end", "tests", ["- page: b", "  file: f"]))
    name: x  # mine
    tests:
    - {page: a}
    # end
    - page: b
      file: f
    <BLANKLINE>
    """
    before = _tree(text)
    one = _tree("\n".join(entry))
    if before is None or not isinstance(before.value, dict) or before.flow or one is None:
        return None
    wanted = deepcopy(before.plain())
    known = wanted.setdefault(key, [])
    if not isinstance(known, list):
        return None
    known.extend(one.plain())
    made = _added_to if key in before.value else _new
    return next((changed for changed in made(text, before, key, entry) if _means(changed, wanted)), None)


def _new(text: str, root: Node, key: str, entry: Sequence[str]) -> Iterator[str]:
    """The text with the key at its end; an empty line before it, or none where that would become part of a value."""
    margin = " " * (root.place[1] - 1)
    end = _line_end(text)
    added = [f"{margin}{key}:", *(f"{margin}  {line}" for line in entry)]
    whole = text if not text or text.endswith(("\n", "\r")) else text + end
    for between in (end, ""):
        yield whole + between + "".join(line + end for line in added)


def _added_to(text: str, root: Node, key: str, entry: Sequence[str]) -> Iterator[str]:
    """The text with the entry behind the last one, before what belongs to the next key."""
    assert isinstance(root.value, dict)
    assert root.keys is not None
    node, begin = root.value[key], root.keys[key]
    if node.flow or not isinstance(node.value, list) or node.place < begin:
        return
    lines = _LINE.findall(text)
    following = min((place[0] for place in root.keys.values() if place > begin), default=len(lines) + 1)
    indent = node.place[1] - 1
    last = max(n for n in range(node.place[0], following) if n == node.place[0] or _belongs(lines[n - 1], indent))
    end = _line_end(text)
    if not lines[last - 1].endswith(("\n", "\r")):
        lines[last - 1] += end
    lines[last:last] = [f"{' ' * indent}{line}{end}" for line in entry]
    yield "".join(lines)


def _belongs(line: str, indent: int) -> bool:
    """Whether a line after the beginning of a list is part of it: no empty one, no comment further left."""
    return bool(line.strip()) and not (line.lstrip().startswith("#") and len(line) - len(line.lstrip()) < indent)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _span(text: str, place: Place) -> tuple[int, int] | None:
    """Where the scalar that begins at the place begins and ends; None for blocks, and what has an anchor or a tag."""
    events: Iterator[Any] = yaml.parse(text, Loader=yaml.SafeLoader)
    for event in events:
        begin, end = event.start_mark, event.end_mark
        if isinstance(event, yaml.ScalarEvent) and (begin.line + 1, begin.column + 1) == place:
            bare = event.style in (None, "'", '"') and event.anchor is None and event.tag is None
            return (begin.index, end.index) if bare else None
    return None


def _tree(text: str) -> Node | None:
    found: list[Any] = []
    try:
        root = compose(text, lambda *said: found.append(said))
    except (yaml.YAMLError, UnreadableError):
        return None
    return None if found else root


def _means(text: str, wanted: Any) -> bool:
    root = _tree(text)
    return root is not None and root.plain() == wanted
