"""HTML to Markdown (CommonMark, with the tables of GitHub)."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_SIGNS = re.compile(r"([\\`*\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|~(?=~)|(?<![^\W_])_|_(?![^\W_]))")
"""What would begin an emphasis, a link, code, a tag or an entity."""
_LINE = re.compile(r"^( *)(?:(#{1,6}|[-+>]|=+|-+)|(\d{1,9})([.)]))(?=\s|$)")
"""What would make a heading, a list, a quote or a rule of the line that it begins."""
_INLINE = frozenset(
    "a abbr b bdi bdo cite code del dfn em i img ins kbd mark q s samp small span strong sub sup u var".split()
)
_TICKS = re.compile(r"`{3,}")


class NoMarkdown(ValueError):  # noqa: N818 - it is an answer, not a fault
    """Why a piece of HTML gives no Markdown."""


def markdown(html: str) -> str:
    r"""The piece of HTML as Markdown; what is no markup in it stays none. Raises NoMarkdown where it nests too deeply.

    Headings are marked with `#`, lists with `-`; a line break is two blanks at the end of a line, the only ones there.
    Runs of white space are one blank, but in `pre`.

    >>> markdown("<h2>Rice &amp;\n peas</h2><ul><li>1 cup <b>rice</b></li><li>2_000 * 3</li></ul><p>1. no list</p>")
    '## Rice & peas\n\n- 1 cup **rice**\n- 2_000 \\* 3\n\n1\\. no list'
    """
    try:
        text: str = _converter().convert(html)
    except RecursionError:
        raise NoMarkdown("nested too deeply to be made Markdown") from None
    return text.strip()


def _converter() -> Any:
    return _converters()(heading_style="atx", bullets="-", wrap=True, wrap_width=None)


@cache
def _converters() -> Any:
    from markdownify import MarkdownConverter

    library: Any = MarkdownConverter

    class Converter(library):  # type: ignore[misc]
        """The library's, with every sign escaped that would become markup, and no other."""

        def escape(self, text: str, parent_tags: set[str]) -> str:
            text = _SIGNS.sub(r"\\\1", text)
            return text.replace("|", r"\|") if parent_tags & {"td", "th"} else text

        def process_text(self, el: Any, parent_tags: set[str] | None = None) -> str:
            text: str = super().process_text(el, parent_tags)
            return text if "_noformat" in (parent_tags or ()) or _goes_on(el) else _LINE.sub(_escaped, text)

        def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
            block: str = super().convert_pre(el, text, parent_tags)
            runs = _TICKS.findall(text)
            if not runs:
                return block
            fence = "`" * (max(map(len, runs)) + 1)
            return block.replace("```", fence, 1)[: -len("```\n\n")] + f"{fence}\n\n"

    return Converter


def _goes_on(text: Any) -> bool:
    """Whether a text stands behind another text or an inline tag, so that it begins no line."""
    before = text.previous_sibling
    return before is not None and before.name in _INLINE


def _escaped(found: re.Match[str]) -> str:
    blanks, mark, number, stop = found.groups()
    return f"{blanks}\\{mark}" if mark else f"{blanks}{number}\\{stop}"
