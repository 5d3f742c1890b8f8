"""`yamlcrawl record`: one page saved beside the spec, with what it gives now, as a test."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer

from yamlcrawl.commands.asked import request_of
from yamlcrawl.commands.checked import compiled, read
from yamlcrawl.commands.fetched import NotFetchedError, fetched
from yamlcrawl.commands.saved import Saved, items_text, write
from yamlcrawl.commands.tried import Tried, read_answer
from yamlcrawl.commands.update import rewrite
from yamlcrawl.errors import Exit, ParseError, RefusedError
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response
from yamlcrawl.options import Wrong
from yamlcrawl.reports.words import counted, plain, size
from yamlcrawl.spec.load import Loaded
from yamlcrawl.spec.reference import flow
from yamlcrawl.spec.tests import below
from yamlcrawl.spec.yaml.edit import with_entry

KEPT = ("content-type", "content-language", "last-modified", "link", "x-robots-tag")
"""Headers that rules may read; all others, cookies above all, are nobody's business."""
SUFFIXES = {"feed": ".xml", "text": ".txt"}
"""Of a saved page, where that is not the name of its format."""
FOLDER = "saved"


def record(
    spec: Annotated[Path, typer.Argument(metavar="SPEC")],
    url: Annotated[str, typer.Argument(metavar="URL", help="The page.")],
    page: Annotated[
        str | None, typer.Option("--page", metavar="KIND", help="The page kind; default: that of the start URL.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="FILE", help="Where to save it, below the spec's folder [saved/KIND-1.html]."),
    ] = None,
    var: Annotated[list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="A variable's value.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A key of the spec.")] = None,
) -> int:
    """Save a page and what it gives now, and add it to the spec as a test."""
    loaded = read(spec, set_)
    plan = compiled(loaded, var)
    asked = request_of(plan, url, page)
    _refuse_without_items(plan, asked)
    files = _files(loaded, plan, asked, name)
    tried = _read_back(loaded, var, _without_secrets(plan, fetched(plan, asked)))
    test = Recorded(asked, tried, files)
    _save(loaded, test)
    _add(loaded, plan, test)
    _say_what_is_carried(loaded, asked)
    return Exit.GOOD if tried.items else Exit.MISSED


@dataclass(frozen=True, slots=True)
class Files:
    """Where a page and its items are saved, from the spec's folder."""

    page: str
    items: Mapping[str, str]
    """By item type."""

    @property
    def all(self) -> tuple[str, ...]:
        """All of them."""
        return self.page, *self.items.values()


@dataclass(frozen=True, slots=True)
class Recorded:
    """A page that was fetched, as a test."""

    asked: Request
    tried: Tried
    files: Files

    def entry(self, plan: CrawlPlan) -> Iterator[str]:
        """The lines of its entry under `tests`."""
        answer = self.tried.response
        yield f"- page: {flow(self.tried.page.kind)}"
        yield f"  file: {flow(self.files.page)}"
        yield f"  url: {flow(answer.url)}"
        if (requested := plan.secrets.mask(self.asked.url)) != answer.url:
            yield f"  requested_url: {flow(requested)}"
        if answer.status != 200:
            yield f"  status: {answer.status}"
        if headers := answer.headers.merged():
            yield f"  headers: {flow(headers)}"
        yield f"  fetched_at: {flow(_moment(answer.fetched_at))}"
        yield "  expect:"
        yield from (f"    {kind}: {{items: {flow(file)}}}" for kind, file in self.files.items.items())


def _refuse_without_items(plan: CrawlPlan, asked: Request) -> None:
    kind = asked.page
    if asked.purpose != "page":
        raise RefusedError(
            f"{asked.via} is a {asked.purpose}, which gives no items", f"record a page of the kind {kind} that it lists"
        )
    if not plan.pages[kind].items:
        others = [page.kind for page in plan.pages.values() if page.items]
        fix = f"record a page of the kind {' or '.join(others)}" if others else "give it items first"
        raise RefusedError(f"pages of the kind {kind} give no items, so there is nothing to expect of them", fix)


def _files(loaded: Loaded, plan: CrawlPlan, asked: Request, name: str | None) -> Files:
    """Names that are free; raises RefusedError where the page is recorded already, or its name is taken."""
    page = plan.pages[asked.page]
    kinds = [rule.kind for rule in page.items]
    suffix = SUFFIXES.get(page.format, f".{page.format}")
    taken = {file for test in loaded.spec.tests for file in (test.file, *(g.items for g in test.expect.values()))}
    if name is not None:
        files = _named(_below(name), suffix, kinds)
        there = next((file for file in files.all if file in taken or (loaded.folder / file).exists()), None)
        if there:
            raise RefusedError(f"{loaded.folder / there} is there already", "choose another name, or remove it first")
        return files
    _refuse_twice(loaded, plan, asked)
    number = 1
    while True:
        files = _named(f"{FOLDER}/{page.kind}-{number}", suffix, kinds)
        if not any(file in taken or (loaded.folder / file).exists() for file in files.all):
            return files
        number += 1


