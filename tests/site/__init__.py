"""A small web site on loopback, made for tests: it answers what it is told to, misbehaves on request, and logs all.

    def test_it(site):
        site.pages["/"] = '<a href="/b">b</a>'             # HTML; a dict or list is JSON; bytes are sent as they are
        site.pages["/b"] = lambda hit: {"q": hit.query}    # a function of the request that arrived
        site.robots = "User-agent: *\\nDisallow: /cart/"    # default: 404
        ... crawl site.url("/") ...
        assert site.targets() == ["/", "/b"]               # as sent, robots.txt left out

A site listens on one free port of several loopback addresses (127.0.0.1, 127.0.0.2, …), each of which is a host of its
own: `site.host("127.0.0.2").pages`. Hosts are told apart by the Host header, so names that lead to loopback are hosts
as well (`tests.site.names` makes `*.test` such names for a process that the tests start).

`tests.site.misbehaviour` lists the paths that every host answers without being told: /status/503, /slow, /cut, …
"""

from tests.site.answer import Answer, Page, Wire, drop, html, json_answer, redirect, reset
from tests.site.log import Hit, Log
from tests.site.server import Host, Site

__all__ = ["Answer", "Hit", "Host", "Log", "Page", "Site", "Wire", "drop", "html", "json_answer", "redirect", "reset"]
