"""`yamlcrawl record`: a page, what it gives, and its entry in the spec."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Answer, Site, html, redirect

SPEC = """\
name: shop  # ours
site: {sleep: 0s}
start: {list: "URL/"}
pages:
  list:
    follow: {product: .card a, empty: .none a}
    items: {card: {each: .card, fields: {name: h3, price: {css: b, type: number}}}}
  product:
    items:
      product: {fields: {title: h1, url: {from: url}}}
      review: {each: .review, fields: {text: p}}
  empty: {}
"""
LISTING = "<div class=card><h3>Mug</h3><b>12.50</b><a href=/p/1>x</a></div>"


def record(crawl: CommandLine, site: Site, url: str = "/", *args: str, spec: str = SPEC, **env: str) -> Ran:
    crawl.write(spec.replace("URL", site.url("")))
    return crawl.command("record", "spec.yml", site.url(url), *args, env=env)


def again(crawl: CommandLine, site: Site, url: str = "/", *args: str) -> Ran:
    return crawl.command("record", "spec.yml", site.url(url), *args)


def test_page_items_and_entry_make_a_test_that_is_good(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = html(LISTING)
    ran = record(crawl, site)
    assert ran.exit == 0, ran.output
    folder = ran.folder / "saved"
    assert (folder / "list-1.html").read_text() == LISTING
    assert (folder / "list-1.items.json").read_text() == '[\n{"name": "Mug", "price": 12.50}\n]\n'
    before = SPEC.replace("URL", site.url(""))
    text = (ran.folder / "spec.yml").read_text()
    assert text.startswith(
        f"{before}\ntests:\n  - page: list\n    file: saved/list-1.html\n    url: '{site.url('')}/'\n"
    )
    tested = crawl.command("test", "spec.yml")
    assert tested.exit == 0, tested.output
    (folder / "list-1.html").write_text(LISTING.replace("12.50", "12.5"))
    tested = crawl.command("test", "spec.yml")
    assert tested.exit == 2
    assert "card 1, price" in tested.stdout


def test_the_bytes_are_kept_and_their_charset(site: Site, crawl: CommandLine) -> None:
    body = LISTING.replace("Mug", "Кружка").encode("cp1251")
    site.pages["/"] = Answer(body, headers=[("Content-Type", "text/html; charset=windows-1251"), ("Set-Cookie", "a=b")])
    ran = record(crawl, site)
    assert (ran.folder / "saved/list-1.html").read_bytes() == body
    assert json.loads((ran.folder / "saved/list-1.items.json").read_text())[0]["name"] == "Кружка"
    text = (ran.folder / "spec.yml").read_text()
    assert "    headers: {content-type: 'text/html; charset=windows-1251'}\n" in text
    assert crawl.command("test", "spec.yml").exit == 0


def test_a_second_page_is_numbered_and_several_types_have_a_file_each(site: Site, crawl: CommandLine) -> None:
    site.pages["/p/1"] = redirect("/p/one")
    site.pages["/p/one"] = "<h1>Mug</h1><div class=review><p>good</p></div>"
    site.pages["/p/2"] = "<h1>Cup</h1>"
    assert record(crawl, site, "/p/1", "--page", "product").exit == 0
    ran = again(crawl, site, "/p/2", "--page", "product")
    assert ran.exit == 0, ran.output
    assert "warning: the page gives no review" in ran.stderr
    assert sorted(path.name for path in (ran.folder / "saved").iterdir()) == [
        f"product-{n}.{rest}" for n in (1, 2) for rest in ("html", "product.json", "review.json")
    ]
    text = (ran.folder / "spec.yml").read_text()
    assert f"    url: '{site.url('/p/one')}'\n    requested_url: '{site.url('/p/1')}'\n" in text
    tested = crawl.command("test", "spec.yml")
    assert "2 tests: 2 good" in tested.stdout


def test_the_same_page_twice_is_refused_unless_it_is_named(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = LISTING
    record(crawl, site)
    asked = len(site.log)
    before = (crawl.folder / "spec.yml").read_bytes()
    ran = again(crawl, site)
    assert ran.exit == 1
    assert "spec.yml:15: this page is there already, as saved/list-1.html" in ran.stderr
    assert len(site.log) == asked
    assert (crawl.folder / "spec.yml").read_bytes() == before
    assert again(crawl, site, "/", "--as", "pages/first").exit == 0
    assert sorted(path.name for path in (ran.folder / "pages").iterdir()) == ["first.html", "first.items.json"]
    ran = again(crawl, site, "/", "--as", "pages/first.html")
    assert ran.exit == 1
    assert "pages/first.html is there already" in ran.stderr


@pytest.mark.parametrize(
    ("ending", "newline"), [("", "\n"), ("\n", "\n"), ("\r\n", "\r\n"), ("\ntests:\n- TEST\n# end\n", "\n")]
)
def test_the_rest_of_the_spec_is_not_touched(site: Site, crawl: CommandLine, ending: str, newline: str) -> None:
    site.pages["/"] = LISTING
    entry = f"{{page: product, file: a.html, url: '{site.url('/a')}', expect: {{product: {{count: 1}}}}}}"
    spec = SPEC.replace("URL", site.url("")).rstrip("\n").replace("\n", newline)
    before = (spec + ending.replace("TEST", entry)).encode()
    (crawl.folder / "spec.yml").write_bytes(b"\xef\xbb\xbf" + before)
    ran = again(crawl, site)
    assert ran.exit == 0, ran.output
    after = (crawl.folder / "spec.yml").read_bytes().removeprefix(b"\xef\xbb\xbf")
    assert after.startswith(before)
    assert after.endswith(newline.encode())
    assert (b"\r" in after) == (newline == "\r\n")
    assert after.replace(b"\r\n", b"").count(b"\n") == (0 if newline == "\r\n" else after.count(b"\n"))
    assert crawl.command("validate", "spec.yml").exit == 0


def test_a_list_in_brackets_gets_its_entry_by_hand(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = LISTING
    spec = SPEC + "tests: [{page: product, file: a.html, url: 'http://x.test/', expect: {product: {count: 1}}}]\n"
    ran = record(crawl, site, spec=spec)
    assert ran.exit == 0, ran.output
    assert "put this under tests: yourself" in ran.stderr
    assert "- page: list\n  file: saved/list-1.html\n" in ran.stdout
    assert (ran.folder / "spec.yml").read_text().count("page: list") == 0


SECRET = 'top"secret&more'


def test_nothing_secret_is_saved(site: Site, crawl: CommandLine) -> None:
    pair = base64.b64encode(f"me:{SECRET}".encode()).decode()
    escaped = "top&quot;secret&amp;more"
    page = f"<div class=card><h3>{escaped}</h3><b>1</b><i>{pair}</i><script>{json.dumps(SECRET)}</script></div>"
    site.pages["/"] = lambda hit: html(page + hit.query.get("key", ""), headers=[("Link", f"<{SECRET}>; rel=next")])
    spec = SPEC.replace("site: {", 'site: {auth: {basic: {user: me, password: "${env.KEY}"}}, ')
    spec = spec.replace('"URL/"', '"URL/?key=${env.KEY}"')
    ran = record(crawl, site, "/?key=***", spec=spec, KEY=SECRET)
    assert ran.exit == 0, ran.output
    assert [hit.query["key"] for hit in site.log.pages()] == [SECRET]
    for text in (SECRET, escaped, pair, json.dumps(SECRET)[1:-1], "top%22secret"):
        assert ran.holds(text) == []
    assert (ran.folder / "saved/list-1.items.json").read_text() == '[\n{"name": "***", "price": 1}\n]\n'
    assert crawl.command("test", "spec.yml").exit == 0
    assert crawl.command("test", "spec.yml", env={"KEY": SECRET}).exit == 0


def test_a_page_that_gives_nothing_is_kept_and_told(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = "<p>new layout</p>"
    ran = record(crawl, site)
    assert ran.exit == 2
    assert "warning: the page gives no card" in ran.stderr
    assert (ran.folder / "saved/list-1.items.json").read_text() == "[]\n"
    assert crawl.command("test", "spec.yml").exit == 0


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["{url}/x", "--page", "empty"], 1, "pages of the kind empty give no items"),
        (["{url}/x"], 1, "--page list or --page product"),
        (["{url}/", "--as", "../up.html"], 1, "does not name a file below the spec's own folder"),
        (["{url}/", "--as", "/tmp/up.html"], 1, "does not name a file below the spec's own folder"),
        (["{url}/", "--as", "spec.yml"], 1, "spec.yml is there already"),
        (["{url}/", "--as", "file/a.html"], 1, "file"),
        (["{url}/", "--as", "out/a.html"], 1, "leads out of the spec's own folder"),
        (["{url}/gone", "--page", "list"], 3, "404 Not Found"),
        (["{url}/denied", "--page", "list"], 3, "robots.txt denies it"),
        (["{url}/image", "--page", "list"], 3, "wrong_format"),
    ],
)
def test_what_cannot_be_recorded_leaves_all_as_it_was(
    site: Site, crawl: CommandLine, tmp_path_factory: pytest.TempPathFactory, args: list[str], code: int, said: str
) -> None:
    site.robots = "User-agent: *\nDisallow: /denied"
    site.pages["/"] = LISTING
    site.pages["/image"] = Answer(b"\x89PNG\r\n\x1a\n", headers=[("Content-Type", "image/png")])
    spec = SPEC.replace("URL", site.url(""))
    crawl.write(spec)
    (crawl.folder / "file").write_text("")
    (crawl.folder / "out").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    ran = crawl.command("record", "spec.yml", *(arg.format(url=site.url("")) for arg in args))
    assert ran.exit == code, ran.output
    assert said in ran.output
    assert "Traceback" not in ran.output
    assert (crawl.folder / "spec.yml").read_text() == spec
    assert sorted(path.name for path in crawl.folder.iterdir()) == ["file", "out", "spec.yml"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the rights of a folder do not hold for root")
def test_a_folder_that_cannot_be_written_is_told(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = LISTING
    Path(crawl.folder).chmod(0o555)
    ran = record(crawl, site)
    assert ran.exit == 1
    assert "rights" in ran.stderr