def _below(name: str) -> str:
    try:
        return below(name)
    except Wrong as wrong:
        raise RefusedError(f"--as {name}: {wrong.what}", wrong.fix) from None


def _named(name: str, suffix: str, kinds: Sequence[str]) -> Files:
    path = PurePosixPath(name)
    if path.suffix and path.suffix != f".{path.stem}":
        stem, file = path.with_suffix(""), str(path)
    else:
        stem, file = path, f"{path}{suffix}"
    if len(kinds) == 1:
        return Files(file, {kinds[0]: f"{stem}.items.json"})
    return Files(file, {kind: f"{stem}.{kind}.json" for kind in kinds})


def _refuse_twice(loaded: Loaded, plan: CrawlPlan, asked: Request) -> None:
    for number, test in enumerate(loaded.spec.tests):
        known = plan.site.canonical(test.requested_url or test.url)
        if test.page == asked.page and known == plan.secrets.mask(asked.canonical):
            where = loaded.problems.locate(("tests", number))
            raise RefusedError(
                f"{where.file}:{where.line}: this page is there already, as {test.file}",
                "--as FILE keeps one more; or take that test out of the spec, with its files, and record the page anew",
            )


def _without_secrets(plan: CrawlPlan, answer: Response) -> Response:
    """The answer as it may be stored: only headers that are kept, and no secret anywhere."""
    secrets = plan.secrets
    kept = Headers((name, secrets.mask(value)) for name, value in answer.headers if name in KEPT)
    body = secrets.mask_bytes(answer.body, _codecs(plan, answer), also=_echoes(plan))
    return replace(
        answer, url=secrets.mask(answer.url), headers=kept, body=body, fetched_at=float(int(answer.fetched_at))
    )


def _codecs(plan: CrawlPlan, answer: Response) -> Iterable[str]:
    """The charset that the page is read in; a body that is refused by its parser is not saved."""
    try:
        return ("utf-8", plan.pages[answer.request.page].parse()(answer).encoding)
    except ParseError:
        return ("utf-8",)


def _echoes(plan: CrawlPlan) -> Iterator[str]:
    """Texts that give a secret away without holding it: a page may echo the header of basic authentication."""
    auth, secrets = plan.site.auth, plan.secrets
    if auth is not None and auth.kind == "basic" and secrets:
        pair = f"{auth.user}:{auth.secret}"
        yield b64encode(secrets.reveal(pair, secrets.names).encode()).decode()


def _read_back(loaded: Loaded, var: Sequence[str] | None, answer: Response) -> Tried:
    """What the page gives when it is read as it is saved."""
    plan = compiled(loaded, var, now=answer.fetched_at, without_env=True)
    try:
        return read_answer(plan, answer)
    except ParseError as error:
        raise NotFetchedError(f"{answer.url}: {error.outcome}: {error.what}") from error


def _save(loaded: Loaded, test: Recorded) -> None:
    saved, body = Saved(loaded), test.tried.response.body
    write(saved.file(test.files.page, ("tests",)), body)
    typer.echo(f"saved  {loaded.folder / test.files.page}  ({size(len(body))})")
    for kind, file in test.files.items.items():
        items = test.tried.items_of(kind)
        write(saved.file(file, ("tests",)), items_text(items, lines=False))
        typer.echo(f"saved  {loaded.folder / file}  ({counted(len(items), 'item')} of type {kind})")
        if not items:
            typer.echo(f"warning: the page gives no {kind}; `yamlcrawl try` shows why", err=True)


def _add(loaded: Loaded, plan: CrawlPlan, test: Recorded) -> None:
    """The entry into the spec, or where that cannot be done exactly, onto standard output."""
    lines = [plain(line) for line in test.entry(plan)]
    try:
        added = rewrite(Path(loaded.file), lambda text: with_entry(text, "tests", lines))
        why = "it cannot be added without touching more of the spec"
    except RefusedError as error:
        added, why = False, error.what
    if added:
        typer.echo(f"added  tests.{len(loaded.spec.tests)} to {loaded.file}")
        return
    typer.echo(f"{loaded.file}: {why}; put this under tests: yourself", err=True)
    typer.echo("\n".join(lines))


def _say_what_is_carried(loaded: Loaded, asked: Request) -> None:
    missing = [name for name in loaded.spec.carried(asked.page) if name not in asked.carry]
    if missing:
        fields = ", ".join(f"{name}: …" for name in missing)
        said = f"links carry {', '.join(missing)} to pages of the kind {asked.page}, which a page alone does not tell"
        typer.echo(f"note: {said}: add  carry: {{{fields}}}  to the test, and `yamlcrawl test --update`", err=True)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
