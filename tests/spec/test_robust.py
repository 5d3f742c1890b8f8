"""Whatever stands in a file, people are told problems and nothing else happens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from yamlcrawl.errors import Problem, SpecError
from yamlcrawl.spec.load import load, loads
from yamlcrawl.spec.root import Spec
from yamlcrawl.spec.wording import keys_of

GOOD = """\
name: books
vars: {year: 2015..2017}
site: {sleep: 2s, hosts: {img.example: {sleep: 0s}}, retry: {times: 3}}
start:
  listing: {url: 'https://books.example/?y=${year}', params: {a: b}}
pages:
  listing:
    next: {json: meta.next, param: cursor}
    follow:
      book: {each: article, css: h3 a, carry: {price: {css: .price, type: number}}}
  book:
    items:
      book:
        each: {css: .a, each: .b}
        key: upc
        fields:
          upc: [h1.title, {any: [h1], regex: '(x)', replace: {a: b}}]
          tags: {each: .tag, join: ', '}
          outer: {from: outer, css: h2, map: {a: b}}
pipelines: [books.csv, {to: '-', items: book}]
"""

WORDS = st.sampled_from(
    [
        *keys_of([Spec]),
        "listing",
        "book",
        "css",
        "json",
        "each",
        "any",
        "fields",
        "from",
        "url",
        "to",
        "<<",
        "x-a",
        "key",
    ]
)
TEXTS = st.one_of(WORDS, st.text(max_size=6), st.sampled_from(["2s", "5%", "9", "-1", "${x}", "page", "https://a.b/"]))
VALUES = st.recursive(
    st.one_of(TEXTS, st.none(), st.integers(), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)


def outcome(text: str, *, partial: bool) -> tuple[Problem, ...]:
    """The errors of the text."""
    try:
        return loads(text, partial=partial).problems.errors
    except SpecError as error:
        return error.problems


def refused_or_fine(text: str) -> None:
    """Load the text in both ways: a spec comes out, or problems that hold together."""
    whole, partial = outcome(text, partial=False), outcome(text, partial=True)
    assert whole == partial, "what is told does not depend on what is asked for"
    assert all(problem.what and problem.where.line for problem in whole)


def test_the_good_spec_is_good() -> None:
    assert loads(GOOD).spec.name == "books"


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("ab:-#*&!|>'\"%@`{}[],?\n \t<\\0$."), max_size=40))
def test_any_text_is_refused_or_fine(text: str) -> None:
    refused_or_fine(text)


@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_any_yaml_is_refused_or_fine(value: Any) -> None:
    refused_or_fine(yaml.safe_dump(value, allow_unicode=True, sort_keys=False))


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, child in inner for place in _places(child, (*path, step)))]


TREE = yaml.safe_load(GOOD)


@settings(max_examples=300, deadline=None)
@example(("pages", "book", "items", "book", "fields", "upc", 1, "replace"), [{"name": None, "": None}])
@given(st.sampled_from(_places(TREE)[1:]), VALUES)
def test_a_spec_with_anything_in_any_place_is_refused_or_fine(path: tuple[Any, ...], value: Any) -> None:
    tree = yaml.safe_load(GOOD)
    node = tree
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    refused_or_fine(yaml.safe_dump(tree, allow_unicode=True, sort_keys=False))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.integers(0, 6), st.text(st.sampled_from("*#[]{}:'\"@ \n-"), max_size=3))
def test_a_spec_that_was_mistyped_is_refused_or_fine(at: int, cut: int, put: str) -> None:
    refused_or_fine(GOOD[:at] + put + GOOD[at + cut :])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60))
def test_any_bytes_are_refused_or_fine(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "x.yml"
    file.write_bytes(data)
    with pytest.raises(SpecError):
        load(file)
