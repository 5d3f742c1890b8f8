"""Changes to the text of a spec: exact, or none at all."""

from __future__ import annotations

import pytest

from yamlcrawl.spec.yaml.edit import with_entry, with_value

ENTRY = ["- page: b", "  file: f"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("name: x\n", "name: x\n\ntests:\n  - page: b\n    file: f\n"),
        ("name: x", "name: x\n\ntests:\n  - page: b\n    file: f\n"),
        ("name: x\r\n", "name: x\r\n\r\ntests:\r\n  - page: b\r\n    file: f\r\n"),
        ("  name: x\n", "  name: x\n\n  tests:\n    - page: b\n      file: f\n"),
        ("name: |+\n  x\n", "name: |+\n  x\ntests:\n  - page: b\n    file: f\n"),
        ("tests:\n- page: a\n", "tests:\n- page: a\n- page: b\n  file: f\n"),
        ("tests:\n- page: a", "tests:\n- page: a\n- page: b\n  file: f\n"),
        ("tests:\r\n- page: a\r\nname: x", "tests:\r\n- page: a\r\n- page: b\r\n  file: f\r\nname: x"),
        (
            "tests:\n  - page: a  # one\n    # of a\n\n# of name\nname: x\n",
            "tests:\n  - page: a  # one\n    # of a\n  - page: b\n    file: f\n\n# of name\nname: x\n",
        ),
        (
            "tests:\n    -   page: |\n            a\n\n\nname: x\n",
            "tests:\n    -   page: |\n            a\n    - page: b\n      file: f\n\n\nname: x\n",
        ),
    ],
)
def test_an_entry_is_added_and_nothing_else_is_touched(text: str, wanted: str) -> None:
    assert with_entry(text, "tests", ENTRY) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "{name: x}\n",
        "tests: [{page: a}]\n",
        "tests: {page: a}\n",
        "tests:\n  page: a\n",
        "tests: a\n",
        "x-a: &a\n- page: a\ntests: *a\n",
        "tests: &a\n- page: a\nx-a: *a\n",
        "name: x\n...\n",
        "name: 'x\n",
        "- a\n",
    ],
)
def test_where_it_cannot_be_added_exactly_it_is_not(text: str) -> None:
    assert with_entry(text, "tests", ENTRY) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a: {b: 1, c: 2}  # c\n", "a: {b: 'new', c: 2}  # c\n"),
        ('a:\n  b: "x: y"\n', "a:\n  b: 'new'\n"),
        ("é: x\r\na: {b: it's }\r\n", "é: x\r\na: {b: 'new' }\r\n"),
        ("a:\n  b: one\n    two\n  c: 1", "a:\n  b: 'new'\n  c: 1"),
    ],
)
def test_a_value_is_changed_and_nothing_else_is_touched(text: str, wanted: str) -> None:
    assert with_value(text, ("a", "b"), "'new'") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "a: {b: &x 1, c: *x}",
        "x: &x 1\na: {b: *x}",
        "a: {b: [1]}",
        "a: {c: 1}",
        "a:\n  b: |\n    x\n",
        "a: {b: }",
        "a: x",
    ],
)
def test_a_value_that_cannot_be_changed_exactly_is_not(text: str) -> None:
    assert with_value(text, ("a", "b"), "'new'") is None
