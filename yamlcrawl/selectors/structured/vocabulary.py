"""Names of schema.org, however they are spelled."""

from __future__ import annotations

import re

from yamlcrawl.selectors.expression import ExpressionError

ANY = "any"
"""Stands for every type, and for nodes without one."""

SCHEMA_ORG = "http://schema.org/"

_SPELLED = re.compile(r"(?:(?:https?:)?//)?(?:[a-z-]+\.)?schema\.org/+#?|schema:", re.IGNORECASE)
_TYPE = re.compile(r"[A-Z0-9]\w*|[A-Za-z][\w+.-]*:\S+")


def local_name(name: str) -> str:
    """The name without what says that it is one of schema.org's; other names as they are.

    >>> [local_name(name) for name in ("Recipe", "https://schema.org/Recipe", "schema:Recipe", "http://a.test/Recipe")]
    ['Recipe', 'Recipe', 'Recipe', 'http://a.test/Recipe']
    """
    if ":" not in name and "/" not in name:
        return name
    spelled = _SPELLED.match(name)
    return name[spelled.end() :] or name if spelled else name


def wanted_types(written: str) -> tuple[str, ...]:
    """The types of a list with commas, by their local names; raises ExpressionError for what is none.

    >>> wanted_types("NewsArticle, schema:Article")
    ('NewsArticle', 'Article')
    """
    types = []
    for name in (part.strip() for part in written.split(",")):
        if name != ANY and not _TYPE.fullmatch(local_name(name)):
            raise ExpressionError(f'"{name}" is no type of schema.org', _mended(name))
        types.append(local_name(name))
    return tuple(types)


def _mended(name: str) -> str:
    if re.fullmatch(r"[a-z]\w*", name):
        return f"write {name[0].upper()}{name[1:]}: types begin with a capital letter"
    return "write one such as Recipe, or a list of them; any stands for all"
