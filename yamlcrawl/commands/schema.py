"""`yamlcrawl schema`: the JSON Schema of the language, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from yamlcrawl.errors import Exit, RefusedError
from yamlcrawl.spec.reference import json_schema


def schema(
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="A file in place of the screen.")
    ] = None,
) -> int:
    """Print the JSON Schema of specs."""
    text = json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"
    if output is None:
        typer.echo(text, nl=False)
        return Exit.GOOD
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        said = f"{output} cannot be written: {error.strerror}"
        raise RefusedError(said, "name a file in a folder of yours") from None
    return Exit.GOOD
