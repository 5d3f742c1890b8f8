"""What one odd byte, a comment or a semicolon may not do to the rest of the page (public cases C14, C24)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Site

SPEC = """
name: odd
site: {{sleep: 0s}}
start: {{page: "{url}"}}
pages:
  page:
    items:
      odd: {{fields: {{{fields}}}}}
"""


def test_c14_a_nul_and_a_comment_that_closes_at_once(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = b"<ul><li>one</li>\x00<li>two</li></ul><p>a</p><!--><p>b</p><!-- x --><p>c</p>"
    ran = crawl(SPEC.format(url=site.url(), fields="li: {each: li}, p: {each: p}, all: body"))
    assert ran.exit == 0, ran.output
    assert ran.items == [{"li": ["one", "two"], "p": ["a", "b", "c"], "all": "one two a b c"}]


STATE = r"""<script>
var cfg = {"v": 1};
var state = {"rows": [{"k": "a;b"}, {"k": "c}d"}, {"k": "e\"f"}]};
var other = 1;
</script>"""


def test_c24_a_semicolon_or_brace_in_a_text_ends_nothing(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = STATE
    ran = crawl(SPEC.format(url=site.url(), fields="k: {each: {js: state, json: 'rows[].k'}}"))
    assert ran.exit == 0, ran.output
    assert ran.items == [{"k": ["a;b", "c}d", 'e"f']}]


@pytest.mark.parametrize("value", ["load()", "undefined"])
def test_c24_what_is_no_value_is_told_with_its_name_and_how_it_begins(
    site: Site, crawl: CommandLine, value: str
) -> None:
    site.pages["/"] = f"<script>var state = {value};</script><h1>x</h1>"
    ran = crawl(SPEC.format(url=site.url(), fields="h: h1, k: {js: state, json: 'rows[0].k'}"))
    assert ran.exit == 2, ran.output
    assert "k is empty in every item" in ran.output
    if value != "undefined":
        assert f"state = '{value[:7]}" in ran.output
        assert site.url() in ran.output


def test_c24_a_variable_that_is_absent_is_named(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = "<script>var other = {};</script><h1>x</h1>"
    ran = crawl(SPEC.format(url=site.url(), fields="h: h1, k: {js: state, json: 'rows[0].k'}"))
    assert ran.exit == 2, ran.output
    assert "state then rows[0].k matched nothing on 1 of 1 pages" in ran.output
