"""Patterns that can never let anything through."""

from __future__ import annotations

import re

from yamlcrawl.compiler.frame import Frame, numbered
from yamlcrawl.compiler.pages import link_paths
from yamlcrawl.errors import Path
from yamlcrawl.spec.pages import Link
from yamlcrawl.spec.patterns import Pattern


def check_patterns(frame: Frame) -> None:
    """Note the patterns of link rules that no URL in scope can match, and rules that exclude all they include."""
    for kind, page in frame.spec.pages.items():
        for target, rules in page.follow.items():
            for path, link in link_paths(kind, target, rules):
                _check_rule(link, path, frame)


def _check_rule(link: Link, path: Path, frame: Frame) -> None:
    for key in ("include", "exclude"):
        patterns: list[Pattern] = getattr(link, key)
        for here, pattern in zip(numbered((*path, key), len(patterns)), patterns, strict=True):
            _check_glob(pattern.glob or "", here, frame)
    excluded = {pattern.glob for pattern in link.exclude if pattern.glob}
    if link.include and all(pattern.glob in excluded for pattern in link.include):
        frame.problems.error((*path, "exclude"), "everything that is included is excluded too", "drop one of the two")
    elif excluded & {"**", "/**"}:
        frame.problems.error((*path, "exclude"), "this excludes every address", "say less, or drop the rule")


def _check_glob(glob: str, path: Path, frame: Frame) -> None:
    if "#" in glob:
        fix = "drop what follows the #; a # that belongs to the path is written %23"
        frame.problems.error(path, f'"{glob}" never matches: addresses lose their fragment', fix)
    if "://" not in glob:
        return
    scheme, _, rest = glob.partition("://")
    if "*" not in scheme and scheme.lower() not in ("http", "https"):
        frame.problems.error(path, f'"{glob}" never matches: only http and https are fetched', "say https")
        return
    host = re.split(r"[/?:]", rest, maxsplit=1)[0].lower()
    if "*" not in host and not frame.scope.has(host):
        # a start request may lead to that host by a redirect, which nobody knows yet
        frame.problems.warn(path, f'"{glob}" hardly matches: links do not lead to {host}', f"add {host} to site.hosts")
