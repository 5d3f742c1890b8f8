"""`yamlcrawl demo`: a shop on this machine, crawled."""

from __future__ import annotations

import csv
import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer

from yamlcrawl.commands.run import run
from yamlcrawl.demo.server import PORT, shop
from yamlcrawl.demo.shop import answer
from yamlcrawl.errors import Exit, RefusedError

FOLDER = Path("yamlcrawl-demo")
SPEC = Path("shop.yml")
PAGE = Path("page.html")
PRODUCT = "/product/p02"
"""The product whose page is saved, for `try --file`."""
SHOWN = 6
WIDEST = 40


def demo(
    serve: Annotated[bool, typer.Option("--serve", help=f"Only serve it, on port {PORT}, until Ctrl-C.")] = False,
) -> int:
    """Crawl a small shop that ships with yamlcrawl."""
    return _serve() if serve else _crawl()


def _serve() -> int:
    with _opened(PORT) as address:
        typer.echo(f"The shop is open at {address}/ until Ctrl-C; its spec is {_folder() / SPEC}", err=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            return Exit.GOOD


def _crawl() -> int:
    folder = _folder()
    with _opened(0) as address, chdir(folder):
        typer.echo(f"A small shop is open at {address}/, and crawled with {folder / SPEC}\n", err=True)
        code = run([SPEC], fresh=True, var=[f"shop={address}"])
    if code == Exit.GOOD:
        _show(folder)
    return code


@contextmanager
def _opened(port: int) -> Iterator[str]:
    with ExitStack() as stack:
        try:
            address = stack.enter_context(shop(port))
        except OSError as error:
            raise RefusedError(f"port {port} cannot be had: {error.strerror}", "stop what uses it") from None
        yield address


def _folder() -> Path:
    """The folder of the demo, with the spec and a saved page in it; a spec that was changed there stays as it is."""
    for folder in (FOLDER, Path(tempfile.gettempdir()) / FOLDER):
        try:
            folder.mkdir(exist_ok=True)
            if not (folder / SPEC).exists():
                (folder / SPEC).write_bytes((files("yamlcrawl.demo") / SPEC.name).read_bytes())
            (folder / PAGE).write_text(answer(PRODUCT).body, encoding="utf-8")
        except OSError:
            continue
        return folder
    raise RefusedError(f"neither {FOLDER} nor a temporary folder can be written", "go to a folder of your own")


def _show(folder: Path) -> None:
    with (folder / "products.csv").open(encoding="utf-8", newline="") as file:
        products = list(csv.DictReader(file))
    with (folder / "reviews.jsonl").open(encoding="utf-8") as file:
        reviews = [json.loads(line) for line in file]
    _table(products, ("sku", "name", "price", "before", "stock"), folder / "products.csv")
    _table(reviews, ("id", "sku", "author", "stars", "text"), folder / "reviews.jsonl")
    typer.echo(
        "Next:\n"
        f"  yamlcrawl explain {folder / SPEC}\n"
        f"  yamlcrawl try {folder / SPEC} http://127.0.0.1:{PORT}{PRODUCT} --page product --file {folder / PAGE}\n"
        "  yamlcrawl demo --serve        # keeps the shop open, so that you can change the spec and run it"
    )


def _table(rows: Sequence[dict[str, Any]], columns: Sequence[str], path: Path) -> None:
    cells = [[_cell(row[column]) for column in columns] for row in rows[:SHOWN]]
    typer.echo("\n".join(_lines([list(columns), *cells])))
    more = f"… {len(rows) - SHOWN} more, " if len(rows) > SHOWN else ""
    typer.echo(f"{more}{len(rows)} in all, in {path}\n")


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _lines(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
