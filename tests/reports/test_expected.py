"""`expect` in a spec: what a run misses is told with its line and ends it with exit code 2."""

import pytest

PAGES = "".join(f"<li><b>{n}</b>{f'<i>{n % 3}</i>' if n % 4 else ''}</li>" for n in range(20))
SPEC = """
name: list
site: {{sleep: 0s}}
start: {{page: "{url}"}}
pages:
  page:
    items:
      row: {{each: li, fields: {{id: b, mod: i, none: u}}}}
expect:
  row: {{{row}}}
  run: {{{run}}}
"""


@pytest.mark.parametrize(
    ("row", "missed"),
    [
        ("filled: {none: 0%}", None),
        ("filled: {none: 0%}, min: 20, max: 20", None),
        ("filled: {none: 0%}, min: 21", "row: 20 items, at least 21 are expected"),
        ("filled: {none: 0%}, max: 19", "row: 20 items, at most 19 are expected"),
        ("filled: {none: 0%, mod: 75%}", None),
        ("filled: {none: 0%, mod: 75.1%}", "row: mod is filled in 75 % of the items, 75.1"),
        ("filled: {none: 0%, id: 100%}", None),
        ("filled: {none: 5%}", "row: none is empty in every item"),
        ("min: 1", "row: none is empty in every item"),
        ("filled: {none: 0%}, unique: [id, none]", None),
        ("filled: {none: 0%}, unique: [id, mod]", 'row: mod is not unique, e.g. "0"'),
    ],
)
def test_of_an_item_type(site, crawl, row, missed):
    site.pages["/"] = f"<ul>{PAGES}</ul>"
    ran = crawl(SPEC.format(url=site.url(), row=row, run="errors: 0"))
    if missed is None:
        assert ran.exit == 0, ran.output
        assert len(ran.items) == 20
    else:
        assert ran.exit == 2, ran.output
        assert missed in ran.output
        assert "spec.yml:" in ran.output
        assert not (ran.folder / "list.jsonl").exists()
        assert len(ran.lines("list.jsonl.rejected")) == 20


@pytest.mark.parametrize(("least", "code"), [("min: 0", 0), ("max: 5", 2)])
def test_a_type_may_be_allowed_to_match_nothing(site, crawl, least, code):
    site.pages["/"] = "<p>no rows today</p>"
    assert crawl(SPEC.format(url=site.url(), row=least, run="")).exit == code


@pytest.mark.parametrize(
    ("run", "missed"),
    [
        ("errors: 1, time: 10m", None),
        ("errors: 50%", None),
        ("errors: 0", "1 error, at most 0 are expected"),
        ("errors: 49%", "1 error on 2 pages, at most 49"),
        ("time: 1ms", "are expected"),
    ],
)
def test_of_the_whole_run(site, crawl, run, missed):
    site.pages["/"] = f"<ul>{PAGES}</ul><a href=/status/403>x</a>"
    spec = SPEC.format(url=site.url(), row="filled: {none: 0%}", run=run)
    ran = crawl(spec.replace("    items:\n", "    follow: {page: a}\n    items:\n"))
    assert ran.exit == (0 if missed is None else 2), ran.output
    assert missed is None or missed in ran.output


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ("row: {filled: {modd: 5%}}", 'row has no field "modd"'),
        ("row: {unique: [idd]}", 'row has no field "idd"'),
        ("rows: {min: 1}", 'no page gives items of type "rows"'),
        ("row: {errors: 1%}", "put it under run"),
        ("run: {min: 1}", "put it under an item type"),
        ("row: {min: 5, max: 4}", "max is less than min"),
        ("row: {filled: {mod: 95}}", "95"),
        ("row: {max_drop: 20%}", "not yet supported"),
    ],
)
def test_what_makes_no_sense_is_told_before_the_first_request(crawl, expect, said):
    spec = SPEC.format(url="http://a.test/", row="", run="").partition("expect:")[0]
    crawl.write(f"{spec}expect: {{{expect}}}\n")
    ran = crawl.command("validate", "spec.yml")
    assert ran.exit == 1
    assert said in ran.output
