"""What kind of target an address means, and which kinds there are in this version."""

from __future__ import annotations

import re
from typing import Any

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue

from yamlcrawl.options import Wrong

SUPPORTED = ("stdout", "jsonl", "json", "csv")

_SUFFIXES = ("jsonl", "json", "csv", "tsv", "parquet")
_TEXT_SUFFIXES = ("jsonl", "json", "csv", "tsv")
_SCHEMES = {
    "folder": "one file an item",
    "sqlite": "tables in SQLite",
    "postgresql": "tables in PostgreSQL",
    "postgres": "tables in PostgreSQL",
    "http": "a webhook",
    "https": "a webhook",
    "s3": "an object store",
    "gs": "an object store",
    "az": "an object store",
}


def kind_of(to: str) -> str:
    """The kind that an address means; raises Wrong for one that means none.

    >>> [kind_of(to) for to in ("-", "out/books.jsonl", "${item}.CSV", "books.csv.gz", "s3://bucket/x.jsonl")]
    ['stdout', 'jsonl', 'csv', 'csv.gz', 's3']
    """
    if to == "-":
        return "stdout"
    if scheme := re.match(r"([A-Za-z][A-Za-z0-9+.-]+):(?://)?", to):
        name = scheme[1].lower()
        if name in _SCHEMES:
            return name
        if "://" in to:
            raise Wrong(f"no kind of target is known for {name}://", _FIX)
    steps = to.rpartition("/")[2].lower().split(".")
    if len(steps) > 2 and steps[-1] in ("gz", "zst") and steps[-2] in _TEXT_SUFFIXES:
        return ".".join(steps[-2:])
    if len(steps) > 1 and steps[-1] in _SUFFIXES:
        return steps[-1]
    raise Wrong(f'the ending of "{to}" does not say which kind of file it is', _FIX)


_FIX = 'end it in .jsonl, .json or .csv, or say "-" for standard output'


def kind_of_target(value: Any) -> str | None:
    """The discriminator of the union: looks at the address alone, wherever it stands."""
    to = value if isinstance(value, str) else value.get("to") if isinstance(value, dict) else getattr(value, "to", None)
    return kind_of(to) if isinstance(to, str) else None


def known(value: Any) -> Any:
    """Let through what names a kind of this version; told before any key is looked at."""
    if not isinstance(value, (str, dict)) and not hasattr(value, "to"):
        raise Wrong("a target is an address, or a mapping with `to`", "write: books.csv, or {to: books.csv, …}")
    if isinstance(value, dict) and not isinstance(value.get("to"), str):
        raise Wrong("a target needs `to`: where the items go", "add to: books.jsonl")
    kind = kind_of_target(value)
    if kind not in SUPPORTED:
        what = _SCHEMES.get(kind or "", f".{kind} files")
        raise Wrong(f"{what} ({kind}) as a target: not yet supported in this version", _FIX)
    return value


class BareAddress:
    """Tells the JSON schema that the address alone will do for a target."""

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        written = handler(core)
        return {"anyOf": [{"type": "string", "examples": ["-", "books.csv"]}, *written.get("oneOf", [written])]}
