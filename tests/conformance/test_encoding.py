"""Which charset a page is in."""

from __future__ import annotations

import base64

from tests.commandline import CommandLine
from tests.conformance.suite import Suite, assert_conforms, rows_of
from tests.shared import FOLDER
from tests.site import Answer, Site


def test_encoding(site: Site, crawl: CommandLine) -> None:
    suite, wanted = Suite(site, crawl, "encoding"), {}
    for file in ("html5lib", "labels"):
        for case in rows_of(f"encoding/{file}.jsonl"):
            page = Answer(base64.b64decode(case["body_base64"]), headers=[("Content-Type", case["content_type"])])
            suite.add(case["id"], page, {"fields": {"value": "#probe"}})
            wanted[case["id"]] = case["probe_text"]
    for case in rows_of("encoding/w3c.jsonl"):
        page = Answer(
            (FOLDER / "encoding" / case["file"]).read_bytes(), headers=[("Content-Type", case["content_type"])]
        )
        suite.add(case["file"], page, {"fields": {"value": {"xpath": case["probe_xpath"]}}})
        wanted[case["file"]] = case["probe_value"]
    verdicts = {name: [row["value"] for row in rows] == [wanted[name]] for name, rows in suite.crawl_all().items()}
    assert_conforms("encoding", verdicts)
