"""Dates, moments and durations as a crawl reads them: which text is people's, which a program's, in which zone."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest

from tests.compiler.crawled import NOW, plan, seeds
from yamlcrawl.engine.extract import extract
from yamlcrawl.model.plan import View
from yamlcrawl.model.response import Headers, Response
from yamlcrawl.model.tally import Tally

SPEC = """
site: {{{site}}}
pages:
  p:
    format: {format}
    items:
      x:
        fields:
{fields}
"""


def read(
    *fields: str, body: str, site: str = "", page_format: str = "html", at: float = NOW
) -> tuple[dict[str, Any], list[str]]:
    """The item that the fields give for a page fetched at that time, and what was reported."""
    lines = "\n".join(f"          {field}" for field in fields)
    crawl = plan(SPEC.format(site=site, format=page_format, fields=lines))
    (request,) = crawl.seeds()
    response = Response(request, request.url, 200, Headers(), body.encode(), len(body), 0.1, at)
    page = crawl.pages["p"]
    view = View(page.parse()(response), request, Tally(), crawl.secrets, crawl.now)
    (item,) = extract(view, page)
    return json.loads(item.text, parse_float=Decimal), [text for _, text in view.tally.notes]


PARIS = "timezone: Europe/Paris, locale: fr"


def test_people_write_in_the_language_of_the_site_and_programs_do_not() -> None:
    item, told = read(
        "seen: {css: time, type: datetime}",
        "made: {css: time@datetime, type: datetime}",
        "title: {css: time@title, type: datetime}",
        "own: {css: time@title, type: datetime, locale: fr}",
        body="<time datetime=2025-03-14T10:30 title='14/03/2025 10:30'>14 mars 2025, 10:30</time>",
        site=PARIS,
    )
    moment = "2025-03-14T10:30:00+01:00"
    assert item == {"seen": moment, "made": moment, "title": None, "own": moment}
    assert told == ["'14/03/2025 10:30' (it is not ISO 8601: say format or locale) on http://site.test/"]


def test_values_of_json() -> None:
    item, told = read(
        "iso: {json: a, type: date}",
        "unix: {json: b, type: datetime, format: '%s'}",
        "bare: {json: b, type: datetime}",
        "basic: {json: c, type: date}",
        "rfc: {json: d, type: datetime, format: '%a, %d %b %Y %H:%M:%S %Z'}",
        "all: {each: {json: e}, type: date}",
        "flag: {json: f, type: date}",
        body=json.dumps(
            {
                "a": "2025-03-14T23:30:00Z",
                "b": 1741910400,
                "c": 20250314,
                "d": "Fri, 14 Mar 2025 10:30:00 GMT",
                "e": ["2025-03-14", "soon", None, "2025-03-15"],
                "f": True,
            }
        ),
        site=PARIS,
        page_format="json",
    )
    assert item == {
        "iso": "2025-03-14",
        "unix": "2025-03-14T01:00:00+01:00",
        "bare": None,
        "basic": "2025-03-14",
        "rfc": "2025-03-14T10:30:00Z",
        "all": ["2025-03-14", "2025-03-15"],
        "flag": None,
    }
    assert sorted(text.split(" (")[0] for text in told) == ["'1741910400'", "'soon'", "'true'"]


def test_words_count_from_the_time_of_the_page_not_of_the_run() -> None:
    # 14 November 2023, 22:13:20 UTC is the 15th in Tokyo
    fields = ["a: {css: p, type: date}", "b: {css: p, type: datetime}"]
    item, _ = read(*fields, body="<p>yesterday", site="locale: en, timezone: Asia/Tokyo")
    assert item == {"a": "2023-11-14", "b": "2023-11-14T07:13:20+09:00"}
    item, _ = read(*fields, body="<p>yesterday", site="locale: en")
    assert item == {"a": "2023-11-13", "b": "2023-11-13T22:13:20Z"}
    item, _ = read(*fields, body="<p>yesterday", site="locale: en", at=NOW + 86400)
    assert item == {"a": "2023-11-14", "b": "2023-11-14T22:13:20Z"}


def test_summer_time() -> None:
    times = ("2025-03-30 01:59", "2025-03-30 02:30", "2025-03-30 03:00", "2025-10-26 02:30", "2025-10-26 03:00")
    body = "".join(f"<p>{time}" for time in times)
    item, _ = read("all: {each: p, type: datetime}", body=body, site=PARIS)
    assert item["all"] == [
        "2025-03-30T01:59:00+01:00",
        "2025-03-30T03:30:00+02:00",
        "2025-03-30T03:00:00+02:00",
        "2025-10-26T02:30:00+02:00",
        "2025-10-26T03:00:00+01:00",
    ]


def test_no_zone_is_invented() -> None:
    item, _ = read("t: {css: p, type: datetime, locale: fr}", body="<p>14 mars 2025 à 10h30")
    assert item == {"t": "2025-03-14T10:30:00"}


def test_alternatives_go_on_where_a_text_is_no_date() -> None:
    item, told = read(
        "t: {any: [.new, .old], type: date, format: '%d/%m/%Y'}",
        "d: {css: .new, type: date, default: '1999-12-31'}",
        "n: {value: '${now}', type: date}",
        body="<p class=new>coming soon<p class=old>4/5/2022",
        site="timezone: Asia/Tokyo",
    )
    assert item == {"t": "2022-05-04", "d": "1999-12-31", "n": "2023-11-15"}
    assert "'coming soon' (it is not written as \"%d/%m/%Y\") on http://site.test/" in told


def test_durations() -> None:
    item, told = read(
        "cook: {css: .a, type: duration}",
        "iso: {css: .a, type: duration, format: iso}",
        "hours: {css: .a, type: duration, format: hours}",
        "meta: {css: meta@content, type: duration, format: minutes}",
        "track: {css: .b, type: duration}",
        "long: {css: .b, replace: {regex: '^', with: '0:'}, type: duration}",
        body="<meta content=PT1H30M><p class=a>1 heure et 30 minutes<p class=b>3:45",
        site=PARIS,
    )
    assert item == {"cook": 5400, "iso": "PT1H30M", "hours": Decimal("1.5"), "meta": 90, "track": None, "long": 225}
    assert [text.split(" (")[0] for text in told] == ["'3:45'"]


@pytest.mark.parametrize(("zone", "shown"), [("timezone: Asia/Tokyo", "2023-11-15"), ("", "2023-11-14")])
def test_now_and_today_are_those_of_the_zone(zone: str, shown: str) -> None:
    start = "{p: {url: 'http://site.test/${now:%Y-%m-%d}/${day.from}'}}"
    spec = f"vars: {{day: {{from: today, to: today, by: day}}}}\nsite: {{{zone}}}\nstart: {start}\n"
    spec += "pages: {p: {items: {x: {fields: {t: p}}}}}"
    assert [seed.url for seed in seeds(spec)] == [f"http://site.test/{shown}/{shown}"]
    (target,) = plan(spec + "\npipelines: out/${date}.jsonl").targets
    assert target.name.endswith(f"out/{shown}.jsonl")


def test_now_has_the_offset_of_the_zone() -> None:
    spec = "site: {timezone: Asia/Tokyo}\nstart: {p: {url: http://site.test/, params: {t: '${now}'}}}\n"
    (seed,) = seeds(spec + "pages: {p: {items: {x: {fields: {t: p}}}}}")
    assert seed.url == "http://site.test/?t=2023-11-15T07%3A13%3A20%2B09%3A00"


@pytest.mark.parametrize(
    ("fields", "loaded"),
    [
        ("{t: p}", False),
        ("{t: {css: p, type: date}}", False),
        ("{t: {css: p, type: date, format: '%d %B %Y'}}", False),
        ("{t: {css: p, type: date, locale: fr}}", True),
    ],
)
def test_the_words_of_languages_are_loaded_only_where_a_field_needs_them(fields: str, loaded: bool) -> None:
    spec = f"name: t\nstart: {{p: http://site.test/}}\npages: {{p: {{items: {{x: {{fields: {fields}}}}}}}}}\n"
    program = (
        "import sys\nfrom yamlcrawl.spec.load import loads\nfrom yamlcrawl.compiler.compile import compile_spec\n"
        f"compile_spec(loads({spec!r}), env={{}}, now=0.0)\nprint('dateparser' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == str(loaded)
