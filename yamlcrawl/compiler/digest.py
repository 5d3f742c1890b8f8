"""What a spec means, as hashes by dotted key: two specs with the same ones can share a run's state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

from yamlcrawl.errors import Path, dotted
from yamlcrawl.spec.root import Spec

_FREE = frozenset({"name", "description", "limits", "pipelines", "tests"})
"""What may change under a run: names, when it stops, where items go, what saved pages give."""

_SPEED = frozenset({"timeout", "sleep", "retry", "threads", "per_host"})
"""How fast and how stubborn the site is asked."""


def digest(spec: Spec, given: Mapping[str, str], contents: Mapping[str, str]) -> dict[str, str]:
    """Dotted key to a hash of what stands there, variables of the command line included.

    `contents` are the hashes of the files that list start requests, by their name. Templates count as they are written,
    so values of the environment, the date and the place of state play no part.
    """
    written = spec.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    site = {key: value for key, value in written.pop("site", {}).items() if key not in _SPEED}
    if isinstance(site.get("hosts"), dict):
        site["hosts"] = {name: _without_speed(options) for name, options in site["hosts"].items()}
    meaning = {key: value for key, value in written.items() if key not in _FREE} | {"site": site}
    meaning["vars"] = {**meaning.get("vars", {}), **given}
    found = {dotted(path): _hash(value) for path, value in _leaves((), meaning)}
    return found | {f"the content of {name}": sha256 for name, sha256 in contents.items()}


def _without_speed(options: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key not in _SPEED}


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves((*path, key), inner)
    elif value or not isinstance(value, dict) or len(path) > 1:
        yield path, value


def _hash(value: Any) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
