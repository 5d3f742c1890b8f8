"""Broken HTML: the text of its body, the links in it, what they resolve against, and where a page sends its reader."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Any
from urllib.parse import urlsplit

from tests.commandline import CommandLine
from tests.conformance.suite import Suite, assert_conforms, rows_of
from tests.shared import FOLDER
from tests.site import Answer, Hit, Site, html
from yamlcrawl.urls import join

_NO_TEXT = ["script", "style", "template", "noscript", "svg", "math", "title", "textarea", "iframe"]
"""Elements whose text the cases leave out."""


def test_trees(site: Site, crawl: CommandLine) -> None:
    cases = {case["id"]: case for case in rows_of("html/html5lib-trees.jsonl")}
    suite = Suite(site, crawl, "html")
    text = {"css": "body", "remove": _NO_TEXT, "replace": {"regex": r"\s", "with": ""}, "default": ""}
    # string(): as it is written; @href alone would come out absolute
    hrefs = {"each": "a[href]", "xpath": "string(@href)"}
    for name, case in cases.items():
        suite.add(name, html(case["html"]), {"each": ":root", "fields": {"text": text, "hrefs": hrefs}})

    def holds(case: dict[str, Any], rows: list[dict[str, Any]]) -> bool:
        hrefs = [href for href in case["a_href"] if href]
        return rows == [{"text": case["body_text_no_space"], "hrefs": hrefs}]

    assert_conforms("html", {name: holds(cases[name], rows) for name, rows in suite.crawl_all().items()})


def test_bases(site: Site, crawl: CommandLine) -> None:
    suite = Suite(site, crawl, "base")
    bases = {}
    for number, case in enumerate(rows_of("html/base-href.jsonl")):
        rule = {"each": ":root", "fields": {"url": {"xpath": "'probe'", "type": "url"}}}
        page = suite.add(case["id"], html(case["body"]), rule, host=f"h{number}.test")
        bases[case["id"]] = case["expected"].replace("https://example.org", site.url("", f"h{number}.test")) or page
    verdicts = {name: rows == [{"url": join(bases[name], "probe")}] for name, rows in suite.crawl_all().items()}
    assert_conforms("base", verdicts)


def test_links(site: Site, crawl: CommandLine) -> None:
    suite = Suite(site, crawl, "links")
    wanted = {}
    for number, case in enumerate(rows_of("html/links/link-rules.jsonl")):
        field = links_of(case["options"])
        if field is None or case["test"] == "test_ignored_extensions":
            continue  # what no spec says: no tag at all, endings that are left out unless it is said otherwise
        parts, host = urlsplit(case["page_url"]), f"h{number}.test"
        body = (
            (FOLDER / "html" / case["page_file"]).read_bytes()
            if "page_file" in case
            else b64decode(case["page_base64"])
        )
        charset = case.get("charset") or "utf-8"
        page = Answer(body, headers=[("Content-Type", f"text/html; charset={charset}")])
        suite.add(case["id"], page, {"each": ":root", "fields": {"links": field}}, target=parts.path or "/", host=host)
        own = f"{parts.scheme}://{parts.netloc}"
        urls = [link["url"] for link in case["links"]]
        # the pages of files name their base
        wanted[case["id"]] = urls if "page_file" in case else [url.replace(own, site.url("", host)) for url in urls]
    verdicts = {}
    for name, rows in suite.crawl_all().items():
        (row,) = rows
        verdicts[name] = list(dict.fromkeys(row["links"])) == list(dict.fromkeys(wanted[name]))
    assert_conforms("links", verdicts)


def links_of(options: dict[str, Any]) -> dict[str, Any] | None:
    """The field that lists the links which the options (in Scrapy's words) ask for; None where no field can."""
    tags, attributes = options.get("tags", ["a", "area"]), options.get("attrs", ["href"])
    if tags is None or attributes is None:
        return None
    tags, attributes = ([one] if isinstance(one, str) else one for one in (tags, attributes))
    steps = [f"descendant-or-self::{tag}/@{name}" for tag in tags for name in attributes]
    path = "|".join(f"{scope}/{step}" for scope in scopes(options) for step in steps)
    allow = "".join(f"(?=.*{pattern})" for pattern in options.get("allow", []))
    deny = "".join(f"(?!.*{pattern})" for pattern in options.get("deny", []))
    return {"from": "page", "each": {"xpath": path}, "regex": f"^{allow}{deny}.*$"}


def scopes(options: dict[str, Any]) -> list[str]:
    """XPaths of the parts of the page that are looked through."""
    css = {
        "#subwrapper a": '//*[@id="subwrapper"]//a',
        "#subwrapper + a": '//*[@id="subwrapper"]/following-sibling::*[1][self::a]',
    }
    paths = options.get("restrict_xpaths", [])
    return [
        *([paths] if isinstance(paths, str) else paths),
        *(css[one] for one in options.get("restrict_css", [])),
    ] or [""]


def test_meta_refresh(site: Site, crawl: CommandLine) -> None:
    suite = Suite(site, crawl, "meta refresh", settings={"hosts": "any", "private_addresses": "allow"})
    site.fallback = there
    wanted, left = {}, {}
    for number, case in enumerate(rows_of("html/meta-refresh.jsonl")):
        if "ignore_tags" in case:
            continue  # a spec cannot ask for what stands in noscript
        # every host of a case is one of the test site
        address, name = re.compile(r"http://([a-z.]+)(?::8000)?"), rf"\1.{number}.test"
        here = rf"http://{name}:{site.port}"
        charset = case.get("encoding", "utf-8")
        body = address.sub(here, body_of(case).decode(charset)).encode(charset)
        host = address.sub(name, case.get("page_url", "http://example.org"))
        site.host(host).fallback = there
        page = Answer(body, headers=[("Content-Type", f"text/html; charset={charset}")])
        start = suite.add(
            case["id"], page, {"each": ":root", "fields": {"url": {"from": "url"}}}, target="/", host=host
        )
        _, expected = case["expected"]
        wanted[case["id"]] = {address.sub(here, expected)} if expected else {start}
        left[case["id"]] = start
    verdicts = {}
    for name, rows in suite.crawl_all().items():
        ended = {row["url"] for row in rows}
        verdicts[name] = (ended - {left[name]} or ended) == wanted[name]
    assert_conforms("meta refresh", verdicts)


def there(_hit: Hit) -> Answer:
    return html("<h1>there</h1>")


def body_of(case: dict[str, Any]) -> bytes:
    """The body, or what its parts make of it."""
    if "body_parts" in case:
        before, (unit, times), after = case["body_parts"]
        return str(before + unit * times + after).encode()
    body = case["body"]
    return body.encode() if isinstance(body, str) else b64decode(body["base64"])
