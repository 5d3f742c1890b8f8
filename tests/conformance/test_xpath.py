"""XPath 1.0, on documents that are served as XML."""

from __future__ import annotations

from typing import Any

from tests.commandline import CommandLine
from tests.conformance.suite import Suite, assert_conforms, rows_of
from tests.shared import FOLDER
from tests.site import Answer, Site


def test_xpath(site: Site, crawl: CommandLine) -> None:
    cases = {case["id"]: case for case in rows_of("xpath/jaxen.jsonl")}
    suite = Suite(site, crawl, "xpath")
    for name, case in cases.items():
        body = (FOLDER / "xpath" / "documents" / case["document"]).read_bytes()
        page = Answer(body, headers=[("Content-Type", "application/xml")])
        suite.add(name, page, {"each": case["context"], "fields": {"value": field(case)}}, format="xml")

    def holds(case: dict[str, Any], rows: list[dict[str, Any]]) -> bool:
        value = rows[0]["value"] if rows else None
        if "count" in case:
            return value == case["count"]
        return as_text(value) == " ".join(case["string"].split())

    assert_conforms("xpath", {name: holds(cases[name], rows) for name, rows in suite.crawl_all().items()})


def field(case: dict[str, Any]) -> dict[str, Any]:
    """The field of a case; what is counted is counted by XPath, since lists of fields hold no empty texts.

    What begins at the top of the document is read from the whole page, as the language asks for it.
    """
    expression = f"count({case['xpath']})" if "count" in case else case["xpath"]
    return {"xpath": expression} | ({"from": "page"} if case["xpath"].startswith("/") else {})


def as_text(value: Any) -> str:
    """The value as XPath's `string()` writes it; null stands for an empty text."""
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
