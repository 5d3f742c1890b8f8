"""Link rules on pages: which links, what goes along, what is left out and how that is told."""

from __future__ import annotations

import pytest

from tests.compiler.crawled import lead, plan, problems
from yamlcrawl.model.request import Body
from yamlcrawl.model.secrets import reference

LINKS = """
pages:
  p: {follow: {q: a}}
  q: {}
"""


def rule(text: str, more: str = "") -> str:
    """A spec with one link rule."""
    return (
        f"pages:\n  p:\n    follow:\n      q: {text}\n  q: {{items: {{x: {{fields: {{u: {{from: url}}}}}}}}}}\n{more}"
    )


def test_dirty_hrefs() -> None:
    page = """
    <a href="
        http://other.test/x ">a</a>
    <a href="/s?q=tea&amp;sort=up">b</a> <a href="/s?x=1&copy=7&para=3">c</a> <a href="/s?p=1&#38;v=2">d</a>
    <a href="mailto:bo@site.test">e</a> <a href="javascript:void(0)">f</a> <a href="tel:+4512345678">g</a>
    <a href="">h</a>"""
    crawl = plan("site: {hosts: other.test}\nstart: {p: 'http://site.test/p/?post=7'}\npages: {p: {follow: {p: a}}}")
    led = lead(crawl, page)
    assert led.urls == [
        "http://other.test/x",
        "http://site.test/s?q=tea&sort=up",
        "http://site.test/s?x=1&copy=7&para=3",
        "http://site.test/s?p=1&v=2",
        "http://site.test/p/?post=7",
    ]
    assert led.requests[-1].fingerprint == next(iter(crawl.seeds())).fingerprint
    assert led.tally.notes == []


def test_look_alike_hosts() -> None:
    page = """
    <a href="http://shop.test/a">1</a> <a href="http://www.shop.test/b">2</a> <a href="http://SHOP.TEST/f">3</a>
    <a href="http://notshop.test/c">4</a> <a href="http://shop.test.evil.test/d">5</a>
    <a href="http://share.test/submit?url=http://shop.test/a">6</a> <a href="http://shop.test@evil.test/e">7</a>
    <a href="http://shop.test/go/1">8</a>"""
    led = lead(plan("start: {p: http://shop.test/}\nsite: {hosts: ['*.shop.test']}\n" + LINKS), page)
    assert led.urls == [
        "http://shop.test/a",
        "http://www.shop.test/b",
        "http://shop.test/f",
        "http://shop.test/go/1",
    ]
    offsite = {name for name in led.tally.counts if name.startswith("offsite:")}
    assert offsite == {"offsite:notshop.test", "offsite:shop.test.evil.test", "offsite:share.test", "offsite:evil.test"}
    assert led.noted("offsite:evil.test") == ["http://shop.test@evil.test/e"]


def test_links_are_told_once_and_known_ones_are_not_made_again() -> None:
    crawl = plan(LINKS)
    page = '<a href="/a">1</a><a href="/a#x">2</a><a href="/b">3</a><a href="/c">4</a>'
    first = lead(crawl, page)
    assert first.tally.counts["duplicates"] == 1
    known = {first.requests[1].fingerprint}
    second = lead(crawl, page, known=known.__contains__)
    assert second.urls == ["http://site.test/a", "http://site.test/c"]
    assert second.tally.counts["duplicates"] == 2


def test_a_base_element_moves_relative_links() -> None:
    crawl = plan(LINKS)
    base = '<base href="http://site.test/deep/down/">'
    assert lead(crawl, base + '<a href="x">1</a>').urls == ["http://site.test/deep/down/x"]
    assert lead(crawl, '<a href="x">1</a>').urls == ["http://site.test/x"]


