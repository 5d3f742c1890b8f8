"""Which hosts are ours (public case C08)."""

from __future__ import annotations

from tests.commandline import CommandLine
from tests.site import Site, html, redirect

SHOP = """
name: shop
site: {{sleep: 0s, private_addresses: allow{hosts}}}
start: {{page: "{url}"}}
pages:
  page:
    follow: {{page: a}}
    items:
      page: {{fields: {{title: h1, url: {{from: url}}}}}}
"""


def anchors(*hrefs: str) -> str:
    return "<h1>start</h1>" + "".join(f'<a href="{href}">x</a>' for href in hrefs)


def asked(site: Site) -> list[str]:
    return sorted(f"{hit.host}{hit.target}" for hit in site.log.pages())


def test_c08_look_alike_hosts_and_a_redirect_that_leaves(site: Site, crawl: CommandLine) -> None:
    port = site.port
    site.fallback = html("<h1>page</h1>")
    shop = site.host("shop.test")
    shop.fallback = html("<h1>page</h1>")
    shop.pages["/go/1"] = redirect(f"http://ads.test:{port}/land")
    shop.pages["/"] = anchors(
        f"http://shop.test:{port}/a",
        f"http://www.shop.test:{port}/b",
        f"http://SHOP.TEST:{port}/f",
        f"http://notshop.test:{port}/c",
        f"http://shop.test.evil.test:{port}/d",
        f"http://share.test:{port}/submit?url=http://shop.test/a",
        f"http://shop.test@evil.test:{port}/e",
        f"http://shop.test:{port}/go/1",
    )
    run = crawl(SHOP.format(url=site.url("/", "shop.test"), hosts=", hosts: ['*.shop.test']"))
    assert run.exit == 0, run.output
    wanted = ["shop.test/", "shop.test/a", "shop.test/f", "shop.test/go/1", "www.shop.test/b"]
    assert asked(site) == wanted
    assert len(run.items) == 4
    assert not any("ads.test" in item["url"] for item in run.items)
    # the redirect ends in an outcome of its own, with the place it was found
    assert run.report["outcomes"]["out_of_scope"] == 1
    (left,) = [entry for entry in run.skipped if entry["rule"] == "out_of_scope"]
    assert left["url"].endswith("/go/1")
    assert "ads.test" in left["reason"]
    offsite = run.report["offsite"]
    for host in ("notshop.test", "shop.test.evil.test", "share.test", "evil.test"):
        assert sum(n for name, n in offsite.items() if name.split(":")[0] == host) == 1, offsite


def test_a_redirect_out_in_two_steps_and_by_other_spellings(site: Site, crawl: CommandLine) -> None:
    port = site.port
    site.fallback = html("<h1>page</h1>")
    shop = site.host("shop.test")
    shop.pages["/"] = anchors("/one", "/slashes", "/refresh", f"//evil.test:{port}/x", f"http:\\\\evil.test:{port}/y")
    shop.pages["/one"] = redirect("/two", 301)
    shop.pages["/two"] = redirect(f"http://ads.test:{port}/land", 308)
    shop.pages["/slashes"] = redirect(f"//ads.test:{port}/land")
    refresh = f'<meta http-equiv="refresh" content="0; url=http://ads.test:{port}/land"><h1>moved</h1>'
    shop.pages["/refresh"] = refresh
    run = crawl(SHOP.format(url=site.url("/", "shop.test"), hosts=""))
    assert run.exit == 0, run.output
    assert asked(site) == [f"shop.test{target}" for target in ("/", "/one", "/refresh", "/slashes", "/two")]


def test_the_start_may_redirect_to_the_host_that_is_crawled_then(site: Site, crawl: CommandLine) -> None:
    site.host("shop.test").pages["/"] = redirect(f"http://www.shop.test:{site.port}/")
    site.host("www.shop.test").pages.update({"/": anchors("/a"), "/a": "<h1>a</h1>"})
    run = crawl(SHOP.format(url=site.url("/", "shop.test"), hosts=""))
    assert run.exit == 0, run.output
    assert asked(site) == ["shop.test/", "www.shop.test/", "www.shop.test/a"]


def test_a_private_address_is_not_reached_by_link_redirect_or_name(site: Site, crawl: CommandLine) -> None:
    site.fallback = html("<h1>inside</h1>")
    start = site.host("127.0.0.1")
    inside = [f"http://127.0.0.2:{site.port}/link", f"http://inside.test:{site.port}/name", "/go"]
    start.pages["/"] = anchors(*inside)
    start.pages["/go"] = redirect(f"http://127.0.0.2:{site.port}/redirect")
    spec = SHOP.format(url=site.url("/"), hosts=", hosts: any").replace(" private_addresses: allow,", "")
    run = crawl(spec)
    assert run.exit == 0, run.output
    assert asked(site) == ["127.0.0.1/", "127.0.0.1/go"]
    assert run.report["outcomes"]["blocked_address"] == 3
