"""`yamlcrawl try`: what the rules find on one page, and why it could not be had."""

import pytest

from tests.site import redirect

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
    assert '{"name": "Mug", "price": 12.50}' in ran.stdout
    assert "2 items of 2 matches" in ran.stdout
    lines = {line.split()[0]: line.split()[1] for line in ran.stdout.splitlines() if line.startswith("  pages.")}
    assert lines["pages.list.items.card.fields.name.any.0"] == "nothing"
    assert lines["pages.list.items.card.fields.name.any.1"] == "2"
    assert f"GET {site.url('')}/p/1  carries {{'tag': 't'}}" in ran.stdout
    assert "links left out by include or exclude: 1" in ran.stdout
    assert "not read as its type: 1" in ran.stdout
    assert not (ran.folder / ".yamlcrawl").exists()


def test_a_saved_page_needs_no_server(crawl, tmp_path):
    (tmp_path / "saved.html").write_text("<h1>Mug</h1>", encoding="utf-8")
    crawl.write(SPEC.format(url="http://shop.test"))
    ran = crawl.command("try", "spec.yml", "http://shop.test/p/1", "--page", "product", "--file", "saved.html")
    assert ran.exit == 0, ran.output
    assert '{"tag"' not in ran.stdout
    assert '{"name": "Mug"}' in ran.stdout


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
    assert '{"by": "Ada", "at": null}' in ran.stdout
    assert "the document does not declare geo:" in ran.stdout
    assert "dc:" not in ran.stdout.partition("does not declare")[2]
