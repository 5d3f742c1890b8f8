"""A spec to its plan: a list of passes, each of which notes what is wrong; nothing is fetched before all are right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path as Folder
from zoneinfo import ZoneInfo

from yamlcrawl.compiler.blocked import compile_blocked
from yamlcrawl.compiler.digest import digest
from yamlcrawl.compiler.frame import Frame
from yamlcrawl.compiler.guards import Guards
from yamlcrawl.compiler.limits import compile_limits
from yamlcrawl.compiler.listings import compile_listings
from yamlcrawl.compiler.login import compile_login
from yamlcrawl.compiler.pages import check_reached, compile_pages, expectations, run_expectation
from yamlcrawl.compiler.patterns import check_patterns
from yamlcrawl.compiler.pipelines import compile_targets, downloads_folder
from yamlcrawl.compiler.scope import Scope
from yamlcrawl.compiler.site import compile_hosts, compile_site, secrets_for
from yamlcrawl.compiler.start import AnyBeginning, compile_start, contents_of, hosts_of, origins_of, parked
from yamlcrawl.compiler.templates import Names
from yamlcrawl.compiler.variables import compile_variables
from yamlcrawl.compiler.ways import check_chosen
from yamlcrawl.errors import Path
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.spec.expect import RUN
from yamlcrawl.spec.load import Loaded
from yamlcrawl.urls import drop_params


def compile_spec(
    loaded: Loaded,
    *,
    variables: Mapping[str, str] | None = None,
    env: Mapping[str, str],
    now: float,
    check_env: bool = True,
    allow_env: Collection[str] | None = None,
    to: Sequence[str] | None = None,
    number: int = 1,
    folder: Folder | None = None,
) -> CrawlPlan:
    """What the spec means; raises SpecError with everything that is wrong. Doubts are added to `loaded.problems`.

    `variables` are those of the command line, `env` the environment (with `check_env` false, what is not set there is
    no problem; with `allow_env` only these may be read), `now` the start of the run in seconds since the epoch, `to`
    targets instead of the spec's own, `number` that of the run, `folder` what paths of targets are relative to (the
    working directory).
    """
    spec, problems, given = loaded.spec, loaded.problems, variables or {}
    zone = ZoneInfo(spec.site.timezone) if spec.site.timezone else None
    taken = frozenset(spec.login.take) if spec.login else frozenset[str]()
    names = Names(problems, env=env, now=now, zone=zone, check_env=check_env, allowed=allow_env, login=taken)
    matrix = compile_variables(spec.vars, given, names)
    beginnings = compile_start(spec.start, names, matrix, loaded.address_file)
    login_url = names.template(spec.login.url, ("login", "url")) if spec.login else None
    start_hosts, start_origins = hosts_of(beginnings, login_url)
    hosts = compile_hosts(spec.site, names)
    scope = Scope(
        start_hosts,
        [match for _, match, _ in hosts.named],
        everything=hosts.everything,
    )
    drop = drop_params(spec.site.dropped)
    site = compile_site(spec.site, names, hosts, scope, drop, (start_hosts, start_origins))
    limits = spec.limits.guards
    guards = Guards(limits.url, limits.depth, limits.repeats, limits.variants)
    frame = Frame(spec, names, matrix, scope, drop, guards, secrets_for(start_hosts, hosts, names))
    if not loaded.partial:
        check_reached(spec, problems)
    login = compile_login(spec.login, login_url, frame) if spec.login and login_url else None
    pages = compile_pages(frame)
    blocked = compile_blocked(frame)
    listings = compile_listings(spec.start, frame)
    check_chosen(frame)
    check_patterns(frame)
    secrets = Secrets(names.used)
    targets = compile_targets(frame, secrets, (folder or Folder()).absolute(), number=number, to=to)
    problems.raise_errors()
    return CrawlPlan(
        name=spec.name,
        description=spec.description or "",
        digest=digest(spec, given, contents_of(beginnings)),
        seeds=lambda: _seeds(beginnings, frame),
        origins=origins_of(beginnings),
        parked=parked(beginnings),
        pages=pages,
        site=site,
        limits=compile_limits(spec.limits),
        targets=targets,
        downloads=str(downloads_folder(targets, (folder or Folder()).absolute())),
        login=login,
        blocked=blocked,
        listings=listings,
        expect=expectations(pages, spec.expect),
        expect_run=run_expectation(spec.expect.get(RUN)),
        secrets=secrets,
        selectors=frame.selectors,
        now=now,
        where=_places(loaded),
    )


def _seeds(beginnings: Sequence[AnyBeginning], frame: Frame) -> Iterator[Request]:
    for beginning in beginnings:
        if beginning.fetch:
            yield from beginning.requests(frame.canonical, frame.may)


def _places(loaded: Loaded) -> Callable[[str], str]:
    """Dotted path to the place in the file."""

    def where(path: str) -> str:
        steps: Path = tuple(int(step) if step.isdecimal() else step for step in path.split("."))
        place = loaded.problems.locate(steps)
        return f"{place.file}:{place.line}:{place.column}" if place.line else place.file

    return where
