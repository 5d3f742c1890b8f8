"""Bodies that are broken, hostile or of another format: each ends as it must, and all other pages still count."""

from __future__ import annotations

import codecs
import json
from typing import NamedTuple

from tests.commandline import CommandLine
from tests.parsers.pdfs import made
from tests.site import Answer, Site

LAUGHS = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
ERROR_PAGE = b"<!DOCTYPE html><html><body><h1>503</h1></body></html>"
RSS = '<rss version="2.0"><channel><title>t</title><item><title>{}</title></item></channel></rss>'


class Bad(NamedTuple):
    name: str
    format: str
    body: bytes
    media: str
    outcome: str
    """Its name, and for `ok` what the field gives after a colon."""


BODIES = [
    Bad("laughs", "xml", f'<!DOCTYPE a [<!ENTITY a "ha">{LAUGHS}]><a><v>&j;</v></a>'.encode(), "", "parse_failed"),
    Bad(
        "quadratic",
        "xml",
        f'<!DOCTYPE a [<!ENTITY q "{"x" * 50_000}">]><a><v>{"&q;" * 5_000}</v></a>'.encode(),
        "",
        "parse_failed",
    ),
    Bad("external", "xml", b'<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a><v>1&f;</v></a>', "", "ok:1"),
    Bad("deep", "xml", b"<a>" * 50_000, "application/xml", "parse_failed"),
    Bad("cut", "xml", b"<a><v>1</v><v>", "application/xml", "parse_failed"),
    Bad("nul", "xml", b"<a><v>1\x00\x01</v></a>", "application/xml", "ok:1"),
    Bad("utf16", "xml", codecs.BOM_UTF16_LE + "<a><v>é</v></a>".encode("utf-16-le"), "text/xml", "ok:é"),
    Bad("misnamed", "xml", b"<a><v>1</v></a>", "text/html", "ok:1"),
    Bad("large", "xml", b"<a>" + b"<v>1</v>" * 200_000 + b"</a>", "application/xml", "too_large"),
    Bad("html_for_xml", "xml", ERROR_PAGE, "text/html", "wrong_format"),
    Bad(
        "feed_laughs", "feed", f'<!DOCTYPE rss [<!ENTITY a "ha">{LAUGHS}]>{RSS.format("a&j;")}'.encode(), "", "ok:a&j;"
    ),
    Bad("feed_cut", "feed", RSS.format("1").encode()[:-20], "application/rss+xml", "ok:1"),
    Bad("html_for_feed", "feed", ERROR_PAGE, "application/rss+xml", "wrong_format"),
    Bad("no_feed", "feed", b"<data/>", "application/xml", "wrong_format"),
    Bad("ragged", "csv", b"a,b,v\n1\n1,2,3,4\n", "text/csv", "ok:3"),
    Bad("open_quote", "csv", b'v,b\n3,"x\n4,5\n', "text/csv", "parse_failed"),
    Bad("csv_nul", "csv", b"v\n\x003\n", "text/csv", "ok:3"),
    Bad("csv_utf16", "csv", "v;w\n3;é\n".encode("utf-16"), "text/csv", "ok:3"),
    Bad("html_for_csv", "csv", ERROR_PAGE, "text/csv", "wrong_format"),
    Bad("backtrack", "text", b"a" * 60 + b"!", "text/plain", "parse_failed"),
    Bad("pdf_for_text", "text", made("1"), "text/plain", "wrong_format"),
    Bad("pdf_cut", "pdf", made("v 1")[:300], "application/pdf", "parse_failed"),
    Bad("pdf_scanned", "pdf", made("", image=True), "application/pdf", "parse_failed"),
    Bad("html_for_pdf", "pdf", ERROR_PAGE, "application/pdf", "wrong_format"),
    Bad("empty_pdf", "pdf", b"", "application/pdf", "ok"),
    Bad("json_deep", "json", b"[" * 100_000, "application/json", "parse_failed"),
]
FIELDS = {"xml": "//v", "feed": "entries[0].title", "csv": "v", "text": r"(a|aa)+$", "pdf": "v (.)", "json": "v"}


def test_each_ends_as_it_must_and_the_rest_still_counts(site: Site, crawl: CommandLine) -> None:
    for bad in BODIES:
        site.pages[f"/{bad.name}"] = Answer(bad.body, headers=[("Content-Type", bad.media)] if bad.media else [])
    kinds = {
        bad.name: {
            "format": bad.format,
            "items": {bad.name: {"fields": {"v": FIELDS[bad.format], "of": {"value": bad.name}}, "where": "v"}},
        }
        for bad in BODIES
    }
    site.pages["/"] = "<h1>Good</h1>"
    spec = {
        "name": "test",
        "site": {"sleep": "0s", "retry": 0, "robots": "ignore", "max_body": "1MB"},
        "start": {"good": site.url(), **{bad.name: site.url(f"/{bad.name}") for bad in BODIES}},
        "pages": {"good": {"items": {"good": {"fields": {"v": "h1", "of": {"value": "good"}}}}}, **kinds},
        "pipelines": {"to": "-"},
    }
    ran = crawl(json.dumps(spec), "--quiet")
    assert ran.exit == 3
    values = {row["of"]: row["v"] for row in map(json.loads, ran.stdout.splitlines())}
    failed = {failure["url"].rpartition("/")[2]: failure for failure in ran.failures}
    found = {
        bad.name: failed[bad.name]["outcome"]
        if bad.name in failed
        else f"ok:{values[bad.name]}"
        if bad.name in values
        else "ok"
        for bad in BODIES
    }
    assert found == {bad.name: bad.outcome for bad in BODIES}
    assert values["good"] == "Good"
    assert all(failure["reason"] for failure in failed.values())
    assert "Traceback" not in ran.output


def test_what_was_left_out_is_told(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = Answer(b"a,b\n1,2\n1,2,3\n", headers=[("Content-Type", "text/csv")])
    ran = crawl(
        f"name: ragged\nsite: {{sleep: 0s}}\nstart: {{p: '{site.url()}'}}\n"
        "pages: {p: {format: csv, items: {row: {fields: {a: a}}}}}\n"
    )
    assert ran.exit == 0, ran.output
    assert "1 row has more cells than there are headings (2)" in ran.stderr
