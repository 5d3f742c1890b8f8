"""Start requests that list addresses (sitemaps, feeds): from what was fetched to the requests of the pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from email.utils import parsedate_to_datetime
from functools import partial

from yamlcrawl.compiler.addresses import Judge, LeftOut, count, reason
from yamlcrawl.compiler.frame import Frame, compile_patterns, numbered
from yamlcrawl.compiler.guards import NO_GUARDS
from yamlcrawl.compiler.variables import day
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.plan import Listing
from yamlcrawl.model.request import Chain, Request
from yamlcrawl.model.response import Response
from yamlcrawl.model.tally import Tally
from yamlcrawl.parsers.directory import Directory, Entry
from yamlcrawl.parsers.feed import read_feed
from yamlcrawl.parsers.sitemap import read_sitemap
from yamlcrawl.selectors.regex import compile_fullmatch
from yamlcrawl.spec.start import Start

NESTED = 5
"""How deeply sitemaps may name sitemaps; the protocol knows one level."""

READERS: Mapping[str, Callable[[Response, str | None], Directory]] = {
    "sitemap": lambda response, _encoding: read_sitemap(response.body, response.headers.get("content-type")),
    "feed": read_feed,
}
"""Key of a start request to what reads the answer; `site.encoding` forces the charset of a feed."""


def compile_listings(start: Mapping[str, Sequence[Start]], frame: Frame) -> dict[str, Listing]:
    """Dotted path of each start request that lists addresses to what reads them; what is wrong is noted."""
    return {
        dotted(path): _listing(one, page, path, frame)
        for page, written in start.items()
        for path, one in zip(numbered(("start", page), len(written)), written, strict=True)
        if one.source in READERS
    }


def _listing(start: Start, page: str, path: Path, frame: Frame) -> Listing:
    here = dotted(path)
    judge = Judge(
        here,
        page,
        frame.scope,
        frame.drop,
        NO_GUARDS,
        compile_patterns(start.include, (*path, "include"), frame.problems, compile_fullmatch),
        compile_patterns(start.exclude, (*path, "exclude"), frame.problems, compile_fullmatch),
    )
    since = None
    if start.since is not None:
        today = frame.names.today
        since = datetime.combine(day(start.since, today, "since"), datetime.min.time(), UTC)
    lister = _Lister(judge, since, READERS[start.source], frame.spec.site.encoding)
    return Listing(here, page, start.source, lister.read, partial(reason, judge))


@dataclass(frozen=True, slots=True)
class _Lister:
    """Reads the answers of one start request."""

    judge: Judge
    since: datetime | None
    directory: Callable[[Response, str | None], Directory]
    encoding: str | None

    def read(self, response: Response, tally: Tally) -> list[Request]:
        """The requests of the entries; what was left out, and why, is noted. Raises ParseError."""
        request, path = response.request, self.judge.path
        found = self.directory(response, self.encoding)
        if found.warning:
            tally.note(f"listing_cut:{path}", f"{response.url}: {found.warning}")
        if found.without:
            tally.note(f"unlinked:{path}", response.url)
            tally.add(f"unlinked:{path}", found.without - 1)
        if found.nested and request.chain.step >= NESTED:
            tally.note(f"listing_cut:{path}", f"{response.url}: sitemaps more than {NESTED} levels deep")
            return []
        if not found.nested:
            tally.add(f"listed:{path}", len(found.entries))
        return list(self._requests(found.entries, response, tally, nested=found.nested))

    def _requests(
        self, entries: Sequence[Entry], response: Response, tally: Tally, *, nested: bool
    ) -> Iterator[Request]:
        asked, judge = response.request, self.judge
        for entry in entries:
            url = judge.resolve(response.url, entry.address)
            if isinstance(url, LeftOut):
                count(tally, url if url.counter else LeftOut(f"bad_url:{judge.path}", entry.address))
                continue
            if self._is_old(entry, url, tally):
                continue
            verdict = replace(judge, include=(), exclude=()).judge(url) if nested else judge.judge(url)
            if isinstance(verdict, LeftOut):
                count(tally, verdict)
                continue
            if not nested:
                tally.add(f"kept:{judge.path}")
            yield Request(
                verdict.url,
                verdict.canonical,
                page=judge.target,
                priority=asked.priority,
                purpose=asked.purpose if nested else "page",
                via=judge.path,
                parent=response.url,
                carry=asked.carry,
                vars=asked.vars,
                chain=Chain(step=asked.chain.step + 1) if nested else Chain(),
            )

    def _is_old(self, entry: Entry, url: str, tally: Tally) -> bool:
        if self.since is None:
            return False
        changed = last_moment(entry.modified or "", UTC)
        if changed is None:
            if entry.modified:
                tally.note(f"undated:{self.judge.path}", f"{entry.modified[:40]!r} of {url}")
            return False
        if changed > self.since:
            return False
        tally.add(f"old:{self.judge.path}")
        return True


_W3C = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](.+))?)?)?")


def last_moment(text: str, zone: tzinfo) -> datetime | None:
    """The latest moment that a date of a sitemap or feed may mean; None for one that cannot be read.

    W3C date and time formats (a year, a month or a day means its end) and RFC 5322, as sitemaps and RSS have them.

    >>> str(last_moment("2025-02", UTC)), str(last_moment("Thu, 05 Jan 2017 13:34:51 +0100", UTC))
    ('2025-03-01 00:00:00+00:00', '2017-01-05 13:34:51+01:00')
    >>> last_moment("yesterday", UTC)
    """
    found = _W3C.fullmatch(text.strip())
    try:
        if found is None:
            moment = parsedate_to_datetime(text)
        elif found[4]:
            moment = datetime.fromisoformat(text.strip())
        else:
            moment = datetime.combine(_following(found), datetime.min.time())
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _following(found: re.Match[str]) -> date:
    """The day after the year, the month or the day."""
    year, month = int(found[1]), int(found[2] or 12)
    if found[3]:
        return date(year, month, int(found[3])) + timedelta(days=1)
    return date(year + month // 12, month % 12 + 1, 1)
