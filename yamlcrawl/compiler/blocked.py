"""Answers that are no data: the known challenge pages, and those that `site.blocked` describes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.challenges import challenge
from yamlcrawl.compiler.frame import Frame, compile_patterns, numbered
from yamlcrawl.compiler.selectors import compile_selector, nodes
from yamlcrawl.compiler.spots import spot_of
from yamlcrawl.errors import ParseError, Path, dotted
from yamlcrawl.model.document import Parse
from yamlcrawl.model.plan import BlockedPlan, Place, View
from yamlcrawl.model.response import Response
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.model.tally import Tally
from yamlcrawl.parsers.charset import decode
from yamlcrawl.parsers.html import html_parser
from yamlcrawl.parsers.media import media_type
from yamlcrawl.selectors.regex import compile_fullmatch
from yamlcrawl.spec.blocked import Blocked
from yamlcrawl.spec.selectors import Selector
from yamlcrawl.transforms.text import collapsed, one_line
from yamlcrawl.urls import Match

PATH: Path = ("site", "blocked")

Find = Callable[[Place, Any], Any]


def compile_blocked(frame: Frame) -> BlockedPlan:
    """How answers are told that are no data; what is wrong is noted."""
    written = frame.spec.site.blocked
    if written is None:
        return BlockedPlan(lambda: lambda _response: "", lambda _url: "")
    marks = [_compile(one, path, frame) for path, one in zip(numbered(PATH, len(written)), written, strict=True)]

    def judge() -> Callable[[Response], str]:
        parse = html_parser(frame.spec.site.encoding)

        def why(response: Response) -> str:
            page = _Page(response, parse, frame)
            return challenge(response) or next((mark.path for mark in marks if mark.holds(page)), "")

        return why

    def leads(url: str) -> str:
        known = frame.canonical(url)
        return next((mark.path for mark in marks if mark.by_address and mark.is_at(known)), "")

    return BlockedPlan(judge, leads)


def _compile(written: Blocked, path: Path, frame: Frame) -> _Marks:
    find: Find | None = None
    if written.css is not None:
        bench = Bench(frame.problems, frame.names, "", drop=frame.drop)
        find = compile_selector(Selector(css=written.css), (), spot_of("html"), path, bench).find
    return _Marks(
        dotted(path),
        collapsed(written.text or "").casefold(),
        find,
        frozenset(written.status),
        compile_patterns(written.url, (*path, "url"), frame.problems, compile_fullmatch),
        frame.canonical,
    )


class _Page:
    """An answer as a page, which is parsed where a mark asks for it, and once for all marks."""

    def __init__(self, response: Response, parse: Parse, frame: Frame) -> None:
        self.response = response
        self._parse, self._frame = parse, frame

    @cached_property
    def view(self) -> View | None:
        """The page; None for what is no HTML."""
        response = self.response
        if not response.body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and "html" not in media_type(response):
            return None
        try:
            return View(self._parse(response), response.request, Tally(), Secrets(), self._frame.names.now)
        except ParseError:
            return None

    @cached_property
    def text(self) -> str:
        """What people read of it, without regard to case."""
        if self.view is not None:
            return one_line(self.view.document.tree).casefold()
        content_type = self.response.headers.get("content-type")
        return collapsed(decode(self.response.body, content_type, self._frame.spec.site.encoding)[0]).casefold()


@dataclass(frozen=True, slots=True)
class _Marks:
    """One alternative of the spec."""

    path: str
    text: str
    find: Find | None
    status: frozenset[int]
    url: tuple[Match, ...]
    canonical: Callable[[str], str]

    @property
    def by_address(self) -> bool:
        """Whether the address says it all."""
        return not (self.text or self.find or self.status)

    def is_at(self, canonical: str) -> bool:
        """Whether the address is one of these, where any are named."""
        return not self.url or any(match(canonical) for match in self.url)

    def holds(self, page: _Page) -> bool:
        """Whether all of it holds; what costs least is asked first."""
        if self.status and page.response.status not in self.status:
            return False
        if not self.is_at(self.canonical(page.response.url)) or (self.text and self.text not in page.text):
            return False
        return self.find is None or self._finds(self.find, page.view)

    def _finds(self, find: Find, view: View | None) -> bool:
        return view is not None and any(one is not False for one in nodes(find(view.top, view.document.tree)))
