"""Where items go: one target or several."""

from __future__ import annotations

from yamlcrawl.options import Listed
from yamlcrawl.targets import TargetOptions

Pipelines = Listed[TargetOptions]
"""The targets, in the order written."""
