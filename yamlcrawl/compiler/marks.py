"""What a page says of itself to crawlers: noindex and nofollow, in its meta tags and its header."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from yamlcrawl.model.plan import View

Marks = frozenset[str]
"""``noindex``, ``nofollow``, both or none of them."""

_BOTH = frozenset({"noindex", "nofollow"})
_META = "robots"
_HEADER = "x-robots-tag"
_WITH_VALUES = frozenset({"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"})
"""Directives in which a colon stands, so that what is before it is no crawler's name."""


def compile_marks(token: str) -> Callable[[View], Marks]:
    """What reads the marks of a page: those for every crawler, and those for the one with this product token.

    A meta tag ``robots``, or of the crawler's own name, and the header X-Robots-Tag; names and words in any case.
    """
    own = token.lower()

    def marks(view: View) -> Marks:
        words = {word.strip().lower() for text in _texts(view, own) for word in text.split(",")}
        return _BOTH if "none" in words else frozenset(_BOTH & words)

    return marks


def _texts(view: View, own: str) -> Iterator[str]:
    document = view.document
    for value in document.response.headers.all(_HEADER):
        name, colon, rest = value.partition(":")
        name = name.strip().lower()
        if not colon or name in _WITH_VALUES or "," in name:
            yield value
        elif name == own:
            yield rest
    if document.format == "html":
        for meta in document.tree.iter("meta"):
            if (meta.get("name") or "").strip().lower() in (_META, own):
                yield meta.get("content") or ""