def test_what_a_click_on_an_element_asks_for() -> None:
    page = '<a href="/a"><h3>x</h3></a><img src="/i.png"><h3>y</h3><a name="n">z</a>'
    led = lead(plan(rule("'h3, img, a[name]'")), page)
    assert led.urls == ["http://site.test/a", "http://site.test/i.png"]
    assert led.noted("bad_url:pages.p.follow.q") == ["<h3> is no link, on http://site.test/"]


def test_what_sends_no_form_is_counted_and_not_silent() -> None:
    page = """<form><button type=reset>no</button><input name=q></form><input type=submit>
    <form method=dialog><button name=d>no</button></form>"""
    led = lead(plan(rule("'button, input'")), page)
    assert led.urls == []
    assert led.tally.counts["form:pages.p.follow.q"] == 4
    script = lead(plan(rule("a")), """<a href="javascript:__doPostBack('a','b')">a page without a form</a>""")
    assert (script.urls, script.tally.counts["form:pages.p.follow.q"]) == ([], 1)


SEARCH = """<base href="/in/"><form id=s method=post action=find?lang=en><input type=hidden name=token value="a&b">
<input name=street><input type=checkbox name=old value=1><button name=go value=now>Go</button></form>"""


def test_a_form_is_sent_with_its_hidden_inputs_and_the_values_of_the_rule_over_its_own() -> None:
    (request,) = lead(plan(rule("{css: form#s, form: {street: Main St, old: '1'}}")), SEARCH).requests
    assert (request.url, request.method) == ("http://site.test/in/find?lang=en", "POST")
    assert request.body == Body("form", [["token", "a&b"], ["street", "Main St"], ["old", "1"]])
    (clicked,) = lead(plan(rule("button")), SEARCH).requests
    assert clicked.body == Body("form", [["token", "a&b"], ["street", ""], ["go", "now"]])
    assert clicked.depth == 1


def test_a_form_that_gets_puts_its_values_in_the_place_of_the_query() -> None:
    page = SEARCH.replace("method=post", "")
    (request,) = lead(plan(rule("{css: form, form: {street: Ä}, params: {page: '2'}}")), page).requests
    assert (request.method, request.body) == ("GET", None)
    assert request.url == "http://site.test/in/find?token=a%26b&street=%C3%84&page=2"


def test_a_form_without_the_named_field_is_sent_and_spoken_of() -> None:
    led = lead(plan(rule("{css: form, form: {strasse: Main}}")), SEARCH)
    assert led.requests[0].body == Body("form", [["token", "a&b"], ["street", ""], ["strasse", "Main"]])
    (said,) = led.noted("form_field:pages.p.follow.q")
    assert said == "strasse (it has go, old, street, token), on http://site.test/"


def test_a_form_without_an_action_goes_to_the_page_and_one_that_leaves_the_scope_nowhere() -> None:
    page = "<form method=post><input type=hidden name=a></form><form action=http://other.test/></form>"
    led = lead(plan(rule("form")), page)
    assert led.urls == ["http://site.test/"]
    assert led.tally.counts["offsite:other.test"] == 1


def test_each_form_of_an_each_is_a_link_with_its_carry() -> None:
    page = """<li><b>1</b><form action=/x><input type=hidden name=id value=7></form></li>
    <li><b>2</b><form action=/x><input type=hidden name=id value=8></form></li>"""
    led = lead(plan(rule("{each: li, css: form, carry: {n: b}}")), page)
    assert [(r.url, r.carry) for r in led.requests] == [
        ("http://site.test/x?id=7", {"n": "1"}),
        ("http://site.test/x?id=8", {"n": "2"}),
    ]


def test_a_postback_link_sends_its_form() -> None:
    page = """<form method=post action=list.aspx><input type=hidden name=__VIEWSTATE value=v>
    <input type=hidden name=__EVENTTARGET><a href="javascript:__doPostBack(&#39;grid&#39;,&#39;Page$2&#39;)">2</a>
    <a href='javascript:WebForm_DoPostBackWithOptions(new WebForm_PostBackOptions("go", "", true))'>go</a></form>"""
    sent = [request.body.value for request in lead(plan(rule("a")), page).requests if request.body]
    assert sent == [
        [["__VIEWSTATE", "v"], ["__EVENTTARGET", "grid"], ["__EVENTARGUMENT", "Page$2"]],
        [["__VIEWSTATE", "v"], ["__EVENTTARGET", "go"], ["__EVENTARGUMENT", ""]],
    ]


