"""The main text of a page: what a reader of it came for, without menus, footers and advertisements."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any


class NoArticle(ValueError):  # noqa: N818 - it is an answer, not a fault
    """Why a page gives no main text."""


def main_text(html: str) -> str:
    """The main text of a page (HTML): a paragraph, an entry of a list or a row of a table is a line.

    The same page gives the same text, whatever was read before it; nothing is fetched. Raises NoArticle where there is
    no such text.
    """
    try:
        text = _extract()(
            html,
            output_format="txt",
            include_comments=False,
            include_tables=True,
            include_formatting=False,
            deduplicate=False,
            with_metadata=False,
        )
    except RecursionError:
        raise NoArticle("nested too deeply to look for the main text") from None
    if not text:
        raise NoArticle("no main text was found")
    return "\n".join(line for line in (" ".join(line.split()) for line in text.splitlines()) if line)


@cache
def _extract() -> Any:
    from trafilatura import extract

    # it tells on standard error why it finds nothing, which the report does better
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL + 1)
    return extract
