"""The files of a run that programs read: ``report.json``, ``failures.jsonl``, ``skipped.jsonl``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from yamlcrawl.model.frontier import Ended, Stats
from yamlcrawl.model.item import json_text
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.reports.counts import under
from yamlcrawl.reports.report import Report
from yamlcrawl.targets.layout import json_bytes
from yamlcrawl.targets.replace import replace

REPORT = "report.json"
FAILURES = "failures.jsonl"
SKIPPED = "skipped.jsonl"

SKIPS = {
    "skipped": "the outcome of the request",
    "offsite": "leaves the scope (site.hosts)",
    "excluded": "include or exclude",
    "cut": "a guard against traps (limits.guards)",
    "bad_url": "not a URL",
    "carry": "known already, with other carried values",
    "shorter_way": "found too late by a shorter way (limits.depth)",
}
"""Counters of links that were not followed, and why; notes of `skipped` hold the reason behind the URL."""


def write_report(folder: Path, report: Report) -> Path:
    """Put ``report.json`` in place, one key a line; see `report.Report` for the keys. Raises TargetError."""
    lines = [f"  {json_text(key)}: {json_text(_exact(value))}" for key, value in asdict(report).items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    return replace(folder / REPORT, lambda: [json_bytes(text)], good=True)


def write_failures(folder: Path, ended: Iterable[Ended], secrets: Secrets) -> Path:
    """Put ``failures.jsonl`` in place: every request that ended in an error, a line each. Raises TargetError."""
    return replace(folder / FAILURES, lambda: (_line(asdict(end), secrets) for end in ended), good=True)


def write_skipped(folder: Path, stats: Stats, secrets: Secrets) -> Path:
    """Put ``skipped.jsonl`` in place: samples of the links that were not followed. Raises TargetError.

    A line has `url` (a sample), `rule` (path in the spec, host or guard), `reason`, and `count` (of all such).
    """
    return replace(folder / SKIPPED, lambda: (_line(skip, secrets) for skip in _skips(stats)), good=True)


def _skips(stats: Stats) -> Iterator[dict[str, Any]]:
    for name, reason in SKIPS.items():
        found = under(stats.counts, name) | ({"": stats.counts[name]} if stats.counts.get(name) else {})
        for rule, count in found.items():
            for note in stats.notes.get(f"{name}:{rule}" if rule else name, ()):
                url, _, said = note.partition(" ") if name == "skipped" else (note, "", reason)
                yield {"url": url, "rule": rule or name, "reason": said, "count": count}


def _line(value: dict[str, Any], secrets: Secrets) -> bytes:
    return json_bytes(json_text(secrets.mask_value(value)) + "\n")


def _exact(value: Any) -> Any:
    """The value with its few floats as decimals, which is what JSON text is written from."""
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, dict):
        return {key: _exact(one) for key, one in value.items()}
    return [_exact(one) for one in value] if isinstance(value, (list, tuple)) else value
