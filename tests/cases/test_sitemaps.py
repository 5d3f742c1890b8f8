"""Sitemaps as the start of a crawl: what is read, what is left out, and what is said of it."""

from __future__ import annotations

import gzip

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Answer, Site, html

SPEC = """
name: news
site: {{sleep: 0s}}
start:
  article: {{sitemap: "{url}"{more}}}
pages:
  article:
    items:
      article: {{fields: {{url: {{from: url}}, title: h1, from: {{json: referer, from: response}}}}}}
"""


def xml(body: str | bytes) -> Answer:
    return Answer(body, headers=[("Content-Type", "application/xml")])


def urlset(site: Site, *paths: str, dates: dict[str, str] | None = None) -> str:
    entries = (
        f"<url><loc>{site.url(path)}</loc><lastmod>{(dates or {}).get(path, '')}</lastmod></url>" for path in paths
    )
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(entries)}</urlset>'


def index(site: Site, *paths: str) -> str:
    entries = "".join(f"<sitemap><loc>{site.url(path)}</loc></sitemap>" for path in paths)
    return f"<sitemapindex>{entries}</sitemapindex>"


def run(site: Site, crawl: CommandLine, more: str = "", *args: str) -> Ran:
    site.fallback = lambda hit: html(f"<h1>{hit.path}</h1>")
    return crawl(SPEC.format(url=site.url("/sitemap.xml"), more=f", {more}" if more else ""), *args)


def titles(ran: Ran) -> list[str]:
    return sorted(item["title"] for item in ran.items)


def test_an_index_leads_to_sitemaps_and_they_to_pages(site: Site, crawl: CommandLine) -> None:
    site.pages["/sitemap.xml"] = xml(index(site, "/a.xml", "/b.xml.gz"))
    site.pages["/a.xml"] = xml(urlset(site, "/1", "/2", "/1"))
    site.pages["/b.xml.gz"] = Answer(gzip.compress(urlset(site, "/2", "/3").encode()))
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert titles(ran) == ["/1", "/2", "/3"]
    assert ran.items[0]["from"] == site.url("/a.xml")
    assert sorted(site.targets()) == ["/1", "/2", "/3", "/a.xml", "/b.xml.gz", "/sitemap.xml"]
    assert ran.report["pages"] == 3


def test_an_index_that_names_itself_ends(site: Site, crawl: CommandLine) -> None:
    site.pages["/sitemap.xml"] = xml(index(site, "/sitemap.xml", "/a.xml"))
    site.pages["/a.xml"] = xml(urlset(site, "/1"))
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert sorted(site.targets()) == ["/1", "/a.xml", "/sitemap.xml"]


def test_indexes_without_end_are_cut_and_spoken_of(site: Site, crawl: CommandLine) -> None:
    site.pages["/sitemap.xml"] = lambda hit: xml(index(site, f"/sitemap.xml?n={int(hit.query.get('n', 0)) + 1}", "/a"))
    site.pages["/a"] = xml(urlset(site, "/1"))
    ran = run(site, crawl)
    assert ran.exit == 2
    assert titles_of_rejected(ran) == ["/1"]
    assert "sitemaps more than 5 levels deep" in ran.output
    assert len(site.targets()) < 12


def titles_of_rejected(ran: Ran) -> list[str]:
    return sorted(item["title"] for item in ran.lines("news.jsonl.rejected"))


def test_patterns_and_scope_sort_the_addresses_and_not_the_sitemaps(site: Site, crawl: CommandLine) -> None:
    site.pages["/sitemap.xml"] = xml(index(site, "/maps/a.xml"))
    listed = urlset(site, "/news/1", "/news/2?print=1", "/shop/3")
    site.pages["/maps/a.xml"] = xml(listed.replace("</urlset>", "<url><loc>http://b.test/news/4</loc></url></urlset>"))
    ran = run(site, crawl, "include: /news/**, exclude: '/**?print=*'")
    assert ran.exit == 0, ran.output
    assert titles(ran) == ["/news/1"]
    assert ran.report["offsite"] == {"b.test": 1}
    assert ran.report["excluded"] == {"start.article": 2}


def test_since_leaves_out_what_is_surely_older(site: Site, crawl: CommandLine) -> None:
    dates = {
        "/old": "2025-02-28",
        "/day": "2025-03-01",
        "/month": "2025-03",
        "/year": "2024",
        "/time": "2025-02-28T23:30:00-01:00",
        "/odd": "last week",
    }
    site.pages["/sitemap.xml"] = xml(urlset(site, *dates, "/none", dates=dates))
    ran = run(site, crawl, "since: 2025-03-01")
    assert ran.exit == 0, ran.output
    assert titles(ran) == ["/day", "/month", "/none", "/odd", "/time"]
    assert "1 entries of a sitemap or feed whose date cannot be read" in ran.output
    assert "'last week'" in ran.output
    assert "2 entries of a sitemap or feed that are older than since" in ran.output


