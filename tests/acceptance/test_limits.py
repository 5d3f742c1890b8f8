"""Limits are exact, also with sixteen threads in the middle of their work."""

from __future__ import annotations

import pytest

from bench.shows.limits import SPEC, tree
from tests.commandline import CommandLine
from tests.site import Hit, Page, Site, html


def test_pages_never_one_more(site: Site, crawl: CommandLine) -> None:
    site.latency, site.fallback = 0.005, tree
    run = crawl(SPEC.format(limit="pages: 137", url=site.url()))
    assert run.exit == 0, run.output
    answered = [hit for hit in site.log.pages() if hit.status == 200]
    assert len([hit for hit in answered if not hit.query]) + len([h for h in site.log if h.status == 301]) == 137
    assert run.report["limit"] == "limits.pages"


def test_items_never_one_more(site: Site, crawl: CommandLine) -> None:
    site.latency, site.fallback = 0.005, tree
    run = crawl(SPEC.format(limit="items: 411", url=site.url()))
    assert run.exit == 0, run.output
    assert len(run.items) == 411
    assert len({item["id"] for item in run.items}) == 411
    assert run.report["limit"] == "limits.items"


def test_depth_is_exact(site: Site, crawl: CommandLine) -> None:
    site.latency, site.fallback = 0.005, tree
    run = crawl(SPEC.format(limit="depth: 2", url=site.url()))
    assert run.exit == 0, run.output
    numbers = {int(hit.path.strip("/") or 0) for hit in site.log.pages()}
    assert numbers == set(range(21))  # 1 + 4 + 16


@pytest.mark.parametrize(("limit", "exit_code"), [("errors: 5", 3), ("errors: 10%", 3), ("errors: 1000", 0)])
def test_errors_end_it_as_failed(site: Site, crawl: CommandLine, limit: str, exit_code: int) -> None:
    def page(hit: Hit) -> Page:
        number = int(hit.path.strip("/") or 0)
        if number % 4 == 3:
            return html("<h1>no</h1>", 403)
        return tree(hit) if number < 100 else "<li>7</li>"

    site.fallback = page
    run = crawl(SPEC.format(limit=limit, url=site.url()))
    assert run.exit == exit_code, run.output
    errors = sum(hit.status == 403 for hit in site.log)
    assert errors >= 5
    if exit_code:
        assert run.report["limit"] == "limits.errors"
        assert len(site.log) < 150
