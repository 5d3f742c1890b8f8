"""Files that items wait for: where their records will stand, and how these get there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from yamlcrawl.model.item import json_text

File = Mapping[str, Any]
"""What the field of a downloaded file holds: path, name, url, sha256, bytes, media_type."""

_TOKEN = re.compile("\x1afile (-?[0-9]{1,20})\x1a")


def token(fingerprint: int) -> str:
    """The text that stands for a file's record until it is there.

    >>> json.loads(settled('{"file": ' + json_text(token(7)) + "}", {7: {"name": "a.pdf"}}))
    {'file': {'name': 'a.pdf'}}
    """
    return f"\x1afile {fingerprint}\x1a"


def tokens_in(value: Any) -> Iterator[int]:
    """The fingerprints of the files that a value waits for."""
    if isinstance(value, str):
        if found := _TOKEN.fullmatch(value):
            yield int(found[1])
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from tokens_in(inner)


def settled(text: str, files: Mapping[int, File | None]) -> str:
    """The item (JSON) with the records of these files in their places.

    A file that is not there is null, and left out of a list.
    """
    if "\\u001afile " not in text:
        return text
    return json_text(_settled(json.loads(text, parse_float=Decimal), files))


def _settled(value: Any, files: Mapping[int, File | None]) -> Any:
    if isinstance(value, str):
        found = _TOKEN.fullmatch(value)
        return files.get(int(found[1])) if found else value
    if isinstance(value, list):
        parts = [(part, _settled(part, files)) for part in value]
        return [after for before, after in parts if after is not None or before is None]
    if isinstance(value, dict):
        return {name: _settled(part, files) for name, part in value.items()}
    return value
