"""Choice of fields, several types in one place, what stands beside an item, and what does not fit the spec."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.plan import TargetPlan
from yamlcrawl.model.secrets import Secrets, reference
from yamlcrawl.targets import Run, Target, TargetOptions

Plans = Callable[..., tuple[TargetPlan, ...]]
Row = Callable[..., ItemRow]
Items = Callable[..., Any]

TWO: Mapping[str, Sequence[str]] = {"book": ("title", "file"), "author": ("name", "title")}
ADAPTER: TypeAdapter[Target] = TypeAdapter(TargetOptions)


@pytest.fixture
def written(plans: Plans, sorted_items: Items) -> Callable[..., str]:
    """The text of the one file that the target writes."""

    def write(value: Any, given: list[ItemRow], kinds: Mapping[str, Sequence[str]] = TWO) -> str:
        (plan,) = plans(value, kinds)
        assert plan.replace
        return Path(plan.replace(sorted_items(given), True)).read_text()

    return write


def test_an_item_goes_out_as_it_is_stored(written: Callable[..., str]) -> None:
    text = '{"b":1.50,   "a": "\\u00e4"}'
    assert written("x.jsonl", [ItemRow(1, "book", text, "", 0.0)], {"book": ("b", "a")}) == text + "\n"


@pytest.mark.parametrize("to", ["x.jsonl", "x.json"])
def test_types_are_told_apart(to: str, written: Callable[..., str], row: Row) -> None:
    text = written(to, [row(1, title="T"), row(2, "author", name="N"), row(3, "author")])
    items = json.loads(text) if to == "x.json" else [json.loads(line) for line in text.splitlines()]
    assert items == [{"_item": "book", "title": "T"}, {"_item": "author", "name": "N"}, {"_item": "author"}]
    assert "_item" not in written({"to": to, "items": ["book"]}, [row(1, title="T")])


def test_types_in_one_table_that_was_asked_for(written: Callable[..., str], row: Row) -> None:
    options = {"to": "x.csv", "items": ["book", "author"]}
    text = written(options, [row(1, title="T", file=None), row(2, "author", name="N", title="Dr")])
    assert text == "_item,title,file,name\nbook,T,,\nauthor,Dr,,N\n"


def test_a_file_for_each_type(plans: Plans, row: Row, sorted_items: Items, tmp_path: Path) -> None:
    both = plans("${item}/${date}-${run}.csv", TWO)
    assert [plan.name for plan in both] == ["book/2025-12-01-7.csv", "author/2025-12-01-7.csv"]
    assert [plan.kinds for plan in both] == [("book",), ("author",)]
    for plan in both:
        assert plan.replace
        plan.replace(sorted_items([row(1, title="T", file=None), row(2, "author", name="N", title=None)]), True)
    assert (tmp_path / "author/2025-12-01-7.csv").read_text() == "name,title\nN,\n"


def test_fields_are_chosen_and_named(written: Callable[..., str], row: Row) -> None:
    given = [row(1, title="T", file={"name": "a.pdf", "bytes": 5})]
    one = {"book": ("title", "file")}
    assert written({"to": "x.csv", "fields": ["file.name", "title"]}, given, one) == "file.name,title\na.pdf,T\n"
    assert written({"to": "x.csv", "fields": {"Name": "file.name"}}, given, one) == "Name\na.pdf\n"
    assert written({"to": "x.jsonl", "fields": {"T": "title", "B": "file.bytes", "Z": "file.z"}}, given, one) == (
        '{"T": "T", "B": 5, "Z": null}\n'
    )


def test_what_stands_beside_an_item(written: Callable[..., str], row: Row) -> None:
    beside = {"_url": "https://shop.test/1", "_fetched_at": "2025-12-01T12:00:01Z", "_run": 7}
    one = {"book": ("title",)}
    assert json.loads(written({"to": "x.jsonl", "meta": "true"}, [row(1, title="T")], one)) == {"title": "T", **beside}
    assert json.loads(written({"to": "x.jsonl", "meta": True}, [row(1)], one)) == beside
    assert written({"to": "x.csv", "meta": True}, [row(1, title="T")], one).splitlines() == [
        "title,_url,_fetched_at,_run",
        "T,https://shop.test/1,2025-12-01T12:00:01Z,7",
    ]


def test_an_address_shows_no_secret(run: Run, sorted_items: Items) -> None:
    hiding = replace(run, mask=Secrets({"KEY": "s3cr3t"}).mask)
    (plan,) = ADAPTER.validate_python({"to": "x.jsonl", "meta": True}).plan(hiding)
    assert plan.replace
    given = ItemRow(1, "book", "{}", f"https://a.test/?k={reference('KEY')}&l=s3cr3t", 0.0)
    text = Path(plan.replace(sorted_items([given]), True)).read_text()
    assert "https://a.test/?k=***&l=***" in text


def test_half_a_surrogate_pair_is_valid_json(written: Callable[..., str]) -> None:
    text = written("x.jsonl", [ItemRow(1, "book", '{"title": "\ud800"}', "", 0.0)])
    assert text == '{"_item": "book", "title": "\\ud800"}\n'


@pytest.mark.parametrize(
    ("value", "at", "said"),
    [
        ({"to": "x.jsonl", "items": ["bok"]}, ("items",), 'type "bok"; did you mean "book"?'),
        ({"to": "x.jsonl", "fields": ["titel"]}, ("fields",), 'a field "titel"; did you mean "title"?'),
        ({"to": "x.jsonl", "sort": "zzz"}, ("sort",), 'a field "zzz"; there are: title, file, name'),
        ({"to": "x.jsonl", "sort": "file.name"}, ("sort",), '"file.name" is a part of one; make it a field'),
        ({"to": "x.jsonl", "fields": {"_item": "title"}}, ("fields",), '"_item" is there already'),
        ({"to": "x.jsonl", "meta": True, "fields": {"_url": "title"}}, ("fields",), '"_url" is there already'),
        ({"to": "${x}.csv", "items": "book"}, ("to",), "${x} has no value here"),
        ({"to": "../x.jsonl"}, ("to",), "outside the working directory"),
        ({"to": "/etc/x.jsonl"}, ("to",), "--to"),
        ("x.csv", ("to",), '2 item types (book, author) do not go into one table; write "${item}.csv"'),
    ],
)
def test_what_does_not_fit_the_spec(value: Any, at: tuple[str, ...], said: str, run: Run) -> None:
    (misfit,) = ADAPTER.validate_python(value).misfits(replace(run, kinds=TWO))
    assert misfit.at == at
    assert said in f"{misfit.what}; {misfit.fix}"


def test_the_command_line_may_write_anywhere(run: Run) -> None:
    free = replace(run, confined=False)
    assert list(ADAPTER.validate_python("../x.jsonl").misfits(free)) == []
    assert list(ADAPTER.validate_python("-").misfits(replace(run, kinds=TWO))) == []


def test_one_file_has_one_name(run: Run) -> None:
    names = {ADAPTER.validate_python(to).plan(run)[0].name for to in ("out/x.csv", "./out//x.csv", "a/../out/x.csv")}
    assert names == {"out/x.csv"}


def test_a_target_that_writes_otherwise_has_another_shape(run: Run) -> None:
    base: dict[str, Any] = {"to": "x.csv", "mode": "append"}
    others = [
        {},
        {"fields": ["price", "title"]},
        {"fields": {"T": "title"}},
        {"meta": True},
        {"bom": True},
        {"safe": True},
    ]
    shapes = [ADAPTER.validate_python(base | other).plan(run)[0].shape for other in others]
    assert len(set(shapes)) == len(others)
    assert ADAPTER.validate_python(base).plan(replace(run, number=8, now=0.0))[0].shape == shapes[0]
