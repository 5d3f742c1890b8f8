"""What begins before an element on its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def page_order(tree: Any) -> dict[Any, int]:
    """Every element of the page to its number in document order."""
    return {element: number for number, element in enumerate(tree.iter())}


def nearest_before(matches: Iterable[Any], node: Any, order: Mapping[Any, int]) -> Any:
    """The last match that begins before the node, its ancestors included; None where none does.

    A match is an element, or a text that knows the element it belongs to (`getparent`); it comes back as a plain text.
    """
    here = order.get(node, 0)
    found: Any = None
    last = -1
    for match in matches:
        element = match.getparent() if isinstance(match, str) and hasattr(match, "getparent") else match
        number = order.get(element, -1)
        if last < number < here:
            found, last = match, number
    return str(found) if isinstance(found, str) else found
