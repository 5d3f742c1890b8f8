"""CSS and JMESPath."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.commandline import CommandLine
from tests.conformance.suite import Suite, assert_conforms, rows_of
from tests.shared import FOLDER
from tests.site import Answer, Site


def test_css(site: Site, crawl: CommandLine) -> None:
    cases = {case["id"]: case for case in rows_of("css/cssselect.jsonl")}
    suite = Suite(site, crawl, "css")
    for name, case in cases.items():
        page = (FOLDER / "css" / case["document"]).read_bytes()
        rule = {"each": case["selector"], "fields": {"id": {"css": "@id", "default": "nil"}}}
        suite.add(name, Answer(page, headers=[("Content-Type", "text/html; charset=utf-8")]), rule)

    def holds(case: dict[str, Any], rows: list[dict[str, Any]]) -> bool:
        if "count" in case:
            return len(rows) == case["count"]
        return bool([row["id"] for row in rows] == case["ids"])

    assert_conforms("css", {name: holds(cases[name], rows) for name, rows in suite.crawl_all().items()})


def test_jmespath(site: Site, crawl: CommandLine) -> None:
    cases = {case["id"]: case for case in rows_of("jmespath/compliance.jsonl")}
    wrong = {name: case["expression"] for name, case in cases.items() if "error" in case}
    suite = Suite(site, crawl, "jmespath")
    for name, case in cases.items():
        if name not in wrong:
            field = {"json": case["expression"], "type": "json"}
            suite.add(name, case["given"], {"each": "[@]", "fields": {"value": field}}, format="json")
    verdicts = {
        name: [row["value"] for row in rows] == [as_written(cases[name]["result"])]
        for name, rows in suite.crawl_all().items()
    }
    assert_conforms("jmespath", verdicts | refused(crawl, wrong))


def as_written(value: Any) -> Any:
    """The value with its decimals as text."""
    return json.loads(json.dumps(value), parse_float=str)


def refused(crawl: CommandLine, wrong: dict[str, str]) -> dict[str, bool]:
    """Case to whether `validate` refuses its expression and names its place."""
    names = {name: f"f{number}" for number, name in enumerate(wrong)}
    fields = {names[name]: {"json": expression} for name, expression in wrong.items()}
    page = {"format": "json", "items": {"case": {"fields": fields}}}
    spec = {"name": "wrong", "start": {"p": "http://site.test/"}, "pages": {"p": page}}
    crawl.write(json.dumps(spec), "wrong.yml")
    said = crawl.command("validate", "wrong.yml")
    assert said.exit == 1
    return {name: bool(re.search(rf"fields\.{names[name]}\b", said.output)) for name in wrong}
