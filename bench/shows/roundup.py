"""A REST API behind basic authentication: 320 issues, and the password is readable nowhere.

python -m bench.shows.roundup DATABASE [PORT]     DATABASE is tracker/db/db in the application's folder; PORT 8805
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing

from bench.shows.sheet import Sheet, timed_run, working_folder

PASSWORD = "correct-horse"
SPEC = """
name: issues
site:
  threads: 16
  per_host: 16
  sleep: 0s
  auth: {{basic: {{user: reader, password: "${{env.TRACKER_PASSWORD}}"}}}}
start:
  issues:
    url: "http://127.0.0.1:{port}/rest/data/issue"
    params: {{'@page_size': 25, '@page_index': 1, '@fields': 'title,status'}}
pages:
  issues:
    format: json
    next: {{json: 'data."@links".next[0].uri'}}
    items:
      issue:
        each: data.collection
        key: id
        fields:
          id: {{type: integer, json: id}}
          title: title
          status: {{type: integer, json: status.id}}
          link: {{type: url, json: link}}
"""


def main(database: str, port: int) -> None:
    sheet = Sheet()
    sheet.title("roundup, issues by REST")
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as store:
        rows = store.execute("select id, _title, _status from _issue where __retired__ = 0 order by id").fetchall()
    wanted = [(number, " ".join(title.split()), status) for number, title, status in rows]
    sheet.figure("issues of the database", len(wanted))
    with working_folder() as folder:
        env = {"TRACKER_PASSWORD": PASSWORD}
        ran, seconds = timed_run(folder, SPEC.format(port=port), env=env)
        sheet.figure("run", f"exit {ran.exit}, {seconds:.1f} s")
        sheet.check("exit 0", ran.exit == 0, ran.stderr[-2000:])
        items = ran.items if ran.exit == 0 else []
        sheet.check("320 issues", len(items) == 320, len(items))
        found = [(item["id"], item["title"], item["status"]) for item in items]
        sheet.check("equal to the database", sorted(found) == sorted(wanted), sorted(set(found) ^ set(wanted))[:4])
        sheet.check("the password is nowhere", ran.holds(PASSWORD) == [], ran.holds(PASSWORD))
        wrong, _ = timed_run(folder / "wrong", SPEC.format(port=port), env={**env, "TRACKER_PASSWORD": "wrong-horse"})
        sheet.check("a wrong password: exit 3", wrong.exit == 3, wrong.exit)
    sheet.end()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8805)
