"""What becomes of an address that stands on a page: followed, or left out and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from yamlcrawl.compiler.guards import Guards
from yamlcrawl.compiler.scope import Scope
from yamlcrawl.model.request import plain_fingerprint
from yamlcrawl.model.tally import Tally
from yamlcrawl.urls import Match, canonical, host_name, join

MANY = 20_000
"""Verdicts that one rule remembers (about 8 MB); then it begins anew."""


class Admitted(NamedTuple):
    """An address that is followed."""

    fingerprint: int
    """Of a plain GET for the rule's page kind."""
    url: str
    canonical: str


class LeftOut(NamedTuple):
    """An address that is not followed."""

    counter: str
    """The tally's name for it; empty where nobody need know (``mailto:``)."""
    url: str


Verdict = Admitted | LeftOut

IGNORED = LeftOut("", "")

POSTBACK = re.compile(r"\s*javascript:\s*(?:window\.)?(?:__doPostBack|WebForm_DoPostBackWithOptions)", re.IGNORECASE)
"""What sends a form by script."""

_OTHER_SCHEME = re.compile(r"\s*(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Judge:
    """Scope, patterns and guards of one link rule."""

    path: str
    """Dotted path of the rule."""
    target: str
    scope: Scope
    drop: Match | None
    guards: Guards
    include: Sequence[Match] = ()
    exclude: Sequence[Match] = ()

    def resolve(self, base: str, address: str) -> str | LeftOut:
        """The absolute URL of an address on a page."""
        url = join(base, address)
        if url is not None:
            return url
        if POSTBACK.match(address):
            return LeftOut(f"form:{self.path}", address)
        return IGNORED if _OTHER_SCHEME.match(address) else LeftOut(f"bad_url:{self.path}", address)

    def judge(self, url: str) -> Verdict:
        """What becomes of an absolute URL."""
        host = host_name(url)
        if not self.scope.has(host):
            return LeftOut(f"offsite:{host}", url)
        return self.judge_inside(url, canonical(url, self.drop))

    def judge_inside(self, url: str, spelling: str) -> Verdict:
        """What becomes of a URL that is in scope; `spelling` is its canonical form."""
        if self.include and not any(match(spelling) for match in self.include):
            return LeftOut(f"excluded:{self.path}", url)
        if self.exclude and any(match(spelling) for match in self.exclude):
            return LeftOut(f"excluded:{self.path}", url)
        guard = self.guards.cut(spelling)
        if guard:
            return LeftOut(f"cut:{guard}", url)
        return Admitted(plain_fingerprint(spelling, self.target), url, spelling)


def reason(judge: Judge, url: str) -> str:
    """Why the rule leaves the absolute URL out, in words; empty where it follows it."""
    known = canonical(url, judge.drop)
    host = host_name(url)
    if not judge.scope.has(host):
        return f"{host} is outside of the hosts of this crawl (site.hosts)"
    if judge.include and not any(match(known) for match in judge.include):
        return "no pattern of include takes it"
    if any(match(known) for match in judge.exclude):
        return "a pattern of exclude takes it"
    guard = judge.guards.cut(known)
    return f"a guard against traps cuts it (limits.guards.{guard})" if guard else ""


def count(tally: Tally, left_out: LeftOut) -> None:
    """Note an address that is not followed."""
    if left_out.counter:
        tally.note(left_out.counter, left_out.url)


class Folders:
    """Raw hrefs to verdicts, remembered by the folder of the page they stand on. Safe between threads.

    Pages of one folder write the same hrefs again and again; a known one costs a look-up.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._folders: dict[str, Folder] = {}
        self._hosts = judge.scope.hosts

    def folder(self, base: str) -> Folder:
        """The verdicts of the pages whose relative addresses resolve as those of this one do."""
        if self._hosts is not self._judge.scope.hosts:
            self._hosts = self._judge.scope.hosts
            self._folders = {}
        path = base.partition("?")[0]
        name = path[: path.rindex("/") + 1]
        found = self._folders.get(name)
        if found is None:
            if sum(len(folder.known) for folder in list(self._folders.values())) > MANY:
                self._folders = {}
            found = self._folders[name] = Folder(name, self._judge)
        return found


# a relative path without anything that joining would change: no dot segments but at its beginning, no escapes
_SIMPLE = re.compile(r"((?:\.\./)*)(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*/)*(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*)?", re.ASCII)
# resolved against the page itself, not its folder
_OF_THE_PAGE = re.compile(r"[\s\x00-\x20]*(?:$|\?|https?:(?!//))", re.IGNORECASE)


class Folder:
    """The verdicts for hrefs on the pages of one folder."""

    __slots__ = ("_above", "_inside", "_judge", "known")

    def __init__(self, name: str, judge: Judge) -> None:
        self._judge = judge
        self.known: dict[str, Verdict] = {}
        self._inside = name in judge.scope
        self._above = _with_above(name, lambda url: canonical(url, judge.drop))

    def verdict(self, base: str, href: str) -> Verdict:
        """What becomes of the href, which has no fragment, on the page with this base."""
        found = self.known.get(href)
        if found is not None:
            return found
        simple = _SIMPLE.fullmatch(href) if href and self._inside else None
        if simple:
            found = self._simple(href, simple.end(1))
        else:
            url = self._judge.resolve(base, href)
            found = url if isinstance(url, LeftOut) else self._judge.judge(url)
            if _OF_THE_PAGE.match(href):
                return found
        if len(self.known) < MANY:
            self.known[href] = found
        return found

    def _simple(self, href: str, dots: int) -> Verdict:
        folder, spelling = self._above[min(dots // 3, len(self._above) - 1)]
        tail = href[dots:]
        url = folder + tail
        return self._judge.judge_inside(url, url if spelling is folder else spelling + tail)


def _with_above(folder: str, spell: Callable[[str], str]) -> list[tuple[str, str]]:
    """The folder and those above it up to the root, each as it is written and in its canonical form."""
    found = []
    while True:
        spelling = spell(folder)
        found.append((folder, folder if spelling == folder else spelling))
        if folder.count("/") <= 3:
            return found
        folder = folder[: folder.rindex("/", 0, len(folder) - 1) + 1]
