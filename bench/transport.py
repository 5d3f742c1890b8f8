"""What a request costs with each way to send it, on pages of a site that is served nearby.

    python bench/transport.py http://127.0.0.1:8702/index.html [--seconds 2] [--rounds 3] [--threads 1 16]

Fetches the pages that the start page links to, again and again. CPU is that of this process, so the figures hold
where the server shares the machine. Rows are measured in turn, round after round; the table shows medians, and ratios
to the first row.
"""

from __future__ import annotations

import argparse
import http.client
import re
import statistics
import threading
import time
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

import requests
import urllib3.connection

from yamlcrawl.fetchers import HttpFetcher, Jar
from yamlcrawl.fetchers.connections import KeptConnections
from yamlcrawl.fetchers.transport import Deadline, Message
from yamlcrawl.model.plan import SitePlan, Timeouts
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Response
from yamlcrawl.model.secrets import Secrets

Fetch = Callable[[str], int]
"""URL to the length of its body."""
HEADERS = {"User-Agent": "bench", "Accept": "*/*", "Accept-Encoding": "gzip, deflate"}


def session_get() -> Fetch:
    session = requests.Session()
    return lambda url: len(session.get(url, timeout=30).content)


def bare_adapter() -> Fetch:
    adapter = requests.adapters.HTTPAdapter()

    def fetch(url: str) -> int:
        request = requests.PreparedRequest()
        request.method, request.url, request.headers = "GET", url, HEADERS  # type: ignore[assignment]
        return len(adapter.send(request, timeout=30).content)

    return fetch


def urllib3_connection() -> Fetch:
    connections: dict[str, urllib3.connection.HTTPConnection] = {}

    def fetch(url: str) -> int:
        parts = urlsplit(url)
        connection = connections.get(parts.netloc)
        if connection is None:
            connection = urllib3.connection.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
            connections[parts.netloc] = connection
        connection.request("GET", parts.path, headers=HEADERS, preload_content=False, decode_content=False)
        return len(connection.getresponse().read())

    return fetch


def standard_library() -> Fetch:
    connections: dict[str, http.client.HTTPConnection] = {}

    def fetch(url: str) -> int:
        parts = urlsplit(url)
        connection = connections.get(parts.netloc)
        if connection is None:
            connection = connections[parts.netloc] = http.client.HTTPConnection(parts.netloc, timeout=30)
        connection.request("GET", parts.path, headers=HEADERS)
        return len(connection.getresponse().read())

    return fetch


def our_transport() -> Fetch:
    transport = KeptConnections(max_raw=20_000_000)
    timeouts = Timeouts()

    def fetch(url: str) -> int:
        parts = urlsplit(url)
        fields = (("Host", parts.netloc), *HEADERS.items())
        message = Message("http", str(parts.hostname), parts.port or 80, "GET", parts.path, fields)
        answer = transport.send(message, Deadline(timeouts), lambda _ip, _port: True, lambda: None)
        return len(b"".join(answer.pieces))

    return fetch


def our_fetcher() -> Fetch:
    fetcher = HttpFetcher(SitePlan("bench", private_addresses=True), Secrets(), Jar())

    def fetch(url: str) -> int:
        response = fetcher.fetch(Request(url, url))
        assert isinstance(response, Response), response
        return len(response.body)

    return fetch


ROWS: dict[str, Callable[[], Fetch]] = {
    "requests: Session.get": session_get,
    "requests: HTTPAdapter.send, bare": bare_adapter,
    "urllib3: HTTPConnection": urllib3_connection,
    "http.client": standard_library,
    "yamlcrawl: transport": our_transport,
    "yamlcrawl: fetcher, whole": our_fetcher,
}


def measure(make: Callable[[], Fetch], urls: list[str], threads: int, seconds: float) -> tuple[float, float]:
    """Requests a second of wall time, and a second of CPU."""
    fetches = [make() for _ in range(threads)]
    for fetch in fetches:
        fetch(urls[0])
    counts = [0] * threads
    stop = threading.Event()

    def run(number: int) -> None:
        fetch, at = fetches[number], number * 7
        while not stop.is_set():
            fetch(urls[at % len(urls)])
            at += 1
            counts[number] += 1

    workers = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    wall, cpu = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.start()
    time.sleep(seconds)
    stop.set()
    for worker in workers:
        worker.join()
    done = sum(counts)
    return done / (time.perf_counter() - wall), done / (time.process_time() - cpu)


def pages(start: str, most: int = 200) -> list[str]:
    """The start page and those that it links to, of the same host."""
    found = dict.fromkeys([start])
    for href in re.findall(r'href="([^"#?]+\.html)', requests.get(start, timeout=30).text):
        url = urljoin(start, href)
        if urlsplit(url).netloc == urlsplit(start).netloc:
            found[url] = None
    return list(found)[:most]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("start")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 16])
    args = parser.parse_args()
    urls = pages(args.start)
    print(f"{len(urls)} pages\n")
    print("| way | threads | CPU µs a request | x per CPU | x per wall |")
    print("| --- | --- | --- | --- | --- |")
    for threads in args.threads:
        figures: dict[str, list[tuple[float, float]]] = {name: [] for name in ROWS}
        for _ in range(args.rounds):
            for name, make in ROWS.items():
                figures[name].append(measure(make, urls, threads, args.seconds))
        first = figures[next(iter(ROWS))]
        for name, rounds in figures.items():
            cpu = statistics.median(cpu for _, cpu in rounds)
            by_cpu = statistics.median(one[1] / other[1] for one, other in zip(rounds, first, strict=True))
            by_wall = statistics.median(one[0] / other[0] for one, other in zip(rounds, first, strict=True))
            print(f"| {name} | {threads} | {1e6 / cpu:.0f} | {by_cpu:.2f} | {by_wall:.2f} |", flush=True)


if __name__ == "__main__":
    main()
