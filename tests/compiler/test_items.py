"""Item rules and fields, read from pages as a crawl reads them (sections 4 and 5 of the language)."""

from decimal import Decimal

import pytest

from tests.compiler.page import URL, problems, read
from yamlcrawl.errors import SpecError

SHOP = """
<html><head><title>Shop</title></head><body><h1>Books</h1>
<div class="card" data-id="1"><h3>Alpha</h3><a href="/a">x</a><b class="price">12.50</b><i class="tag">new</i></div>
<div class="card" data-id="2"><h3>Beta</h3><a href="b?x=1#top">x</a><b class="price">£7.1</b>
  <i class="tag">old</i><i class="tag"> </i><i class="tag">sale</i></div>
<div class="card" data-id="3"><h3> </h3><a>x</a></div>
</body></html>
"""


def test_one_item_a_match_with_selectors_that_see_only_that_element():
    page = read("card: {each: .card, fields: {name: h3, link: a@href, id: '@data-id'}}", SHOP)
    assert page.items == [
        {"name": "Alpha", "link": "http://site.test/a", "id": "1"},
        {"name": "Beta", "link": "http://site.test/dir/b?x=1#top", "id": "2"},
        {"name": None, "link": None, "id": "3"},
    ]
    assert page.counts["match:card"] == 3
    assert page.counts["filled:card.name"] == 2


def test_one_item_a_page_if_a_field_read_from_it_has_a_value():
    assert read("page: {fields: {url: {from: url}, title: h1}}", SHOP).item["title"] == "Books"
    assert read("page: {fields: {url: {from: url}, title: h2, kind: {value: shop}}}", SHOP).items == []


def test_alternatives_are_tried_in_order_and_fall_through_on_null_and_empty_lists():
    rules = """
page:
  fields:
    title: [h2, h1]
    price: {any: [.now, .card .price], type: number}
    tags: [{each: .none}, {each: .tag}]
"""
    assert read(rules, SHOP).item == {"title": "Books", "price": Decimal("12.50"), "tags": ["new", "old", "sale"]}


def test_nulls_and_empty_texts_are_left_out_of_lists_and_counted():
    page = read("page: {fields: {tags: {each: .tag}, none: {each: .nothing}}}", SHOP)
    assert page.item == {"tags": ["new", "old", "sale"], "none": []}
    assert page.counts["left_out:pages.p.items.page.fields.tags"] == 1


def test_steps_come_in_one_order_and_missing_is_last():
    rules = r"""
page:
  fields:
    stock: {css: .s, regex: '(\d+) available', type: integer}
    words: {css: .w, replace: {'; ': ','}, split: ',', join: ' / '}
    known: {css: .m, map: {In stock: true}, type: boolean}
    unknown: {css: .u, map: {In stock: true}, type: boolean, default: false}
    cut: {css: .s, replace: {regex: '\D+', with: ''}, type: integer}
"""
    body = "<p class=s>In stock (22 available)</p><p class=w>a; b ; c</p><p class=m>In stock</p><p class=u>Gone</p>"
    page = read(rules, body)
    assert page.item == {"stock": 22, "words": "a / b / c", "known": True, "unknown": False, "cut": 22}
    assert page.noted("unmapped:pages.p.items.page.fields.unknown.map") == [f"'Gone' on {URL}"]


def test_zero_is_a_value_and_blank_is_missing():
    rules = """
page:
  fields:
    e: {css: '#e', type: integer, default: 7, required: true}
    f: '#f'
"""
    assert read(rules, "<p id=e>0</p><p id=f>   </p>").item == {"e": 0, "f": None}


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("North gate<br>South gate", "North gate South gate"),
        ("1&nbsp;299&nbsp;kr", "1 299 kr"),
        ("<span>Tel</span>\n   555", "Tel 555"),
        ("wo<b>rd</b>", "word"),
        ("<div>a</div><div>b</div>", "a b"),
        ("<ul><li>a</li><li>b</li></ul>c", "a b c"),
        ("a<script>x()</script><style>p {}</style>b", "ab"),
        ("a<!-- no -->b", "ab"),
    ],
)
def test_text_is_what_a_browser_shows(html, text):
    assert read("page: {fields: {t: '#t'}}", f"<div id=t>{html}</div>").item["t"] == text


