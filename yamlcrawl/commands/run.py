"""`yamlcrawl run`: crawl what specs say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from yamlcrawl.commands.crawling import Crawling, Flags
from yamlcrawl.commands.later import not_yet
from yamlcrawl.commands.specs import spec_files
from yamlcrawl.errors import Exit, RefusedError, YamlcrawlError
from yamlcrawl.frontiers.runs import Mode

WORST = (Exit.BUG, Exit.INTERRUPTED, Exit.STOPPED, Exit.FAILED, Exit.MISSED, Exit.WRONG, Exit.GOOD)
"""Of several specs the first of these counts."""


class Log(StrEnum):
    """How a run tells what it does."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class _Later:
    flag: str
    given: object


def run(
    specs: Annotated[list[Path], typer.Argument(metavar="SPEC…", help="Specs, one crawl each, one after the other.")],
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished run.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Set an unfinished run aside and begin anew.")] = False,
    var: Annotated[list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="A variable's value.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A key of the spec, e.g. site.sleep=2s.")
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="LIMIT=N", help="A trial, e.g. pages=20; items to --to or the screen."),
    ] = None,
    to: Annotated[
        list[str] | None, typer.Option("--to", metavar="TARGET", help="A target in place of the spec's pipelines.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say only what went wrong.")] = False,
    log: Annotated[Log, typer.Option("--log", help="Lines for people, or one JSON object an event.")] = Log.TEXT,
    allow_env: Annotated[
        str | None, typer.Option("--allow-env", metavar="A,B", help="The environment variables a spec may read.")
    ] = None,
    join: Annotated[bool, typer.Option("--join", hidden=True)] = False,
    workers: Annotated[int | None, typer.Option("--workers", hidden=True)] = None,
    frontier: Annotated[str | None, typer.Option("--frontier", hidden=True)] = None,
    cache: Annotated[bool, typer.Option("--cache", hidden=True)] = False,
    accept_drop: Annotated[bool, typer.Option("--accept-drop", hidden=True)] = False,
) -> int:
    """Crawl: items go to the spec's pipelines, the exit code says how it went."""
    _refuse_later(
        _Later("--join", join),
        _Later("--workers", workers),
        _Later("--frontier", frontier),
        _Later("--cache", cache),
        _Later("--accept-drop", accept_drop),
    )
    if resume and fresh:
        raise RefusedError("--resume and --fresh do not go together", "keep one of them")
    if limit and (resume or fresh):
        raise RefusedError("a trial (--limit) has nothing to resume or to set aside", "drop --resume or --fresh")
    mode: Mode = "resume" if resume else "fresh" if fresh else "plain"
    flags = Flags(
        mode,
        tuple(var or ()),
        tuple(set_ or ()),
        tuple(limit or ()),
        tuple(to) if to else None,
        quiet,
        log,
        _names(allow_env),
    )
    return _run_all(spec_files(specs), flags)


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def _refuse_later(*flags: _Later) -> None:
    for later in flags:
        if later.given:
            raise not_yet(later.flag, f"drop {later.flag}")


def _run_all(files: Sequence[Path], flags: Flags) -> int:
    """The worst exit code of all; a spec that is refused or fails does not keep the next ones from running."""
    codes = []
    for file in files:
        try:
            code = Crawling(file, flags).crawl()
        except YamlcrawlError as error:
            if len(files) == 1:
                raise
            typer.echo(str(error), err=True)
            code = error.exit
        codes.append(code)
        if code in (Exit.INTERRUPTED, Exit.STOPPED):
            break
    return next(code for code in WORST if code in codes)
