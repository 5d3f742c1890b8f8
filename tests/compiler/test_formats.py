"""Items, links and `next` of pages that are no trees: CSV, text and feeds."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from tests.compiler import crawled
from tests.compiler.page import problems, read

SHEET = """Id;Name;Price;Tags;Page
1;"Big; ""red""\nbox";1,5;a|b;/1

2;<b>Small</b>;2.125
3;Odd;9;c;/3;more
"""
RULES = "e:\n  fields:\n    v: "


def column(field: str, body: str = SHEET) -> list[object]:
    return [item["v"] for item in read(RULES + field, body, "csv").items]


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("Name", ['Big; "red" box', "<b>Small</b>", "Odd"]),
        ("{column: Name, type: multiline}", ['Big; "red"\nbox', "<b>Small</b>", "Odd"]),
        ("{column: 3}", ["1,5", "2.125", "9"]),
        ("{column: Price, type: number}", [Decimal("1.5"), None, Decimal(9)]),
        ("{column: Price, type: number, locale: en}", [None, Decimal("2.125"), Decimal(9)]),
        ("{column: Price, type: number, locale: de}", [Decimal("1.5"), Decimal(2125), Decimal(9)]),
        ("Tags", ["a|b", None, "c"]),
        ("{column: Tags, split: '|'}", [["a", "b"], None, ["c"]]),
        ("{column: Tags, each: '[a-z]'}", [["a", "b"], [], ["c"]]),
        ("[Tags, Name]", ["a|b", "<b>Small</b>", "c"]),
        ("{column: Name, css: b}", [None, "Small", None]),
        ("{column: Page, type: url}", ["http://site.test/1", None, "http://site.test/3"]),
        (
            "{fields: {a: Id, b: {column: Price}}}",
            [{"a": "1", "b": "1,5"}, {"a": "2", "b": "2.125"}, {"a": "3", "b": "9"}],
        ),
        ("{column: 6}", []),
        ("{any: [Nope, Price], type: number}", [Decimal("1.5"), None, Decimal(9)]),
        ("{column: Tags, each: '[a-z]', fields: {t: .}}", [[{"t": "a"}, {"t": "b"}], [], [{"t": "c"}]]),
        (
            "{column: Tags, fields: {first: '^.', last: '.$'}}",
            [{"first": "a", "last": "b"}, None, {"first": "c", "last": "c"}],
        ),
    ],
)
def test_each_row_is_an_item_and_a_bare_text_a_heading(field: str, values: list[object]) -> None:
    assert [value for value in column(field) if values] == values


def test_key_where_and_required() -> None:
    page = read(
        "e:\n  key: id\n  where: price > `2`\n  fields: {id: Id, price: {column: Price, type: number}, "
        "page: {column: Page, required: true}}",
        SHEET,
        "csv",
    )
    assert [item["id"] for item in page.items] == ["3"]
    assert page.counts["match:e"] == 3


def test_a_column_that_is_not_there_is_told() -> None:
    page = read(f"{RULES}Nope", SHEET, "csv")
    (said,) = page.noted("column:pages.p.items.e.fields.v")
    assert said.startswith('no column "Nope"; there are Id, Name, Price, Tags, Page')
    assert page.counts["tried:pages.p.items.e.fields.v"] == 1
    assert "hit:pages.p.items.e.fields.v" not in page.counts


@pytest.mark.parametrize("body", ["", "Id;Name\n"])
def test_without_rows_there_are_no_items(body: str) -> None:
    assert column("Id", body) == []


def test_links_of_a_csv_are_read_row_by_row() -> None:
    plan = crawled.plan("pages: {p: {format: csv, follow: {p: Page}}}")
    assert crawled.lead(plan, SHEET).urls == ["http://site.test/1", "http://site.test/3"]


def test_what_a_row_carries_goes_with_its_link() -> None:
    plan = crawled.plan(
        "pages: {p: {format: csv, follow: {q: {url: 'https://site.test/item/${carry.id}', carry: {id: Id, name: "
        "{column: Name}}}}}, q: {items: {i: {fields: {t: h1}}}}}"
    )
    requests = crawled.lead(plan, SHEET).requests
    assert [request.url for request in requests][:2] == ["https://site.test/item/1", "https://site.test/item/2"]
    assert [request.carry["name"] for request in requests][2] == "Odd"


def test_a_counter_goes_on_while_there_are_rows() -> None:
    plan = crawled.plan(
        "pages: {p: {format: csv, next: {param: page}, items: {e: {fields: {v: Id}, where: v == 'x'}}}}"
    )
    assert crawled.lead(plan, SHEET).urls == ["http://site.test/?page=2"]
    assert crawled.lead(plan, "Id;Name\n").ended == "empty page"


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("e: {each: x, fields: {a: b}}", "every row of a CSV is an item already"),
        ("e: {table: x, fields: {a: b}}", "every row of a CSV is an item already"),
        ("e: {fields: {a: {css: b}}}", "css does not read a row of a CSV"),
        ("e: {fields: {a: {json: b}}}", "json does not read a row of a CSV"),
        ("e: {fields: {a: {regex: b}}}", "does not say which column"),
        ("e: {fields: {a: {css: x, from: page}}}", "a CSV is read row by row"),
        ("e: {fields: {a: {column: x, remove: b}}}", "remove takes elements out, and CSV has none"),
    ],
)
def test_what_makes_no_sense_in_a_csv_is_told(rule: str, said: str) -> None:
    assert said in problems(rule, "csv")[0]


TEXT = """Report of 3 May\r
Item: apple  1.50\r
Item: pear  2,25\r
{"id": 5}\r
More at https://site.test/a and https://site.test/b.\r
Total: 1.234,5 EUR
"""


@pytest.mark.parametrize(
    ("field", "found"),
    [
        (r"'(?m)^Item: (\w+)'", "apple"),
        (r"'Item: \w+'", "Item: apple"),
        (r"{regex: 'Item: (\w+)'}", "apple"),
        (r"{each: 'Item: (\w+)'}", ["apple", "pear"]),
        (r"{each: '(?m)^Item: (.*)$', regex: '\d.*', type: number}", [Decimal("1.50"), Decimal("2.25")]),
        (r"{regex: 'Total: (\S+)', type: number}", Decimal("1234.5")),
        (r"'(?s)Report.*pear'", "Report of 3 May Item: apple 1.50 Item: pear"),
        (r"[nothing, 'of (\d) May']", "3"),
        (
            r"{each: '(?m)^Item: .*$', fields: {n: ': (\w+)', p: '[\d.,]+'}}",
            [{"n": "apple", "p": "1.50"}, {"n": "pear", "p": "2,25"}],
        ),
    ],
)
def test_a_bare_text_is_a_regex_on_text(field: str, found: object) -> None:
    page = read(f"e:\n  fields:\n    v: {field}", TEXT, "text")
    assert page.item == {"v": found}


def test_an_each_is_every_match() -> None:
    rules = r"""