def test_multiline_breaks_lines_where_a_browser_does_and_html_is_what_is_inside():
    body = "<div id=t>One<br>two <b>three</b>\n<p>four\n five</p><pre>a\n b</pre></div>"
    rules = "page: {fields: {m: {css: '#t', type: multiline}, h: {css: '#t p', type: html}}}"
    assert read(rules, body).item == {"m": "One\ntwo three\nfour five\na\nb", "h": "four\n five"}


def test_what_remove_names_is_taken_out_first_and_only_there():
    rules = "page: {fields: {t: {css: article, remove: [aside, .share], type: multiline}, a: aside}}"
    body = "<article>Text<aside>Advert</aside> goes<p class=share>Share</p> on</article>"
    assert read(rules, body).item == {"t": "Text goes on", "a": "Advert"}


def test_from_reads_the_page_the_outer_each_the_url_and_the_response():
    rules = """
line:
  each: {css: .order, each: .line}
  fields:
    shop: {from: page, css: h1}
    order: {from: outer, css: b}
    text: ':scope'
    url: {from: url}
    status: {from: response, json: status}
"""
    order = "<div class=order><b>1</b><i class=line>x</i><i class=line>y</i></div>"
    body = f"<h1>S</h1>{order}<div class=order><b>2</b></div>"
    page = read(rules, body)
    assert [(i["order"], i["text"]) for i in page.items] == [("1", "x"), ("1", "y")]
    assert page.items[0] | {"shop": "S", "status": 200} == page.items[0]
    assert page.items[0]["url"] == URL


def test_records_and_lists_of_records():
    rules = """
company:
  fields:
    name: h1
    seat: {css: .seat, fields: {city: .city, zip: {css: .zip, required: true}}}
    officers:
      each: tr
      fields: {name: {css: .n, required: true}, since: .s}
"""
    body = """<h1>C</h1><div class=seat><i class=city>Ulm</i></div><table>
<tr><td class=n>Ann<td class=s>2001</tr><tr><td class=s>2002</tr><tr><td class=n>Bo</tr></table>"""
    page = read(rules, body)
    assert page.item == {
        "name": "C",
        "seat": None,
        "officers": [{"name": "Ann", "since": "2001"}, {"name": "Bo", "since": None}],
    }
    assert page.counts["rejected:pages.p.items.company.fields.officers.fields.name"] == 1


def test_required_rejects_the_item_and_where_leaves_it_out():
    rules = """
c: {each: .card, where: price > `10`, fields: {n: {css: h3, required: true}, price: {css: .price, type: number}}}
"""
    page = read(rules, SHOP)
    assert page.items == [{"n": "Alpha", "price": Decimal("12.50")}]
    assert page.counts["rejected:pages.p.items.c.fields.n"] == 1
    assert page.counts["rejected:pages.p.items.c.where"] == 1


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("price > `12.5`", []),
        ("price >= `12.5`", ["12.50"]),
        ("price < `7.2`", ["7.1"]),
        ("name >= 'B'", ["7.1"]),
        ("link", ["12.50", "7.1"]),
        ("!link", [None]),
        ("sum([price, `0.1`]) == `7.2`", ["7.1"]),
    ],
)
def test_where_compares_exactly(where, kept):
    # the third card has no price: a sum over a null is no condition that holds
    fields = "{name: h3, price: {css: .price, type: number}, link: a@href}"
    rules = f'c: {{each: .card, where: "{where}", fields: {fields}}}'
    got = [item["price"] for item in read(rules, SHOP).items]
    assert got == [None if k is None else Decimal(k) for k in kept]


def test_carried_fields_come_first_and_give_way_to_the_pages_own_unless_it_is_null():
    carry = {"price": Decimal("3.10"), "title": "from the list", "sub": "x"}
    page = read("page: {fields: {title: h1, sub: h2}}", SHOP, carry=carry)
    assert list(page.item.items()) == [("price", Decimal("3.10")), ("title", "Books"), ("sub", "x")]
    assert page.counts["filled:page.sub"] == 1


