"""A parsed page and its rules to items: pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from yamlcrawl.model.files import tokens_in
from yamlcrawl.model.item import Item, Wanted, json_text, order_bytes
from yamlcrawl.model.plan import FieldPlan, ItemRule, PagePlan, Place, Value, View


def extract(view: View, page: PagePlan) -> list[Item]:
    """The items of the page, rule by rule, in the order of the page; what was left out is in the view's tally.

    Raises ParseError where a regex ran out of its time.
    """
    items: list[Item] = []
    for rule in page.items:
        _extract(view, rule, items)
    return items


def _extract(view: View, rule: ItemRule, items: list[Item]) -> None:
    places = [view.top] if rule.scope is None else rule.scope(view.top)
    counts = view.tally.counts
    if places:
        counts["match:" + rule.kind] = counts.get("match:" + rule.kind, 0) + len(places)
        if rule.bars is not None and rule.bars(view):
            view.tally.note(f"rejected:{rule.path}.noindex", view.document.response.url)
            return
    carried = view.request.carry
    filled = [0] * len(rule.fields)
    for place in places:
        fields = _read(rule, place, carried)
        if fields is None or not _is_wanted(view, rule, fields):
            continue
        for n, field in enumerate(rule.fields):
            value = fields[field.name]
            if value is not None and value != [] and not field.file:  # a file counts when it has come
                filled[n] += 1
        items.append(_item(view, rule, fields, len(items)))
    for field, n in zip(rule.fields, filled, strict=True):
        if n:
            name = f"filled:{rule.kind}.{field.name}"
            counts[name] = counts.get(name, 0) + n


def _read(rule: ItemRule, place: Place, carried: Mapping[str, Any]) -> dict[str, Value] | None:
    """The fields of one item, carried ones first; None where the page has none of them or a required one is missing."""
    fields: dict[str, Value] = dict(carried)
    place.fields = fields
    missing: FieldPlan | None = None
    some = rule.scope is not None
    for field in rule.fields:
        value = field.read(place)
        empty = value is None or value == []
        some = some or (field.from_page and not empty)
        if empty and carried.get(field.name) is not None:
            continue
        fields[field.name] = value
        if empty and field.required and missing is None:
            missing = field
    if not some:
        place.view.tally.note(f"bare:{rule.path}", place.view.document.response.url)
        return None
    if missing is not None:
        place.view.tally.note(f"rejected:{missing.path}", place.view.document.response.url)
        return None
    return fields


def _is_wanted(view: View, rule: ItemRule, fields: dict[str, Value]) -> bool:
    if rule.where is None:
        return True
    try:
        if rule.where(fields):
            return True
    except LookupError as error:
        view.tally.note(f"rejected:{rule.path}.where", f"{view.document.response.url}: {error}")
        return False
    view.tally.note(f"rejected:{rule.path}.where", view.document.response.url)
    return False


def _item(view: View, rule: ItemRule, fields: dict[str, Value], position: int) -> Item:
    request, response = view.request, view.document.response
    shown, url = fields, response.url
    if view.secrets:
        shown, url = view.secrets.mask_value(fields), view.secrets.mask(url)
        if shown != fields:
            view.tally.note(f"masked:{rule.path}", url)
    values = tuple(shown.get(name) for name in rule.key)
    null_key = any(value is None or value == [] for value in values)
    if null_key:
        view.tally.add(f"null_key:{rule.kind}")
    body = request.body.identity if request.body is not None else ""
    return Item(
        rule.kind,
        json_text(shown),
        key=order_bytes(values) if values and not null_key else b"",
        place=order_bytes((url, request.method, body, request.page, position)),
        url=url,
        fetched_at=response.fetched_at,
        null_key=null_key,
        files=tuple(_wanted(rule, fields)) if view.files else (),
    )


def _wanted(rule: ItemRule, fields: Mapping[str, Value]) -> Iterator[Wanted]:
    for field in rule.fields:
        if field.file:
            for fingerprint in dict.fromkeys(tokens_in(fields.get(field.name))):
                yield Wanted(fingerprint, field.name, field.path, field.required)
