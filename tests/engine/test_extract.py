"""Rules on a page to items: keys, places, what is masked and counted; the rules are made by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from yamlcrawl.engine.extract import extract
from yamlcrawl.model.document import Document
from yamlcrawl.model.item import order_bytes
from yamlcrawl.model.plan import FieldPlan, ItemRule, PagePlan, Place, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response
from yamlcrawl.model.secrets import Secrets, reference
from yamlcrawl.model.tally import Tally

URL = "http://a.test/list"


def view(tree: Any, url: str = URL, secrets: Secrets | None = None, **request: Any) -> View:
    asked = Request(url, url, page="list", **request)
    response = Response(asked, url, 200, Headers(), b"", 0, 0.0, 12.0)
    return View(Document(response, "json", tree, url), asked, Tally(), secrets or Secrets(), 0.0)


def field(name: str, *, required: bool = False, from_page: bool = True) -> FieldPlan:
    return FieldPlan(name, f"fields.{name}", lambda place: place.node.get(name), required, from_page)


def rule(*fields: FieldPlan, **more: Any) -> PagePlan:
    def places(place: Place) -> list[Place]:
        return [Place(place.view, node) for node in place.node]

    more.setdefault("scope", places)
    items = (ItemRule("row", "r", fields, **more),)
    return PagePlan("list", "json", lambda: pytest.fail("nothing is parsed"), items=items)


def test_equal_keys_have_equal_bytes_and_a_null_makes_none() -> None:
    seen = view([{"id": 1, "of": "a"}, {"id": 1, "of": "a", "n": 2}, {"id": None, "of": "a"}, {"id": 1, "of": []}])
    items = extract(seen, rule(field("id"), field("of"), field("n"), key=("id", "of")))
    assert items[0].key == items[1].key == order_bytes((1, "a"))
    assert [item.null_key for item in items] == [False, False, True, True]
    assert [item.key for item in items[2:]] == [b"", b""]
    assert seen.tally.counts["null_key:row"] == 2


def test_items_of_a_page_are_in_its_order_and_after_those_of_a_lesser_url() -> None:
    rows = [{"id": n} for n in range(12)]
    here = extract(view(rows), rule(field("id")))
    there = extract(view(rows[:1], "http://a.test/listing"), rule(field("id")))
    assert sorted(here + there, key=lambda item: item.place) == here + there


def test_posts_of_one_address_have_places_of_their_own() -> None:
    got = extract(view([{"id": 1}]), rule(field("id")))
    posted = extract(view([{"id": 1}], method="POST"), rule(field("id")))
    assert got[0].place != posted[0].place


def test_a_secret_shows_neither_in_a_field_nor_in_the_address() -> None:
    secrets = Secrets({"KEY": "s3cr3t-key"})
    url = f"http://a.test/list?key={reference('KEY')}"
    seen = view([{"id": "x s3cr3t-key y", "deep": [{"s3cr3t-key": reference("KEY")}]}], url, secrets)
    (item,) = extract(seen, rule(field("id"), field("deep")))
    assert "s3cr3t-key" not in item.text + item.url
    assert "KEY" not in item.text + item.url
    assert item.text == '{"id": "x *** y", "deep": [{"***": "***"}]}'


def test_a_required_field_that_is_missing_rejects_the_item_once_with_its_page() -> None:
    seen = view([{"a": 1, "b": 0}, {"a": None, "b": None}, {"a": [], "b": 2}])
    items = extract(seen, rule(field("a", required=True), field("b", required=True)))
    assert [item.text for item in items] == ['{"a": 1, "b": 0}']
    assert seen.tally.counts["rejected:fields.a"] == 2
    assert "rejected:fields.b" not in seen.tally.counts
    assert ("rejected:fields.a", URL) in seen.tally.notes


@pytest.mark.parametrize(("tree", "number"), [({"a": 1}, 1), ({"a": 0}, 1), ({"a": None, "k": "x"}, 0), ({}, 0)])
def test_a_page_is_an_item_if_something_was_read_from_it(tree: dict[str, Any], number: int) -> None:
    page = rule(field("a"), field("k", from_page=False), scope=None)
    assert len(extract(view(tree), page)) == number


def test_a_condition_that_does_not_fit_the_values_leaves_the_item_out_and_says_why() -> None:
    def where(_fields: Any) -> bool:
        raise LookupError("length() of a number")

    condition: Callable[[Any], bool] = where
    seen = view([{"a": 1}])
    assert extract(seen, rule(field("a"), where=condition)) == []
    assert seen.tally.notes == [("rejected:r.where", f"{URL}: length() of a number")]


def test_a_page_without_any_value_is_told() -> None:
    seen = view({"other": 1})
    assert extract(seen, rule(field("id"), scope=None)) == []
    assert seen.tally.notes == [("bare:r", URL)]


def test_an_item_in_which_a_secret_is_masked_is_told() -> None:
    secrets = Secrets({"P": "sixsix"})
    seen = view([{"id": "by sixsix"}, {"id": "by seven"}], secrets=secrets)
    items = extract(seen, rule(field("id")))
    assert [item.text for item in items] == ['{"id": "by ***"}', '{"id": "by seven"}']
    assert seen.tally.counts["masked:r"] == 1
