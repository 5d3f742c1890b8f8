"""Faults are found before the first request, and a log is for people (public cases C28 and C29)."""

from __future__ import annotations

import re

import pytest

from tests.commandline import CommandLine
from tests.site import Hit, Page, Site, html

BROKEN = """name: broken
start_url: "{url}"
pages:
  page:
    items:
      row:
        fields:
          a: {{xpath: "//div[@class='x'"}}
          b: {{xpath: "//a[foo()]"}}
          c: {{css: "div..x"}}
          d: {{regex: "(\\\\d+"}}
          e: {{xpth: "//p"}}
"""


@pytest.mark.parametrize("command", ["validate", "run"])
def test_c28_all_faults_at_once_each_with_its_place(site: Site, crawl: CommandLine, command: str) -> None:
    crawl.write(BROKEN.format(url=site.url()))
    ran = crawl.command(command, "spec.yml")
    assert ran.exit == 1, ran.output
    assert len(site.log) == 0
    said = ran.output
    assert "Traceback" not in said
    fields = "pages.page.items.row.fields"
    for line, path, words in (
        (2, "start_url", ["start"]),
        (8, f"{fields}.a.xpath", ["//div[@class='x'"]),
        (9, f"{fields}.b.xpath", ["foo"]),
        (10, f"{fields}.c.css", ["div..x"]),
        (11, f"{fields}.d.regex", ["(\\d+"]),
        (12, f"{fields}.e", ["xpth", "xpath"]),
    ):
        at = re.search(rf"spec\.yml:{line}:\d+ +{re.escape(path)}.*?(?=^\S|\Z)", said, re.MULTILINE | re.DOTALL)
        assert at, f"{path} at line {line} in:\n{said}"
        for word in words:
            assert word in at[0], at[0]
    assert said.count("did you mean") >= 2


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("sleep", "slep", 2, ["slep", "sleep"]),
        ("follow: {book:", "follow: {bok:", 6, ["bok", "book"]),
        ("type: number", "type: nubmer", 10, ["nubmer", "number"]),
        ("css: .price", "csss: .price", 10, ["csss", "css"]),
        ("items: [book]", "items: [bok]", 11, ["bok", "book"]),
        ("sleep: 0s", "sleep: 5", 2, ["5", "s"]),
        ("sleep: 0s", "sleep: -1s", 2, ["-1s"]),
        ("sleep: 0s", "threads: 0", 2, ["at least 1"]),
        ("start: {list:", "start: {lst:", 3, ["lst", "list"]),
        ("{book: h3 a}", "[book]", 6, ["follow"]),
        (".price", "'.price >'", 10, [".price >"]),
        (".price", "'.price:foo'", 10, ["foo"]),
        ("css: .price", "json: 'a['", 10, ["a["]),
        ("css: .price", "json: 'foo(@)'", 10, ["foo"]),
        ("css: .price", "xpath: '//a['", 10, ["//a["]),
        ("css: .price", "xpath: 'nope:x'", 10, ["nope"]),
        ("css: .price", "xpath: '$x'", 10, ["x"]),
        ("type: number", "regex: '(?P<x'", 10, ["(?P<x"]),
        ("type: number", "replace: {regex: '[', with: ''}", 10, ["["]),
        ("name: shop", "name: a b", 1, ["a b"]),
    ],
)
def test_neighbouring_faults_are_found_and_placed(
    site: Site, crawl: CommandLine, old: str, new: str, line: int, words: list[str]
) -> None:
    text = f"""name: shop
site: {{sleep: 0s}}
start: {{list: "{site.url()}"}}
pages:
  list:
    follow: {{book: h3 a}}
  book:
    items:
      book:
        fields: {{title: h1, price: {{css: .price, type: number}}}}
pipelines: [{{to: out.jsonl, items: [book]}}]
"""
    assert old in text
    ran = crawl(text.replace(old, new, 1))
    assert ran.exit == 1, ran.output
    assert len(site.log) == 0
    assert f"spec.yml:{line}:" in ran.stderr, ran.stderr
    for word in words:
        assert word in ran.stderr, ran.stderr
    assert "Traceback" not in ran.output
    assert "pydantic" not in ran.output


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("missing.yml", None),
        ("binary.yml", b"\x00\x01\xff\xfe" * 100),
        ("latin.yml", "name: café".encode("latin-1")),
        ("empty.yml", b""),
        ("list.yml", b"- a\n- b\n"),
        ("tab.yml", b"name: a\npages:\n\tlist: x\n"),
        ("open.yml", b"name: 'a\n"),
        (
            "bomb.yml",
            b"a: &a [x,x,x,x,x,x,x,x,x]\n"
            + b"".join(b"%c: &%c [%s]\n" % (98 + n, 98 + n, b",".join([b"*%c" % (97 + n)] * 9)) for n in range(12)),
        ),
        ("huge.yml", b"name: a\n" + b"x-a: '" + b"x" * 50_000_000 + b"'\n"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_no_spec_is_a_clear_error(
    site: Site, crawl: CommandLine, file: str, content: bytes | None
) -> None:
    if content is not None:
        (crawl.folder / file).write_bytes(content)
    ran = crawl.command("run", file)
    assert ran.exit == 1, ran.output
    assert file in ran.stderr
    assert "Traceback" not in ran.output
    assert len(ran.stderr) < 5000


def test_a_folder_for_a_spec_is_a_clear_error(crawl: CommandLine) -> None:
    (crawl.folder / "specs").mkdir()
    ran = crawl.command("run", "specs")
    assert ran.exit == 1, ran.output
    assert "specs" in ran.stderr


LONG = """
name: long
site: {{sleep: 0s, threads: 8, per_host: 8}}
start: {{list: "{url}"}}
pages:
  list:
    follow: {{page: a}}
  page:
    items:
      page: {{fields: {{title: h1, sub: h2}}}}
"""


def test_c29_a_log_for_people_in_ci(site: Site, crawl: CommandLine) -> None:
    def page(hit: Hit) -> Page:
        number = int(hit.path.rsplit("/", 1)[1])
        if number % 25 < 2:
            return html("<h1>gone</h1>", 404)
        return f"<h1>{number}</h1>" + (f"<h2>{number}</h2>" if number % 2 else "")

    site.pages["/"] = "".join(f'<a href="/{n}">x</a>' for n in range(500))
    site.fallback = page
    ran = crawl(LONG.format(url=site.url()))
    assert ran.exit == 0, ran.output
    lines = ran.stderr.splitlines()
    assert len(lines) <= 60
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", ran.stderr), "control characters"
    progress = [line for line in lines if re.search(r"\b\d+ pages\b", line)]
    assert len(progress) >= 4  # every 100 pages, and a last one
    end = "\n".join(lines[-25:])
    assert "460" in end  # items
    assert re.search(r"not_found\W+40\b|\b40\W+not_found", end), end
    assert re.search(r"sub\b.*\b50(\.\d)? ?%", end), end
    assert re.search(r"\bexit\b.*\b0\b|\bgood\b", end, re.IGNORECASE), end
    report = ran.report
    assert report["exit"] == 0
    assert report["items"]["page"]["items"] == 460
    assert report["outcomes"]["not_found"] == 40
    assert report["pages"] == 501
