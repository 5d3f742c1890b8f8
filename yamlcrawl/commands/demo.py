"""`yamlcrawl demo`: a shop on this machine, crawled."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from yamlcrawl.demo.server import PORT, shop
from yamlcrawl.errors import RefusedError


def demo(
    serve: Annotated[bool, typer.Option("--serve", help=f"Only serve it, on port {PORT}, until Ctrl-C.")] = False,
) -> int:
    """Crawl a small shop that ships with yamlcrawl."""
    if serve:
        return _serve()
    return 0


def _serve() -> int:
    try:
        with shop(PORT) as address:
            typer.echo(f"The shop is open at {address}/ until Ctrl-C.", err=True)
            while True:
                time.sleep(3600)
    except OSError as error:
        raise RefusedError(f"port {PORT} cannot be had: {error.strerror}", "stop what uses it") from None
    except KeyboardInterrupt:
        return 0