def test_templates_in_value_see_carry_and_the_fields_before():
    rules = "page: {fields: {a: h1, b: {value: '${a}/${carry.x}'}, c: {value: '7', type: integer}}}"
    assert read(rules, SHOP, carry={"x": "1"}).item | {"b": "Books/1", "c": 7} == {
        "x": "1",
        "a": "Books",
        "b": "Books/1",
        "c": 7,
    }


class TestJson:
    BODY = """{"n": 2, "rows": [{"id": 1, "price": 12.50, "tags": ["a", "", null, "b"], "of": {"x": "y"}, "ok": false},
        {"id": "02", "price": "7", "html": "<p>Hi <b>you</b></p><a href='/u'>u</a>"}], "one": {"id": 9}}"""

    def test_numbers_and_booleans_stay_what_they_are_and_numbers_are_exact(self):
        page = read("r: {each: rows, fields: {id: id, price: price, ok: ok}}", self.BODY, "json")
        assert page.items == [
            {"id": 1, "price": Decimal("12.50"), "ok": False},
            {"id": "02", "price": "7", "ok": None},
        ]
        assert str(page.items[0]["price"]) == "12.50"

    def test_types_and_steps_make_texts_of_them(self):
        rules = "r: {each: rows, fields: {id: {json: id, type: text}, p: {json: price, type: number}}}"
        assert read(rules, self.BODY, "json").items == [
            {"id": "1", "p": Decimal("12.50")},
            {"id": "02", "p": Decimal("7")},
        ]

    def test_an_object_is_null_and_reported_and_json_keeps_it(self):
        page = read("r: {each: rows, fields: {of: of, j: {json: of, type: json}}}", self.BODY, "json")
        assert page.items[0] == {"of": None, "j": {"x": "y"}}
        assert page.counts["object:pages.p.items.r.fields.of"] == 1

    def test_a_list_is_its_first_value_or_with_each_all_of_them(self):
        page = read("r: {each: rows, fields: {first: tags, all: {each: tags}}}", self.BODY, "json")
        assert page.items[0] == {"first": "a", "all": ["a", "b"]}
        assert page.counts["left_out:pages.p.items.r.fields.all"] == 2

    def test_one_object_in_place_of_a_list_is_a_list_of_one(self):
        assert read("r: {each: one, fields: {id: id}}", self.BODY, "json").items == [{"id": 9}]

    def test_html_in_json_and_json_in_html(self):
        rules = "r: {each: rows, fields: {t: {json: html, css: p}, l: {json: html, css: a@href}}}"
        assert read(rules, self.BODY, "json").items[1] == {"t": "Hi you", "l": "http://site.test/u"}
        html = '<script id=d>{"p": {"price": 1.10}}</script>'
        assert read("x: {fields: {p: {css: '#d', json: p.price, type: number}}}", html).item["p"] == Decimal("1.10")

    @pytest.mark.parametrize("wrapped", [")]}',\n%s", "while(1);%s", "cb(%s);", "/**/ my.cb(%s)", "\ufeff%s"])
    def test_guards_and_wrappers_are_taken_off(self, wrapped):
        assert read("x: {fields: {id: id}}", wrapped % '{"id": 5}', "json").item == {"id": 5}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1234.56", "1234.56"), ("1,234.56", "1234.56"), ("1.234,56", "1234.56"), ("1 234,56", "1234.56"),
        ("€ 12.50", "12.50"), ("12,5 kr", "12.5"), ("USD 3", "3"), ("−5", "-5"), ("5-", "-5"), ("0.125", "0.125"),
        ("1'299.50", "1299.50"), ("12", "12"), ("1,234,567", "1234567"), ("７", "7"), ("1.299,-", "1299"),
    ],
)  # fmt: skip
def test_numbers_that_have_one_meaning(text, number):
    page = read("x: {fields: {t: i, n: {css: b, type: number}}}", f"<i>x</i><b>{text}</b>")
    assert str(page.item["n"]) == number


