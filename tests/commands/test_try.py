"""`yamlcrawl try`: what the rules find on one page, and why it could not be had."""

import pytest

from tests.cases.test_login import ENV, Portal
from tests.cases.test_login import SPEC as LOGIN
from tests.commandline import CommandLine
from tests.site import Site, redirect

SPEC = """
name: shop
site: {{sleep: 0s}}
start: {{list: "{url}/"}}
pages:
  list:
    follow:
      product: {{css: .card a, carry: {{tag: i}}, exclude: /old/*}}
    items:
      card: {{each: .card, fields: {{name: [h2, h3], price: {{css: b, type: number}}}}}}
  product: {{items: {{product: {{fields: {{name: h1}}}}}}}}
"""
LISTING = """<i>t</i>
<div class=card><h3>Mug</h3><b>12.50</b><a href=/p/1>x</a></div>
<div class=card><h3>Cup</h3><b>soon</b><a href=/old/2>x</a></div>
"""


def test_it_shows_items_selectors_links_and_what_was_left_out(site, crawl):
    site.pages["/"] = LISTING
    crawl.write(SPEC.format(url=site.url("")))
    ran = crawl.command("try", "spec.yml", f"{site.url('')}/")
    assert ran.exit == 0, ran.output
    assert '  1.  name   "Mug"\n      price  12.50\n  2.  name   "Cup"\n      price  null\n' in ran.stdout
    assert "2 items of 2 matches" in ran.stdout
    lines = {line.split()[0]: line.split()[1] for line in ran.stdout.splitlines() if line.startswith("  pages.")}
    assert lines["pages.list.items.card.fields.name.any.0"] == "nothing"
    assert lines["pages.list.items.card.fields.name.any.1"] == "2"
    assert f'GET {site.url("")}/p/1  carries {{"tag": "t"}}' in ran.stdout
    assert "1 links left out by include or exclude: pages.list.follow.product" in ran.stdout
    assert "1 could not be read as the field's type: pages.list.items.card.fields.price, e.g. 'soon'" in ran.stdout
    assert not (ran.folder / ".yamlcrawl").exists()


def test_a_saved_page_needs_no_server(crawl, tmp_path):
    (tmp_path / "saved.html").write_text("<h1>Mug</h1>", encoding="utf-8")
    crawl.write(SPEC.format(url="http://shop.test"))
    ran = crawl.command("try", "spec.yml", "http://shop.test/p/1", "--page", "product", "--file", "saved.html")
    assert ran.exit == 0, ran.output
    assert '{"tag"' not in ran.stdout
    assert '  1.  name  "Mug"' in ran.stdout


def test_redirects_are_followed(site, crawl):
    site.pages["/"] = redirect("/now")
    site.pages["/now"] = LISTING
    crawl.write(SPEC.format(url=site.url("")))
    ran = crawl.command("try", "spec.yml", f"{site.url('')}/")
    assert ran.exit == 0, ran.output
    assert f"{site.url('')}/now  200 OK" in ran.stdout


def test_a_page_without_items_misses(site, crawl):
    site.pages["/"] = "<p>nothing here</p>"
    crawl.write(SPEC.format(url=site.url("")))
    assert crawl.command("try", "spec.yml", f"{site.url('')}/").exit == 2


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["{url}/p/1"], 1, "--page list or --page product"),
        (["{url}/", "--page", "lst"], 1, "there are list, product"),
        (["mailto:x@y.test"], 1, "is no address"),
        (["{url}/gone", "--page", "product"], 3, "404 Not Found"),
        (["{url}/denied", "--page", "product"], 3, "robots.txt denies it"),
        (["{url}/", "--file", "none.html"], 1, "none.html cannot be read"),
    ],
)
def test_what_cannot_be_tried_is_told_with_its_exit_code(site, crawl, args, code, said):
    site.robots = "User-agent: *\nDisallow: /denied"
    crawl.write(SPEC.format(url=site.url("")))
    ran = crawl.command("try", "spec.yml", *(arg.format(url=site.url("")) for arg in args))
    assert ran.exit == code, ran.output
    assert said in ran.output
    assert "Traceback" not in ran.output


