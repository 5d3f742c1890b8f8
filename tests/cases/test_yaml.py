"""What YAML does to a spec that was written without thinking of YAML (public cases C25, C26 and C27)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Site

SPEC = """name: yaml
site: {{sleep: 0s}}
start: {{page: "{url}"}}
pages:
  page:
    items:
      row:
        fields:
          title: h1
{fields}
"""
FIRST = 10
"""The line of the first field that a test adds."""


def spec(site: Site, *fields: str) -> str:
    site.pages["/"] = '<h1>x</h1><p id="main">m <i class="title">t</i></p><a href="/l">l</a>'
    return SPEC.format(url=site.url(), fields="\n".join(f"          {field}" for field in fields))


def refused(site: Site, run: Ran) -> str:
    """The message of a refusal, made before any request."""
    assert run.exit == 1, run.output
    assert len(site.log) == 0
    assert "Traceback" not in run.output
    for word in ("pydantic", "yaml.scanner", "mapping values", "NoneType", "ScannerError", "ParserError"):
        assert word not in run.stderr, run.stderr
    return run.stderr


@pytest.mark.parametrize(
    ("field", "wanted"),
    [
        ("x: {css: #main .title}", ["#", "quote", "'#main .title'"]),
        ("x:\n            css: #main .title", ["#", "quote", "'#main .title'"]),
        ("x:\n            css: div #price", ["#", "'div #price'"]),
        ("x: #main", ["#", "'#main'"]),
        ("x:\n            css: [data-id]", ["quote", "'[data-id]'"]),
        ("x:\n            xpath: //h2[contains(., 'Price: ')]", ["quote", "xpath"]),
        ("x:\n            xpath: *[@id='x']", ["*", "quote"]),
        ('x:\n            regex: "\\d+"', ["quote", "'\\d+'"]),
        ("x:\n            json: [0].name", ["quote", "json"]),
        ("x: [data-id]", ["[data-id]", "quote"]),
        ("x: @href", ["@", "quote"]),
        ("x: a: b", [":", "quote"]),
        ('x:\n            css: th:contains("UPC"): b', ["quote"]),
        ("x: {value: ${now}}", ["${now}", "quote"]),
        ("x: {css: h1, regex: a?b}", ["?", "'a?b'"]),
        ("x: {css: h1, regex: (a{2}) b}", ["quote"]),
        ("x: `h1`", ["quote"]),
        ("x: %h1", ["quote"]),
        ("x: &h1", ["&", "quote"]),
        ("x: !h1", ["!", "quote"]),
        ("x: |h1", ["|", "quote"]),
        ("x: > a", [">", "quote"]),
        ("x: - a", ["quote"]),
    ],
)
def test_c25_an_unquoted_selector(site: Site, crawl: CommandLine, field: str, wanted: list[str]) -> None:
    run = crawl(spec(site, field))
    said = refused(site, run)
    lines = {FIRST, FIRST + 1} if "\n" in field else {FIRST}
    assert any(f"spec.yml:{line}:" in said for line in lines), said
    for word in wanted:
        assert word in said, said


def test_c25_what_yaml_leaves_alone_is_accepted(site: Site, crawl: CommandLine) -> None:
    fields = ["a:\n            css: '#main .title'", "b:\n            xpath: //a[@href]/@href", "c: a@href"]
    run = crawl(spec(site, *fields))
    assert run.exit == 0, run.output
    link = site.url("/l")
    assert run.items == [{"title": "x", "a": "t", "b": link, "c": link}]


def test_c26_text_stays_what_was_written(site: Site, crawl: CommandLine) -> None:
    written = {
        "country": "NO",
        "sub": "on",
        "version": "1.10",
        "zip": "01234",
        "at": "12:30",
        "day": "2024-01-05",
        "code": "0x1F",
        "big": "1_000",
        "tilde": "~",
        "nil": "null",
        "yes": "y",
        "sci": "1e3",
        "inf": ".inf",
        "octal": "0o17",
        "sex": "1:30:00",
        "plus": "+1",
    }
    run = crawl(spec(site, *[f"{name}: {{value: {value}}}" for name, value in written.items()]))
    assert run.exit == 0, run.output
    assert run.items == [{"title": "x", **written}]


def test_c26_the_keys_of_a_map_are_text_and_switches_still_work(site: Site, crawl: CommandLine) -> None:
    text = spec(
        site,
        "land: {css: h1, map: {x: NO, NO: Norway, ON: Ontario, 01: one, 1.10: version}}",
        "must: {css: h1, required: true}",
        "half: {value: 0.5, type: number}",
    )
    site.pages["/"] = "<h1>x</h1>"
    run = crawl(text)
    assert run.exit == 0, run.output
    assert run.items == [{"title": "x", "land": "NO", "must": "x", "half": 0.5}]
    site.pages["/"] = "<h1>NO</h1>"
    assert crawl(text, "--fresh").items[0]["land"] == "Norway"
    site.pages["/"] = "<h1>1.10</h1>"
    assert crawl(text, "--fresh").items[0]["land"] == "version"


@pytest.mark.parametrize("word", ["yes", "on", "True", "TRUE", "1", "y"])
def test_c26_the_only_switches_are_true_and_false(site: Site, crawl: CommandLine, word: str) -> None:
    said = refused(site, crawl(spec(site, f"must: {{css: h1, required: {word}}}")))
    assert f"spec.yml:{FIRST}:" in said
    assert "true" in said


def test_c27_a_key_twice_names_both_lines(site: Site, crawl: CommandLine) -> None:
    said = refused(site, crawl(spec(site, "price: {css: .now}", "name: {css: h1}", "price: {css: .was}")))
    assert "price" in said
    assert f"spec.yml:{FIRST + 2}:" in said
    assert f"line {FIRST}" in said or f":{FIRST}:" in said


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("name: a\nname: b\n", "name"),
        ("name: a\nsite: {sleep: 1s, sleep: 2s}\n", "sleep"),
        ("name: a\nvars: {'x': 1, x: 2}\n", "x"),
        ('name: a\nvars: {x: 1, "\\x78": 2}\n', "x"),
        ("name: a\nvars: {1: a, 01: b, 1: c}\n", "1"),
    ],
)
def test_c27_at_every_level_and_in_every_spelling(site: Site, crawl: CommandLine, text: str, key: str) -> None:
    said = refused(site, crawl(text))
    assert key in said
    assert "twice" in said or "duplicate" in said or "again" in said


def test_c27_merge_keys_are_refused_here(site: Site, crawl: CommandLine) -> None:
    """The case allows them; this language has none, since what they override is said nowhere."""
    text = "x-base: &base {css: .now}\n" + spec(site, "price: {<<: *base, type: number}")
    said = refused(site, crawl(text))
    assert "<<" in said
    assert "merge" in said


def test_anchors_are_allowed(site: Site, crawl: CommandLine) -> None:
    text = "x-base: &base {css: h1}\n" + spec(site, "again: *base")
    run = crawl(text)
    assert run.exit == 0, run.output
    assert run.items == [{"title": "x", "again": "x"}]
