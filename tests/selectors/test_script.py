"""Values in scripts: found by their name, read as JSON or as a plain object, never run."""

from decimal import Decimal

import pytest

from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.script import NotReadError, compile_script


def value(name: str, *scripts: str):
    return compile_script(name)(scripts)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('var cfg = {"v": 1};\nvar d = {"rows": [{"k": "a;b"}, {"k": "c}d"}, {"k": "e\\"f"}]};\nvar o = 1;',
         {"rows": [{"k": "a;b"}, {"k": "c}d"}, {"k": 'e"f'}]}),
        ("let d={a:1.10,'b':[1,],c:undefined,e:!0,f:void 0,g:!1}",
         {"a": Decimal("1.10"), "b": [1], "c": None, "e": True, "f": None, "g": False}),
        ("d = [1, 2.50] // x", [1, Decimal("2.50")]),
        ("d = 'x'", None),
        ('d = "a;b";', "a;b"),
        ("d=12.50;", Decimal("12.50")),
        ("d = {/* c */ a: 'it\\'s', // y\n b: `t`}", {"a": "it's", "b": "t"}),
        ("d = {a: 'undefined !0'}", {"a": "undefined !0"}),
        (r"""d = JSON.parse('{"a": "it\'s \x41 \u00e9", "n": 1.10}')""", {"a": "it's A é", "n": Decimal("1.10")}),
        (r'd = JSON.parse("{\"a\": [1]}")', {"a": [1]}),
        ("if (d == 5) {} var d = {a: 1}", {"a": 1}),
        ("xd = {a: 1}; $d = {b: 1}; d.e = {c: 1}", None),
    ],
)  # fmt: skip
def test_what_is_assigned(script, found):
    if found is None and "'x'" in script:
        with pytest.raises(NotReadError):
            value("d", script)
    else:
        assert value("d", script) == found


@pytest.mark.parametrize("script", ["window.__D__ = {a: 1}", "window['__D__']={a:1}", 'window[ "__D__" ] = {"a": 1}'])
def test_a_member_may_be_spelled_in_brackets(script):
    assert value("window.__D__", script) == {"a": 1}


@pytest.mark.parametrize("code", ["undefined", 'fetch("/x")', "function () {}", "{a: f(}"])
def test_what_is_no_value_is_told_by_its_first_characters(code):
    with pytest.raises(NotReadError) as caught:
        value("d", f"d = {code}; more")
    assert caught.value.near.startswith(code[:5])


def test_the_first_script_that_can_be_read_counts():
    assert value("d", "x = 1", "d = undefined", "d = {a: 1}", "d = {a: 2}") == {"a": 1}


def test_a_name_is_a_name():
    with pytest.raises(ExpressionError):
        compile_script("a b")


def test_deep_nesting_is_no_crash():
    with pytest.raises(NotReadError):
        value("d", "d = " + "[" * 100_000)


@pytest.mark.parametrize(
    "code", ["1 + n", '"a" + b', "[1, 2].concat(x)", '{"a": 1}.b', "1\n  + n", "2 * 3", "5 ? 1 : 2", "1 /* c */ - n"]
)
def test_an_expression_that_goes_on_is_no_value(code):
    with pytest.raises(NotReadError):
        value("d", f"d = {code};")


@pytest.mark.parametrize("after", ["", ";", "\n", " // c", " /* c */;", ", e = 2", "}", "\n// c", "\nvar e = 2", ")"])
def test_a_value_may_be_followed_by_whatever_ends_it(after):
    assert value("d", f"d = 1{after}") == 1


@pytest.mark.parametrize(
    "before", ['// d = {"no": 1}', "/* d = 2 */", "s = 'd = 3';", 's = "it\'s d = 4";', "s = `d = 5`;"]
)
def test_comments_and_texts_assign_nothing(before):
    assert value("d", f"{before}\nd = 1") == 1
    assert value("d", before) is None


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_json_cannot_hold_is_null(number):
    assert value("d", f'd = {{"a": {number}}}') == {"a": None}