def test_a_prefix_that_the_document_does_not_declare_is_named(crawl, tmp_path):
    saved = tmp_path / "data.xml"
    saved.write_text("<a xmlns:dc='urn:dc'><e><dc:by>Ada</dc:by></e></a>", encoding="utf-8")
    crawl.write(
        "name: x\nstart: {p: 'https://a.example/'}\npages:\n  p:\n    format: xml\n"
        "    items: {e: {each: //e, fields: {by: dc:by, at: geo:at}}}\n"
    )
    ran = crawl.command("try", "spec.yml", "https://a.example/", "--file", str(saved))
    assert ran.exit == 0, ran.output
    assert '  1.  by  "Ada"\n      at  null\n' in ran.stdout
    assert "the document does not declare geo:" in ran.stdout
    assert "dc:" not in ran.stdout.partition("does not declare")[2]


def tried(crawl: CommandLine, body: str, fields: str, page_format: str = "html") -> str:
    """What `try` says of a saved page."""
    (crawl.folder / "saved").write_text(body, encoding="utf-8")
    crawl.write(
        f"name: t\nstart: {{p: http://shop.test/}}\npages:\n  p:\n    format: {page_format}\n    items:\n"
        f"      item: {{{fields}}}\n"
    )
    return crawl.command("try", "spec.yml", "http://shop.test/", "--file", "saved").stdout


@pytest.mark.parametrize(
    ("page_format", "body", "fields", "said"),
    [
        ("html", LISTING, "each: .card h2", [".card matches 2"]),
        ("html", LISTING, "each: '.card > h3.name'", [".card > h3 matches 2"]),
        ("html", LISTING, "each: .card, fields: {x: h3.name}", ["h3 matches 2"]),
        ("html", LISTING, "each: main .x .y", ["main .x matches nothing", "main matches nothing"]),
        ("html", LISTING, "each: {xpath: '//div[@class=\"card\"]/h2/b'}", ['//div[@class="card"] matches 2']),
        ("html", LISTING, "each: '.card h4, p h3'", [".card matches 2", "p matches nothing"]),
        (
            "html",
            '<script>{"a": {"b": 1}}</script>',
            "fields: {x: {css: script, json: a.c}}",
            ["script matches 1", "a matches 1, with b in it"],
        ),
        (
            "json",
            '{"data": {"rows": [{"name": "a", "cost": 1}]}}',
            "each: data.items",
            ["data matches 1, with rows in it"],
        ),
        (
            "json",
            '{"data": [{"name": "a", "cost": 1}]}',
            "each: data, fields: {price: price}",
            ["@ matches 1, with name, cost in it"],
        ),
        ("xml", "<a><b><c/></b></a>", "each: //b/d", ["//b matches 1"]),
    ],
)
def test_a_selector_that_matched_nothing_is_told_how_far_it_came(
    crawl: CommandLine, page_format: str, body: str, fields: str, said: list[str]
) -> None:
    fields = fields if "fields" in fields else f"{fields}, fields: {{x: {{value: y}}}}"
    shown = [line.strip() for line in tried(crawl, body, fields, page_format).splitlines()]
    assert [line for line in said if line not in shown] == [], shown


def test_near_misses_are_not_told_of_a_selector_that_matched_somewhere(crawl: CommandLine) -> None:
    said = tried(crawl, LISTING + "<div class=card><h2 class=x>y</h2></div>", "each: .card, fields: {x: h2.x}")
    assert "h2 matches" not in said


def test_alternatives_are_told_with_how_often_each_won(crawl: CommandLine) -> None:
    body = "<p><b>x</b></p><p><i>y</i></p><p><i>z</i></p><p></p>"
    said = tried(crawl, body, "each: [.none, p], fields: {x: {each: [b, i]}}")
    assert "pages.p.items.item.each  2: p 1" in said
    assert "pages.p.items.item.fields.x.each  1: b 1, 2: i 2, none 1" in said
    said = tried(crawl, body, "each: p, fields: {x: [{css: b, regex: '[0-9]'}, i, {value: none}]}")
    assert "pages.p.items.item.fields.x  2: i 2, 3 2" in said


