"""Flags of the form ``--var name=value``."""

from __future__ import annotations

from collections.abc import Iterable

from yamlcrawl.errors import RefusedError


def assignments(texts: Iterable[str] | None, flag: str, example: str) -> dict[str, str]:
    """Name to value; the last one stands where a name comes twice. Raises RefusedError.

    >>> assignments(["city=oslo", "q=a=b"], "--var", "city=oslo")
    {'city': 'oslo', 'q': 'a=b'}
    """
    found = {}
    for text in texts or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise RefusedError(f"{flag} {text}: a name, a =, and a value should stand here", f"{flag} {example}")
        found[name.strip()] = value
    return found
