"""What is left of a spec with errors, so that the rest of it can be checked in the same go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from pydantic import ValidationError

from yamlcrawl.errors import Path
from yamlcrawl.spec.items import Field, ItemRule
from yamlcrawl.spec.pages import Link, Page
from yamlcrawl.spec.root import Spec
from yamlcrawl.spec.start import Start
from yamlcrawl.spec.wording import Refusal, models_at, refusals

_FIELD = {"from": "url"}
_START = {"url": "http://start.invalid/", "fetch": "false"}
_STANDINS: dict[type, Any] = {
    Field: _FIELD,
    ItemRule: {"fields": {"url": _FIELD}},
    Link: {"url": "/"},
    Page: {},
    Start: _START,
}
"""What stands in for a part at fault that others may refer to; any other part is left out."""

_ROUNDS = 30

Columns = Callable[[str], tuple[str, ...] | None]
"""The name of a file of addresses to the columns that are carried; None where they cannot be known."""


def check(tree: Any, bent: Iterable[Path] = (), columns: Columns | None = None) -> tuple[Spec | None, list[Refusal]]:
    """The spec of a tree as far as it makes sense, and all that is wrong with it; without errors it is the whole spec.

    Parts at fault are taken out of the tree until what is left is a spec. What that leads to is not told: only the
    first check is, and those that span several parts, which can be made only once all parts are sound. What stands at
    the paths in `bent` is checked as it is, and then taken out too: it is a guess at what was meant. `columns` tells
    the columns of a file of addresses.
    """
    found: list[Refusal] = []
    spec = _salvage(tree, found, columns)
    if spec is None or not bent:
        return spec, found
    for path in bent:
        if path and len(_written(tree, path)) == len(path):
            _cut(tree, Refusal(path, "", ""))
    return _salvage(tree, [], columns), found


def _salvage(tree: Any, found: list[Refusal], columns: Columns | None) -> Spec | None:
    emptied: set[Path] = set()
    first = True
    for _ in range(_ROUNDS):
        try:
            return Spec.model_validate(tree, by_alias=True, by_name=False, context=columns)
        except ValidationError as error:
            new = list(refusals(error, Spec))
        found += [
            refusal
            for refusal in new
            if refusal.path not in emptied and (first or (refusal.spans and not _follows(refusal.path, found)))
        ]
        # Keys without a value hide what else is wrong in their mapping, so these alone are taken out first.
        cut = [refusal for refusal in new if refusal.empty] if first else []
        first = bool(cut)
        emptied |= {refusal.path[:-1] for refusal in cut or new}
        if not all(_cut(tree, refusal) for refusal in cut or new):
            break
    return None


def _follows(path: Path, found: Iterable[Refusal]) -> bool:
    """Whether it is what an error inside it leads to: a part that lies there has been taken out."""
    return bool(path) and any(len(one.path) > len(path) and one.path[: len(path)] == path for one in found)


def _cut(tree: Any, refusal: Refusal) -> bool:
    """Take the part at fault out of the tree; false where nothing would be left."""
    if refusal.missing:
        return _add(tree, refusal)
    way = _written(tree, refusal.path)
    standin = None if refusal.named else _standin(refusal.path)
    if way and standin is not None:
        way[-1][0][way[-1][1]] = standin
        return True
    while way:
        container, step = way.pop()
        if isinstance(container, dict):
            del container[step]
            return True
    return False


def _add(tree: Any, refusal: Refusal) -> bool:
    if refusal.path:
        return _cut(tree, Refusal(refusal.path, "", ""))
    if refusal.missing == "name":
        tree["name"] = "spec"
    elif refusal.missing == "start" and isinstance(tree.get("pages"), Mapping) and tree["pages"]:
        tree["start"] = {next(iter(tree["pages"])): dict(_START)}
    else:
        return False
    return True


def _standin(path: Path) -> Any:
    for model in models_at(Spec, path):
        if model in _STANDINS:
            return deepcopy(_STANDINS[model])
    return None


def _written(tree: Any, path: Path) -> list[tuple[Any, Any]]:
    """Containers and steps on the way to what was written of a path."""
    way: list[tuple[Any, Any]] = []
    node: Any = tree
    step: Any
    for step in path:
        if (isinstance(node, dict) and step in node) or _is_in_list(node, step):
            way.append((node, step))
            node = node[step]
    return way


def _is_in_list(node: Any, step: Any) -> bool:
    """Whether the list has that entry; one entry as written may stand for several of the model."""
    return isinstance(node, list) and isinstance(step, int) and step < len(node)
