"""One table by JSON with cursors, by CSV and by HTML pages: 10,186 rows, equal to the database.

python -m bench.shows.datasette DATABASE [PORT]     DATABASE is proj.db in the application's folder; PORT 8801
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing

from bench.shows.sheet import Sheet, timed_run, working_folder

COLUMNS = [
    *("auth_name", "code", "name", "description", "coordinate_system_auth_name", "coordinate_system_code"),
    *("geodetic_crs_auth_name", "geodetic_crs_code", "conversion_auth_name", "conversion_code"),
    *("text_definition", "deprecated"),
]
NEXT = {
    "a cursor": "{json: next, param: _next}",
    "an address in the page": "{json: next_url}",
    "a Link header": "{header: link}",
}
SPEC = """
name: crs
site: {{threads: 16, per_host: 16, sleep: 0s}}
start:
  rows: {{url: "http://127.0.0.1:{port}/proj/projected_crs.json", params: {{_size: 500, _shape: objects}}}}
pages:
  rows:
    format: json
    next: {next}
    items:
      crs:
        each: rows
        key: [auth_name, code]
        fields: {{{fields}}}
"""


CSV = """
name: crs
site: {{sleep: 0s}}
start: {{rows: "http://127.0.0.1:{port}/proj/projected_crs.csv?_stream=on"}}
pages:
  rows:
    format: csv
    items:
      crs: {{key: [auth_name, code], fields: {{{fields}}}}}
"""
HTML = """
name: crs
site: {{sleep: 0s}}
start: {{rows: "http://127.0.0.1:{port}/proj/projected_crs?_size=1000"}}
pages:
  rows:
    next: {{xpath: "//a[. = 'Next page']"}}
    items:
      crs: {{table: table.rows-and-columns, key: [auth_name, code], fields: {{{columns}}}}}
"""


def main(database: str, port: int) -> None:
    sheet = Sheet()
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as store:
        # a field that is empty in every item is a missed expectation: such a column is left out, and told
        filled = [name for name in COLUMNS if store.execute(f"select count({name}) from projected_crs").fetchone()[0]]
        rows = store.execute(f"select {', '.join(filled)} from projected_crs").fetchall()
    wanted = sorted([tuple(_text(value) for value in row) for row in rows], key=repr)
    sheet.title("datasette, projected_crs")
    sheet.figure("rows of the database", len(wanted))
    sheet.figure("columns", f"{len(filled)}, without value in every row: {set(COLUMNS) - set(filled) or 'none'}")
    fields = ", ".join(f"{name}: {name}" for name in filled)
    for name, next_ in NEXT.items():
        with working_folder() as folder:
            ran, seconds = timed_run(folder, SPEC.format(port=port, next=next_, fields=fields))
            sheet.figure(f"by {name}", f"exit {ran.exit}, {seconds:.1f} s")
            sheet.check(f"by {name}: exit 0", ran.exit == 0, ran.stderr[-2000:])
            items = ran.items if ran.exit == 0 else []
            found = sorted([tuple(_text(item[column]) for column in filled) for item in items], key=repr)
            sheet.check(f"by {name}: equal to the database", found == wanted, f"{len(found)} rows")
    texts = sorted([tuple(None if v is None else str(_text(v)) for v in row) for row in rows], key=repr)
    columns = ", ".join(f"{name}: {{column: {name}}}" for name in filled)
    for name, spec in {"CSV": CSV, "HTML pages": HTML}.items():
        with working_folder() as folder:
            ran, seconds = timed_run(folder, spec.format(port=port, fields=fields, columns=columns))
            sheet.figure(f"by {name}", f"exit {ran.exit}, {seconds:.1f} s")
            sheet.check(f"by {name}: exit 0", ran.exit == 0, ran.stderr[-2000:])
            items = ran.items if ran.exit == 0 else []
            found = sorted([tuple(item[column] for column in filled) for item in items], key=repr)
            sheet.check(f"by {name}: equal to the database", found == texts, f"{len(found)} rows")
    sheet.end()


def _text(value: object) -> object:
    """Blank texts are null to the crawler, in both."""
    if isinstance(value, str):
        return " ".join(value.split()) or None
    return value


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8801)
