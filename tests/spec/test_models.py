"""What the models make of what is written: short forms, defaults, value types."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from yamlcrawl.options import Plain, Wrong
from yamlcrawl.spec.items import Field, ItemRule
from yamlcrawl.spec.limits import Limits
from yamlcrawl.spec.load import loads
from yamlcrawl.spec.pages import Link, Next, Page
from yamlcrawl.spec.patterns import Pattern
from yamlcrawl.spec.reference import explain, json_schema, keys
from yamlcrawl.spec.selectors import Each, Selector
from yamlcrawl.spec.sending import body_leaf
from yamlcrawl.spec.site import Retry, Site, Timeout
from yamlcrawl.spec.start import Start
from yamlcrawl.spec.variables import Var


def read(model: Any, value: Any) -> Any:
    return model.model_validate(value, by_alias=True, by_name=False)


@pytest.mark.parametrize(
    ("model", "short", "long"),
    [
        (Selector, "a", Selector(bare="a")),
        (Selector, ["a", {"css": "b"}], Selector(any=[Selector(bare="a"), Selector(css="b")])),
        (Each, {"json": "orders", "each": "lines"}, Each(json_="orders", each=Each(bare="lines"))),
        (Field, "h1", Field(bare="h1")),
        (Field, ["a", {"value": "x"}], Field(any=[Field(bare="a"), Field(value="x")])),
        (Field, {"each": ".tag"}, Field(each=Selector(bare=".tag"))),
        (Field, {"css": "p", "remove": "b"}, Field(css="p", remove=[Selector(bare="b")])),
        (Link, "h3 a", Link(bare="h3 a")),
        (Next, "li.next a", Next(bare="li.next a")),
        (Pattern, "/shop/**", Pattern(glob="/shop/**")),
        (Start, "https://a.example/", Start(url="https://a.example/")),
        (Var, "x", Var(values=["x"])),
        (Var, "08..10", Var(values=["08", "09", "10"])),
        (Var, ["a", "1..3"], Var(values=["a", "1..3"])),
        (Timeout, "5s", Timeout(connect=5.0, read=5.0, total=5.0)),
        (Timeout, {"connect": "500ms"}, Timeout(connect=0.5)),
        (Retry, "3", Retry(times=3)),
        (Retry, {"status": "404"}, Retry(status=[404])),
    ],
)
def test_short_forms_mean_the_long_ones(model: Any, short: Any, long: Any) -> None:
    assert read(model, short) == long


def test_replacements_stand_in_the_order_written() -> None:
    field = read(Field, {"css": "p", "replace": [{"a": "b", "c": ""}, {"regex": "x+", "with": "y"}]})
    assert [(r.plain, r.regex, r.with_) for r in field.replace] == [
        ("a", None, "b"),
        ("c", None, ""),
        (None, "x+", "y"),
    ]


def test_one_rule_or_several_lead_to_a_kind_of_page() -> None:
    page = read(Page, {"follow": {"a": "x", "b": ["y", {"css": "z", "include": "*.pdf"}]}})
    assert [len(rules) for rules in page.follow.values()] == [1, 2]
    assert page.follow["b"][1].include == [Pattern(glob="*.pdf")]


@pytest.mark.parametrize(
    ("written", "sink", "counts"),
    [
        ("a", None, False),
        ({"param": "page"}, "param", True),
        ({"json": "c", "body": "v.after"}, "body", False),
        ({"regex": "next=(.+)", "param": "c"}, "param", False),
        ({"url": "/p/${next}"}, "url", True),
        ({"header": "link"}, None, False),
    ],
)
def test_next_says_where_a_value_goes_and_whether_it_is_counted(written: Any, sink: str | None, counts: bool) -> None:
    rule = read(Next, written)
    assert (rule.sink, rule.counts) == (sink, counts)


def test_the_defaults_are_those_of_the_manual() -> None:
    site, limits = read(Site, {}), read(Limits, {})
    assert (site.sleep, site.threads, site.per_host, site.redirects) == (1.0, 8, 1, 10)
    assert (site.timeout, site.retry) == (Timeout(connect=30.0, read=30.0, total=30.0), Retry(times=2))
    assert (site.retry.wait, site.retry.max_wait) == (2.0, 600.0)
    assert (site.max_body, site.max_file) == (20_000_000, 500_000_000)
    assert (site.robots, site.private_addresses, site.meta_refresh) == ("obey", "deny", "follow")
    assert (site.hosts, site.cookies, site.auth) == ([], {}, None)
    assert "utm_*" in site.dropped
    guards = limits.guards
    assert (guards.url, guards.depth, guards.repeats, guards.variants) == (2000, 100, 3, 10_000)
    assert [limits.pages, limits.items, limits.depth, limits.time, limits.errors, limits.bytes] == [None] * 6


@pytest.mark.parametrize(
    ("written", "hosts"),
    [("any", "any"), (["a.example", "*.b.example"], ["a.example", "*.b.example"]), ("a.example", ["a.example"])],
)
def test_hosts_are_named_in_several_ways(written: Any, hosts: Any) -> None:
    found = read(Site, {"hosts": written}).hosts
    assert (found if found == "any" else [name for name, _ in found]) == hosts


def test_a_host_has_options_of_its_own() -> None:
    found = read(Site, {"hosts": {"a.example": {"sleep": "0s", "per_host": "4"}, "any": {}}}).hosts
    assert [(name, options.sleep, options.per_host) for name, options in found] == [
        ("a.example", 0.0, 4),
        ("any", None, None),
    ]


@pytest.mark.parametrize(("written", "kept"), [("50", 50), ("0", 0), ("5%", 0.05), ("100%", 1.0)])
def test_errors_are_a_number_or_a_share(written: str, kept: float) -> None:
    found = read(Limits, {"errors": written}).errors
    assert (found, type(found)) == (kept, type(kept))


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("500ms", 0.5), ("2s", 2.0), ("1.5m", 90.0), ("1h", 3600.0), ("7d", 604800.0), ("2 s", 2.0)],
)
def test_durations_carry_a_unit(written: str, seconds: float) -> None:
    assert read(Site, {"sleep": written}).sleep == seconds


@pytest.mark.parametrize(("written", "size"), [("20MB", 20_000_000), ("1KiB", 1024), ("0.5kB", 500), ("7B", 7)])
def test_sizes_carry_a_unit(written: str, size: int) -> None:
    assert read(Site, {"max_body": written}).max_body == size


@pytest.mark.parametrize(("written", "value"), [("1.50", Decimal("1.50")), ("-3", -3), ("1e400", Decimal("1e400"))])
def test_numbers_in_a_body_are_exact(written: str, value: Any) -> None:
    assert body_leaf(Plain(written)) == value


def test_outer_is_there_where_two_places_are_nested() -> None:
    rule = {"each": {"css": "a", "each": "b"}, "fields": {"x": {"from": "outer", "css": "h2"}}}
    assert read(ItemRule, rule).fields["x"].from_ == "outer"
    inside = {"each": "a", "fields": {"x": {"each": "b", "fields": {"y": {"from": "outer", "css": "i"}}}}}
    assert (read(ItemRule, inside).fields["x"].fields or {})["y"].from_ == "outer"


def test_what_is_carried_to_a_page_may_be_its_key() -> None:
    spec = loads(
        "name: s\nstart: {a: {url: 'https://a.example/', carry: {land: de}}}\npages:\n"
        "  a: {follow: {b: {css: a, carry: {sku: p}}}, items: {x: {key: land, fields: {t: h1}}}}\n"
        "  b: {items: {y: {key: [sku, t], fields: {t: h1}}}}\n"
    ).spec
    assert spec.carried("a") == ("land",)
    assert spec.carried("b") == ("sku",)


def test_a_model_keeps_no_name_of_its_own_from_what_is_written() -> None:
    """The names under which models keep short forms are no keys of the language."""
    for line in ("next: {bare: a}", "next: {json_: a}", "follow: {p: {include: {glob: x}}}"):
        with pytest.raises(Exception, match="unknown key"):
            loads(f"name: s\nstart: {{p: 'https://a.example/'}}\npages:\n  p:\n    {line}\n")


def test_a_key_is_explained_in_each_place_where_it_may_stand() -> None:
    said = explain("sleep")
    assert said.startswith("site.sleep\n  Least time")
    assert "default: 1s" in said
    assert "site.hosts.HOST.sleep" in said
    assert explain("hosts.sleep") == said.split("\n\n")[1]
    assert explain("archive").endswith("not yet supported in this version")


def test_a_key_that_is_none_leads_to_its_neighbour() -> None:
    with pytest.raises(Wrong) as caught:
        explain("slep")
    assert caught.value.fix == 'did you mean "sleep"?'


def test_every_key_can_be_explained() -> None:
    assert all(str(place) in explain(str(place)) for place in keys())


def test_the_schema_refers_to_nothing_that_it_does_not_define() -> None:
    schema = json_schema()

    def references(node: Any) -> set[str]:
        if isinstance(node, dict):
            own = {node["$ref"].removeprefix("#/$defs/")} if "$ref" in node else set()
            return own.union(*map(references, node.values()))
        return set().union(*map(references, node)) if isinstance(node, list) else set()

    assert references(schema) <= set(schema["$defs"])
    assert "bare" not in schema["$defs"]["Selector"]["anyOf"][-1]["properties"]