@pytest.mark.parametrize("text", ["7.125", "12,345", "n/a", "about 5", "5 of 7", "NaN", "1e3", "1_000", "1,23,4"])
def test_what_is_ambiguous_or_has_words_is_null_and_reported(text):
    page = read("x: {fields: {t: i, n: {css: b, type: number}}}", f"<i>x</i><b>{text}</b>")
    assert page.item["n"] is None
    (note,) = page.noted("cast:pages.p.items.x.fields.n")
    assert text in note


def test_a_lone_dash_is_null_and_no_failure():
    page = read("x: {fields: {t: i, n: {css: b, type: number}}}", "<i>x</i><b>—</b>")
    assert page.item["n"] is None
    assert "cast:pages.p.items.x.fields.n" not in page.counts


def test_attributes_are_in_the_machines_form():
    page = read("x: {fields: {n: {css: 'b@data-n', type: number}}}", "<b data-n=7.125></b>")
    assert page.item["n"] == Decimal("7.125")


def test_addresses_are_absolute_against_the_base():
    body = """<base href="/up/"><img src=i.png srcset="s.png 1x, l.png 2x"><a href=" x y ">a</a>"""
    rules = "x: {fields: {i: img@src, s: img@srcset, a: a@href}}"
    assert read(rules, body).item == {
        "i": "http://site.test/up/i.png",
        "s": "http://site.test/up/l.png",
        "a": "http://site.test/up/x%20y",
    }


def test_an_xpath_that_gives_a_number_a_text_or_a_boolean_is_a_value():
    rules = "x: {fields: {n: {xpath: count(//a)}, t: {xpath: string(//a)}, b: {xpath: 'boolean(//b)'}}}"
    assert read(rules, "<a>1</a><a>2</a>").item == {"n": 2, "t": "1", "b": False}


class TestTbody:
    PLAIN = "<table id=t><tr><th>Qty</th><td>42</td></tr></table>"
    RULES = "x: {fields: {p: th, a: '#t > tbody > tr > td', b: {xpath: \"//table[@id='t']/tbody/tr/td/text()\"}}}"

    def test_a_tbody_that_the_page_does_not_have_is_named_with_what_would_match(self):
        page = read(self.RULES, self.PLAIN)
        assert page.item["a"] is None
        assert page.noted("tbody:pages.p.items.x.fields.a") == ["#t > tr > td"]
        assert page.noted("tbody:pages.p.items.x.fields.b.xpath") == ["//table[@id='t']/tr/td/text()"]

    def test_a_page_that_has_it_goes_on_working(self):
        body = self.PLAIN.replace("<tr>", "<tbody><tr>")
        page = read(self.RULES, body)
        assert (page.item["a"], page.item["b"]) == ("42", "42")
        assert not any(name.startswith("tbody:") for name in page.counts)


@pytest.mark.parametrize(
    ("field", "said", "fix"),
    [
        ("{xpath: //h3/text()}", "looks at the whole page from inside an each", ".//h3/text()"),
        ("{xpath: './/a[foo()]'}", "calls foo()", ""),
        ("{css: 'div..x'}", "is no CSS selector", ""),
        ("{css: 'a:fist-child'}", ":fist-child is unknown", ":first-child"),
        ("{css: 'h3::text'}", "::text is no CSS", "drop it"),
        (r"{css: h3, regex: '(\d+'}", "is no regular expression", ""),
        ("{css: '> a'}", 'begins with ">"', ":scope > a"),
        ("{xpath: './/div[@class=\"x\"'}", 'a "]" is missing', "add it"),
        ("{css: b, type: integer, default: many}", '"many" is no integer', ""),
    ],
)
def test_broken_expressions_are_found_before_the_first_page(field, said, fix):
    (problem,) = problems(f"c:\n  each: .card\n  fields:\n    n: {field}")
    assert said in problem
    assert fix in problem


