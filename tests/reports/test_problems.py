"""Problems in each of their forms."""

from __future__ import annotations

import json

from yamlcrawl.errors import Problem, Where
from yamlcrawl.reports.problems import problems_as

BAD = Problem(Where("a,b/shop.yml", 14, 12, "pages.p:q.css"), '".price >" is 100% wrong\nreally', "name an element")
DOUBT = Problem(Where("shop.yml"), "no contact", warning=True)


def test_text_is_what_a_problem_says_itself() -> None:
    assert problems_as("text", [BAD, DOUBT]) == (
        'a,b/shop.yml:14:12  pages.p:q.css\n  ".price >" is 100% wrong\n  really\n  fix: name an element\n'
        "shop.yml\n  no contact"
    )


def test_json_holds_every_part() -> None:
    assert json.loads(problems_as("json", [BAD, DOUBT])) == [
        {
            "file": "a,b/shop.yml",
            "line": 14,
            "column": 12,
            "path": "pages.p:q.css",
            "what": '".price >" is 100% wrong\nreally',
            "fix": "name an element",
            "level": "error",
        },
        {
            "file": "shop.yml",
            "line": None,
            "column": None,
            "path": "",
            "what": "no contact",
            "fix": "",
            "level": "warning",
        },
    ]


def test_github_annotations_are_escaped_so_that_no_text_ends_the_command() -> None:
    assert problems_as("github", [BAD, DOUBT]).splitlines() == [
        (
            "::error file=a%2Cb/shop.yml,line=14,col=12,title=pages.p%3Aq.css::"
            '".price >" is 100%25 wrong%0Areally%0Afix: name an element'
        ),
        "::warning file=shop.yml::no contact",
    ]


def test_no_problems_are_told_in_every_form() -> None:
    assert [problems_as(form, []) for form in ("text", "json", "github")] == ["", "[]", ""]
