"""Forms on the way: what a site with hidden tokens and postbacks is sent."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from tests.commandline import CommandLine
from tests.site import Answer, Hit, Site, html

FORM = """<form action=/results method=post {more}><input type=hidden name=token value=t1>
<input name=street value=old><select name=kind><option value=b>building<option value=r selected>road</select></form>"""

SEARCH = """
name: permits
site: {{sleep: 0s}}
start: {{search: "{url}"}}
pages:
  search:
    follow:
      results: {{css: form, form: {{street: Main St, kind: b}}}}
  results:
    next: a.next
    items:
      permit: {{each: li, fields: {{number: ':scope'}}}}
"""


def fields(hit: Hit) -> dict[str, list[str]]:
    return parse_qs(hit.body.decode(), keep_blank_values=True)


def test_a_search_form_is_filled_in_and_its_results_are_paged(site: Site, crawl: CommandLine) -> None:
    asked: list[dict[str, list[str]]] = []

    def results(hit: Hit) -> Answer:
        asked.append(fields(hit))
        return html("<li>P1</li><li>P2</li><a class=next href=/results?page=2>next</a>")

    site.pages.update({"/": FORM.format(more=""), "/results": results, "/results?page=2": "<li>P3</li>"})
    run = crawl(SEARCH.format(url=site.url()))
    assert run.exit == 0, run.output
    assert [item["number"] for item in run.items] == ["P1", "P2", "P3"]
    assert asked == [{"token": ["t1"], "street": ["Main St"], "kind": ["b"]}]


def test_a_form_may_want_its_parts_in_multipart(site: Site, crawl: CommandLine) -> None:
    bodies: list[tuple[str, str]] = []

    def results(hit: Hit) -> Answer:
        bodies.append((hit.header("content-type") or "", hit.body.decode()))
        return html("<li>P1</li>")

    site.pages.update({"/": FORM.format(more="enctype=multipart/form-data"), "/results": results})
    run = crawl(SEARCH.format(url=site.url()))
    assert run.exit == 0, run.output
    ((kind, body),) = bodies
    assert kind.startswith("multipart/form-data; boundary=")
    assert 'name="street"\r\n\r\nMain St\r\n' in body


def test_a_field_that_the_form_lost_is_named_with_those_it_has(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/": FORM.format(more="").replace("name=street", "name=road"), "/results": "<li>P1</li>"})
    run = crawl(SEARCH.format(url=site.url()))
    assert run.exit == 0, run.output
    assert "forms without a field that the spec fills in; it was sent all the same" in run.output
    assert "street (it has kind, road, token), on" in run.output


def test_a_form_that_is_gone_is_a_selector_without_a_match(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/": "<p>search is closed</p>"})
    run = crawl(SEARCH.format(url=site.url()))
    assert run.exit == 2
    said = "spec.yml:8:22  permit: no page of the kind results was read; form matched nothing on 1 of 1 pages"
    assert said in run.output


GRID = """
name: grid
site: {{sleep: 0s}}
start: {{list: "{url}"}}
pages:
  list:
    next: {next}
    items:
      row: {{each: li, key: n, fields: {{n: {{css: ':scope', type: integer}}}}}}
"""

NEXT = {
    "postback": """<a class=next href="javascript:__doPostBack('grid','Page${n}')">next</a>""",
    "button": "<button name=page value={n}>next</button>",
    "form": "<input type=hidden name=page value={n}>",
}


@pytest.mark.parametrize(("kind", "selector"), [("postback", "a.next"), ("button", "button"), ("form", "form")])
def test_pages_that_only_a_form_leads_to(site: Site, crawl: CommandLine, kind: str, selector: str) -> None:
    def grid(hit: Hit) -> Answer:
        sent = fields(hit)
        target = sent.get("__EVENTARGUMENT", sent.get("page", ["1"]))[0]
        page = int(target.removeprefix("Page$"))
        if page > 1:
            assert sent["__VIEWSTATE"] == [f"state{page - 1}"]
        onward = NEXT[kind].format(n=page + 1) if page < 4 else ""
        form = f"<form method=post><input type=hidden name=__VIEWSTATE value=state{page}>{onward}</form>"
        return html(f"<li>{page}</li>{form if onward or kind != 'form' else ''}")

    site.pages["/"] = grid
    run = crawl(GRID.format(url=site.url(), next=selector))
    assert run.exit == 0, run.output
    assert [item["n"] for item in run.items] == [1, 2, 3, 4]