def test_a_secret_that_a_form_echoes_is_kept_as_its_reference() -> None:
    text = rule("form", "start: {p: 'http://site.test/?key=${env.KEY}'}\n")
    page = "<form method=post><input type=hidden name=back value=/?key=s3cr3t-value></form>"
    (request,) = lead(plan(text, {"KEY": "s3cr3t-value"}), page).requests
    assert "s3cr3t" not in repr(request)
    assert request.secrets == ("KEY",)


def test_steps_see_an_address_absolute_and_a_text_as_it_is() -> None:
    page = """<a href=b>x</a><noframes>see <a href="d">d</a></noframes><p onclick="go('c')">"""
    assert lead(plan(rule("{css: a, replace: {'http://site.test/': /in/}}")), page).urls == ["http://site.test/in/b"]
    text = rule("""{xpath: '//noframes//text()', regex: 'href="(.*?)"'}""")
    assert lead(plan(text), page).urls == ["http://site.test/d"]
    assert lead(plan(rule("""{css: p@onclick, regex: "go.'(.)"}""")), page).urls == ["http://site.test/c"]


def test_attributes_and_texts_are_addresses() -> None:
    page = '<li data-to="/a">/b</li><li data-to=" ">/c</li>'
    assert lead(plan(rule("li@data-to")), page).urls == ["http://site.test/a", "http://site.test/"]
    assert lead(plan(rule("{xpath: '//li/text()'}")), page).urls == ["http://site.test/b", "http://site.test/c"]
    text = rule("{css: li@data-to, regex: '^.*/(.)$', replace: {a: z}}")
    assert lead(plan(text), page).urls == ["http://site.test/z"]


def test_links_of_json() -> None:
    crawl = plan(
        "pages:\n  p: {format: json, follow: {q: {each: 'rows[]', json: url, carry: {n: name}}}}\n  q: {format: json}\n"
    )
    led = lead(crawl, '{"rows": [{"url": "/a", "name": "x"}, {"url": null}, {"url": "b", "name": 1.50}]}')
    assert led.urls == ["http://site.test/a", "http://site.test/b"]
    assert [str(request.carry["n"]) for request in led.requests] == ["x", "1.50"]


def test_one_link_for_each_match_with_what_stands_beside_it() -> None:
    page = '<li><b>1</b><a href="/a">x</a><a href="/no">x</a></li><li><b>2</b><a href="/b">x</a></li><li><b>3</b></li>'
    led = lead(plan(rule("{each: li, css: a, carry: {n: {css: b, type: integer}}, priority: 3}")), page)
    assert [(r.url, r.carry, r.priority, r.depth) for r in led.requests] == [
        ("http://site.test/a", {"n": 1}, 3, 1),
        ("http://site.test/b", {"n": 2}, 3, 1),
    ]
    assert {r.via for r in led.requests} == {"pages.p.follow.q"}
    assert {r.parent for r in led.requests} == {"http://site.test/"}


def test_one_page_under_two_carried_values_is_told() -> None:
    page = '<li><b>1</b><a href="/a">x</a></li><li><b>2</b><a href="/a">x</a></li>'
    led = lead(plan(rule("{each: li, css: a, carry: {n: b}}")), page)
    assert [r.carry for r in led.requests] == [{"n": "1"}]
    assert led.noted("carry:pages.p.follow.q") == ["http://site.test/a"]


