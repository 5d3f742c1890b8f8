"""`yamlcrawl list`, `status`, `stop`: crawls as they stand, seen from outside."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from yamlcrawl.commands.crawling import STATE
from yamlcrawl.commands.specs import specs_below
from yamlcrawl.errors import Exit, RefusedError, SpecError
from yamlcrawl.frontiers.runs import Run, Runs, names
from yamlcrawl.model.frontier import State, Stats
from yamlcrawl.reports.status import status as status_line
from yamlcrawl.reports.words import counted, plain
from yamlcrawl.spec.load import load

PATIENCE = 30.0
"""Seconds that `stop` waits for the end."""


def list_specs(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where to look for specs.")] = Path(),
) -> int:
    """List the specs below a folder, each with its last run."""
    if not folder.is_dir():
        raise RefusedError(f"{folder} is no folder", "name one, or leave it out for the working directory")
    found = specs_below(folder)
    if not found:
        raise RefusedError(f"no spec lies below {folder}", "a spec is a .yml file with start and pages at its top")
    rows = [_row(path) for path in found]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, (*widths, 0), strict=True))
        typer.echo("  ".join(cells).rstrip())
    return Exit.GOOD


def _row(path: Path) -> tuple[str, str, str, str]:
    """File, name, last run, description."""
    try:
        spec = load(path).spec
    except SpecError as error:
        return str(path), "?", f"{counted(len(error.problems), 'problem')}: yamlcrawl validate {path}", ""
    run = Runs(STATE, spec.name).newest
    return str(path), spec.name, "never run" if run is None else _last(run), plain(spec.description or "")


def _last(run: Run) -> str:
    stats = run.stats()
    when = datetime.fromtimestamp(stats.started, UTC).strftime("%Y-%m-%d %H:%M")
    end = f", exit {stats.verdict.exit}" if stats.verdict else ""
    return f"run {run.number}, {when} UTC: {_state(run, stats)}{end}, {counted(_items(stats), 'item')}"


def status(
    name: Annotated[str | None, typer.Argument(metavar="[NAME|SPEC]", help="A crawl; without it, all.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Show how crawls stand: the running ones, and the last run of the others."""
    crawls = [_named(name)] if name else names(STATE)
    if not crawls:
        raise RefusedError("no crawl has run in this folder", "start one: yamlcrawl run SPEC")
    runs = {crawl: _newest(crawl) for crawl in crawls}
    if as_json:
        typer.echo(json.dumps([_record(crawl, run) for crawl, run in runs.items()], ensure_ascii=False, indent=2))
        return Exit.GOOD
    for crawl, run in runs.items():
        typer.echo("\n".join(_standing(crawl, run)))
    return Exit.GOOD


def _standing(crawl: str, run: Run) -> Iterator[str]:
    stats = run.stats()
    yield f"{crawl}: run {run.number}, {_state(run, stats)}"
    yield f"  {status_line(stats)}"
    for key, why in stats.failed_hosts.items():
        yield f"  given up: {plain(key)} ({plain(why)})"
    if stats.verdict:
        yield f"  exit {stats.verdict.exit}{': ' if stats.verdict.reasons else ''}{'; '.join(stats.verdict.reasons)}"
    elif not run.is_live and run.is_unfinished:
        yield "  unfinished: --resume goes on, --fresh begins anew"


def _record(crawl: str, run: Run) -> dict[str, Any]:
    stats = run.stats()
    return {
        "name": crawl,
        "run": run.number,
        "state": _state(run, stats),
        "live": run.is_live,
        "unfinished": run.is_unfinished,
        "pages": stats.counts.get("pages", 0),
        "items": _items(stats),
        "open": stats.open,
        "seconds": round(stats.elapsed, 3),
        "exit": stats.verdict.exit if stats.verdict else None,
        "reasons": list(stats.verdict.reasons) if stats.verdict else [],
    }


def _items(stats: Stats) -> int:
    return sum(n for name, n in stats.counts.items() if name.startswith("item:"))


def _state(run: Run, stats: Stats) -> str:
    if stats.state in (State.INIT, State.RUNNING, State.STOPPING, State.FINISHING) and not run.is_live:
        return "killed"
    return str(stats.state)


def stop(
    crawls: Annotated[list[str], typer.Argument(metavar="NAME|SPEC…", help="The crawls to end.")],
) -> int:
    """End running crawls in good order: what is in the air is finished, --resume goes on later."""
    runs = {name: _newest(name) for name in map(_named, crawls)}
    for name, run in runs.items():
        if not run.is_live:
            raise RefusedError(f"{name} is not running", f"yamlcrawl status {name} shows its last run")
    for run in runs.values():
        run.stop()
    return _wait(runs)


def _wait(runs: dict[str, Run]) -> int:
    deadline = time.monotonic() + PATIENCE
    for name, run in runs.items():
        while run.is_live and time.monotonic() < deadline:
            time.sleep(0.05)
        typer.echo(f"{name}: asked to stop, still ending" if run.is_live else f"{name}: stopped", err=True)
    return Exit.GOOD


def _named(text: str) -> str:
    """The name of a crawl, of which a spec may be given in place."""
    path = Path(text)
    if path.suffix in (".yml", ".yaml") and path.is_file():
        return load(path).spec.name
    return text


def _newest(name: str) -> Run:
    known: Sequence[str] = names(STATE)
    run = Runs(STATE, name).newest if name in known else None
    if run is None:
        fix = f"there are {', '.join(known)}" if known else "start one: yamlcrawl run SPEC"
        raise RefusedError(f"no crawl named {name} has run in this folder", fix)
    return run
