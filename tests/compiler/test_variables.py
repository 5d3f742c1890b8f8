"""Variables: lists, ranges and pieces, and the requests that they multiply."""

from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yamlcrawl.compiler.templates import Names, Template
from yamlcrawl.compiler.variables import Matrix, combinations, compile_variables
from yamlcrawl.errors import Problems, Where, dotted
from yamlcrawl.spec.variables import Var

NOW = datetime(2024, 2, 29, 12, tzinfo=UTC).timestamp()


def compiled(written: dict[str, object], given_: dict[str, str] | None = None) -> tuple[Matrix, Names]:
    names = Names(Problems(lambda path: Where("shop.yml", path=dotted(path))), env={"KEY": "s3cr3t"}, now=NOW)
    variables = {name: Var.model_validate(value) for name, value in written.items()}
    return compile_variables(variables, given_ or {}, names), names


def pieces(**written: str) -> list[tuple[str, ...]]:
    matrix, names = compiled({"p": written})
    assert not names.problems.errors
    return [tuple(binding.values()) for binding in matrix.axes[0].bindings()]


def test_one_value_is_a_constant() -> None:
    matrix, names = compiled({"country": "de"})
    assert matrix.axes == ()
    assert names.vars == {"country": Template(("de",))}


def test_many_values_multiply_in_the_order_of_the_spec() -> None:
    matrix, names = compiled({"country": ["de", "fr"], "month": "09..11", "other": ["x", "y"]})
    axes = matrix.used([names.template("/${month}/${country}", ("url",))])
    made = list(combinations(axes, {}))
    assert [axis.name for axis in axes] == ["country", "month"]
    assert len(made) == 6
    assert made[0] == {"country": "de", "month": "09"}
    assert made[1] == {"country": "de", "month": "10"}
    assert made[-1] == {"country": "fr", "month": "11"}


def test_the_command_line_goes_before_the_spec() -> None:
    matrix, names = compiled({"country": ["de", "fr"], "year": "2024"}, {"country": "it", "year": "2001..2003"})
    assert names.vars["country"] == Template(("it",))
    assert [b["year"] for b in matrix.axes[0].bindings()] == ["2001", "2002", "2003"]


def test_the_command_line_names_no_new_variable() -> None:
    _, names = compiled({"country": "de"}, {"contry": "fr"})
    (problem,) = names.problems.errors
    assert "--var" in problem.what
    assert problem.fix == 'did you mean "country"?'


def test_a_bad_value_of_the_command_line_is_told_in_words() -> None:
    _, names = compiled({"year": "2024"}, {"year": "9..1"})
    (problem,) = names.problems.errors
    assert problem.what == '--var year: "9..1" runs backwards'


def test_values_may_hold_secrets() -> None:
    matrix, _ = compiled({"key": ["${env.KEY}", "none"]})
    assert matrix.secrets(matrix.axes) == ("KEY",)


def test_numbers_in_pieces() -> None:
    assert pieces(**{"from": "0", "to": "250", "by": "100"}) == [("0", "99"), ("100", "199"), ("200", "250")]
    assert pieces(**{"from": "008", "to": "011", "by": "2"}) == [("008", "009"), ("010", "011")]


def test_dates_in_pieces() -> None:
    assert pieces(**{"from": "-1d", "to": "today", "by": "day"}) == [("2024-02-28",) * 2, ("2024-02-29",) * 2]
    assert pieces(**{"from": "today", "to": "+20d", "by": "14d"}) == [
        ("2024-02-29", "2024-03-13"),
        ("2024-03-14", "2024-03-20"),
    ]
    assert pieces(**{"from": "2023-12-31", "to": "2024-03-30", "by": "month", "format": "%d.%m."}) == [
        ("31.12.", "30.01."),
        ("31.01.", "28.02."),
        ("29.02.", "30.03."),
    ]
    assert len(pieces(**{"from": "2019-01-01", "to": "2023-12-31", "by": "year"})) == 5
    assert pieces(**{"from": "9999-12-31", "to": "9999-12-31", "by": "month"}) == [("9999-12-31", "9999-12-31")]


@given(
    st.dates(date(1990, 1, 1), date(2060, 1, 1)),
    st.integers(0, 2000),
    st.sampled_from(["day", "week", "month", "year", "14d", "45d"]),
)
def test_pieces_leave_no_gap_and_do_not_overlap(first: date, length: int, by: str) -> None:
    last = first + timedelta(days=length)
    found = [
        (date.fromisoformat(a), date.fromisoformat(b))
        for a, b in pieces(**{"from": first.isoformat(), "to": last.isoformat(), "by": by})
    ]
    assert found[0][0] == first
    assert found[-1][1] == last
    assert all(begin <= end for begin, end in found)
    assert all(after == end + timedelta(days=1) for (_, end), (after, _) in pairwise(found))


def test_a_huge_matrix_is_made_as_it_is_asked_for() -> None:
    matrix, names = compiled({"id": {"from": "0", "to": str(10**15), "by": "1"}, "c": ["a", "b"]})
    axes = matrix.used([names.template("${id.from}${c}", ("url",))])
    assert list(islice(combinations(axes, {}), 3))[2] == {"id.from": "1", "id.to": "1", "c": "a"}


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ({"from": "${now:%Y-%m-%d}", "to": "2020-01-01", "by": "day"}, "runs backwards"),
        ({"from": "+1d", "to": "today", "by": "day"}, "runs backwards"),
        ({"from": "${env.KEY}", "to": "today", "by": "day"}, "no end of a range"),
    ],
)
def test_what_is_wrong_with_a_piece_is_noted(written: dict[str, str], what: str) -> None:
    _, names = compiled({"p": written})
    (problem,) = names.problems.errors
    assert what in problem.what
    assert problem.where.path.startswith("vars.p")
