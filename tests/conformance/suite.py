"""Cases of other projects through the product's own path: served, crawled by one spec, compared with what was written.

    suite = Suite(site, crawl, "css")
    suite.add("case-1", html("<p id=a>"), {"each": "p", "fields": {"value": "@id"}})
    assert_conforms("css", {id: rows == … for id, rows in suite.crawl_all().items()})

Every case is a page kind of its own with one page, and gives items of the type `case`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commandline import CommandLine
from tests.shared import FOLDER
from tests.site import Page, Site

HERE = Path(__file__).parent
MANUAL = HERE.parents[1] / "docs" / "conformance.md"
DIFFERENCES: dict[str, dict[str, str]] = yaml.safe_load((HERE / "differences.yml").read_text(encoding="utf-8")) or {}
"""Suite to the cases where yamlcrawl means to answer otherwise, each with its reason; the manual shows them."""


def rows_of(file: str) -> list[dict[str, Any]]:
    """The cases of a file of JSON lines, each with an `id` of its own; skips where the data is not here."""
    path = FOLDER / file
    if not path.is_file():
        pytest.skip("the conformance cases are not here; YAMLCRAWL_SHARED names their folder")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    ids = [row.get("id", str(number)) for number, row in enumerate(rows)]
    return [
        row | {"id": f"{id_}-{n}" if ids.count(id_) > 1 else id_}
        for n, (row, id_) in enumerate(zip(rows, ids, strict=True))
    ]


@dataclass(slots=True)
class Suite:
    """One spec with a page kind for each case."""

    site: Site
    crawl: CommandLine
    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    """Keys of the spec's `site`."""
    _starts: dict[str, Any] = field(default_factory=dict)
    _pages: dict[str, Any] = field(default_factory=dict)
    _cases: dict[str, str] = field(default_factory=dict)
    _report: dict[str, Any] = field(default_factory=dict)

    def add(
        self, case: str, page: Page, rule: Mapping[str, Any], *, target: str = "", host: str = "127.0.0.1", **kind: Any
    ) -> str:
        """A case with its page, its item rule and further keys of its page kind (`format="json"`, …).

        `target` is the path to serve it under, where the case depends on it, `host` its host's name. Gives the URL.
        """
        name = f"c{len(self._pages):04}"
        path = target or f"/{name}"
        self.site.host(host).pages[path] = page
        self._starts[name] = self.site.url(path, host)
        self._pages[name] = {**kind, "items": {"case": rule | {"fields": {**rule["fields"], "of": {"value": name}}}}}
        self._cases[name] = case
        return str(self._starts[name])

    def crawl_all(self) -> dict[str, list[dict[str, Any]]]:
        """Case to its rows as they were written, without the columns that tell cases apart; decimals as text."""
        spec = {
            "name": "conformance",
            "site": {"sleep": "0s", "robots": "ignore", **self.settings},
            "start": self._starts,
            "pages": self._pages,
            "expect": {"case": {"min": 0, "filled": dict.fromkeys(self._columns(), "0%")}},
        }
        ran = self.crawl(json.dumps(spec, ensure_ascii=False), file="conformance.yml")
        assert ran.exit == 0, ran.output[-2000:]
        self._report.update(replace(ran, name="conformance").report)
        found: dict[str, list[dict[str, Any]]] = {case: [] for case in self._cases.values()}
        for line in (ran.folder / "conformance.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line, parse_float=str)
            found[self._cases[row.pop("of")]].append(row)
        return found

    def failed_casts(self) -> dict[str, int]:
        """Case to how many of its values could not be read as their type, as the report has it."""
        failed = dict.fromkeys(self._cases.values(), 0)
        for loss in self._report["losses"]:
            kind = re.fullmatch(r"pages\.(c\d+)\..*", loss["of"])
            if loss["name"] == "cast" and kind:
                failed[self._cases[kind[1]]] += loss["count"]
        return failed

    def _columns(self) -> list[str]:
        return list(dict.fromkeys(name for page in self._pages.values() for name in page["items"]["case"]["fields"]))


def assert_conforms(suite: str, verdicts: Mapping[str, bool]) -> None:
    """Every case holds but for those in `differences.yml`, which do not, and the manual gives the share."""
    means = DIFFERENCES.get(suite, {})
    wrong = sorted(case for case, holds in verdicts.items() if not holds and case not in means)
    assert not wrong, f"{len(wrong)} of {len(verdicts)} cases do not hold: {', '.join(wrong[:20])}"
    agree = sorted(case for case in means if verdicts.get(case, True))
    assert not agree, f"these are listed in differences.yml, and hold or are not there: {', '.join(agree)}"
    hold = sum(verdicts.values())
    row = f"| {suite} | {len(verdicts)} | {hold} | {100 * hold / len(verdicts):.1f} % |"
    assert row in MANUAL.read_text(encoding="utf-8"), f"docs/conformance.md must say: {row}"
