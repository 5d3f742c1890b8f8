"""The counters of a crawl, looked up by what they count (see `model.tally`)."""

from __future__ import annotations

from collections.abc import Mapping


def under(counts: Mapping[str, int], what: str) -> dict[str, int]:
    """The counters ``what:of what``, by the second part; the largest first, then by name.

    >>> under({"outcome:ok": 5, "outcome:timeout": 9, "pages": 14}, "outcome")
    {'timeout': 9, 'ok': 5}
    """
    found = {name.partition(":")[2]: n for name, n in counts.items() if name.startswith(what + ":") and n}
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def chains(counts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """How the chains of `next` ended: path of the rule to reason to number.

    >>> chains({"ended:pages.list.next:empty": 2, "ended:pages.list.next:404": 1})
    {'pages.list.next': {'empty': 2, '404': 1}}
    """
    ends: dict[str, dict[str, int]] = {}
    for name, n in under(counts, "ended").items():
        path, _, reason = name.rpartition(":")
        ends.setdefault(path, {})[reason] = n
    return ends
