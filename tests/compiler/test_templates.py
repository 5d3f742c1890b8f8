"""Templates: what may stand in them, what is filled in when, and what is told of the rest."""

from decimal import Decimal

import pytest

from yamlcrawl.compiler.templates import Names, Slot, Template, host_trouble
from yamlcrawl.errors import Problems, Where, dotted
from yamlcrawl.model.secrets import reference


def names(**given: object) -> Names:
    problems = Problems(lambda path: Where("shop.yml", 3, 7, dotted(path)))
    return Names(problems, **given)  # type: ignore[arg-type]


PATH = ("start", "list", "url")


def test_what_is_known_is_filled_in_at_once() -> None:
    known = names(vars={"country": Template(("de",)), "year": None}, env={"SHOP": "abc"}, now=86400.0)
    template = known.template("/${country}/${year}/${env.SHOP}/${now:%Y-%m-%d}/${env.NO:-x}?${now}", PATH)
    assert template.parts == ("/de/", Slot("var", "year"), "/abc/1970-01-02/x?1970-01-02T00:00:00Z")
    assert template.text(vars={"year": "2024"}) == "/de/2024/abc/1970-01-02/x?1970-01-02T00:00:00Z"
    assert not known.problems.errors


def test_dollar_signs_that_are_meant() -> None:
    known = names()
    assert known.template("$${NOT_A_VAR} costs $5 {x} $", PATH).text() == "${NOT_A_VAR} costs $5 {x} $"
    assert not known.problems.found


def test_a_secret_stays_a_reference() -> None:
    known = names(env={"CATALOG_KEY": "s3cr3t"})
    template = known.template("http://api.test/v1?key=${env.CATALOG_KEY}", PATH)
    assert template.text() == f"http://api.test/v1?key={reference('CATALOG_KEY')}"
    assert template.secrets == ("CATALOG_KEY",)
    assert known.used == {"CATALOG_KEY": "s3cr3t"}


def test_a_secret_in_a_var_goes_along() -> None:
    known = names(env={"KEY": "s3cr3t"})
    known.vars = {"key": known.template("${env.KEY}", ("vars", "key"))}
    assert known.template("k=${key}", PATH).secrets == ("KEY",)


def test_a_short_value_is_no_secret_and_that_is_told() -> None:
    known = names(env={"KEY": "abc"})
    assert known.template("${env.KEY}", PATH) == Template(("abc",))
    (warning,) = known.problems.found
    assert warning.warning
    assert "KEY" in warning.what
    assert "abc" not in str(warning)


def test_an_empty_variable_takes_the_default() -> None:
    assert names(env={"TOKEN": ""}).template("${env.TOKEN:-none}", PATH).text() == "none"


def test_without_the_environment_nothing_is_missing() -> None:
    known = names(check_env=False)
    assert known.template("k=${env.KEY}", PATH).secrets == ("KEY",)
    assert not known.problems.found


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        ("${env.CATALOG_KEY}", "CATALOG_KEY is not set", "set CATALOG_KEY"),
        ("${CATALOG_KEY}", '"CATALOG_KEY" is not set', "${env.CATALOG_KEY}"),
        ("${contry}", '"contry" is not set', 'did you mean "country"?'),
        ("${span}", '"span" is not set', "${span.from} or ${span.to}"),
        ("${nothing_like_it}", "is not set", "$${nothing_like_it}"),
        ("${carry.id}", "nothing is carried here", "pages"),
        ("${country", "never closed", "$${"),
        ("${}", "holds no name", "$${"),
        ("${a b}", "holds no name", "$${"),
        ("${country:x}", "only env.NAME and now", "$${"),
        ("${env.X:x}", "${env.X:-default}", "$${"),
        ("${now:today}", "no date format", "%Y"),
        ("${login.token}", "is not set", "take it there"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, what: str, fix: str) -> None:
    known = names(vars={"country": Template(("de",)), "span.from": None, "span.to": None})
    known.template(text, PATH)
    (problem,) = known.problems.found
    assert problem.where == Where("shop.yml", 3, 7, "start.list.url")
    assert what in problem.what
    assert fix in problem.fix


def test_carried_values_must_be_carried() -> None:
    known = names()
    known.template("${carry.pric}", PATH, carry={"price"})
    (problem,) = known.problems.found
    assert problem.fix == 'did you mean "price"?'


def test_a_var_goes_before_a_field() -> None:
    known = names(vars={"country": None})
    assert known.template("${country}", PATH, fields={"country"}).parts == (Slot("var", "country"),)


def test_a_whole_value_keeps_its_type() -> None:
    template = names().template("${carry.price}", PATH, carry={"price"})
    assert template.fill(carry={"price": Decimal("1.50")}) == Decimal("1.50")
    assert template.text(carry={"price": Decimal("1.50")}) == "1.50"
    assert template.text(carry={"price": True}) == "true"


def test_a_page_cannot_name_a_secret() -> None:
    whole, within = Template((Slot("carry", "x"),)), Template(("?", Slot("carry", "x")))
    value = {"x": reference("KEY")}
    assert whole.text(carry=value) == "KEY"
    assert within.text(carry=value) == "?KEY"
    assert within.text(carry=value, encode=True) == "?KEY"


def test_values_from_pages_are_encoded_in_an_address() -> None:
    template = Template(("/a/", Slot("carry", "x"), "?l=", Slot("var", "lang")))
    filled = template.text(carry={"x": "../b?c=#d"}, vars={"lang": "a&b"}, encode=True)
    assert filled == "/a/..%2Fb%3Fc%3D%23d?l=a&b"


X = Slot("carry", "x")


@pytest.mark.parametrize(
    ("parts", "trouble"),
    [
        ((X,), ""),
        (("/a/", X), ""),
        ((X, "/a"), ""),
        (("https://a.test/", X), ""),
        (("https://a.test?x=", X), ""),
        (("https://", Slot("var", "c"), ".test/", X), ""),
        (("https://a.test", X), "host"),
        (("https://", X, "/"), "host"),
        (("//", X, "/"), "host"),
        ((X, "://a.test/"), "host"),
        (("http", X, "://a.test/"), "host"),
        (("https://" + reference("KEY") + "/",), "secret"),
        (("https://a.test/?k=" + reference("KEY"),), ""),
    ],
)
def test_scheme_and_host_are_the_specs_own(parts: tuple[str | Slot, ...], trouble: str) -> None:
    found = host_trouble(Template(parts))
    assert (trouble in found) if trouble else not found
