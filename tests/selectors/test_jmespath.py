"""JMESPath on exact numbers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from yamlcrawl.selectors import ExpressionError
from yamlcrawl.selectors.jmespath import compile_jmespath, doubt


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("[?p > `0.1`].p", [Decimal("0.30")]),
        ("[?p == `0.1`].p", [Decimal("0.1")]),
        ("sum([].p)", Decimal("0.40")),
        ("max([].p)", Decimal("0.30")),
        ("avg([].p)", Decimal("0.20")),
        ("type([0].p)", "number"),
        ("to_string([1].p)", "0.30"),
        ("to_number('12.50')", Decimal("12.50")),
        ("to_number('1e999999999')", None),
        ("to_number('٣')", None),
        ("from_json([0].j).k[1]", Decimal("2.50")),
        ("from_json([0].p)", LookupError),
        ("from_json('no')", None),
        ("from_json('NaN')", None),
        ("sort_by(@, &p)[0].p", Decimal("0.1")),
    ],
)
def test_numbers_are_exact(expression: str, value: Any) -> None:
    rows = [{"p": Decimal("0.1"), "j": '{"k": [1, 2.50]}'}, {"p": Decimal("0.30")}]
    search = compile_jmespath(expression)
    if value is LookupError:
        with pytest.raises(LookupError, match="from_json"):
            search(rows)
    else:
        assert search(rows) == value
        assert str(search(rows)) == str(value)


def test_c23_what_looks_right_and_is_not() -> None:
    data = {"is-new": True, "rows": [{"id": 42, "tag": "new", "name": "n"}]}
    with pytest.raises(ExpressionError) as hyphen:
        compile_jmespath("is-new")
    assert '"is-new"' in hyphen.value.fix
    with pytest.raises(ExpressionError) as bare:
        compile_jmespath("rows[?id==42].name")
    assert "`42`" in bare.value.fix
    assert compile_jmespath('"is-new"')(data) is True
    assert compile_jmespath("rows[?id==`42`].name")(data) == ["n"]
    assert compile_jmespath("rows[?tag=='new'].name")(data) == ["n"]
    assert compile_jmespath('rows[?tag=="new"].name')(data) == []
    assert "single quotes" in doubt('rows[?tag=="new"].name')
    assert doubt("rows[?tag=='a==\"b\"'].name") == ""


def test_a_literal_that_no_number_can_hold_is_refused() -> None:
    with pytest.raises(ExpressionError, match="too large"):
        compile_jmespath("a > `1e999`")
