"""Exact limits: 137 pages, 411 items, with 16 threads; by the server's log and by the output.

python -m bench.shows.limits [ROUNDS]      default 5
"""

from __future__ import annotations

import sys

from bench.shows.sheet import Sheet, timed_run, working_folder
from tests.site import Hit, Page, Site, redirect

SPEC = """
name: exact
site: {{threads: 16, per_host: 16, sleep: 0s}}
limits: {{{limit}}}
start: {{page: "{url}"}}
pages:
  page:
    follow: {{page: a}}
    items:
      row: {{each: li, key: id, fields: {{id: {{css: ':scope', type: integer}}, url: {{from: url}}}}}}
"""


def tree(hit: Hit) -> Page:
    """A page with four links and three items, one of them also on the page before; every seventh is a redirect."""
    number = int(hit.path.strip("/") or 0)
    if number % 7 == 3 and not hit.query:
        return redirect(f"/{number}?moved=1", 301)
    links = "".join(f'<a href="/{4 * number + n}">x</a>' for n in range(1, 5))
    return links + "".join(f"<li>{2 * number + n}</li>" for n in range(-1, 2))


def main(rounds: int) -> None:
    sheet = Sheet()
    for name, wanted in (("pages", 137), ("items", 411)):
        for nth in range(rounds):
            with Site(latency=0.01) as site, working_folder() as folder:
                site.fallback = tree
                ran, seconds = timed_run(folder, SPEC.format(limit=f"{name}: {wanted}", url=site.url()))
                sheet.title(f"limits.{name}: {wanted}, round {nth + 1}")
                sheet.check("exit 0", ran.exit == 0, ran.output[-2000:])
                pages = [hit for hit in site.log.pages() if hit.status == 200 and not hit.query.get("moved")]
                moved = [hit for hit in site.log.pages() if hit.status == 301]
                items = ran.items if ran.exit == 0 else []
                sheet.figure("in the air", site.log.most_in_air)
                sheet.figure("requests", f"{len(pages)} pages, {len(moved)} redirects, {seconds:.1f} s")
                if name == "pages":  # a redirect and its end are one page
                    sheet.check(f"exactly {wanted} pages", len(pages) + len(moved) == wanted, len(pages) + len(moved))
                else:
                    sheet.check(f"exactly {wanted} items", len(items) == wanted, len(items))
                    sheet.check("none twice", len({item["id"] for item in items}) == len(items))
                sheet.check("the report names the limit", ran.report["limit"] == f"limits.{name}", ran.report["limit"])
    sheet.end()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
