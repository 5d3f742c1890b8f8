"""JMESPath that looks right and is not (public case C23)."""

from __future__ import annotations

import pytest

from tests.commandline import CommandLine
from tests.site import Site, json_answer

SPEC = """name: rows
site: {{sleep: 0s}}
start: {{rows: "{url}"}}
pages:
  rows:
    format: json
    items:
      row:
        fields:
          x: {field}
expect: {{row: {{filled: {{x: 0%}}}}}}
"""
PAGE = {"is-new": True, "rows": [{"id": 42, "tag": "new", "name": "n"}]}


def write(site: Site, crawl: CommandLine, field: str) -> None:
    site.pages["/"] = json_answer(PAGE)
    crawl.write(SPEC.format(url=site.url("/"), field=field))


@pytest.mark.parametrize(
    ("expression", "character", "hint"),
    [
        ("is-new", 3, 'put a key with "-" in double quotes: "is-new"'),
        ("rows[?id==42].name", 11, "put a number in back-ticks: `42`"),
    ],
    ids=["a", "c"],
)
@pytest.mark.parametrize("command", ["validate", "run"])
def test_c23_what_is_no_jmespath_is_refused_with_its_place_and_a_hint(
    site: Site, crawl: CommandLine, command: str, expression: str, character: int, hint: str
) -> None:
    write(site, crawl, f"{{json: '{expression}', type: json}}")
    ran = crawl.command(command, "spec.yml")
    assert ran.exit == 1
    assert len(site.log) == 0
    assert "spec.yml:10:21  pages.rows.items.row.fields.x.json" in ran.output
    assert f"at character {character}" in ran.output
    assert hint in ran.output


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("""{json: '"is-new"'}""", True),
        ("{json: 'rows[?id==`42`].name', type: json}", ["n"]),
        ("""{json: "rows[?tag=='new'].name", type: json}""", ["n"]),
    ],
    ids=["b", "d", "f"],
)
def test_c23_what_is_right_gives_its_value(site: Site, crawl: CommandLine, field: str, value: object) -> None:
    write(site, crawl, field)
    checked = crawl.command("validate", "spec.yml")
    assert checked.exit == 0
    assert "warning" not in checked.output
    ran = crawl.command("run", "spec.yml")
    assert ran.exit == 0, ran.output
    assert ran.items == [{"x": value}]


def test_c23e_a_key_in_place_of_a_text_is_warned_of(site: Site, crawl: CommandLine) -> None:
    write(site, crawl, """{json: 'rows[?tag=="new"].name', type: json}""")
    checked = crawl.command("validate", "spec.yml")
    assert checked.exit == 0
    assert "warning: spec.yml:10:21  pages.rows.items.row.fields.x.json" in checked.output
    assert "use single quotes for a text" in checked.output
    ran = crawl.command("run", "spec.yml")
    assert "use single quotes for a text" in ran.stderr
    assert ran.report["items"]["row"]["fields"]["x"]["filled"] == 0
