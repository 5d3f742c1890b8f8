"""A plan in sentences: what will be fetched, how politely, what comes out, and what becomes of one URL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from yamlcrawl.compiler.frame import numbered
from yamlcrawl.compiler.pipelines import item_types
from yamlcrawl.errors import dotted
from yamlcrawl.model.plan import CrawlPlan, LinkRule
from yamlcrawl.spec.items import Field, ItemRule
from yamlcrawl.spec.load import Loaded
from yamlcrawl.spec.pages import Link, Next, Page
from yamlcrawl.spec.selectors import Each, Languages
from yamlcrawl.spec.start import Start
from yamlcrawl.urls import host_name, is_public, join

SHOWN = 3
"""Start requests of one rule that are written out."""
MANY = 10_000
"""Start requests that are looked at."""


def explain(loaded: Loaded, plan: CrawlPlan) -> str:
    """The plan in sentences, for people; secrets are masked."""
    sections = [_title(plan), _start(loaded, plan), _manners(plan), *_pages(loaded), _items(loaded), _targets(plan)]
    sections += [_limits(plan), _secrets(plan)]
    return plan.secrets.mask("\n\n".join("\n".join(lines) for section in sections if (lines := list(section))))


def _title(plan: CrawlPlan) -> Iterator[str]:
    yield f"{plan.name}: {plan.description}" if plan.description else plan.name


def _start(loaded: Loaded, plan: CrawlPlan) -> Iterator[str]:
    if loaded.spec.login is not None:
        yield f"It signs in at {loaded.spec.login.url} before the first page, and again where the session is lost"
    yield "It starts with"
    seeds = list(islice(plan.seeds(), MANY + 1))
    for kind, starts in loaded.spec.start.items():
        for path, start in zip(numbered(("start", kind), len(starts)), starts, strict=True):
            found = [seed for seed in seeds if seed.via == dotted(path)]
            if not start.fetch:
                yield f"  {kind}: nothing, fetch is false for {start.address}"
                continue
            count = f"{len(found):,}" if len(seeds) <= MANY else f"{len(found):,} or more"
            leads = _leads(start)
            yield f"  {kind}: {_counted(count, 'request')}{_method(start)}{leads}"
            yield from (f"    {seed.url}" for seed in found[:SHOWN])
            if len(found) > SHOWN:
                yield "    …"


def _leads(start: Start) -> str:
    if start.file is not None:
        return f" from {'standard input, which is not read here' if start.file == '-' else start.file}"
    return f" for a {start.source}, and the pages it lists" if start.source in ("sitemap", "feed") else ""


def _method(start: Start) -> str:
    method = start.method or ("POST" if start.body is not None or start.form is not None else "GET")
    return "" if method == "GET" else f" by {method}"


def _counted(count: str, noun: str) -> str:
    return f"{count} {noun}{'' if count == '1' else 's'}"


def _manners(plan: CrawlPlan) -> Iterator[str]:
    site = plan.site
    yield "How it asks"
    yield f"  as {site.user_agent} (site.user_agent)"
    politeness: dict[tuple[float, int], list[str]] = {}
    for host in sorted(site.start_hosts):
        own = site.host(host)
        politeness.setdefault((own.sleep, own.per_host), []).append(host)
    for (sleep, per_host), hosts in politeness.items():
        at_once = "one request at a time" if per_host == 1 else f"at most {per_host} requests in the air"
        wait = f"{sleep:g} s between two (site.sleep)" if sleep else "no wait between two (site.sleep)"
        yield f"  {_listed(hosts)}: {at_once} (site.per_host), {wait}"
        if sleep:
            yield f"    so an hour gives at most {3600 / sleep:,.0f} pages of a host"
    yield f"  at most {site.threads} requests in the air in all (site.threads)"
    yield f"  robots.txt is {'obeyed' if site.robots else 'ignored'} (site.robots)"
    times = site.retry.times
    yield f"  what fails is tried {times} more time{'s' * (times != 1)} (site.retry)"


def _listed(words: Sequence[str]) -> str:
    rest = len(words) - SHOWN
    return ", ".join(words[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _pages(loaded: Loaded) -> Iterator[Iterable[str]]:
    for kind, page in loaded.spec.pages.items():
        yield _page(kind, page)


def _page(kind: str, page: Page) -> Iterator[str]:
    yield f"A page of the kind {kind} ({page.format})"
    if page.next is not None:
        yield f"  leads to the next {kind}: {_next(page.next)}"
    for target, links in page.follow.items():
        for link in links:
            yield f"  leads to {target}: {_link(link)}"
    for item, rule in page.items.items():
        yield f"  gives {item}: {_item(rule, page.format)}"
    if page.next is None and not page.follow and not page.items:
        yield "  gives nothing and leads nowhere"


def selector_text(selector: Languages) -> str:
    """A selector as it is written, its languages in order.

    >>> selector_text(Languages(css="script", json_="price"))
    'script then price'
    """
    ways = getattr(selector, "any", None)
    if ways:
        return " or ".join(map(selector_text, ways))
    types = ", ".join(selector.schema_) if selector.schema_ else None
    texts = [selector.bare, selector.css, selector.xpath, selector.js, types, selector.json_]
    return " then ".join(text for text in texts if text is not None)


def _next(rule: Next) -> str:
    if rule.header:
        return "where its Link header says"
    if rule.sink is None:
        return f"where {selector_text(rule) or 'the text'} leads"
    place = {"param": "the parameter", "body": "the place in the body", "form": "the form field", "url": "the address"}
    where = f"{place[rule.sink]} {getattr(rule, rule.sink)}"
    if rule.counts:
        until = f", up to {rule.max}" if rule.max is not None else ", until a page gives nothing new"
        return f"{where} counts up by {rule.step}{until}"
    return f"{where} gets the value of {selector_text(rule) or 'the text'}"


def _link(link: Link) -> str:
    said = f"the address {link.url}" if link.url else selector_text(link) or "the text"
    if link.each is not None:
        said += f" in {_each(link.each)}"
    for key, patterns in (("only", link.include), ("not", link.exclude)):
        if patterns:
            said += f"; {key} " + ", ".join(pattern.glob or f"/{pattern.regex}/" for pattern in patterns)
    return said + (f"; carries {', '.join(link.carry)}" if link.carry else "")


def _each(each: Each) -> str:
    outer = f"each {selector_text(each)}"
    return outer if each.each is None else f"{_each(each.each)} in {outer}"


def _item(rule: ItemRule, page_format: str) -> str:
    said = "one for each row" if page_format == "csv" else "one for the page"
    if rule.each is not None:
        said = f"one for {_each(rule.each)}"
    elif rule.table is not None:
        said = f"one for each row of {selector_text(rule.table)}"
    elif rule.schema_ is not None:
        said = f"one for each {' or else '.join(rule.schema_)} of its structured data"
    if rule.where:
        said += f", where {rule.where}"
    return said + (f"; told apart by {', '.join(rule.key)}" if rule.key else "")


def _items(loaded: Loaded) -> Iterator[str]:
    columns: dict[str, dict[str, str]] = {}
    for page in loaded.spec.pages.values():
        for item, rule in page.items.items():
            is_json = page.format in ("json", "feed") or rule.schema_ is not None
            plain = "as the JSON has it" if is_json else "text"
            known = columns.setdefault(item, {})
            known.update((name, _column(field, plain)) for name, field in rule.fields.items() if name not in known)
    for item, names in item_types(loaded.spec).items():
        yield f"Columns of {item}"
        yield from (f"  {name}: {columns[item].get(name, 'carried')}" for name in names)


def _column(field: Field, plain: str) -> str:
    untyped = "text" if field.regex or field.has_value or field.from_ else plain
    kind = "a record" if field.fields is not None else field.type or untyped
    if field.gives_list and field.join is None:
        kind = "a list of records" if field.fields is not None else f"a list of {kind}"
    return kind + (", required" if field.required else "") + (f", else {field.default}" if field.default else "")


def _targets(plan: CrawlPlan) -> Iterator[str]:
    yield "Items go"
    for target in plan.targets:
        to = "to standard output" if target.name == "-" else f"into {target.name}"
        how = "as they come" if target.streaming else "written whole when the run ends well"
        yield f"  {to}: {', '.join(target.kinds)}, {how}"
    if not plan.targets:
        yield "  nowhere: no page gives any"


def _limits(plan: CrawlPlan) -> Iterator[str]:
    limits = plan.limits
    share = None if limits.error_share is None else f"{limits.error_share:.0%}"
    written: Mapping[str, object] = {
        "pages": limits.pages,
        "items": limits.items,
        "depth": limits.depth,
        "seconds (time)": limits.time,
        "errors": limits.errors if limits.errors is not None else share,
        "bytes": limits.bytes,
    }
    said = [f"{value} {name}" for name, value in written.items() if value is not None]
    yield "It ends when nothing is left to fetch" + (f", or at {', '.join(said)} (limits)" if said else "")


def _secrets(plan: CrawlPlan) -> Iterator[str]:
    if plan.secrets:
        yield "Secrets of the environment go to the start hosts alone" + (
            f", and to {', '.join(plan.site.secret_hosts)} as site.hosts says" if plan.site.secret_hosts else ""
        )


def explain_url(plan: CrawlPlan, address: str) -> str:
    """What becomes of one URL: its canonical form, its scope, which rules take it and why others do not."""
    url = join("", address.strip())
    if url is None:
        return f"{address} is no address that can be fetched: it needs http:// or https:// and a host"
    return plan.secrets.mask("\n".join(_about(plan, url)))


def _about(plan: CrawlPlan, url: str) -> Iterator[str]:
    yield url
    known = plan.site.canonical(url)
    yield f"  remembered as {known}" if known != url else "  remembered as it is"
    yield f"  {_scope(plan, url)}"
    yield from (f"  {line}" for line in _address(plan, url))
    seeds = {seed.via: seed.page for seed in islice(plan.seeds(), MANY) if seed.canonical == known}
    for via, opened in seeds.items():
        yield f"  {via}: a start request, read as {opened}"
    for kind, page in plan.pages.items():
        for rule in page.follow:
            yield f"  {rule.path}: {_verdict(kind, rule, url)}"
    for listing in plan.listings.values():
        why = listing.refuses(url)
        said = f"leaves it out: {why}" if why else f"takes it where it is listed, and reads it as {listing.page}"
        yield f"  {listing.path}: {said}"
    if plan.site.robots:
        yield f"  {join(url, '/robots.txt')} decides when it is read (site.robots)"
    if not any(page.follow for page in plan.pages.values()) and not seeds and not plan.listings:
        yield "  no link rule could take it"


def _scope(plan: CrawlPlan, url: str) -> str:
    host = host_name(url)
    if host in plan.site.start_hosts:
        return f"in scope: {host} is a host of the start"
    if plan.site.in_scope(url):
        return f"in scope: {host} is among the hosts that the spec names"
    return f"out of scope: {host} is neither a host of the start nor in site.hosts"


def _address(plan: CrawlPlan, url: str) -> Iterator[str]:
    host = host_name(url)
    try:
        public = is_public(host)
    except ValueError:
        return
    if not public and not plan.site.private_addresses and host not in plan.site.start_hosts:
        yield f"denied: {host} is no public address (site.private_addresses)"


def _verdict(kind: str, rule: LinkRule, url: str) -> str:
    why = rule.refuses(url)
    if why:
        return f"leaves it out: {why}"
    return f"takes it where a page of the kind {kind} shows it to the rule's selector, and reads it as {rule.target}"
