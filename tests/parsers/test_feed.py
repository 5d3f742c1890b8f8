"""Feeds to plain values."""

from __future__ import annotations

import codecs
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.parsers.answers import answer, refused
from yamlcrawl.parsers.feed import feed_parser
from yamlcrawl.selectors.jmespath import compile_jmespath

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp;amp; more</title><link>/</link>
<item><title>&lt;b&gt;Big&lt;/b&gt; day</title><link>a?x=1</link><guid isPermaLink="false">7</guid>
<pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate><enclosure url="b.mp3" type="audio/mpeg" length="5"/></item>
</channel></rss>"""


def read(body: str | bytes, content_type: str = "application/rss+xml") -> Any:
    return feed_parser()(answer(body, content_type)).tree


def test_titles_are_plain_and_dates_are_text() -> None:
    tree = read(RSS)
    (entry,) = tree["entries"]
    assert (tree["feed"]["title"], entry["title"]) == ("News & more", "Big day")
    assert entry["title_detail"]["value"] == "<b>Big</b> day"
    assert entry["published"] == "Mon, 01 Jan 2024 00:00:00 GMT"
    assert not [name for name in entry if name.endswith("_parsed")]
    assert tree["version"] == "rss20"


def test_what_is_relative_is_absolute() -> None:
    entry = read(RSS)["entries"][0]
    assert entry["link"] == "http://site.test/dir/a?x=1"
    assert entry.get("enclosures")[0].get("url") == "http://site.test/dir/b.mp3"


def test_older_names() -> None:
    tree = read(RSS)
    assert tree.get("channel") is tree["feed"]
    assert tree.get("items")[0].get("guid") == "7"
    assert tree.get("nothing") is None
    assert tree["entries"][0].get("description") is None


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("length(keys(entries[0].links[1]))", 4),
        ("type(feed)", "object"),
        ("entries[?title=='Big day'].guid | [0]", "7"),
        ("sort_by(entries, &title)[0].enclosures[0].url", "http://site.test/dir/b.mp3"),
        ("merge(feed, {x: 'y'}).x", "y"),
    ],
)
def test_functions_take_its_parts_for_objects(expression: str, value: object) -> None:
    assert compile_jmespath(expression)(read(RSS)) == value


def test_numbers_are_exact() -> None:
    body = RSS.replace("<rss ", '<rss xmlns:georss="http://www.georss.org/georss" ').replace(
        "<guid", "<georss:point>45.256 -71.92</georss:point><guid"
    )
    assert read(body)["entries"][0]["where"]["coordinates"] == [Decimal("-71.92"), Decimal("45.256")]


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-2"])
def test_the_declaration_counts(encoding: str) -> None:
    body = f'<?xml version="1.0" encoding="{encoding}"?><rss version="2.0"><channel><title>Łódź</title></channel></rss>'
    assert read(body.encode(encoding), "text/xml")["feed"]["title"] == "Łódź"


def test_a_mark_counts_more() -> None:
    body = '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Łódź</title></channel></rss>'
    assert read(codecs.BOM_UTF16_BE + body.encode("utf-16-be"), "text/xml")["feed"]["title"] == "Łódź"


def test_a_body_is_never_taken_for_a_path(tmp_path: Path) -> None:
    file = tmp_path / "feed.xml"
    file.write_text(RSS)
    assert refused(feed_parser, str(file))[0] == "wrong_format"


def test_nothing_is_null() -> None:
    assert read("") is None


LAUGHS = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))


@pytest.mark.parametrize(
    "entities", [f'<!ENTITY a "lol">{LAUGHS}', f'<!ENTITY j "{"x" * 100_000}">'], ids=["laughs", "quadratic"]
)
def test_bombs_do_not_go_off(entities: str) -> None:
    document = feed_parser()(
        answer(RSS.replace("<rss", f"<!DOCTYPE rss [{entities}]><rss").replace("Big", "&j;" * 20_000))
    )
    assert len(str(document.tree)) < 1_000_000
    assert "amplification" in document.warning


def test_nothing_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("classified")
    entity = f'<!DOCTYPE rss [<!ENTITY f SYSTEM "file://{tmp_path}/secret">]>'
    assert "classified" not in str(read(RSS.replace("<rss", entity + "<rss").replace("Big", "&f;")))


def test_a_feed_that_is_not_well_formed_is_read_and_told() -> None:
    document = feed_parser()(answer(RSS.replace("</item>", "")))
    assert document.tree["entries"][0]["title"] == "Big day"
    assert "not well-formed" in document.warning
    assert feed_parser()(answer(RSS, "text/html")).warning == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<!DOCTYPE html><title>x</title>", "an HTML page"),
        ('{"version": "https://jsonfeed.org/version/1"}', "JSON"),
        ("<project><version>4</version></project>", "no feed"),
        ("nothing here", "not a feed"),
    ],
)
def test_another_format_is_told(body: str, said: str) -> None:
    outcome, what = refused(feed_parser, body, "application/rss+xml")
    assert outcome == "wrong_format"
    assert said in what


def test_nested_deeply() -> None:
    body = RSS.replace("Big", "<a>" * 20_000)
    document = feed_parser()(answer(body))
    assert document.warning
