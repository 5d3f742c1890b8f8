"""Comma-separated values (RFC 4180), with a heading."""

from __future__ import annotations

from pydantic import Field

from yamlcrawl.options import Flag
from yamlcrawl.targets.files import FileTarget


class Csv(FileTarget):
    """A table in UTF-8 with the spec's columns; its heading is there even when no item came."""

    bom: Flag = Field(False, description="Begin with a byte order mark and end rows in CR LF, as spreadsheets want it.")
    safe: Flag = Field(
        False, description="Put ' before texts that a spreadsheet would run: those that begin with = + - @, no numbers."
    )
