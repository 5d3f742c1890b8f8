"""When to stop."""

from __future__ import annotations

from yamlcrawl.model.frontier import Limits as LimitsPlan
from yamlcrawl.spec.limits import Limits


def compile_limits(limits: Limits) -> LimitsPlan:
    """The plan's limits: errors are a number or a share."""
    errors = limits.errors
    return LimitsPlan(
        pages=limits.pages,
        items=limits.items,
        depth=limits.depth,
        time=limits.time,
        errors=errors if isinstance(errors, int) else None,
        error_share=errors if isinstance(errors, float) else None,
        bytes=limits.bytes,
    )
