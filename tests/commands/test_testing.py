"""`yamlcrawl test`: saved pages, what they must give, and the differences field by field."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commandline import CommandLine, Ran
from yamlcrawl.cli import call

SPEC = """\
name: shop
start: {list: https://shop.test/}
pages:
  list:
    follow: {product: {each: .card, css: a, carry: {tag: i}}}
    items:
      card:
        each: .card
        fields:
          name: {css: h3, required: true}
          price: {css: .now, type: number}
          stock: {css: .stock, map: {In: "true", Out: "false"}, type: boolean}
          tags: {each: i}
          size: {fields: {w: .w, h: .h}}
  product: {items: {product: {fields: {title: h1, url: {from: url}}}}}
tests:
  - page: list
    file: saved/list.html
    url: https://shop.test/
    expect:
      card: EXPECTED
"""
CARD = (
    '<div class="card"><h3>Mug</h3><b class=now>51.77</b><u class=stock>In</u><i>a</i><i>b</i>'
    "<s class=w>2</s><s class=h>3</s></div>"
)


def offline(crawl: CommandLine, expected: str, *args: str, page: str | bytes | None = CARD, spec: str = SPEC) -> Ran:
    crawl.write(spec.replace("EXPECTED", expected))
    if page is not None:
        save(crawl.folder / "saved/list.html", page)
    return crawl.command("test", "spec.yml", *args)


def save(file: Path, content: str | bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize(
    "expected",
    [
        "{count: 1}",
        "{first: {name: Mug, price: 51.77, stock: true, tags: [a, b], size: {w: 2, h: '3'}}}",
        "{first: {size: {h: 3}}}",
        "{first: {name: 'Mug'}, count: 1}",
        "{items: saved/cards.json}",
        "{items: saved/cards.jsonl}",
    ],
)
def test_what_is_as_expected_is_good(crawl: CommandLine, expected: str) -> None:
    item = '{"name": "Mug", "price": 51.77, "stock": true, "tags": ["a", "b"], "size": {"w": "2", "h": "3"}}'
    save(crawl.folder / "saved/cards.json", f"[\n{item}\n]\n")
    save(crawl.folder / "saved/cards.jsonl", item + "\n")
    ran = offline(crawl, expected)
    assert ran.exit == 0, ran.output
    assert "1 test: 1 good" in ran.stdout


@pytest.mark.parametrize(
    ("expected", "about", "wanted", "found"),
    [
        ("{count: 2}", "card", "2 items", "1 item"),
        ("{first: {price: 51.770}}", "card 1, price", "51.770", "51.77"),
        ("{first: {price: '51.77'}}", "card 1, price", '"51.77"', "51.77"),
        ("{first: {stock: false}}", "card 1, stock", "false", "true"),
        ("{first: {name: null}}", "card 1, name", "null", '"Mug"'),
        ("{first: {tags: [a]}}", "card 1, tags", '["a"]', '["a", "b"]'),
        ("{first: {tags: [a, c]}}", "card 1, tags.1", "c", '"b"'),
        ("{first: {size: {w: 3}}}", "card 1, size.w", "3", '"2"'),
        ("{first: {size: {d: 3}}}", "card 1, size.d", "3", "nothing"),
    ],
)
def test_a_difference_is_told_by_field(crawl: CommandLine, expected: str, about: str, wanted: str, found: str) -> None:
    ran = offline(crawl, expected)
    assert ran.exit == 2, ran.output
    lines = [line.strip() for line in ran.stdout.splitlines()]
    at = next(n for n, line in enumerate(lines) if line.split("  ")[0] == about)
    assert re.fullmatch(rf"expected  {re.escape(wanted)}  \(spec\.yml:21:\d+\)", lines[at + 1])
    assert re.sub(r"  \(.*\)$", "", lines[at + 2]) == f"found     {found}"
    assert "1 test: 0 good, 1 failed" in ran.stdout


def test_the_line_of_the_field_and_the_cause_are_named(crawl: CommandLine) -> None:
    page = CARD.replace("class=now", "class=price-now").replace(">In<", ">Soon<")
    ran = offline(crawl, "{first: {price: 51.77, stock: true}}", page=page)
    assert "card 1, price  (spec.yml:11:18  pages.list.items.card.fields.price)" in ran.stdout
    assert ".now matched nothing" in ran.stdout
    assert "'Soon' on https://shop.test/" in ran.stdout


def test_items_that_came_and_went_do_not_shift_the_others(crawl: CommandLine) -> None:
    rest = '"price": null, "stock": null, "tags": [], "size": null'
    rows = [f'{{"name": "{name}", {rest}}}' for name in "abcd"]
    save(crawl.folder / "saved/cards.json", "[" + ",".join(rows) + "]")
    page = "".join(f"<div class=card><h3>{name}</h3></div>" for name in ("a", "c", "x", "e"))
    ran = offline(crawl, "{items: saved/cards.json}", page=page)
    said = [line.strip() for line in ran.stdout.splitlines() if line.startswith("    card")]
    assert [line.split("  ")[0] for line in said] == ["card 2", "card 3, name", "card 4"]


def test_the_charset_of_the_answer_counts_as_in_a_crawl(crawl: CommandLine) -> None:
    spec = SPEC.replace("    expect:", "    headers: {content-type: text/html; charset=cp1251}\n    expect:")
    page = CARD.replace("Mug", "Кружка").encode("cp1251")
    ran = offline(crawl, "{first: {name: Кружка}}", page=page, spec=spec)
    assert ran.exit == 0, ran.output


def test_carried_values_and_the_address_come_from_the_test(crawl: CommandLine) -> None:
    spec = SPEC.replace("page: list", "page: product").replace("card: EXPECTED", "product: EXPECTED")
    spec = spec.replace("    expect:", "    carry: {tag: 7}\n    expect:")
    ran = offline(crawl, "{items: saved/items.json}", "--update", page="<h1>Mug</h1>", spec=spec)
    assert ran.exit == 0, ran.output
    assert (ran.folder / "saved/items.json").read_text() == (
        '[\n{"tag": 7, "title": "Mug", "url": "https://shop.test/"}\n]\n'
    )


def test_update_writes_items_and_what_it_can_change_exactly(crawl: CommandLine) -> None:
    spec = SPEC.replace("      card: EXPECTED", "      card:  # mine\n        EXPECTED")
    expected = (
        "count: 7   # of them\n        first: {name: 'Cup', price: 1.0, stock: false}\n        items: saved/c.jsonl"
    )
    ran = offline(crawl, expected, "--update", spec=spec)
    assert ran.exit == 2, ran.output  # there are fewer items
    now = expected.replace("7 ", "1 ").replace("'Cup'", "Mug").replace("1.0", "51.77").replace("false", "true")
    assert (ran.folder / "spec.yml").read_text() == spec.replace("EXPECTED", now)
    assert len(ran.lines("saved/c.jsonl")) == 1
    assert crawl.command("test", "spec.yml").exit == 0


def test_update_names_what_changed_and_ends_with_exit_2_where_values_were_lost(crawl: CommandLine) -> None:
    assert offline(crawl, "{count: 1, items: saved/c.json}", "--update").exit == 0
    page = CARD.replace("51.77", "49.00")
    ran = offline(crawl, "{count: 1, items: saved/c.json}", "--update", page=page)
    assert ran.exit == 0
    assert "    card 1, price: 51.77 -> 49.00\n" in ran.stdout
    assert "1 test: 1 good, 1 updated\n" in ran.stdout
    page = page.replace("class=now", "class=price-now")
    ran = offline(crawl, "{count: 1, first: {price: 49.00}, items: saved/c.json}", "--update", page=page)
    assert ran.exit == 2
    assert ran.stdout.count("card 1, price: 49.00 -> null  (.now matched nothing)\n") == 1
    assert "no longer expected: 1 value" in ran.stdout
    assert crawl.command("test", "spec.yml").exit == 0
    ran = offline(crawl, "{count: 1, items: saved/c.json}", "--update", page="<p>new</p>")
    assert ran.exit == 2
    assert "card: 1 item -> 0 items" in ran.stdout


def test_a_difference_from_both_is_told_once(crawl: CommandLine) -> None:
    offline(crawl, "{items: saved/c.json}", "--update")
    page = CARD.replace("51.77", "49").replace(">3<", ">4<")
    ran = offline(crawl, "{first: {price: 51.77, size: {w: 2}}, items: saved/c.json}", page=page)
    assert ran.stdout.count("card 1, price") == 1
    assert ran.stdout.count("card 1, size.h") == 1


def test_update_leaves_what_it_cannot_change_and_says_so(crawl: CommandLine) -> None:
    ran = offline(crawl, "{first: {tags: [x]}}", "--update")
    assert ran.exit == 2
    assert "cannot be written for you" in ran.stdout
    assert (ran.folder / "spec.yml").read_text() == SPEC.replace("EXPECTED", "{first: {tags: [x]}}")


def test_secrets_need_not_be_there(crawl: CommandLine) -> None:
    spec = SPEC.replace("start:", "site: {headers: {x-key: '${env.NO_SUCH_KEY}'}}\nstart:")
    assert offline(crawl, "{count: 1}", spec=spec).exit == 0


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "wrong_format: the answer is a PNG image, not HTML"),
        (b"", "0 items"),
    ],
)
def test_a_page_that_is_none_fails_the_test(crawl: CommandLine, page: bytes, said: str) -> None:
    ran = offline(crawl, "{count: 1}", page=page)
    assert ran.exit == 2, ran.output
    assert said in ran.stdout


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("{items: saved/none.json}", "spec.yml:21:21  tests.0.expect.card.items\n  there is no file saved/none.json"),
        ("{items: saved/broken.json}", "saved/broken.json cannot be read"),
        ("{items: saved/text.json}", "saved/text.json is no list of items"),
        ("{items: saved/out.json}", "leads out of the spec's own folder"),
    ],
)
def test_a_file_of_items_that_is_none_is_told_with_its_place(crawl: CommandLine, expected: str, said: str) -> None:
    save(crawl.folder / "saved/broken.json", "[{")
    save(crawl.folder / "saved/text.json", '{"name": "Mug"}')
    (crawl.folder / "saved/out.json").symlink_to("/etc/hostname")
    ran = offline(crawl, expected)
    assert ran.exit == 1, ran.output
    assert said in ran.stderr


def test_a_missing_page_and_a_spec_without_tests_are_told(crawl: CommandLine) -> None:
    ran = offline(crawl, "{count: 1}", page=None)
    assert ran.exit == 1
    assert "spec.yml:18:11  tests.0.file\n  there is no file saved/list.html" in ran.stderr
    crawl.write(SPEC.partition("tests:")[0])
    ran = crawl.command("test", "spec.yml")
    assert ran.exit == 1
    assert "the spec has no tests" in ran.stderr


def test_folders_are_searched_for_specs_with_tests(crawl: CommandLine) -> None:
    (crawl.folder / "specs").mkdir()
    crawl.write(SPEC.partition("tests:")[0], "specs/without.yml")
    assert crawl.command("test", "specs").exit == 1
    crawl.write(SPEC.replace("EXPECTED", "{count: 1}"), "specs/a.yml")
    crawl.write(SPEC.replace("EXPECTED", "{count: 3}"), "specs/b.yml")
    save(crawl.folder / "specs/saved/list.html", CARD)
    ran = crawl.command("test", "specs")
    assert ran.exit == 2
    assert "2 tests: 1 good, 1 failed" in ran.stdout
    crawl.write("name: [", "specs/c.yml")
    assert crawl.command("test", "specs/a.yml", "specs/c.yml").exit == 1


SOCKETS: list[str] = []
LISTENING = False


def _listen(event: str, _args: Any) -> None:
    if LISTENING and event.startswith("socket."):
        SOCKETS.append(event)


def test_no_socket_is_opened(crawl: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python tells an audit hook of every socket that is made and every name that is looked up (PEP 578)."""
    global LISTENING
    crawl.write(SPEC.replace("EXPECTED", "{count: 1, items: saved/cards.json}"))
    save(crawl.folder / "saved/list.html", CARD)
    monkeypatch.chdir(crawl.folder)
    sys.addaudithook(_listen)
    LISTENING = True
    try:
        codes = [call(["test", "spec.yml", "--update"]), call(["test", "spec.yml"])]
        assert SOCKETS == []
        call(["try", "spec.yml", "http://127.0.0.1:1/", "--page", "list", "--set", "site.private_addresses=allow"])
    finally:
        LISTENING = False
    assert codes == [0, 0]
    assert SOCKETS != []  # the hook does hear them
