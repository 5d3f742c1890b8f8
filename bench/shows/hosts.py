"""Fifty hosts at once: polite to each, and no slower than politeness asks.

python -m bench.shows.hosts [PAUSE_MS]      default 200; the site `hosts` must be served

By the server's log no two requests to one host lie closer than the pause, and from its first to its last line it is at
most 1.15 times 41 requests (40 pages and robots.txt) of the pause and the mean answer time.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from bench.shows.sheet import Sheet, serve_sites, timed_run, working_folder

SPEC = """
name: hosts
site: {{threads: 16, per_host: 1, sleep: {pause}ms, private_addresses: allow, hosts: any}}
start: {{page: "{start}"}}
pages:
  page:
    follow: {{page: a}}
    items:
      page: {{fields: {{url: {{from: url}}, title: title, h1: h1}}}}
"""
REQUESTS = 41
"""To each host: its pages and robots.txt."""
RESOLUTION = 0.001
"""Of the log's times, in seconds."""


def main(pause: int) -> None:
    sites, sheet = serve_sites(), Sheet()
    sheet.title(f"hosts, {pause} ms")
    wanted = set(sites.pages("hosts")[0])
    log = Path(sites.STATE) / "hosts.log"
    log.write_text("")
    with working_folder() as folder:
        ran, seconds = timed_run(folder, SPEC.format(pause=pause, start=sites.start_url("hosts")))
        sheet.figure("run", f"exit {ran.exit}, {seconds:.1f} s")
        sheet.check("exit 0", ran.exit == 0, ran.stderr[-2000:])
        urls = [item["url"] for item in ran.items]
        sheet.check("every page, none twice", len(urls) == len(set(urls)) and set(urls) == wanted, len(urls))
    times: dict[str, list[float]] = defaultdict(list)
    lines = [line.split() for line in log.read_text().splitlines()]
    for at, host, *_ in lines:
        times[host].append(float(at))
    closest = min(later - earlier for each in times.values() for earlier, later in pairwise(sorted(each)))
    sheet.figure("requests", len(lines))
    sheet.figure("hosts", len(times))
    sheet.figure("closest two requests to one host", f"{closest * 1000:.0f} ms")
    sheet.check("none closer than the pause", closest >= pause / 1000 - RESOLUTION, closest)
    everything = sorted(at for each in times.values() for at in each)
    span = everything[-1] - everything[0]
    ideal = REQUESTS * pause / 1000  # nginx answers in less than a millisecond, which its log does not resolve
    sheet.figure("first to last line", f"{span:.2f} s")
    sheet.figure("politeness alone", f"{ideal:.2f} s")
    sheet.check(f"at most 1.15 times that ({span / ideal:.3f})", span <= 1.15 * ideal, f"{span:.2f} s")
    twice = [key for key, n in Counter((host, uri) for _, host, uri, *_ in lines).items() if n > 1]
    sheet.check("no request twice", not twice, twice[:3])
    sheet.end()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
