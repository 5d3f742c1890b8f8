"""The types that are made from markup, `markdown` and `article`: what they need, and how a match becomes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.errors import Path, dotted
from yamlcrawl.extras import install, is_installed
from yamlcrawl.model.plan import Place
from yamlcrawl.parsers.html import html_fragment, readable_html, whole_html
from yamlcrawl.parsers.xml import inner_xml
from yamlcrawl.transforms.article import NoArticle, main_text
from yamlcrawl.transforms.markdown import NoMarkdown, markdown

MARKUP = frozenset(["markdown", "article"])
_NEEDS = {"markdown": "to make Markdown", "article": "to find the main text of a page"}


def compile_markup(kind: str | None, path: Path, bench: Bench) -> Callable[[Any, Place], str | None] | None:
    """What makes an element, or a text that is HTML, a value of the type; None for other types.

    A type whose library is not there is noted as a problem. What cannot be made is null, and noted in the tally.
    """
    if kind not in MARKUP:
        return None
    if not is_installed(kind):
        bench.problems.error((*path, "type"), f"a library is needed {_NEEDS[kind]}", install(kind))
    failed = "cast:" + dotted(path)

    def make(match: Any, place: Place) -> str | None:
        document = place.view.document
        element = _html(match, is_xml=document.format == "xml")
        if element is None:
            return None
        try:
            if kind == "markdown":
                return markdown(readable_html(element, document.base)) or None
            return main_text(whole_html(element))
        except (NoMarkdown, NoArticle) as why:
            place.view.tally.note(failed, f"{why}, on {document.response.url}")
            return None

    return make


def _html(match: Any, *, is_xml: bool) -> Any:
    """The match as an element of HTML; an element of XML gives the HTML that is in it. None where there is nothing."""
    if isinstance(match, str):
        return html_fragment(match)
    return html_fragment(inner_xml(match)) if is_xml else match
