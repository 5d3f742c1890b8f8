"""JSON lines: one item a line."""

from __future__ import annotations

from yamlcrawl.options import Filled
from yamlcrawl.targets.files import FileTarget, path_to
from yamlcrawl.targets.layout import Layout, json_bytes
from yamlcrawl.targets.rows import Rows


class Jsonl(FileTarget):
    """A file with one JSON object a line; several item types in one file are told apart by `_item`."""

    to: Filled = path_to(".jsonl")

    def layout(self, rows: Rows) -> Layout:
        """Each item and a line feed, nothing else."""
        return Layout(lambda row: json_bytes(rows.json(row) + "\n"))
