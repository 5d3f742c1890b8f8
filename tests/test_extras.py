"""A library that is optional and not there is named where it is needed, with the command that brings it."""

from __future__ import annotations

import pytest

from tests.compiler.crawled import problems
from yamlcrawl import extras


def test_pdf_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extras.EXTRAS, "pdf", "no_such_module_anywhere")
    text = "pages: {p: {format: pdf, items: {i: {fields: {a: x}}}}}"
    assert problems(text) == ['pages.p.format: a library is needed to read PDF | pip install "yamlcrawl[pdf]"']
    monkeypatch.undo()
    assert problems(text) == []
