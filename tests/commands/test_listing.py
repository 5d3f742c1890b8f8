"""`list`, `status` and `stop`: crawls seen from outside."""

import json
import signal

SPEC = """
name: shop
description: A small shop
site: {{sleep: {sleep}, threads: 2, per_host: 2}}
start: {{page: "{url}/0"}}
pages:
  page:
    next: a
    items: {{thing: {{fields: {{name: h1}}}}}}
"""


def chain(site, pages: int) -> None:
    """Pages that lead from one to the next."""
    for n in range(pages):
        link = f"<a href=/{n + 1}>next</a>" if n + 1 < pages else ""
        site.pages[f"/{n}"] = f"<h1>{n}</h1>{link}"


def test_list_and_status_tell_of_the_last_run(site, crawl):
    chain(site, 3)
    crawl.write(SPEC.format(url=site.url(""), sleep="0s"))
    assert "never run" in crawl.command("list").stdout
    assert crawl(SPEC.format(url=site.url(""), sleep="0s")).exit == 0
    (line,) = crawl.command("list").stdout.splitlines()
    assert line.startswith("spec.yml  shop  run 1, ")
    assert "done, exit 0, 3 items" in line
    assert line.endswith("A small shop")
    (told,) = json.loads(crawl.command("status", "--json").stdout)
    assert (told["name"], told["state"], told["pages"], told["items"], told["exit"]) == ("shop", "done", 3, 3, 0)
    assert not told["unfinished"]


def test_a_broken_spec_is_listed_with_the_way_to_its_problems(crawl):
    crawl.write("name: x\nstart: {p: http://a.test/}\npages: {p: {itms: {}}}\n")
    ran = crawl.command("list")
    assert ran.exit == 0
    assert "yamlcrawl validate spec.yml" in ran.stdout


def test_stop_ends_a_running_crawl_and_resume_goes_on(site, crawl):
    chain(site, 400)
    spec = SPEC.format(url=site.url(""), sleep="50ms")
    running = crawl.start(spec)
    assert running.until(site.reached(4))
    assert json.loads(crawl.command("status", "shop", "--json").stdout)[0]["live"]
    stopped = crawl.command("stop", "spec.yml")
    assert stopped.exit == 0, stopped.output
    assert "shop: stopped" in stopped.stderr
    ended = running.end()
    assert ended.exit == 75, ended.output
    assert "--resume" in ended.stderr
    ran = crawl(spec, "--resume", "--set", "site.sleep=0s")
    assert ran.exit == 0, ran.output
    assert len(ran.items) == 400


def test_a_killed_run_is_told_as_such(site, crawl):
    chain(site, 400)
    running = crawl.start(SPEC.format(url=site.url(""), sleep="50ms"))
    assert running.until(site.reached(4))
    running.send(signal.SIGKILL)
    running.end()
    said = crawl.command("status", "shop").stdout
    assert "killed" in said
    assert "--resume goes on" in said


def test_what_is_not_there_is_told_with_what_is(site, crawl):
    chain(site, 1)
    assert "start one" in crawl.command("status").stderr
    assert crawl(SPEC.format(url=site.url(""), sleep="0s")).exit == 0
    ran = crawl.command("stop", "shp")
    assert ran.exit == 1
    assert "there are shop" in ran.stderr
    assert "is not running" in crawl.command("stop", "shop").stderr
