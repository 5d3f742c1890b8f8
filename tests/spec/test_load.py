"""A file to a spec: places, YAML's own ways, values from the command line, files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from yamlcrawl.errors import SpecError
from yamlcrawl.spec.load import load, loads

HEAD = (
    "name: shop\nstart: {shop: 'https://shop.example/'}\npages:\n  shop:\n    items:\n      product:\n        fields:\n"
)


def fields(*lines: str) -> str:
    return HEAD + "".join(f"          {line}\n" for line in lines)


def refused(text: str) -> str:
    with pytest.raises(SpecError) as caught:
        loads(text)
    return str(caught.value)


@pytest.mark.parametrize(
    "text", ["NO", "on", "1.10", "01234", "12:30", "2024-01-05", "0x1F", "1_000", "1e3", "~", "null", "yes"]
)
def test_a_text_without_quotes_is_the_text(text: str) -> None:
    loaded = loads(fields(f"a: {{value: {text}}}", f"b: {{css: p, map: {{{text}: {text}}}}}"))
    found = loaded.spec.pages["shop"].items["product"].fields
    assert found["a"].value == text
    assert found["b"].map_ == {text: text}


def test_selectors_that_need_no_quotes_stay_as_they_are() -> None:
    found = loads(
        fields("a: {xpath: //a[@href]/@href}".replace("{", "").replace("}", "").replace("a: ", "a:\n            "))
    )
    assert found.spec.pages["shop"].items["product"].fields["a"].xpath == "//a[@href]/@href"


def test_a_comment_has_a_blank_after_its_sign() -> None:
    found = loads(fields("a: h1  # the title", "b: p   #", "c: p  ## both"))
    assert [field.bare for field in found.spec.pages["shop"].items["product"].fields.values()] == ["h1", "p", "p"]


def test_anchors_stand_for_what_they_name() -> None:
    text = "x-price: &price {css: .price, type: number}\n" + fields("a: *price", "b: *price")
    found = loads(text).spec.pages["shop"].items["product"].fields
    assert found["a"] == found["b"]
    assert found["a"].css == ".price"


def test_a_problem_in_an_anchor_is_told_once_at_the_anchor() -> None:
    said = refused("x-price: &price {css: .price, type: numbr}\n" + fields("a: *price"))
    assert said.startswith("spec.yml:1:37  pages.shop.items.product.fields.a.type\n")


def test_leaves_of_a_body_are_json_where_they_stand_without_quotes() -> None:
    body = "{a: 1, b: '1', c: true, d: null, e: 1.50, f: no, g: [01, -2]}"
    start = loads(
        f"name: s\nstart: {{p: {{url: 'https://a.example/', body: {body}}}}}\npages: {{p: {{}}}}\n"
    ).spec.start
    assert start["p"][0].body is not None
    assert repr(start["p"][0].body) == (
        "{'a': 1, 'b': '1', 'c': True, 'd': None, 'e': Decimal('1.50'), 'f': 'no', 'g': ['01', -2]}"
    )


def test_a_body_that_is_text_stays_text() -> None:
    start = loads("name: s\nstart: {p: {url: 'https://a.example/', body: 1}}\npages: {p: {}}\n").spec.start
    assert start["p"][0].body == "1"


def test_values_from_the_command_line_stand_instead_of_those_in_the_file() -> None:
    loaded = loads(fields("a: h1"), sets={"site.sleep": "2s", "site.hosts": "[a.example, '*.b.example']", "name": "x"})
    assert loaded.spec.name == "x"
    assert loaded.spec.site.sleep == 2.0
    assert [name for name, _ in loaded.spec.site.hosts] == ["a.example", "*.b.example"]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("site.slep", "2s", "--set site.slep  site.slep\n  unknown key"),
        ("site.sleep", "2", '--set site.sleep  site.sleep\n  "2" has no unit'),
        ("name.x", "2", "--set name.x\n  what is set is no key of a mapping"),
        ("name.x.y", "2", '--set name.x.y\n  there is no "x" to set anything in'),
        ("site.hosts", "[a", '--set site.hosts\n  "[a" is no list or mapping'),
    ],
)
def test_what_is_wrong_with_a_value_from_the_command_line_is_told_of_it(key: str, value: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        loads(fields("a: h1"), sets={key: value})
    assert str(caught.value).startswith(said)


def test_a_path_that_a_model_spells_out_is_found_as_it_was_written() -> None:
    loaded = loads(fields("title: [h1, h2]", "tags: {each: .tag}"))
    top = ("pages", "shop", "items", "product", "fields")
    assert str(loaded.problems.locate((*top, "title", "any", 1, "bare"))) == (
        "spec.yml:8:23  pages.shop.items.product.fields.title.1"
    )
    assert str(loaded.problems.locate((*top, "tags", "each", "bare"))) == (
        "spec.yml:9:24  pages.shop.items.product.fields.tags.each"
    )


def test_columns_are_those_of_the_file_where_quotes_had_to_be_put_in_before() -> None:
    said = refused(fields("a: {css: a[x], type: numbr, regex: x{2}, required: si}"))
    places = [line.split()[0] for line in said.splitlines() if line.startswith("spec.yml")]
    line = fields("a: {css: a[x], type: numbr, regex: x{2}, required: si}").splitlines()[7]
    assert places == [f"spec.yml:8:{line.index(word) + 1}" for word in ("a[x]", "numbr", "x{2}", "si")]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"name: \xff\n", ":1:7\n  the byte 0xff is no UTF-8"),
        ("name: x\n".encode("utf-16"), "\n  the file is written in UTF-16"),
        (b"\x7fELF\0\0\xff\xfe", "\n  this is no text file"),
        (b"name: a\x07\n", ":1:8\n  the character U+0007 stands here"),
        (b"#" * 1_000_001, "\n  the file is larger than 1 MB"),
        (b"", ":1:1\n  the file is empty"),
    ],
)
def test_a_file_that_is_no_spec_is_told_so(tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / "x.yml"
    file.write_bytes(data)
    with pytest.raises(SpecError) as caught:
        load(file)
    assert str(caught.value).startswith(f"{file}{said}")


def test_a_mark_at_the_beginning_is_no_part_of_the_spec(tmp_path: Path) -> None:
    file = tmp_path / "x.yml"
    file.write_bytes(b"\xef\xbb\xbf" + fields("a: h1").encode())
    assert load(file).spec.name == "shop"


def test_a_file_that_is_not_there_leads_to_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "shop.yml").write_text("")
    with pytest.raises(SpecError, match=r"there is no such file\n  fix: did you mean .*shop\.yml\?"):
        load(tmp_path / "shp.yml")
    with pytest.raises(SpecError, match="this is a folder"):
        load(tmp_path)


def test_a_spec_with_errors_comes_back_in_part_where_that_is_asked_for() -> None:
    loaded = loads(fields("a: {css: p, type: numbr}", "b: {xpth: p}", "c: h1"), partial=True)
    assert loaded.partial
    assert len(loaded.problems.errors) == 2
    found = loaded.spec.pages["shop"].items["product"].fields
    assert list(found) == ["a", "b", "c"]
    assert found["a"].type is None


def test_all_problems_are_told_at_once_whatever_found_them() -> None:
    said = refused(
        "name: shop\nname: shop\nstart: {shp: 'https://a.example/'}\nsite: {slep: 1s}\npages:\n  shop:\n"
        "    next: *x\n    follow: {shop: @a}\n"
    )
    assert [line.split("  ")[1] for line in said.splitlines() if line.startswith("spec.yml")] == [
        "name",
        "start.shp",
        "site.slep",
        "pages.shop.next",
        "pages.shop.follow.shop",
    ]


def test_a_part_that_is_taken_out_is_not_told_to_be_missing():
    text = 'name: x\nstart: {p: "ftp//x"}\npages: {p: {items: {a: {fields: {t: h1}}}}}\n'
    with pytest.raises(SpecError) as caught:
        loads(text, "b.yml")
    (problem,) = caught.value.problems
    assert "is no absolute address" in problem.what
