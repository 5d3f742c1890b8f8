"""CSV to rows."""

from __future__ import annotations

import codecs

import pytest

from tests.parsers.answers import answer, refused
from yamlcrawl.parsers.csv import csv_parser, delimiter_of, read_csv


def rows(body: str | bytes, content_type: str = "text/csv") -> list[list[str]]:
    tree = csv_parser()(answer(body, content_type)).tree
    assert isinstance(tree, list)
    return tree


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(sign: str) -> None:
    body = sign.join(["Name", "Price", "Note"]) + "\n" + sign.join(["a", "1.50", '"x, y; z"']) + "\n"
    assert rows(body) == [["Name", "Price", "Note"], ["a", "1.50", "x, y; z"]]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Name;Price\nA, B;1,5\nC, D;2,5\n", ";"),
        ("a,b\n1;2,3;4\n5;6,7;8\n", ","),
        ("one\ntwo\n", ","),
        ("", ","),
        ("a\tb\nx, y\t1\n", "\t"),
        ("a;b;c\n1;2\n3;4;5;6\n", ";"),
    ],
)
def test_the_delimiter_is_what_cuts_rows_alike(text: str, sign: str) -> None:
    assert delimiter_of(text) == sign


def test_the_first_line_may_name_it() -> None:
    assert rows("sep=;\r\na;b,c\r\n1;2,5\r\n") == [["a", "b,c"], ["1", "2,5"]]


@pytest.mark.parametrize("first", ["sep=", 'sep="', "sep=;x", "sep= "])
def test_an_odd_first_line_is_a_heading(first: str) -> None:
    assert len(rows(f"{first}\n1\n")) == 2


def test_the_media_type_may_name_it() -> None:
    assert rows("a,b\tc,d\n1,5\t2,5\n", "text/tab-separated-values; charset=utf-8") == [["a,b", "c,d"], ["1,5", "2,5"]]


def test_only_the_beginning_is_looked_at() -> None:
    assert delimiter_of("a;b\n" + "1;2\n" * 50_000 + "1,2,3\n" * 500_000) == ";"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (codecs.BOM_UTF8 + "Stadt;x\nŁódź;1\n".encode(), ""),
        (codecs.BOM_UTF16_LE + "Stadt;x\nŁódź;1\n".encode("utf-16-le"), "text/csv"),
        ("Stadt;x\nŁódź;1\n".encode("utf-16-le"), "text/csv"),
        ("Stadt;x\nŁódź;1\n".encode("utf-16-be"), "text/csv"),
        ("Stadt;x\nŁódź;1\n".encode("iso-8859-2"), "text/csv; charset=iso-8859-2"),
        ("\0Stadt;x\nŁó\0dź;1\n".encode(), "text/csv"),
    ],
)
def test_encodings(body: bytes, content_type: str) -> None:
    assert rows(body, content_type) == [["Stadt", "x"], ["Łódź", "1"]]


def test_a_forced_encoding_knows_the_mark_too() -> None:
    body = codecs.BOM_UTF8 + "Stadt;x\nŁódź;1\n".encode()
    assert csv_parser("utf-8")(answer(body)).tree == [["Stadt", "x"], ["Łódź", "1"]]


def test_quotes() -> None:
    body = 'a,b\r\n"x ""y""","1\r\n2"\r\n'
    assert rows(body) == [["a", "b"], ['x "y"', "1\n2"]]


def test_rows_without_text_are_none() -> None:
    assert rows("\n,,\na,b,c\n\n,,\n1,,\n \n") == [["a", "b", "c"], ["1", "", ""]]


@pytest.mark.parametrize("body", ["", "\n \n", codecs.BOM_UTF8])
def test_nothing_has_no_rows(body: str | bytes) -> None:
    assert rows(body) == []


def test_a_long_row_is_told() -> None:
    assert read_csv("a,b\n1,2\n1,2,3\n1,2,\n")[1] == (
        "1 row has more cells than there are headings (2), which are left out: first data row 2"
    )


@pytest.mark.parametrize("text", ['a,b\n1,2"\n3,4\n1,"x"y\n', 'a,b\n1,"x"y\n'])
def test_an_odd_quote_is_told(text: str) -> None:
    found, said = read_csv(text)
    assert found[0] == ["a", "b"]
    assert said.startswith("the quotes are not closed or doubled")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('Name,Desc\nA,"x\nB,y\nC,z\n', 2),
        ('sep=;\nName;Desc\n"A\n";x\nB;"y\nC;z', 5),
        ('a,b\n1,"x"y\n2,"z\n3,4', 3),
    ],
    ids=["at once", "after a line that names the delimiter", "after an odd quote"],
)
def test_an_open_quote_loses_no_rows_silently(text: str, line: int) -> None:
    outcome, said = refused(csv_parser, text, "text/csv")
    assert outcome == "parse_failed"
    assert said == f"a quote in the row of line {line} is never closed, so the rest would be lost"


def test_a_cell_may_be_long() -> None:
    assert len(rows(f"a,b\n1,{'x' * 1_000_000}\n")[1][1]) == 1_000_000


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        ("<!DOCTYPE html><h1>Not found</h1>", "text/csv", "an HTML page"),
        ("<html>", "", "an HTML page"),
        ('<?xml version="1.0"?><Error/>', "application/xml", "XML"),
        ('{"error": "quota"}', "application/json", "JSON"),
        (b"PK\x03\x04...", "application/octet-stream", "a ZIP archive"),
    ],
)
def test_another_format_is_told(body: str | bytes, content_type: str, said: str) -> None:
    outcome, what = refused(csv_parser, body, content_type)
    assert outcome == "wrong_format"
    assert said in what


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/octet-stream", "application/vnd.ms-excel", "text/html"]
)
def test_what_servers_call_it_counts_less(content_type: str) -> None:
    assert rows("a,b\n<5,2\n", content_type) == [["a", "b"], ["<5", "2"]]
