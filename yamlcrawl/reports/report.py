"""Everything a run is told by at its end: the same for the summary and for ``report.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from yamlcrawl.errors import Exit
from yamlcrawl.model.frontier import State, Stats, Verdict
from yamlcrawl.model.plan import CrawlPlan, TargetPlan
from yamlcrawl.reports.counts import chains, under
from yamlcrawl.targets.replace import REJECTED
from yamlcrawl.targets.rows import moment

VERSION = 1
"""Of the shape of ``report.json``; it grows when a key changes its meaning or goes, not when one is added."""

LOSSES: Mapping[str, str] = {
    "cast": "could not be read as the field's type",
    "unmapped": "not listed in map",
    "object": "an object where a value was wanted: say type: json, or a path",
    "rejected": "rejected",
    "nofollow": "links marked nofollow, or on pages marked so (nofollow: obey)",
    "form": "matches that send no form",
    "left_out": "nulls and empty texts left out of a list",
    "bad_url": "addresses that are no URL",
    "column": "no such column in the table",
    "matches": "texts with more matches of a regex than are kept",
    "js": "assigned in a script, but no value that can be read",
    "schema": "pieces of structured data that cannot be read",
}
"""Counters of what was found and is not in the items or the crawl, by path of the spec; with what they mean."""

NOTICES: Mapping[str, str] = {
    "carry": "links to a page that is known already with other carried values or vars: which of them stands may vary",
    "shorter_way": "pages were found too late by a shorter way, so with limits.depth the choice of pages may vary",
    "null_key": "items with a null in their key: kept, though they cannot be told from doubles",
    "bare": "pages that gave no item: no field had a value",
    "repeated": "pages that gave what the page before them gave: their items are left out",
    "masked": "items in which a secret was masked",
    "form_field": "forms without a field that the spec fills in; it was sent all the same",
    "undated": "entries of a sitemap or feed whose date cannot be read: kept, though they may be old",
    "unlinked": "entries of a feed that have no link",
    "old": "entries of a sitemap or feed that are older than since",
    "warning": "pages of which the parser had to leave something out",
    "robots": "robots.txt files that are odd",
}
"""Counters that the reader must know of."""


@dataclass(frozen=True, slots=True)
class Field:
    """How often a field of an item type has a value (neither null nor an empty list)."""

    filled: int
    of: int
    share: float
    """0 to 1; 0 where there is no item."""


@dataclass(frozen=True, slots=True)
class Items:
    """One item type."""

    items: int
    """Kept."""
    matched: int
    """Elements (or pages) that were tried, before `where` and `required`."""
    doubles: int
    rejected: int
    fields: Mapping[str, Field]


@dataclass(frozen=True, slots=True)
class Silent:
    """A selector that was asked and never matched."""

    where: str
    path: str
    selector: str
    page: str
    tried: int
    """Pages."""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was counted, with samples."""

    name: str
    of: str
    """Path in the spec, item type, host or guard."""
    where: str
    count: int
    what: str
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """Where the items of a target lie."""

    to: str
    items: int
    state: str
    """``written``, ``rejected`` (beside the old file), or ``waiting`` for the end of the run."""


@dataclass(frozen=True, slots=True)
class Report:
    """A run, told; its JSON is ``report.json``, key for key."""

    version: int
    name: str
    run: int
    state: str
    exit: int
    reasons: tuple[str, ...]
    limit: str
    """Which limit cut the run, e.g. ``limits.pages``; empty where none did."""
    started: str
    """ISO 8601, UTC."""
    seconds: float
    """Of running, summed over resumes."""
    pages: int
    """Page requests that were begun: what `limits.pages` counts."""
    attempts: int
    retries: int
    duplicates: int
    bytes: int
    waiting: int
    """Requests that are still to be made."""
    outcomes: Mapping[str, int]
    """Requests by final outcome."""
    sitemaps: Mapping[str, int]
    """Requests for sitemaps, by final outcome."""
    feeds: Mapping[str, int]
    """Requests for feeds that list pages, by final outcome."""
    downloads: Mapping[str, int]
    """Downloads, by final outcome."""
    parsed: Mapping[str, int]
    """Pages by kind."""
    items: Mapping[str, Items]
    silent: tuple[Silent, ...]
    losses: tuple[Finding, ...]
    notices: tuple[Finding, ...]
    chains: Mapping[str, Mapping[str, int]]
    """How the chains of `next` ended: path of the rule, reason, number."""
    offsite: Mapping[str, int]
    """Links that left the scope, by host."""
    excluded: Mapping[str, int]
    """Links that include and exclude left out, by path of the rule."""
    guards: tuple[Finding, ...]
    """Links that were taken for a trap."""
    hosts: Mapping[str, str]
    """Hosts that were given up, and why."""
    parked: tuple[str, ...]
    """Start requests with `fetch: false`."""
    targets: tuple[Written, ...] = field(default_factory=tuple)
    files: Mapping[str, str] = field(default_factory=dict)
    """Where the other parts lie: ``failures``, ``skipped``, ``report``."""


