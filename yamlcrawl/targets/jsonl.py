"""JSON lines: one item a line."""

from __future__ import annotations

from yamlcrawl.targets.files import FileTarget


class Jsonl(FileTarget):
    """A file with one JSON object a line; several item types in one file are told apart by `_item`."""