@pytest.mark.parametrize(
    ("expression", "said", "fix"),
    [
        ("is-new", "is no JMESPath", '"is-new"'),
        ("rows[?id==42].name", "is no JMESPath", "`42`"),
        ('rows[?tag=="new"].name', "compares with the key", "single quotes"),
        ("length(", "is no JMESPath", ""),
        ("lenght(@)", "calls lenght()", "length"),
    ],
)
def test_jmespath_hints(expression, said, fix):
    (problem,) = problems(f"c:\n  fields:\n    n: '{expression}'", "json")
    assert said in problem
    assert fix in problem


def test_the_address_of_the_page_comes_without_fragment_and_campaign_and_may_be_cut():
    rules = r"page: {fields: {t: h1, url: {from: url}, id: {from: url, regex: 'id=(\d+)', type: integer}}}"
    item = read(rules, "<h1>x</h1>").item
    assert item["id"] == 7


class TestTables:
    BODY = """<table><tr><th>Name<th>Plan<th>Plan<tr><td><a href=/a>A</a> <i>x</i><i>y</i><td>1<td>2</table>"""

    def test_selectors_beside_column_read_inside_the_cell_and_others_in_the_row(self):
        rules = """
line:
  table: table
  fields:
    name: {column: Name, css: a}
    link: {column: 1, css: a@href}
    marks: {column: Name, each: i}
    number: {column: 3, type: integer}
    row: {css: 'td:nth-child(2)'}
    inner: {fields: {n: {column: 2}}}
"""
        assert read(rules, self.BODY).item == {
            "name": "A",
            "link": "http://site.test/a",
            "marks": ["x", "y"],
            "number": 2,
            "row": "1",
            "inner": {"n": "1"},
        }

    def test_a_column_that_is_missing_or_ambiguous_is_null_and_reported(self):
        fields = "{a: {column: Plan}, b: {column: Price}, n: {column: Name}}"
        page = read(f"line: {{table: table, fields: {fields}}}", self.BODY)
        assert page.item == {"a": None, "b": None, "n": "A xy"}
        (said,) = page.noted("column:pages.p.items.line.fields.a.column")
        assert "several columns" in said
        (said,) = page.noted("column:pages.p.items.line.fields.b.column")
        assert "there are Name, Plan, Plan" in said

    def test_a_record_is_read_inside_its_cell(self):
        body = "<table><tr><th>A<th>B<tr><td><a href=/1>x</a><td><a href=/2>y</a><b>z</b></table>"
        fields = "{b: {column: B, fields: {u: a@href, t: b}}, l: {column: B, each: a, fields: {t: ':scope'}}}"
        page = read(f"row: {{table: table, fields: {fields}}}", body)
        assert page.item == {"b": {"u": "http://site.test/2", "t": "z"}, "l": [{"t": "y"}]}

    def test_a_column_without_a_table_and_a_table_beside_each_are_refused(self):
        (said,) = problems("c:\n  each: tr\n  fields:\n    n: {column: Name}")
        assert said == "pages.p.items.c.fields.n.column: only a table or a CSV has columns | say css or xpath"
        with pytest.raises(SpecError, match="each and table stand in one item rule"):
            problems("c:\n  each: tr\n  table: table\n  fields:\n    n: {column: Name}")


