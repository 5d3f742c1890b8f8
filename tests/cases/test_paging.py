"""How a chain of pages ends (public case C07)."""

from __future__ import annotations

from collections.abc import Mapping

from tests.commandline import CommandLine, Ran
from tests.site import Hit, Page, Site, html, json_answer

LIST = """
name: rows
site: {{sleep: 0s}}
start: {{list: "{url}"}}
pages:
  list:
    next: {next}
    items:
      row: {{each: li, key: id, fields: {{id: {{css: ':scope', type: integer}}}}}}
"""


def rows(page: int, link: str = "") -> str:
    """Items 2n-1 and 2n, and a link on if there is one."""
    items = f"<li>{2 * page - 1}</li><li>{2 * page}</li>" if page else ""
    return f"<ul>{items}</ul>" + (f'<a class="next" href="{link}">next</a>' if link else "")


def page_of(hit: Hit) -> int:
    return int(hit.query.get("page", 1))


def walk(site: Site, crawl: CommandLine, page: Page, next_: str, url: str = "/l?page=1") -> Ran:
    site.pages["/l"] = page
    run = crawl(LIST.format(url=site.url(url), next=next_))
    assert [item["id"] for item in run.items] == [1, 2, 3, 4, 5, 6], run.output
    return run


def test_c07a_the_last_page_links_to_itself(site: Site, crawl: CommandLine) -> None:
    def page(hit: Hit) -> str:
        return rows(page_of(hit), f"/l?page={min(page_of(hit) + 1, 3)}")

    run = walk(site, crawl, page, "a.next")
    assert run.exit == 0, run.output
    assert site.targets() == ["/l?page=1", "/l?page=2", "/l?page=3"]


def test_c07b_a_counter_ends_when_the_last_page_comes_again(site: Site, crawl: CommandLine) -> None:
    run = walk(site, crawl, lambda hit: rows(min(page_of(hit), 3)), "{param: page}")
    assert run.exit == 0, run.output
    assert site.targets() == [f"/l?page={n}" for n in (1, 2, 3, 4)]
    assert ended(run)


def test_items_without_a_key_that_the_last_page_gives_again_are_not_doubled(site: Site, crawl: CommandLine) -> None:
    site.pages["/l"] = lambda hit: rows(min(page_of(hit), 3))
    run = crawl(LIST.replace("key: id, ", "").format(url=site.url("/l?page=1"), next="{param: page}"))
    assert run.exit == 0, run.output
    assert [item["id"] for item in run.items] == [1, 2, 3, 4, 5, 6]
    assert "row" in run.output
    assert "their items are left out" in run.output


def test_c07c_a_link_goes_on_over_ten_empty_pages_and_no_more(site: Site, crawl: CommandLine) -> None:
    """The case wants an end at the first empty page; the language goes on over ten, since a gap is no end."""

    def page(hit: Hit) -> str:
        number = page_of(hit)
        return rows(number if number <= 3 else 0, f"/l?page={number + 1}")

    run = walk(site, crawl, page, "a.next")
    assert run.exit == 0, run.output
    assert site.targets() == [f"/l?page={n}" for n in range(1, 15)]  # three, ten that are passed, one that ends it
    assert ended(run)


def test_a_gap_of_ten_empty_pages_is_crossed(site: Site, crawl: CommandLine) -> None:
    def page(hit: Hit) -> str:
        number = page_of(hit)
        shown = {1: 1, 2: 2, 13: 3}.get(number, 0)
        return rows(shown, f"/l?page={number + 1}" if number < 13 else "")

    run = walk(site, crawl, page, "a.next")
    assert run.exit == 0, run.output
    assert len(site.targets()) == 13


def test_a_counter_ends_at_the_first_empty_page(site: Site, crawl: CommandLine) -> None:
    run = walk(site, crawl, lambda hit: rows(page_of(hit) if page_of(hit) <= 3 else 0), "{param: page}")
    assert run.exit == 0, run.output
    assert site.targets() == [f"/l?page={n}" for n in (1, 2, 3, 4)]
    assert ended(run)


def test_a_counter_ends_at_a_404_which_is_no_failure(site: Site, crawl: CommandLine) -> None:
    def page(hit: Hit) -> Page:
        return rows(page_of(hit)) if page_of(hit) <= 3 else html("<h1>no</h1>", 404)

    run = walk(site, crawl, page, "{param: page}")
    assert run.exit == 0, run.output
    assert run.failures == []
    assert len(site.targets()) == 4


def test_a_counter_ends_at_its_max_and_asks_no_further(site: Site, crawl: CommandLine) -> None:
    run = walk(site, crawl, lambda hit: rows(page_of(hit)), "{param: page, max: 3}", url="/l")
    assert run.exit == 0, run.output
    assert site.targets() == ["/l", "/l?page=2", "/l?page=3"]


def test_an_offset_counts_from_nought(site: Site, crawl: CommandLine) -> None:
    def page(hit: Hit) -> str:
        offset = int(hit.query.get("offset", 0))
        return rows(offset // 2 + 1) if offset < 6 else rows(0)

    run = walk(site, crawl, page, "{param: offset, step: 2}", url="/l")
    assert run.exit == 0, run.output
    assert site.targets() == ["/l", "/l?offset=2", "/l?offset=4", "/l?offset=6"]


CURSOR = """
name: rows
site: {{sleep: 0s}}
start: {{list: "{url}"}}
pages:
  list:
    format: json
    next: {{json: next, param: cursor}}
    items:
      row: {{each: rows, key: id, fields: {{id: '@'}}}}
"""


def test_a_cursor_ends_where_it_repeats_is_empty_or_false(site: Site, crawl: CommandLine) -> None:
    for last in (None, "", False, "c2"):
        cursors = {None: ([1, 2], "c1"), "c1": ([3, 4], "c2"), "c2": ([5, 6], last)}

        def page(hit: Hit, cursors: Mapping[str | None, tuple[list[int], object]] = cursors) -> Page:
            shown, following = cursors[hit.query.get("cursor")]
            return json_answer({"rows": shown, "next": following})

        site.pages["/j"] = page
        site.log.clear()
        run = crawl(CURSOR.format(url=site.url("/j")))
        assert run.exit == 0, run.output
        assert [item["id"] for item in run.items] == [1, 2, 3, 4, 5, 6]
        assert site.targets() == ["/j", "/j?cursor=c1", "/j?cursor=c2"], last


def test_a_chain_that_a_failure_cut_is_a_missed_expectation(site: Site, crawl: CommandLine) -> None:
    site.pages["/l"] = lambda hit: rows(1, "/l2")
    site.pages["/l2"] = html("<h1>no</h1>", 500)
    spec = LIST.format(url=site.url("/l"), next="a.next").replace("sleep: 0s", "sleep: 0s, retry: 0")
    run = crawl(spec)
    assert run.exit == 2, run.output
    assert "/l2" in run.stderr
    assert not (run.folder / "rows.jsonl").exists()
    assert [item["id"] for item in run.lines("rows.jsonl.rejected")] == [1, 2]


def ended(run: Ran) -> list[str]:
    """The reasons that the report gives for the end of `next`; the summary names them too."""
    reasons = list(run.report["chains"]["pages.list.next"])
    assert reasons, run.report["chains"]
    for reason in reasons:
        assert reason in run.stderr
    return reasons