e:
  each: '(?m)^Item: (.*)$'
  fields:
    name: '\w+'
    price: {regex: '[\d.,]+', type: number}
    day: {regex: '(?m)^Report of (.*)$', from: page}
"""
    assert read(rules, TEXT, "text").items == [
        {"name": "apple", "price": Decimal("1.50"), "day": "3 May"},
        {"name": "pear", "price": Decimal("2.25"), "day": "3 May"},
    ]


def test_json_in_a_match() -> None:
    page = read("e:\n  each: '(?m)^[{].*$'\n  fields: {id: {json: id}}", TEXT, "text")
    assert page.items == [{"id": 5}]


@pytest.mark.parametrize("selector", [r"'https://\S+(?<!\.)'", r"{regex: 'https://\S+(?<!\.)'}"])
def test_every_match_is_a_link(selector: str) -> None:
    plan = crawled.plan(f"pages: {{p: {{format: text, follow: {{p: {selector}}}}}}}")
    assert crawled.lead(plan, TEXT).urls == ["https://site.test/a", "https://site.test/b"]


def test_next_of_a_text() -> None:
    plan = crawled.plan(r"pages: {p: {format: text, next: 'Next: (\S+)'}}")
    assert crawled.lead(plan, "x\nNext: /page/2\n").urls == ["http://site.test/page/2"]
    assert crawled.lead(plan, "x\n").ended == "no link"


@pytest.mark.parametrize(
    ("page_format", "field", "number"),
    [
        ("text", "{regex: '[0-9.]+', type: number}", Decimal(1234)),
        ("csv", "{column: v, type: number}", Decimal(1234)),
        ("xml", "{xpath: //v, type: number}", Decimal(1234)),
        ("xml", "{xpath: //v/@n, type: number}", Decimal("1.234")),
    ],
)
def test_the_locale_of_a_site_is_for_what_people_read(page_format: str, field: str, number: Decimal) -> None:
    plan = crawled.plan(
        f"site: {{locale: de}}\npages: {{p: {{format: {page_format}, items: {{e: {{fields: {{v: {field}}}}}}}}}}}"
    )
    body = '<a><v n="1.234">1.234</v></a>' if page_format == "xml" else "v\n1.234\n"
    (item,) = crawled.lead(plan, body).items
    assert json.loads(item.text, parse_float=Decimal) == {"v": number}


def test_too_many_matches_are_told() -> None:
    page = read("e:\n  each: x\n  fields: {v: x}", "x" * 100_010, "text")
    assert len(page.items) == 100_000
    assert page.counts["matches:pages.p.items.e.each"] == 1


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("e: {table: x, fields: {a: b}}", "a table stands in HTML, and this is plain text"),
        ("e: {fields: {a: {css: b}}}", "css finds nothing in plain text"),
        ("e: {fields: {a: {xpath: b}}}", "xpath finds nothing in plain text"),
        ("e: {fields: {a: {column: b}}}", "only a table or a CSV has columns"),
        ("e: {fields: {a: {regex: b, remove: i}}}", "remove takes elements out, and plain text has none"),
        ("e: {each: a, fields: {a: '('}}", "is no regular expression"),
        ("e: {each: a, fields: {a: {css: x, from: before}}}", "plain text has none"),
    ],
)
def test_what_makes_no_sense_in_text_is_told(rule: str, said: str) -> None:
    assert said in problems(rule, "text")[0]


FEED = """<feed xmlns="http://www.w3.org/2005/Atom"><title>All</title><link rel="next" href="?p=2"/>
<entry><title type="html">A &amp;lt;B&amp;gt;</title><link href="/1"/>
<summary type="html">&lt;p&gt;x &lt;a href="/s"&gt;y&lt;/a&gt;</summary></entry>
<entry><title>C</title><link href="2"/></entry></feed>"""


def test_a_feed_is_read_by_jmespath() -> None:
    rules = "e: {each: entries, fields: {title: title, link: link, more: {json: summary, css: a@href}}}"
    assert read(rules, FEED, "feed").items == [
        {"title": "A <B>", "link": "http://site.test/1", "more": "http://site.test/s"},
        {"title": "C", "link": "http://site.test/dir/2", "more": None},
    ]


def test_links_and_next_of_a_feed() -> None:
    plan = crawled.plan(
        "pages: {p: {format: feed, next: \"feed.links[?rel=='next'].href | [0]\", follow: {p: 'entries[].link'}}}"
    )
    assert crawled.lead(plan, FEED).urls == ["http://site.test/1", "http://site.test/2", "http://site.test/?p=2"]