def test_nothing_newer_is_a_good_run(site: Site, crawl: CommandLine) -> None:
    site.pages["/sitemap.xml"] = xml(urlset(site, "/old", dates={"/old": "2020-01-01"}))
    ran = run(site, crawl, "since: 2025-03-01")
    assert ran.exit == 0, ran.output
    assert site.targets() == ["/sitemap.xml"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<urlset/>", "the sitemap lists no address"),
        ("<urlset><url><loc>http://b.test/1</loc></url></urlset>", "none of the 1 addresses in the sitemap is let"),
        ("<sitemapindex><sitemap><loc>http://b.test/1</loc></sitemap></sitemapindex>", "lists no address"),
    ],
)
def test_a_sitemap_that_leads_nowhere_is_a_missed_expectation(
    site: Site, crawl: CommandLine, body: str, said: str
) -> None:
    site.pages["/sitemap.xml"] = xml(body)
    ran = run(site, crawl)
    assert ran.exit == 2, ran.output
    assert said in ran.output
    assert "spec.yml:5:12" in ran.output


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (html("<h1>gone</h1>", 404), "not_found: 404 Not Found"),
        (
            html("<html><h1>Please log in</h1></html>"),
            "wrong_format: the answer is no sitemap: its first element is <html>",
        ),
        (Answer(b""), "wrong_format: the answer is no sitemap: it is empty"),
    ],
)
def test_a_start_that_is_no_sitemap_fails_the_crawl(site: Site, crawl: CommandLine, answer: Answer, said: str) -> None:
    site.pages["/sitemap.xml"] = answer
    ran = run(site, crawl)
    assert ran.exit == 3, ran.output
    assert said in ran.output


def test_one_sitemap_of_an_index_that_fails_is_never_silent(site: Site, crawl: CommandLine) -> None:
    site.pages["/sitemap.xml"] = xml(index(site, "/a.xml", "/b.xml"))
    site.pages["/a.xml"] = xml(urlset(site, "/1"))
    site.pages["/b.xml"] = html("", 404)
    ran = run(site, crawl)
    assert ran.exit == 2, ran.output
    assert "1 sitemap could not be read whole" in ran.output
    assert "/b.xml (not_found: 404" in ran.output
    assert [failure["outcome"] for failure in ran.failures] == ["not_found"]
    assert titles_of_rejected(ran) == ["/1"]


def test_a_cut_sitemap_gives_what_it_has_and_says_so(site: Site, crawl: CommandLine) -> None:
    whole = urlset(site, *(f"/{n}" for n in range(30)))
    site.pages["/sitemap.xml"] = xml(whole[: len(whole) // 2])
    ran = run(site, crawl)
    assert ran.exit == 2
    assert "its XML is broken at line 1" in ran.output
    assert len(titles_of_rejected(ran)) == 15


def test_limits_hold_for_what_a_sitemap_lists(site: Site, crawl: CommandLine) -> None:
    site.pages["/sitemap.xml"] = xml(urlset(site, *(f"/{n}" for n in range(300))))
    ran = run(site, crawl, "", "--set", "limits.pages=7", "--set", "site.threads=16", "--set", "site.per_host=16")
    assert ran.exit == 0, ran.output
    assert len(ran.items) == 7


def test_carry_and_variables_go_along(site: Site, crawl: CommandLine) -> None:
    site.fallback = lambda hit: html(f"<h1>{hit.path}</h1>")
    for name in ("de", "fr"):
        site.pages[f"/{name}.xml"] = xml(urlset(site, f"/{name}/1"))
    ran = crawl(
        f"""
name: news
vars: {{country: [de, fr]}}
site: {{sleep: 0s}}
start:
  article: {{sitemap: "{site.url("/${country}.xml")}", carry: {{country: "${{country}}"}}}}
pages:
  article:
    items:
      article: {{fields: {{title: h1}}}}
"""
    )
    assert ran.exit == 0, ran.output
    assert ran.items == [{"country": "de", "title": "/de/1"}, {"country": "fr", "title": "/fr/1"}]


def test_robots_and_the_pace_hold_for_sitemaps_too(site: Site, crawl: CommandLine) -> None:
    site.robots = "User-agent: *\nDisallow: /sitemap.xml"
    site.pages["/sitemap.xml"] = xml(urlset(site, "/1"))
    ran = run(site, crawl)
    assert ran.exit == 3, ran.output
    assert "robots_denied" in ran.output
    assert site.targets() == []