def test_a_required_value_that_is_missing_leaves_the_link_out() -> None:
    page = '<li><a href="/a">x</a></li><li><b>2</b><a href="/b">x</a></li>'
    led = lead(plan(rule("{each: li, css: a, carry: {n: {css: b, required: true}}}")), page)
    assert led.urls == ["http://site.test/b"]
    assert led.tally.counts["rejected:pages.p.follow.q.carry.n"] == 1


def test_a_template_in_place_of_an_address() -> None:
    page = '<li data-id="7/b c"></li><li></li>'
    text = rule("{each: li, url: 'https://api.test/v2/${carry.id}?full=1', carry: {id: '@data-id'}}")
    led = lead(plan(text), page)
    assert led.urls == ["https://api.test/v2/7%2Fb%20c?full=1"]


def test_a_whole_address_from_a_page_is_judged_like_a_link() -> None:
    page = '<li data-u="http://evil.test/"></li><li data-u="/x"></li>'
    led = lead(plan(rule("{each: li, url: '${carry.u}', carry: {u: '@data-u'}}")), page)
    assert led.urls == ["http://site.test/x"]
    assert led.tally.counts["offsite:evil.test"] == 1


def test_include_and_exclude() -> None:
    page = '<a href="/shop/a">1</a><a href="/shop/b.pdf">2</a><a href="/about">3</a><a href="/shop/x7">4</a>'
    led = lead(plan(rule("{css: a, include: /shop/**, exclude: ['*.pdf', {regex: '.*x\\d'}, {regex: 'shop'}]}")), page)
    assert led.urls == ["http://site.test/shop/a"]
    assert led.tally.counts["excluded:pages.p.follow.q"] == 3


def test_what_is_sent_with_a_link() -> None:
    page = '<li><b>7</b><a href="/a?page=1&amp;x=%20">x</a></li>'
    text = rule(
        "{each: li, css: a, carry: {nil: i, id: {css: b, type: integer}}, headers: {X-Id: 'n${carry.id}'},"
        " params: {page: '${carry.id}', q: 'ä b', no: '${carry.nil}'}}"
    )
    (request,) = lead(plan(text), page).requests
    assert request.url == "http://site.test/a?page=7&x=%20&q=%C3%A4%20b"
    assert request.headers == (("X-Id", "n7"),)
    assert request.method == "GET"


def test_a_body_keeps_the_types_of_its_values() -> None:
    page = '<li><b>7</b><a href="/a">x</a></li>'
    text = rule(
        "{each: li, css: a, carry: {id: {css: b, type: integer}},"
        " body: {v: {id: '${carry.id}', n: 2, t: 'x${carry.id}'}}}"
    )
    (request,) = lead(plan(text), page).requests
    assert request.method == "POST"
    assert request.body
    assert request.body.value == {"v": {"id": 7, "n": 2, "t": "x7"}}


def test_a_line_break_from_a_page_enters_no_header() -> None:
    page = '<li><p>a<br>X-Evil: 1</p><a href="/a">x</a></li>'
    led = lead(
        plan(rule("{each: li, css: a, carry: {t: {css: p, type: multiline}}, headers: {X-T: '${carry.t}'}}")), page
    )
    assert led.urls == []
    assert "line break in the header X-T" in led.noted("bad_url:pages.p.follow.q")[0]


def test_secrets_go_to_the_start_hosts_alone() -> None:
    page = '<a href="/a?x=%1AKEY%1A">1</a><a href="http://other.test/b">2</a>'
    text = rule(
        "{css: a, headers: {X-Key: '${env.KEY}'}, params: {k: '${env.KEY}', l: de}}", "site: {hosts: other.test}"
    )
    own, other = lead(plan(text, {"KEY": "s3cr3t"}), page).requests
    assert own.url == "http://site.test/a?x=KEY&k=%1AKEY%1A&l=de"
    assert own.headers == (("X-Key", reference("KEY")),)
    assert own.secrets == ("KEY",)
    assert other.url == "http://other.test/b?l=de"
    assert (other.headers, other.secrets) == ((), ())


