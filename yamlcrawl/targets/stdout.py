"""Standard output: one JSON object a line, as the items come."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from yamlcrawl.targets.target import Target


class Stdout(Target):
    """Print each item as JSON on a line of its own: for pipes, and for trying a spec."""

    to: Literal["-"] = Field(description="`-`: standard output, JSON lines.", examples=["-"])
