"""`yamlcrawl explain`: what a crawl will do, what becomes of a URL, what a key means."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yamlcrawl.commands.checked import compiled, read
from yamlcrawl.commands.politeness import cost
from yamlcrawl.compiler.show import explain as plan_in_sentences
from yamlcrawl.compiler.show import explain_url
from yamlcrawl.errors import Exit, RefusedError
from yamlcrawl.options import Wrong
from yamlcrawl.spec.reference import explain as explain_key


def explain(
    spec: Annotated[str, typer.Argument(metavar="SPEC|KEY", help="A spec, or a key of the language.")],
    about: Annotated[str | None, typer.Argument(metavar="[URL|KEY]", help="A URL to judge, or a key.")] = None,
    var: Annotated[list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="A variable's value.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A key of the spec.")] = None,
) -> int:
    """Say in sentences what a crawl will do; with a URL, which rules take it; with a key, what it means."""
    if about is None and not _is_file(spec):
        typer.echo(_key(spec))
        return Exit.GOOD
    if about is not None and "://" not in about:
        typer.echo(_key(about))
        return Exit.GOOD
    loaded = read(Path(spec), set_, partial=True)
    plan = compiled(loaded, var, without_env=True)
    if about is not None:
        typer.echo(explain_url(plan, about))
        return Exit.GOOD
    typer.echo(plan_in_sentences(loaded, plan))
    typer.echo(f"\n{cost(plan)}")
    return Exit.GOOD


def _is_file(text: str) -> bool:
    return Path(text).exists() or text.endswith((".yml", ".yaml")) or "/" in text


def _key(key: str) -> str:
    try:
        return explain_key(key)
    except Wrong as wrong:
        raise RefusedError(wrong.what, wrong.fix) from None