def tell(
    plan: CrawlPlan, stats: Stats, verdict: Verdict, *, run: int = 0, files: Mapping[str, str] | None = None
) -> Report:
    """The report of a run as things stand."""
    counts = stats.counts
    return Report(
        version=VERSION,
        name=plan.name,
        run=run,
        state=str(_state(stats.state, verdict)),
        exit=verdict.exit,
        reasons=verdict.reasons,
        limit=stats.reason if stats.reason.startswith("limits.") else "",
        started=moment(stats.started),
        seconds=round(stats.elapsed, 3),
        pages=counts.get("pages", 0),
        attempts=counts.get("attempts", 0),
        retries=counts.get("retries", 0),
        duplicates=counts.get("duplicates", 0),
        bytes=counts.get("bytes", 0),
        waiting=stats.open,
        outcomes=under(counts, "outcome"),
        sitemaps=under(counts, "sitemap"),
        feeds=under(counts, "feed"),
        downloads=under(counts, "file"),
        parsed=under(counts, "parsed"),
        items=_items(plan, stats),
        silent=tuple(_silent(plan, stats)),
        losses=tuple(found for name in LOSSES for found in _findings(plan, stats, name, LOSSES[name])),
        notices=tuple(found for name in NOTICES for found in _findings(plan, stats, name, NOTICES[name])),
        chains=chains(counts),
        offsite=under(counts, "offsite"),
        excluded=under(counts, "excluded"),
        guards=tuple(_findings(plan, stats, "cut", "links taken for a trap (limits.guards)")),
        hosts=dict(stats.failed_hosts),
        parked=tuple(plan.secrets.mask(url) for _, url in plan.parked),
        targets=tuple(_written(target, counts, verdict) for target in plan.targets),
        files=dict(files or {}),
    )


def _state(state: State, verdict: Verdict) -> State:
    """Where the crawl will be once its reports are written, which is just before its last state is stored."""
    if state is State.FINISHING:
        return State.FAILED if verdict.exit == Exit.FAILED else State.DONE
    return State.STOPPED if state is State.STOPPING else state


def _items(plan: CrawlPlan, stats: Stats) -> dict[str, Items]:
    rules = {(page.kind, rule.kind): rule for page in plan.pages.values() for rule in page.items}
    kinds = list(dict.fromkeys(kind for _, kind in rules))
    rejected = under(stats.counts, "rejected")
    told = {}
    for kind in kinds:
        mine = [rule for (_, name), rule in rules.items() if name == kind]
        paths = {
            path
            for rule in mine
            for path in (f"{rule.path}.where", f"{rule.path}.noindex", *(one.path for one in rule.fields))
        }
        kept = stats.counts.get(f"item:{kind}", 0)
        doubles = stats.counts.get(f"double:{kind}", 0)
        told[kind] = Items(
            items=kept,
            matched=stats.counts.get(f"match:{kind}", 0),
            doubles=doubles,
            rejected=sum(n for path, n in rejected.items() if path in paths),
            fields={name: _field(stats, kind, name, kept + doubles) for name in _names(plan, kind)},
        )
    return told


def _names(plan: CrawlPlan, kind: str) -> list[str]:
    own = [f.name for page in plan.pages.values() for rule in page.items if rule.kind == kind for f in rule.fields]
    expected = [name for one in plan.expect if one.kind == kind for name, _ in one.fields]
    return list(dict.fromkeys(expected + own))


def _field(stats: Stats, kind: str, name: str, of: int) -> Field:
    filled = min(of, stats.counts.get(f"filled:{kind}.{name}", 0))
    return Field(filled, of, round(filled / of, 4) if of else 0.0)


def _silent(plan: CrawlPlan, stats: Stats) -> list[Silent]:
    """Selectors that found nothing; those with an alternative that did are the least of them, so they come last."""
    found = [
        Silent(plan.where(path), path, selector, page, tried, _hint(stats, path))
        for path, (selector, page) in plan.selectors.items()
        if (tried := stats.counts.get(f"tried:{path}", 0)) and not stats.counts.get(f"hit:{path}")
    ]
    return sorted(found, key=lambda one: _has_alternative(stats, one.path))


def _has_alternative(stats: Stats, path: str) -> bool:
    """Whether another one of the same list of alternatives matched."""
    of, mark, _ = path.rpartition(".any.")
    return bool(mark) and any(name.startswith(f"hit:{of}.any.") and n for name, n in stats.counts.items())


def _hint(stats: Stats, path: str) -> str:
    if stats.counts.get(f"prefix:{path}"):
        prefix = next(iter(stats.notes.get(f"prefix:{path}", ())), "a prefix")
        return f"the document does not declare {prefix}"
    if not stats.counts.get(f"tbody:{path}"):
        return ""
    shorter = next(iter(stats.notes.get(f"tbody:{path}", ())), "")
    return f"the page has no tbody there, browsers add it: say {shorter}" if shorter else "leave tbody out"


def _findings(plan: CrawlPlan, stats: Stats, name: str, what: str) -> list[Finding]:
    found = under(stats.counts, name)
    if n := stats.counts.get(name):
        found[""] = n
    return [
        Finding(
            name,
            of,
            plan.where(of) if "." in of and name != "cut" else "",
            n,
            _rejected(of) if name == "rejected" else what,
            _samples(plan, stats, name, of),
        )
        for of, n in found.items()
        if not (name == "robots" and of not in ("redirects", "warning"))
    ]


def _rejected(path: str) -> str:
    """Which rule rejected what, by the path that it is counted under."""
    if path.endswith((".where", ".noindex")):
        return f"rejected by {path.rpartition('.')[2]}"
    of = " (links)" if ".carry." in path else " (records)" if path.count(".fields.") > 1 else ""
    return f"rejected{of}: it is required, and was not there"


def _samples(plan: CrawlPlan, stats: Stats, name: str, of: str) -> tuple[str, ...]:
    notes = stats.notes.get(f"{name}:{of}" if of else name, ())
    return tuple(plan.secrets.mask(note) for note in notes)


def _written(target: TargetPlan, counts: Mapping[str, int], verdict: Verdict) -> Written:
    items = sum(counts.get(f"item:{kind}", 0) for kind in target.kinds)
    if target.streaming or verdict.exit == Exit.GOOD:
        return Written(target.name, items, "written")
    if verdict.exit in (Exit.MISSED, Exit.FAILED):
        return Written(target.name + REJECTED, items, "rejected")
    return Written(target.name, items, "waiting")
