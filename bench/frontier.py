"""What the SQLite frontier costs a page: CPU of the thread that talks to it, without network and parsing.

    python bench/frontier.py [PAGES] [PAGES AN EXCHANGE]

Each page has 20 links that the known cache leaves out before they reach the store, one new link and one item.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from yamlcrawl.frontiers.sqlite import SqliteFrontier
from yamlcrawl.model.frontier import HostPlan, Lease, Limits, Opening
from yamlcrawl.model.item import Item, order_bytes
from yamlcrawl.model.outcome import Outcome, Robots
from yamlcrawl.model.request import Request, plain_fingerprint

ROOTS = 64


def url(number: int) -> str:
    return f"http://docs.test/api/package-{number % 97}/Class{number}.html"


def page(lease: Lease, number: int, known: list[str], store: SqliteFrontier) -> Outcome:
    """The outcome that an engine would make; what the engine does for it is timed too, and is small."""
    if lease.request.purpose == "robots":
        return Outcome(lease.token, lease.request, "ok", robots=Robots(""))
    known_to = store.known
    fresh = [link for link in [*known, url(number)] if not known_to(plain_fingerprint(link, "page"))]
    links = tuple(
        Request(
            link, link, page="page", depth=lease.request.depth + 1, via="pages.page.follow.page", parent=url(number)
        )
        for link in fresh
    )
    text = f'{{"url": "{lease.request.url}", "title": "Class {number}", "h1": "Class {number}", "links": 21}}'
    item = Item("page", text, b"", order_bytes((lease.request.url, "GET", None, "page", 0)), lease.request.url, 1.0)
    counts = {"parsed:page": 1, "match:page": 1, "filled:page.title": 1, "filled:page.h1": 1} | {
        f"{what}:pages.page.items.page.fields.{name}": 1
        for what in ("tried", "hit")
        for name in ("title", "h1", "links")
    }
    return Outcome(lease.token, lease.request, "ok", "", 200, lease.request.url, links=links, items=(item,),
                   counts=counts, received=9000)  # fmt: skip


def run(pages: int, batch: int) -> tuple[float, float, float, int]:
    """CPU of making the outcomes, CPU and wall of the store (seconds), and bytes on disk."""
    with TemporaryDirectory() as folder:
        store = SqliteFrontier(Path(folder))
        limits, plan = Limits(), HostPlan(0.0, 16)
        store.open(Opening("bench", {}, limits, lambda _key: plan, True, frozenset(), targets=("out",)))
        seeds = [Request(url(n), url(n), page="page", via="start.page", seed=True) for n in range(ROOTS)]
        store.add(seeds, ROOTS, last=True)
        known = [seed.canonical for seed in seeds[:20]]
        made, cpu, wall, number = 0.0, 0.0, 0.0, ROOTS
        leases = list(store.exchange((), 16).leases)
        while number < pages:
            begin = time.thread_time()
            outcomes = []
            while len(outcomes) < batch and leases:
                for lease in leases:
                    store.host_free(lease.token, time.time())
                    outcomes.append(page(lease, number, known, store))
                    number += 1
                made += time.thread_time() - begin
                begin, start = time.thread_time(), time.perf_counter()
                leases = list(store.exchange((), 16).leases) if store.ahead else []
                cpu += time.thread_time() - begin
                wall += time.perf_counter() - start
                begin = time.thread_time()
            made += time.thread_time() - begin
            begin, start = time.thread_time(), time.perf_counter()
            leases += store.exchange(outcomes, 16 - len(leases)).leases
            cpu += time.thread_time() - begin
            wall += time.perf_counter() - start
        size = sum(file.stat().st_size for file in Path(folder).glob("frontier.db*"))
        store.close()
    return made, cpu, wall, size


def main() -> None:
    pages, batch = (int(n) for n in (sys.argv[1:3] + ["20000", "32"][len(sys.argv) - 1 :]))
    if "--profile" in sys.argv:
        with cProfile.Profile() as profile:
            run(pages, batch)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        return
    made, cpu, wall, size = run(pages, batch)
    print(
        f"{pages} pages, {batch} at once: store {cpu / pages * 1e6:.1f} µs CPU a page (wall {wall / pages * 1e6:.1f}),"
        f" making the outcomes {made / pages * 1e6:.1f}; {size / pages:.0f} bytes a page in the file and its log"
    )


if __name__ == "__main__":
    main()
