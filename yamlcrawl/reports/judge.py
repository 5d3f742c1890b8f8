"""How a run is judged: did the crawl succeed, and is the data what the spec expects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from yamlcrawl.errors import Exit
from yamlcrawl.model.frontier import Ended, Stats, Verdict
from yamlcrawl.model.plan import CrawlPlan, Expectation
from yamlcrawl.reports.counts import chains, under
from yamlcrawl.reports.expected import SortedItems, missed_by, missed_by_run
from yamlcrawl.reports.words import counted
from yamlcrawl.urls import host_key, origin

SHUT_OUT = 0.25
"""The share of pages that may be blocked or lost with the login where `expect.run.errors` says nothing."""


def judge(
    plan: CrawlPlan, stats: Stats, ended: Iterable[Ended] = (), items: SortedItems = lambda _kinds, _order: iter(())
) -> Verdict:
    """The exit code with every reason for it, in plain words with the spec's lines; 3 beats 2.

    Reaching a limit is good, but for `limits.errors`. Only counters, the failed requests and the kept items are asked,
    so a resumed run is judged as an undisturbed one.
    """
    errors, first = _errors(ended)
    failed = tuple(_failures(plan, stats, errors, first))
    unread = () if failed else tuple(_unread(plan, stats))
    missed = (*unread, *_missed(plan, stats, items), *missed_by_run(plan, stats, errors))
    code = Exit.FAILED if failed else Exit.MISSED if missed else Exit.GOOD
    return Verdict(int(code), tuple(plan.secrets.mask(reason) for reason in failed + missed))


def _errors(ended: Iterable[Ended]) -> tuple[int, dict[str, Ended]]:
    """How many requests failed, and of each page kind the first start request that did; they may be very many."""
    errors, first = 0, dict[str, Ended]()
    for end in ended:
        errors += 1
        if not end.parent:
            first.setdefault(end.page, end)
    return errors, first


def _failures(plan: CrawlPlan, stats: Stats, errors: int, first: dict[str, Ended]) -> Iterator[str]:
    if stats.reason.startswith("login: "):
        yield f"{plan.where('login')}  {stats.reason}"
        return
    good = under(stats.counts, "seed_ok")
    for page, tried in under(stats.counts, "seed").items():
        if page not in good:
            noted = next(iter(stats.notes.get(f"seed_failed:{page}", ())), "")
            cause = f"{first[page].url} {_why(first[page])}" if page in first else noted
            cause = f": {cause}" if cause else ""
            yield f"{plan.where(f'start.{page}')}  no start request for {page} was ok ({tried} tried){cause}"
    if stats.reason == "limits.errors":
        yield f"{plan.where('limits.errors')}  {counted(errors, 'request')} failed: limits.errors is reached"
    if stats.failed_hosts:
        start = {name for seed in plan.seeds() for name in (host_key(seed.url), origin(seed.url))}
        for host, why in stats.failed_hosts.items():
            if host in start:
                yield f"the start host {host} was given up: {why}"


def _why(end: Ended) -> str:
    return f"{end.outcome}: {end.reason}" if end.reason else end.outcome


def _missed(plan: CrawlPlan, stats: Stats, items: SortedItems) -> Iterator[str]:
    for expectation in plan.expect:
        pages = sum(stats.counts.get(f"parsed:{page}", 0) for page in expectation.pages)
        if pages and not (expectation.least == 0 and not stats.counts.get(f"match:{expectation.kind}")):
            yield from _missed_of(plan, stats, expectation, pages)
        yield from missed_by(plan, stats, expectation, items)
    yield from _undeclared(plan, stats)
    yield from _shut_out(plan, stats)
    yield from _listings(plan, stats)
    for path, reasons in chains(stats.counts).items():
        if cut := reasons.get("failure"):
            sample = next(iter(stats.notes.get(f"ended:{path}:failure", ())), "")
            tail = f": {sample}" if sample else ""
            yield f"{plan.where(path)}  {counted(cut, 'chain')} of next cut by a failure{tail}"


def _shut_out(plan: CrawlPlan, stats: Stats) -> Iterator[str]:
    """Pages that were not had though the site answered, where they are many and no expectation allows it."""
    pages, expected = stats.counts.get("pages", 0), plan.expect_run
    if expected.errors is not None or expected.error_share is not None or stats.reason.startswith("login: "):
        return
    for outcome, path, said in (
        ("blocked", "site.blocked", "were blocked"),
        ("session_lost", "login", "could not be read, the login was lost"),
    ):
        lost = stats.counts.get(f"outcome:{outcome}", 0)
        if lost > SHUT_OUT * pages:
            of = f"{lost:,} of {counted(pages, 'page')}"
            yield f"{plan.where(path)}  {of} {said}; expect.run.errors says how many may be"


def _listings(plan: CrawlPlan, stats: Stats) -> Iterator[str]:
    """Sitemaps and feeds that were not read to their end, and those that led to no page."""
    counts = stats.counts
    for path, listing in plan.listings.items():
        where = plan.where(path)
        listed, old = counts.get(f"listed:{path}", 0), counts.get(f"old:{path}", 0)
        if counts.get(f"listing_failed:{path}") or counts.get(f"listing_cut:{path}"):
            notes = [*stats.notes.get(f"listing_failed:{path}", ()), *stats.notes.get(f"listing_cut:{path}", ())]
            failed = counts.get(f"listing_failed:{path}", 0) + counts.get(f"listing_cut:{path}", 0)
            tail = "".join(f": {note}" for note in notes[:1])
            yield f"{where}  {counted(failed, listing.noun)} could not be read whole{tail}"
        if counts.get(f"seed_ok:{listing.page}") and not listed and not old:
            yield f"{where}  the {listing.noun} lists no address"
        elif listed > old and not counts.get(f"kept:{path}"):
            yield f"{where}  none of the {listed:,} addresses in the {listing.noun} is let through"


def _undeclared(plan: CrawlPlan, stats: Stats) -> Iterator[str]:
    """Selectors with a prefix that no page declares; an alternative may be for other pages."""
    for path, pages in under(stats.counts, "prefix").items():
        if stats.counts.get(f"tried:{path}") == pages and ".any." not in path:
            prefix = next(iter(stats.notes.get(f"prefix:{path}", ())), "a prefix")
            yield f"{plan.where(path)}  {path}: the document does not declare {prefix} ({counted(pages, 'page')})"


def _unread(plan: CrawlPlan, stats: Stats) -> Iterator[str]:
    """Item types whose pages nothing led to; fine where a limit cut the run, or nothing is newer than `since`."""
    counts = stats.counts
    parked = {page for page, _ in plan.parked}
    old = {listing.page for path, listing in plan.listings.items() if counts.get(f"old:{path}")}
    for one in plan.expect:
        kinds = set(one.pages)
        if stats.reason or one.least == 0 or kinds & (parked | old):
            continue
        if not any(counts.get(f"parsed:{kind}") for kind in kinds):
            path, cause = _lost_way(plan, stats, kinds, one.path)
            named = " or ".join(one.pages)
            yield f"{plan.where(path)}  {one.kind}: no page of the kind {named} was read{cause}"


def _lost_way(plan: CrawlPlan, stats: Stats, kinds: set[str], path: str) -> tuple[str, str]:
    """The path of the link rule that should have led to pages of these kinds, and why it did not."""
    counts = stats.counts
    links = [rule.path for page in plan.pages.values() for rule in page.follow if rule.target in kinds]
    for link in links:
        for asked, (text, _) in plan.selectors.items():
            tried = counts.get(f"tried:{asked}", 0) if f"{asked}.".startswith(f"{link}.") else 0
            if tried and not counts.get(f"hit:{asked}"):
                return asked, f"; {text} matched nothing on {tried:,} of {tried:,} pages"
    return (links[0] if links else path), ""


def _missed_of(plan: CrawlPlan, stats: Stats, expectation: Expectation, pages: int) -> Iterator[str]:
    kind, counts = expectation.kind, stats.counts
    matched = counts.get(f"match:{kind}", 0)
    made = counts.get(f"item:{kind}", 0) + counts.get(f"double:{kind}", 0)
    if not matched:
        path, subject = _unmatched(plan, stats, expectation)
        yield f"{plan.where(path)}  {kind}: {subject} matched nothing on {pages:,} of {pages:,} pages"
    elif made:
        for name, path in expectation.fields:
            if not counts.get(f"filled:{kind}.{name}") and expectation.filled.get(name) != 0:
                yield f"{plan.where(path)}  {kind}: {name} is empty in every item ({counted(made, 'item')})"
    else:
        yield from _rejected(plan, stats, expectation, matched)


def _unmatched(plan: CrawlPlan, stats: Stats, expectation: Expectation) -> tuple[str, str]:
    """The path and the text of the `each` that found no element; of a nested one, of the part that did not."""
    each = f"{expectation.path}.each"
    asked = {path: text for path, (text, _) in plan.selectors.items() if path == each or path.startswith(each + ".")}
    silent = [path for path in asked if stats.counts.get(f"tried:{path}") and not stats.counts.get(f"hit:{path}")]
    paths = silent or list(asked)
    return (paths[0], "rows " + " or ".join(asked[path] for path in paths)) if paths else (expectation.path, "the rule")


def _rejected(plan: CrawlPlan, stats: Stats, expectation: Expectation, matched: int) -> Iterator[str]:
    """Why nothing that matched became an item; nothing to say where the spec's own `where` or `noindex` did it."""
    kind = expectation.kind
    wanted = any(stats.counts.get(f"rejected:{expectation.path}.{key}") for key in ("where", "noindex"))
    if stats.reason == "limits.items" or wanted:
        return
    wanting = [(name, path) for name, path in expectation.fields if stats.counts.get(f"rejected:{path}")]
    for name, path in wanting:
        yield f"{plan.where(path)}  {kind}: all of {matched:,} were rejected, {name} is required and was not there"
    if not wanting:
        yield f"{plan.where(expectation.path)}  {kind}: no field had a value on {counted(matched, 'page')}"
