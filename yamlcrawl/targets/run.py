"""What a target must know of the run that fills it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Run:
    """The run as targets see it."""

    kinds: Mapping[str, Sequence[str]]
    """Item type to its fields, both in the order of the spec."""
    folder: Path
    """The working directory, absolute: relative paths are taken from it."""
    number: int = 1
    """The run's number: `${run}` and `_run`."""
    now: float = 0.0
    """When the run began, seconds since the epoch: `${date}`."""
    zone: tzinfo = UTC
    """Where a day begins (`site.timezone`)."""
    path: str = "pipelines"
    """Dotted path of the target in the spec, for messages."""
    confined: bool = True
    """The target stands in a spec, so it must not write above the working directory."""
    mask: Callable[[str], str] = str
    """Takes secrets out of an address (`Secrets.mask`)."""

    @property
    def date(self) -> str:
        """The day on which the run began, e.g. ``2026-12-01``."""
        return datetime.fromtimestamp(self.now, self.zone).date().isoformat()
