"""Files of addresses, line by line and as CSV."""

from __future__ import annotations

from pathlib import Path

import pytest

from yamlcrawl.parsers.address_file import Row, read_heading, read_rows


def put(folder: Path, text: str | bytes, name: str = "urls.txt") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_lines(tmp_path: Path) -> None:
    path = put(tmp_path, b"\xef\xbb\xbf# all\r\n\r\n http://a.test/1#x \r\nhttp://a.test/a b\nHTTP://A.test\nno\n/2")
    assert read_heading(path) is None
    assert list(read_rows(path)) == [
        Row(3, "http://a.test/1"),
        Row(4, "http://a.test/a%20b"),
        Row(5, "http://a.test/"),
        Row(6, "", wrong='"no" is no address'),
        Row(7, "", wrong='"/2" is no address'),
    ]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_csv_is_known_by_its_heading(tmp_path: Path, sign: str) -> None:
    text = 'id,"Url",name,\n1,http://a.test/1,"x\n""y""",drop\n2,http://a.test/2\n'.replace(",", sign)
    path = put(tmp_path, "\n# c\n" + text)
    heading = read_heading(path)
    assert heading is not None
    assert (heading.line, heading.delimiter, heading.others) == (3, sign, ("id", "name"))
    assert list(read_rows(path)) == [
        Row(5, "http://a.test/1", {"id": "1", "name": 'x\n"y"'}),
        Row(6, "http://a.test/2", {"id": "2", "name": None}),
    ]


def test_a_first_address_with_commas_is_no_heading(tmp_path: Path) -> None:
    path = put(tmp_path, "http://a.test/?a=1,url,2\n")
    assert read_heading(path) is None
    assert list(read_rows(path)) == [Row(1, "http://a.test/?a=1,url,2")]


def test_the_ending_says_that_it_is_a_csv(tmp_path: Path) -> None:
    heading = read_heading(put(tmp_path, "address\tname\nhttp://a.test/1\tx\n", "urls.tsv"))
    assert heading is not None
    assert (heading.url, heading.others) == (None, ("address", "name"))
    assert list(read_rows(tmp_path / "urls.tsv")) == []


def test_rows_at_fault_have_their_line_and_the_others_stay(tmp_path: Path) -> None:
    path = put(tmp_path, b'url,a\nhttp://a.test/1,"x"y\nhttp://a.test/2,\xd8\n,1\nhttp://a.test/3,3\n')
    rows = list(read_rows(path))
    assert [(row.line, row.url) for row in rows] == [(2, ""), (3, ""), (4, ""), (5, "http://a.test/3")]
    assert "',' expected after '\"'" in rows[0].wrong
    assert [row.wrong for row in rows[1:3]] == ["this is not in UTF-8", "the address is missing"]


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n"])
def test_nothing(tmp_path: Path, text: str) -> None:
    path = put(tmp_path, text)
    assert read_heading(path) is None
    assert list(read_rows(path)) == []
