"""What a saved page gives now, taken for what it must give: `yamlcrawl test --update`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from yamlcrawl.commands.offline import Miss, Tested
from yamlcrawl.commands.saved import Saved, items_text, values, write
from yamlcrawl.commands.tried import Tried
from yamlcrawl.model.item import json_text
from yamlcrawl.options import Plain
from yamlcrawl.reports.difference import NOTHING
from yamlcrawl.spec.load import Loaded
from yamlcrawl.spec.reference import flow
from yamlcrawl.spec.sending import body_leaf
from yamlcrawl.spec.yaml.edit import with_value

BOM = b"\xef\xbb\xbf"


def update_expectations(loaded: Loaded, tested: Tested, say: Callable[[str], None]) -> Tested:
    """The test as it is after its items files, and the values in the spec itself, were written anew.

    A value of the spec is changed only where nothing else in its text changes; what is left of the misses is to be
    mended by hand. `say` is told what was written. Raises SpecError, RefusedError.
    """
    if tested.tried is None:
        return tested
    for kind, gives in tested.test.expect.items():
        if gives.items is not None:
            path = (*tested.path, "expect", kind, "items")
            file = Saved(loaded).file(gives.items, path)
            data = items_text(tested.tried.items_of(kind), lines=gives.items.endswith(".jsonl"))
            if not file.is_file() or file.read_bytes() != data:
                write(file, data)
                say(f"  written {loaded.folder / gives.items}")
    written = [miss for miss in tested.misses if _mended(loaded, tested.tried, miss)]
    return replace(tested, misses=[miss for miss in tested.misses if miss not in written], written=written)


def _mended(loaded: Loaded, tried: Tried, miss: Miss) -> bool:
    """Whether what is expected stands in a file of items, or could be put right in the spec."""
    if miss.path[-1] == "items":
        return True
    steps = miss.path[miss.path.index("expect") + 1 :] if "expect" in miss.path else ()
    if len(steps) < 2 or loaded.problems.locate(miss.path).line == 0:
        return False
    kind, key, *way = steps
    items = tried.items_of(str(kind))
    value: Any = len(items)
    step: Any
    if key == "first":
        value = values(items[0]) if items else None
        for step in way:
            value = value.get(step) if isinstance(value, dict) else value[step] if isinstance(value, list) else value
        if isinstance(value, (dict, list)) or not way or miss.found == NOTHING:
            return False
    return rewrite(Path(loaded.file), lambda text: with_value(text, miss.path, scalar(value)))


def scalar(value: Any) -> str:
    """A text, number, boolean or null as YAML writes it where it is expected of an item.

    >>> print(scalar("51.77"), scalar("it's"), scalar("a\\nb"), scalar(None), scalar("plain"))
    '51.77' 'it''s' "a\\nb" null plain
    """
    if not isinstance(value, str):
        return json_text(value)
    if re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", value):
        return json_text(value)
    return flow(value) if isinstance(body_leaf(Plain(value)), str) else f"'{value}'"


def rewrite(file: Path, change: Callable[[str], str | None]) -> bool:
    """Change the text of a spec; false, and nothing is written, where the change cannot be made."""
    data = file.read_bytes()
    mark = BOM if data.startswith(BOM) else b""
    changed = change(data[len(mark) :].decode("utf-8"))
    if changed is None:
        return False
    write(file, mark + changed.encode("utf-8"))
    return True
