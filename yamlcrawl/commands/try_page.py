"""`yamlcrawl try`: one page read by its rules, nothing stored."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from yamlcrawl.commands.asked import request_of
from yamlcrawl.commands.checked import compiled, read
from yamlcrawl.commands.fetched import NotFetchedError, fetched
from yamlcrawl.commands.listed import listed, lists
from yamlcrawl.commands.told import told
from yamlcrawl.commands.tried import read_answer
from yamlcrawl.errors import Exit, ParseError, RefusedError
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response


def try_page(
    spec: Annotated[Path, typer.Argument(metavar="SPEC")],
    url: Annotated[str, typer.Argument(metavar="URL", help="The page; with --file what it stands for.")],
    page: Annotated[
        str | None, typer.Option("--page", metavar="KIND", help="The page kind; default: that of the start URL.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="SAVED", help="A saved page in place of a request.")
    ] = None,
    var: Annotated[list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="A variable's value.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A key of the spec.")] = None,
) -> int:
    """Read one page and show what each rule finds there; nothing is stored, nothing else is fetched."""
    loaded = read(spec, set_, partial=True)
    plan = compiled(loaded, var, without_env=file is not None)
    request = request_of(plan, url, page)
    response = _saved(file, request) if file else fetched(plan, request)
    try:
        if lists(plan, response):
            typer.echo(plan.secrets.mask("\n".join(listed(plan, response))))
            return Exit.GOOD
        tried = read_answer(plan, response)
    except ParseError as error:
        raise NotFetchedError(f"{plan.secrets.mask(response.url)}: {error.outcome}: {error.what}") from error
    typer.echo(plan.secrets.mask("\n".join(told(tried))))
    return Exit.MISSED if tried.page.items and not tried.items else Exit.GOOD


def _saved(file: Path, request: Request) -> Response:
    try:
        body = file.read_bytes()
    except OSError as error:
        raise RefusedError(f"{file} cannot be read: {error.strerror}", "name a page that was saved") from None
    return Response(request, request.url, 200, Headers(), body, len(body), 0.0, time.time())