def test_a_secret_for_another_host_is_an_error() -> None:
    text = rule("{url: 'https://api.test/?k=${env.KEY}'}")
    assert "the secret KEY would go to api.test" in problems(text, {"KEY": "s3cr3t"})[0]
    text += "site: {hosts: {api.test: {headers: {X-Key: '${env.KEY}'}}}}"
    assert problems(text, {"KEY": "s3cr3t"}) == []


def test_variables_multiply_the_first_rule_that_uses_them() -> None:
    text = "vars: {lang: [de, fr], n: 1..2}\n" + rule("{css: a, params: {l: '${lang}'}}")
    led = lead(plan(text), '<a href="/a">1</a>')
    assert led.urls == ["http://site.test/a?l=de", "http://site.test/a?l=fr"]
    assert [r.vars for r in led.requests] == [{"lang": "de"}, {"lang": "fr"}]
    chosen = lead(plan(text), '<a href="/a">1</a>', vars={"lang": "it"})
    assert chosen.urls == ["http://site.test/a?l=it"]


def test_a_variable_in_a_carried_value_is_chosen_there() -> None:
    text = "vars: {lang: [de, fr]}\n" + rule("{css: a, carry: {l: {value: 'in ${lang}'}}}")
    led = lead(plan(text), '<a href="/a">1</a><a href="/b">1</a>')
    assert [(r.url[-1], r.carry["l"]) for r in led.requests] == [("a", "in de"), ("b", "in de")]


@pytest.mark.parametrize("how", ["a", "{css: a, carry: {t: .}}"])
def test_guards_cut_and_count(how: str) -> None:
    more = "limits: {guards: {url: 60, depth: 5, repeats: 2, variants: 2}}"
    text = rule(how.replace("t: .", "t: title"), more)
    page = "".join(f'<a href="{h}">x</a>' for h in ("/a/b/a/a", "/" + "x" * 60, "/l?1", "/l?2", "/l?3", "/ok"))
    led = lead(plan(text), page)
    assert [url.partition("test")[2] for url in led.urls] == ["/l?1", "/l?2", "/ok"]
    assert led.noted("cut:repeats") == ["http://site.test/a/b/a/a"]
    assert led.noted("cut:url") == ["http://site.test/" + "x" * 60]
    assert led.noted("cut:variants") == ["http://site.test/l?3"]
    assert lead(plan(text), page, depth=5).urls == []
    assert lead(plan(text), page, depth=5).tally.counts["cut:depth"] == 1


def test_a_refresh_is_one_more_page_of_the_kind() -> None:
    crawl = plan("pages: {p: {}}")
    led = lead(crawl, '<meta http-equiv="Refresh" content="0; URL=\'/z\'">', carry={"x": 1}, depth=2, priority=4)
    (request,) = led.requests
    assert (request.url, request.page, request.carry) == ("http://site.test/z", "p", {"x": 1})
    assert (request.depth, request.priority, request.step, request.via) == (2, 4, False, "site.meta_refresh")


@pytest.mark.parametrize(
    "page",
    [
        '<meta http-equiv=refresh content="5; url=/z">',
        '<meta http-equiv=refresh content="3">',
        '<meta http-equiv=refresh content="0; url=/#top">',
        '<noscript><meta http-equiv=refresh content="0; url=/z"></noscript>',
        '<meta http-equiv=refresh content="0; url=http://other.test/">',
        '<meta name=refresh content="0; url=/z">',
    ],
)
def test_refreshes_that_are_not_followed(page: str) -> None:
    assert lead(plan("pages: {p: {}}"), page).urls == []


def test_refreshes_can_be_ignored_and_end() -> None:
    page = '<meta http-equiv=refresh content="0; url=/z">'
    assert lead(plan("site: {meta_refresh: ignore}\npages: {p: {}}"), page).urls == []
    led = lead(plan("pages: {p: {}}"), page, redirects=10)
    assert (led.urls, led.noted("cut:refresh")) == ([], ["http://site.test/z"])
