"""Starts from a file or from standard input: addresses line by line, or a CSV whose columns are carried."""

from __future__ import annotations

import csv

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Site, html

SPEC = """
name: shops
site: {{sleep: 0s}}
start:
  shop: {{file: "{file}"{more}}}
pages:
  shop:
    items:
      shop: {{{rule}fields: {{title: h1}}}}
{rest}
"""


def spec(file: str = "urls.txt", *, more: str = "", rule: str = "", rest: str = "") -> str:
    return SPEC.format(file=file, more=f", {more}" if more else "", rule=f"{rule}, " if rule else "", rest=rest)


def put(crawl: CommandLine, site: Site, text: str, name: str = "urls.txt") -> None:
    """A file of the spec's folder; `{site}` is the site's address."""
    (crawl.folder / name).write_text(text.replace("{site}", site.url("").rstrip("/")), encoding="utf-8")
    site.fallback = lambda hit: html(f"<h1>{hit.target}</h1>")


def titles(ran: Ran) -> list[str]:
    return [item["title"] for item in ran.items]


def test_an_address_a_line(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "\ufeff# ours\n{site}/1\r\n\n  {site}/2?x=1#top  \n#{site}/3\n{site}/1\n")
    ran = crawl(spec())
    assert ran.exit == 0, ran.output
    assert titles(ran) == ["/1", "/2?x=1"]
    assert site.targets() == ["/1", "/2?x=1"]


@pytest.mark.parametrize(
    ("name", "sign"), [("urls.csv", ","), ("urls.csv", ";"), ("urls.tsv", "\t"), ("urls.txt", ","), ("list", "\t")]
)
def test_columns_are_the_first_fields_of_the_items(site: Site, crawl: CommandLine, name: str, sign: str) -> None:
    text = 'id,URL,city name,\n7,{site}/1,"Bad ""X""\nam See",x\n08,"{site}/2",,\n\n'
    put(crawl, site, text.replace(",", sign), name)
    rest = "pipelines: out.csv\nexpect: {shop: {unique: [id], filled: {city name: 50%}}}"
    ran = crawl(spec(name, rule="key: id", rest=rest))
    assert ran.exit == 0, ran.output
    with (crawl.folder / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    # sorted by the key, as text
    assert rows == [["id", "city name", "title"], ["08", "", "/2"], ["7", 'Bad "X"\nam See', "/1"]]


def test_the_pages_own_field_wins_unless_it_is_null(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "url,title,country\n{site}/1,mine,dk\n", "urls.csv")
    ran = crawl(spec("urls.csv", more="carry: {source: list}"))
    assert ran.exit == 0, ran.output
    assert ran.items == [{"source": "list", "title": "/1", "country": "dk"}]


def test_patterns_sort_the_addresses_and_all_hosts_are_hosts_of_the_start(site: Site, crawl: CommandLine) -> None:
    other = site.url("/a/3", "b.test")
    put(crawl, site, f"{{site}}/a/1\n{{site}}/b/2\n{other}\n{{site}}/a/x.pdf\n")
    ran = crawl(spec(more="include: /a/**, exclude: '*.pdf', headers: {X-From: list}"))
    assert ran.exit == 0, ran.output
    assert sorted(titles(ran)) == ["/a/1", "/a/3"]
    assert {hit.header("x-from") for hit in site.log.pages()} == {"list"}


def test_what_is_sent_and_variables_go_to_every_address(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "{site}/1\n{site}/2?a=b\n")
    ran = crawl(spec(more="params: {lang: '${lang}'}", rest="vars: {lang: [de, fr]}"))
    assert ran.exit == 0, ran.output
    assert sorted(titles(ran)) == ["/1?lang=de", "/1?lang=fr", "/2?a=b&lang=de", "/2?a=b&lang=fr"]


def test_parked_addresses_are_listed_and_not_asked(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "{site}/1\n{site}/2\n")
    ran = crawl(spec(more="fetch: false"))
    assert ran.exit == 0, ran.output
    assert ran.report["parked"] == [site.url("/1"), site.url("/2")]
    assert site.log.hits == []


def test_bad_lines_are_told_before_the_first_request(site: Site, crawl: CommandLine) -> None:
    bad = "\n".join(f"no/{n}" for n in range(12))
    put(crawl, site, f"{{site}}/1\n{bad}\nftp://a.test/x\n")
    ran = crawl(spec())
    assert ran.exit == 1, ran.output
    assert 'urls.txt:2:1\n  "no/0" is no address' in ran.output
    assert 'urls.txt:11:1\n  "no/9" is no address' in ran.output
    assert "no/10" not in ran.output
    assert "13 lines of urls.txt are no addresses; the first 10 are told" in ran.output
    assert site.log.hits == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# nothing\n", "urls.csv holds no address"),
        ("address,name\nx,y\n", "urls.csv has no column url; it has address, name"),
        ("url,a.b\n", 'the columns of urls.csv are fields: "a.b" cannot name a field'),
        ("url,_url\n", 'the columns of urls.csv are fields: "_url" is the name of a column that the targets add'),
        ("url,a,a\n", 'urls.csv has the column "a" twice'),
        ("url,source\n", "urls.csv has a column source too"),
        ("url,a\n", "urls.csv holds no address"),
        ("url,a\n,1\n", "urls.csv:2:1\n  the address is missing"),
        ("url,a\n{site}/1,1,2\n", "urls.csv:2:1\n  3 cells stand under 2 headings"),
        ('url,a\n{site}/1,"1\n', "urls.csv:2:1\n  the row cannot be read"),
    ],
)
def test_a_csv_that_does_not_do(site: Site, crawl: CommandLine, text: str, said: str) -> None:
    put(crawl, site, text, "urls.csv")
    ran = crawl(spec("urls.csv", more="carry: {source: list}"))
    assert ran.exit == 1, ran.output
    assert said in ran.output