def test_a_long_value_is_cut(crawl: CommandLine) -> None:
    said = tried(crawl, f"<h1>{'x' * 5000}</h1>", "fields: {x: h1}")
    assert "xxx… (5,002 characters)" in said


def test_a_file_is_shown_by_its_address(crawl: CommandLine) -> None:
    said = tried(crawl, "<a href=/a.pdf>x</a>", "fields: {file: {css: a@href, type: file}}")
    assert '{"url": "http://shop.test/a.pdf"}' in said


def test_a_spec_with_a_login_signs_in_first(site: Site, crawl: CommandLine) -> None:
    portal = Portal(site)
    crawl.write(LOGIN.format(url=site.url("/login"), start=site.url("/list")))
    ran = crawl.command("try", "spec.yml", site.url("/invoice/7"), "--page", "invoice", env=ENV)
    assert ran.exit == 0, ran.output
    assert '"7"' in ran.stdout
    assert len(portal.sent) == 1
    ran = crawl.command("try", "spec.yml", site.url("/list"), env={**ENV, "PORTAL_PASSWORD": "wrong-secret"})
    assert ran.exit == 3
    assert "login" in ran.stderr
    assert "wrong-secret" not in ran.output


def test_a_form_is_shown_with_what_it_sends(crawl: CommandLine) -> None:
    page = "<form method=post action=/find><input name=q value=mugs><input type=hidden name=t value=7></form>"
    (crawl.folder / "saved").write_text(page, encoding="utf-8")
    crawl.write("name: t\nstart: {p: http://shop.test/}\npages: {p: {follow: {p: form}}}")
    ran = crawl.command("try", "spec.yml", "http://shop.test/", "--file", "saved")
    assert "POST http://shop.test/find  sends form q=mugs&t=7" in ran.stdout


def test_a_column_that_is_not_there_is_named(crawl: CommandLine) -> None:
    table = "<table><tr><th>Name<th>Cost<tr><td>Mug<td>2</table>"
    said = tried(crawl, table, "table: table, fields: {name: {column: Name}, price: {column: Price}}")
    assert "1 no such column in the table: pages.p.items.item.fields.price.column" in said
    assert "Name, Cost" in said


def test_a_sitemap_is_told_as_what_it_is(site: Site, crawl: CommandLine) -> None:
    entries = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in ("/p/1", "/p/2", "/old/3"))
    site.pages["/sitemap.xml"] = f"<urlset>{entries}</urlset>"
    crawl.write(
        f"name: t\nstart: {{p: {{sitemap: '{site.url('/sitemap.xml')}', exclude: /old/*}}}}\n"
        "pages: {p: {items: {item: {fields: {name: h1}}}}}"
    )
    ran = crawl.command("try", "spec.yml", site.url("/sitemap.xml"))
    assert ran.exit == 0, ran.output
    assert "a sitemap of pages of the kind p\n\nstart.p: 2 links\n" in ran.stdout
    assert f"GET {site.url('/p/1')}" in ran.stdout
    assert "1 links left out by include or exclude" in ran.stdout
    ran = crawl.command("record", "spec.yml", site.url("/sitemap.xml"))
    assert ran.exit == 1
    assert "start.p is a sitemap, which gives no items" in ran.stderr


def test_a_challenge_page_is_no_page(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
    crawl.write(SPEC.format(url=site.url("")))
    ran = crawl.command("try", "spec.yml", f"{site.url('')}/")
    assert ran.exit == 3, ran.output
    assert "blocked: 200 OK: a challenge page of Cloudflare" in ran.stderr
    ran = crawl.command("try", "spec.yml", f"{site.url('')}/", "--set", "site.blocked=false")
    assert ran.exit == 2, ran.output
