"""PDF to text."""

from __future__ import annotations

from io import BytesIO

import pytest

from tests.parsers.answers import answer, refused
from tests.parsers.pdfs import made
from yamlcrawl.parsers import pdf
from yamlcrawl.parsers.pdf import pdf_parser

pypdf = pytest.importorskip("pypdf", reason="the extra pdf is not installed")


def encrypted(body: bytes, password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=BytesIO(body))
    writer.encrypt(password, "owner", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_the_text_of_each_page() -> None:
    document = pdf_parser()(answer(made("Total: 12.50", "Second"), "application/pdf"))
    assert document.tree == "Total: 12.50\n\f\nSecond"
    assert document.warning == ""


def test_the_media_type_counts_less() -> None:
    assert pdf_parser()(answer(b"\n" + made("x"), "text/html")).tree == "x"


def test_a_body_of_nothing_is_no_text() -> None:
    assert pdf_parser()(answer(b"")).tree == ""


def test_one_without_a_password_for_reading_is_read() -> None:
    assert pdf_parser()(answer(encrypted(made("open"), ""))).tree == "open"


@pytest.mark.parametrize(
    ("body", "outcome", "said"),
    [
        (encrypted(made("secret"), "hidden"), "parse_failed", "encrypted"),
        (made("Total")[:60], "parse_failed", "cannot be read"),
        (b"%PDF-1.4\nnothing", "parse_failed", "cannot be read"),
        (made("", "", image=True), "parse_failed", "its pages are images"),
        (b"<!DOCTYPE html><h1>Please log in</h1>", "wrong_format", "an HTML page, not a PDF"),
        (b"\x89PNG\r\n", "wrong_format", "a PNG image, not a PDF"),
        (b"No such file", "wrong_format", "not a PDF"),
    ],
    ids=["encrypted", "cut", "empty", "scanned", "html", "png", "text"],
)
def test_what_cannot_be_read_is_told(body: bytes, outcome: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    told = refused(pdf_parser, body, "application/pdf")
    assert told[0] == outcome
    assert said in told[1]
    assert capfd.readouterr() == ("", "")


def test_pages_without_text_are_no_failure() -> None:
    assert pdf_parser()(answer(made("", "x"))).tree == "\n\f\nx"


def test_too_many_pages_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "PAGES", 2)
    document = pdf_parser()(answer(made("1", "2", "3")))
    assert document.tree == "1\n\f\n2"
    assert document.warning == "the text of the first 2 of 3 pages was read; the rest is left out"


def test_a_page_that_is_read_in_part_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    body = made("First", "0123456789" * 3, "Third")
    writer = pypdf.PdfWriter(clone_from=BytesIO(body))
    stream = writer.pages[1]["/Contents"].get_object()
    stream[pypdf.generic.NameObject("/Filter")] = pypdf.generic.NameObject("/FlateDecode")
    out = BytesIO()
    writer.write(out)
    document = pdf_parser()(answer(out.getvalue(), "application/pdf"))
    assert document.tree.startswith("First")
    assert document.tree.endswith("Third")
    assert "page 2" in document.warning
    assert capfd.readouterr() == ("", "")


def test_reading_ends_when_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "SECONDS", 0.0)
    outcome, said = refused(pdf_parser, made("a", "b"), "application/pdf")
    assert outcome == "parse_failed"
    assert "takes longer than 0 s" in said
