"""Sitemaps of every form, and what is none."""

from __future__ import annotations

import gzip

import pytest

from yamlcrawl.errors import ParseError
from yamlcrawl.parsers import sitemap
from yamlcrawl.parsers.sitemap import Entry, read_sitemap

URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


def addresses(body: bytes | str) -> list[str]:
    return [entry.address for entry in read_sitemap(body.encode() if isinstance(body, str) else body).entries]


def test_a_urlset_gives_addresses_and_when_they_changed() -> None:
    read = read_sitemap(
        URLSET.format(
            "<url><loc> http://a.test/1\n</loc><lastmod>2025-03-01</lastmod></url>"
            "<url><lastmod/><loc><![CDATA[http://a.test/2?x=1&y=2]]></loc></url><url><lastmod>2025</lastmod></url>"
        ).encode()
    )
    assert read.entries == [Entry("http://a.test/1", "2025-03-01"), Entry("http://a.test/2?x=1&y=2", None)]
    assert not read.nested
    assert not read.warning


def test_what_extensions_add_does_not_stand_for_the_page() -> None:
    image = '<image:image xmlns:image="i"><image:loc>http://a.test/1.png</image:loc></image:image>'
    assert addresses(URLSET.format(f"<url>{image}<loc>http://a.test/1</loc></url>")) == ["http://a.test/1"]


def test_an_index_names_sitemaps() -> None:
    read = read_sitemap(b"<sitemapindex><sitemap><loc>http://a.test/1.xml</loc></sitemap></sitemapindex>")
    assert read.nested
    assert [entry.address for entry in read.entries] == ["http://a.test/1.xml"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("\ufeffhttp://a.test/1\r\nhttp://a.test/2", ["http://a.test/1", "http://a.test/2"]),
        ("<rss><channel><link>http://a.test/</link><item><link>/1</link></item></channel></rss>", ["/1"]),
        ("<rss><channel><item><guid>http://a.test/g</guid></item></channel></rss>", ["http://a.test/g"]),
        (
            '<feed><link href="/"/><entry><link rel="self" href="/s"/><link href="/1"/></entry></feed>',
            ["/1"],
        ),
        ('<?xml version="1.0" encoding="utf-16"?><urlset><url><loc>http://a.test/ä</loc></url></urlset>', None),
    ],
    ids=["text", "rss", "guid", "atom", "utf-16"],
)
def test_other_forms(body: str, found: list[str] | None) -> None:
    if found is None:
        assert addresses(body.encode("utf-16")) == ["http://a.test/ä"]
    else:
        assert addresses(body) == found
        assert addresses(gzip.compress(body.encode())) == found


def test_members_of_gzip_are_read_one_after_the_other() -> None:
    first, second = (gzip.compress(f"http://a.test/{n}\n".encode()) for n in (1, 2))
    assert addresses(first + second) == ["http://a.test/1", "http://a.test/2"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "it is empty"),
        (b"<html><body>Not found</body></html>", "its first element is <html>"),
        (b"<!-- nothing -->", ""),
        (b"\0\0\0\0", "it begins with"),
        (gzip.compress(b"", mtime=0), "it is empty"),
    ],
)
def test_what_is_no_sitemap(body: bytes, said: str) -> None:
    with pytest.raises(ParseError, match="no sitemap") as wrong:
        read_sitemap(body)
    assert wrong.value.outcome == "wrong_format"
    assert said in wrong.value.what


def test_what_was_read_before_it_broke_counts_and_the_rest_is_spoken_of() -> None:
    whole = URLSET.format("".join(f"<url><loc>http://a.test/{n}</loc></url>" for n in range(200))).encode()
    broken = read_sitemap(whole[: len(whole) // 2])
    assert broken.entries[0] == Entry("http://a.test/0", None)
    assert "broken at line 1" in broken.warning
    cut = read_sitemap(gzip.compress(whole)[:-30])
    assert cut.entries
    assert cut.warning == "its gzip is cut"


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    bomb += "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)) + "]>"
    assert addresses(bomb + URLSET.format("<url><loc>http://a.test/1</loc></url>")) == ["http://a.test/1"]
    file = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    assert addresses(file + URLSET.format("<url><loc>http://a.test/&f;</loc></url>")) == ["http://a.test/"]
    read = read_sitemap((bomb + URLSET.format("<url><loc>http://a.test/&j;</loc></url>")).encode())
    assert read.warning


def test_a_sitemap_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "LARGEST", 1000)
    long = gzip.compress(b"http://a.test/1\n" + b"\n" * 100_000)
    read = read_sitemap(long)
    assert [entry.address for entry in read.entries] == ["http://a.test/1"]
    assert "longer than the 1,000 bytes" in read.warning


def test_open_ampersands_are_read_as_they_are_meant() -> None:
    found = read_sitemap(
        URLSET.format(
            "<!-- a&b --><url><loc>http://a.test/a&amp;b</loc></url><url><loc>http://a.test/?x=1&y=2</loc></url>"
            "<url><loc><![CDATA[http://a.test/?c=1&d=2]]></loc></url><url><loc>http://a.test/a&#38;b</loc></url>"
        ).encode()
    )
    assert [entry.address for entry in found.entries] == [
        "http://a.test/a&b",
        "http://a.test/?x=1&y=2",
        "http://a.test/?c=1&d=2",
        "http://a.test/a&b",
    ]
    assert found.warning == ""
