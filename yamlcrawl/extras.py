"""Optional libraries: which extra of the package brings them, and whether they are there."""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS = {
    "article": "trafilatura",
    "markdown": "markdownify",
    "pdf": "pypdf",
}
"""Extra to the module that it brings."""


def is_installed(extra: str) -> bool:
    """Whether what the extra brings can be imported.

    >>> is_installed("no-such")
    Traceback (most recent call last):
    ...
    KeyError: 'no-such'
    """
    return find_spec(EXTRAS[extra]) is not None


def install(extra: str) -> str:
    """The command that installs it.

    >>> install("pdf")
    'pip install "yamlcrawl[pdf]"'
    """
    return f'pip install "yamlcrawl[{extra}]"'
