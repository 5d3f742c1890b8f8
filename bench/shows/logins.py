"""Signing in to real applications: pages that only members see, a session that is cut in mid-crawl, a wrong password.

python -m bench.shows.logins WIKI TRACKER [PORT PORT]     the folders of the applications; ports 8802 and 8805
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bench.shows.proxy import CountingProxy
from bench.shows.sheet import Sheet, timed_run, working_folder

PASSWORD = "correct-horse"

WIKI = """
name: wiki
site: {{threads: 4, per_host: 4, sleep: 0s}}
login:
  url: "http://127.0.0.1:{port}/doku.php/start?do=login"
  css: form#dw__login
  form: {{u: editor, p: "${{env.WIKI_PASSWORD}}"}}
  check: a[href*="do=logout"]
start: {{listing: "http://127.0.0.1:{port}/doku.php/start"}}
pages:
  listing:
    follow:
      category: {{css: a, include: '/doku.php/*:start', exclude: ['/**?*', 'private:*']}}
      member: {{css: a, include: 'private:start', priority: -5}}
  category:
    items:
      category: {{key: url, fields: {{url: {{from: url}}, title: '#dokuwiki__content h1'}}}}
  member:
    items:
      secret: {{fields: {{word: '#dokuwiki__content strong'}}}}
"""

TRACKER = """
name: tracker
# the form leads past the relay, to another port of this machine
site: {{threads: 4, per_host: 4, sleep: 0s, private_addresses: allow}}
login:
  url: "http://127.0.0.1:{port}/"
  form: {{__login_name: reader, __login_password: "${{env.TRACKER_PASSWORD}}"}}
  check: {{xpath: "//a[contains(., 'Logout')]"}}
start:
  issues:
    url: "http://127.0.0.1:{port}/issue"
    params: {{'@pagesize': '50', '@startwith': '0', '@columns': 'id,title', '@sort': id}}
pages:
  issues:
    follow: {{issue: {{css: a, include: {{regex: '.*/issue[0-9]+'}}}}}}
    next: {{xpath: "//a[contains(., 'next >>')]"}}
  issue:
    items:
      issue:
        key: id
        fields:
          id: {{from: url, regex: '([0-9]+)$', type: integer}}
          member: {{xpath: "//a[contains(., 'Logout')]", required: true}}
"""


def end_wiki_session(folder: Path) -> None:
    """Change what the wiki signs its cookies with, so that those it gave mean nothing any more."""
    (folder / "root/var/lib/dokuwiki/data/meta/_htcookiesalt2").unlink(missing_ok=True)


def end_tracker_sessions(folder: Path) -> None:
    """Forget all sessions of the tracker."""
    with closing(sqlite3.connect(folder / "tracker/db/db-session", timeout=10)) as store, store:
        store.execute("DELETE FROM sessions")


def at(number: int, act: Callable[[], None]) -> Callable[[int], None]:
    """Acts at that request."""
    return lambda count: act() if count == number else None


def main(wiki_folder: Path, tracker_folder: Path, wiki: int, tracker: int) -> None:
    sheet = Sheet()
    # the wiki looks at its cookies each time, not at what PHP remembers of them
    settings = wiki_folder / "root/etc/dokuwiki/local.protected.php"
    settings.write_text("<?php $conf['auth_security_timeout'] = 0;\n", encoding="utf-8")
    sheet.title("dokuwiki: a page for members, a session that is cut, a wrong password")
    with (
        working_folder() as folder,
        CountingProxy(wiki, on_request=at(20, lambda: end_wiki_session(wiki_folder))) as proxy,
    ):
        spec = WIKI.format(port=proxy.port)
        ran, _ = timed_run(folder, spec, env={"WIKI_PASSWORD": PASSWORD})
        sheet.check("exit 0", ran.exit == 0, ran.stderr[-2000:])
        items = ran.items if ran.exit == 0 else []
        words = [item["word"] for item in items if item["_item"] == "secret"]
        sheet.check("the members' word", words == ["marmalade"], words)
        signed = sum("do=login" in target for target in proxy.targets)
        sheet.figure("requests for the login page", signed)
        sheet.check("signed in anew once", signed == 2, signed)
        sheet.check("the password is nowhere", ran.holds(PASSWORD) == [], ran.holds(PASSWORD))
        wrong, _ = timed_run(folder / "wrong", spec, env={"WIKI_PASSWORD": "wrong-horse"})
        sheet.check(
            "a wrong password: exit 3, said clearly", wrong.exit == 3 and "login: " in wrong.stderr, wrong.stderr
        )
    sheet.title("roundup: 320 issues as a member, a session that is cut, a wrong password")
    with (
        working_folder() as folder,
        CountingProxy(tracker, on_request=at(100, lambda: end_tracker_sessions(tracker_folder))) as proxy,
    ):
        spec = TRACKER.format(port=proxy.port)
        ran, seconds = timed_run(folder, spec, env={"TRACKER_PASSWORD": PASSWORD})
        sheet.figure("run", f"exit {ran.exit}, {seconds:.1f} s, {len(proxy.targets)} requests")
        sheet.check("exit 0", ran.exit == 0, ran.stderr[-2000:])
        items = ran.items if ran.exit == 0 else []
        sheet.check("320 issues, each as a member", len(items) == 320 == len({i["id"] for i in items}), len(items))
        lost = ran.report["retries"] if ran.exit == 0 else 0
        sheet.figure("pages fetched again", lost)
        sheet.check("at most those in the air were", 1 <= lost <= 8, lost)
        sheet.check("the password is nowhere", ran.holds(PASSWORD) == [], ran.holds(PASSWORD))
        wrong, _ = timed_run(folder / "wrong", spec, env={"TRACKER_PASSWORD": "wrong-horse"})
        sheet.check(
            "a wrong password: exit 3, said clearly", wrong.exit == 3 and "login: " in wrong.stderr, wrong.stderr
        )
    sheet.end()


if __name__ == "__main__":
    folders, ports = [Path(folder) for folder in sys.argv[1:3]], [int(port) for port in sys.argv[3:5]]
    main(*folders, *(ports or (8802, 8805)))