class TestBefore:
    BODY = """<h2 id=a>A</h2><ul class=one><li>1<li>2</ul>
<h2>B</h2><div><h3 id=c>C</h3><ul><li>3</ul></div><h2>Z</h2>"""

    def test_it_is_the_nearest_match_that_begins_before_the_element(self):
        rules = """
row:
  each: li
  fields:
    n: ':scope'
    head: {from: before, css: h2}
    any: {from: before, css: 'h2, h3'}
    id: {from: before, css: h2@id}
    text: {from: before, xpath: //h3/text()}
    list: {from: before, css: 'ul@class'}
"""
        items = read(rules, self.BODY).items
        assert [item["head"] for item in items] == ["A", "A", "B"]
        assert [item["any"] for item in items] == ["A", "A", "C"]
        assert [item["id"] for item in items] == ["a", "a", "a"]
        assert [item["text"] for item in items] == [None, None, "C"]
        assert [item["list"] for item in items] == ["one", "one", "one"]

    def test_rows_of_a_table_have_a_before_too(self):
        body = "<h2>A</h2><table><tr><th>N<tr><td>1</table><h2>B</h2><table><tr><th>N<tr><td>2</table>"
        page = read("row: {table: table, fields: {head: {from: before, css: h2}, n: {column: N}}}", body)
        assert page.items == [{"head": "A", "n": "1"}, {"head": "B", "n": "2"}]

    @pytest.mark.parametrize(
        ("rules", "said"),
        [
            ("c: {fields: {h: {from: before, css: h2}}}", "there is no each"),
            ("c: {each: li, fields: {h: {from: before, each: h2}}}", "each and from: before"),
            ("c: {each: li, fields: {h: {from: before, css: h2, fields: {a: b}}}}", "fields and from: before"),
        ],
    )
    def test_it_needs_an_element_to_look_from(self, rules, said):
        with pytest.raises(SpecError, match=said):
            problems(rules)

    def test_json_has_no_elements(self):
        (problem,) = problems("c: {each: rows, fields: {h: {from: before, css: h2}}}", "json")
        assert "JSON has none" in problem


class TestScripts:
    def test_a_value_that_cannot_be_read_is_null_and_reported_with_its_first_characters(self):
        body = "<h1>x</h1><script>var state = load();</script>"
        page = read("p: {fields: {h: h1, s: {js: state, json: a}, n: {js: none}}}", body)
        assert page.item == {"h": "x", "s": None, "n": None}
        (said,) = page.noted("js:pages.p.items.p.fields.s.js")
        assert "state = 'load();" in said

    def test_each_reads_the_entries_and_a_number_keeps_its_digits(self):
        body = "<script>var state = {rows: [{k: 'a;b', n: 1.50}, {k: 'c'}]}</script>"
        page = read("r: {each: {js: state, json: rows}, fields: {k: k, n: n}}", body)
        assert page.items == [{"k": "a;b", "n": Decimal("1.50")}, {"k": "c", "n": None}]


class TestLocale:
    BODY = "<b data-n=7.125>7.125</b>"

    def test_a_fields_locale_holds_for_attributes_too(self):
        rules = "x: {fields: {t: {css: b, type: number, locale: de}, a: {css: b@data-n, type: number, locale: de}}}"
        assert read(rules, self.BODY).item == {"t": 7125, "a": 7125}

    def test_without_a_locale_people_are_asked_and_programs_are_not(self):
        rules = "x: {fields: {t: {css: b, type: number}, a: {css: b@data-n, type: number}}}"
        assert read(rules, self.BODY).item == {"t": None, "a": Decimal("7.125")}

    def test_a_name_that_is_none_is_refused(self):
        with pytest.raises(SpecError, match="is no locale"):
            problems("x:\n  fields:\n    t: {css: b, type: number, locale: german}")


def test_addresses_have_their_query_in_the_charset_of_the_page():
    page = b'<meta charset=latin1><a href="/\xe9?q=\xe9#\xe9">x</a>'
    rules = "x: {fields: {link: a@href, url: {css: a@href, type: url}, text: {xpath: 'string(//a/@href)', type: url}}}"
    address = "http://site.test/%C3%A9?q=%E9"
    item = read(rules, page).item
    assert item["link"].startswith(address)
    assert item["url"] == item["text"] == address


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ("{n: {column: 1}, v: {column: 2}}", ["Anna", "Bert", "Carl"]),
        ("{n: {column: 1}, v: {any: [{column: Total}, {column: 2}]}}", ["Bert", "Carl"]),
    ],
)
def test_the_first_row_of_a_table_holds_headings_where_one_is_named(fields: str, names: list[str]) -> None:
    body = "<table><tr><td>Anna<td>x<tr><td>Bert<td>y<tr><td>Carl<td>z</table>"
    assert [item["n"] for item in read(f"row: {{table: table, fields: {fields}}}", body).items] == names