def test_a_missing_file_and_one_in_another_charset_are_problems(site: Site, crawl: CommandLine) -> None:
    crawl.write(spec(rule="key: id"))
    ran = crawl.command("validate", "spec.yml")
    assert ran.exit == 1
    assert "spec.yml:5:16  start.shop.file\n  urls.txt cannot be read: No such file or directory" in ran.output
    assert "key names a field" not in ran.output
    (crawl.folder / "urls.txt").write_bytes("url,id\nhttp://a.test/,Aarhus Ø\n".encode("latin-1"))
    assert "urls.txt:2:1\n  this is not in UTF-8" in crawl.command("validate", "spec.yml").output


def test_a_path_is_taken_from_the_folder_of_the_spec(site: Site, crawl: CommandLine) -> None:
    (crawl.folder / "specs").mkdir()
    put(crawl, site, "{site}/1\n", "specs/urls.txt")
    ran = crawl(spec(), file="specs/spec.yml")
    assert ran.exit == 0, ran.output
    assert titles(ran) == ["/1"]


def test_explain_says_what_is_read(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "url,id\n{site}/1,1\n{site}/2,2\n", "urls.csv")
    crawl.write(spec("urls.csv"))
    ran = crawl.command("explain", "spec.yml")
    assert "shop: 2 requests from urls.csv" in ran.output
    assert "id: carried" in ran.output
    crawl.write(spec("-", rule="key: id"))
    ran = crawl.command("explain", "spec.yml")
    assert ran.exit == 0, ran.output
    assert "from standard input, which is not read here" in ran.output
    assert "id: carried" in ran.output


def test_a_resume_with_another_file_is_refused(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "".join(f"{{site}}/{n}\n" for n in range(30)))
    site.latency = 0.02
    running = crawl.start(spec())
    assert running.until(site.reached(8))
    running.process.kill()
    running.end()
    before = (crawl.folder / "urls.txt").read_text()
    (crawl.folder / "urls.txt").write_text(before + site.url("/new\n"))
    ran = crawl(spec(), "--resume")
    assert ran.exit == 1, ran.output
    assert "the spec has changed since this run began: the content of urls.txt" in ran.output
    (crawl.folder / "urls.txt").write_text(before)
    ran = crawl(spec(), "--resume")
    assert ran.exit == 0, ran.output
    assert sorted(titles(ran)) == sorted(f"/{n}" for n in range(30))


def test_standard_input_is_kept_for_a_resume(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "")
    site.latency = 0.02
    rows = "url,id\n" + "".join(f"{site.url(f'/{n}')},{n}\n" for n in range(30))
    running = crawl.start(spec("-", rule="key: id"), stdin=rows)
    assert running.until(site.reached(8))
    running.process.kill()
    running.end()
    ran = crawl(spec("-", rule="key: id"), "--resume", stdin="not read")
    assert ran.exit == 0, ran.output
    assert sorted(int(item["id"]) for item in ran.items) == list(range(30))
    assert all(item["title"] == f"/{item['id']}" for item in ran.items)


def test_standard_input_that_does_not_do(site: Site, crawl: CommandLine) -> None:
    ran = crawl(spec("-"), stdin=f"{site.url('/1')}\nno address\n")
    assert ran.exit == 1, ran.output
    assert 'standard input:2:1\n  "no address" is no address' in ran.output
    ran = crawl(spec("-"))
    assert ran.exit == 1, ran.output
    assert "standard input holds no address" in ran.output
    assert site.log.hits == []


def test_a_trial_reads_standard_input_too(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "")
    ran = crawl(spec("-"), "--limit", "pages=1", stdin=site.url("/1\n") + site.url("/2\n"))
    assert ran.exit == 0, ran.output
    assert ran.stdout == '{"title": "/1"}\n'


def test_patterns_that_let_nothing_through_miss_what_is_expected(site: Site, crawl: CommandLine) -> None:
    put(crawl, site, "{site}/1\n")
    ran = crawl(spec(more="include: /a/**"))
    assert ran.exit == 2, ran.output
    assert "no page of the kind shop was read" in ran.output
