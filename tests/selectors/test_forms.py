"""What a form sends (HTML standard, 4.10.22.4, constructing the entry list)."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from yamlcrawl.selectors.forms import Submission, submission


def sent(body: str, css: str = "//form", form: str = "method=post") -> Submission:
    tree = etree.HTML(f"<form id=f {form}>{body}</form>")
    found = submission(tree.xpath(css)[0])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("body", "pairs"),
    [
        ("<input name=a>", [("a", "")]),
        ("<input name=a value=' 1 '><input value=no>", [("a", " 1 ")]),
        ("<input name=a disabled value=1><fieldset disabled><input name=b></fieldset>", []),
        ("<fieldset disabled><legend><input name=a value=1></legend><input name=b></fieldset>", [("a", "1")]),
        ("<input type=checkbox name=a><input type=checkbox name=b checked>", [("b", "on")]),
        ("<input type=RADIO name=a value=1><input type=radio name=a value=2 checked>", [("a", "2")]),
        ("<input type=file name=a><input type=submit name=b value=1><input type=reset name=c>", [("a", "")]),
        ("<input type=hidden name=_charset_ value=x>", [("_charset_", "UTF-8")]),
        ("<textarea name=a>\n1\n2</textarea>", [("a", "1\r\n2")]),
        ("<select name=a><option> x  y <option value=2></select>", [("a", "x y")]),
        ("<select name=a><option disabled>1<option>2</select>", [("a", "2")]),
        ("<select name=a><option>1<option value=b selected>2<option value='' selected>3</select>", [("a", "")]),
        ("<select name=a multiple><option>1<option selected>2<option selected>3</select>", [("a", "2"), ("a", "3")]),
        ("<select name=a multiple><option>1</select><select name=b></select>", []),
        ("<select name=a><optgroup disabled><option>1</optgroup><option>2</select>", [("a", "2")]),
        ("<datalist><input name=a></datalist><button name=b value=1>x</button>", []),
        ("</form><input form=f name=a value=1><input form=g name=b>", [("a", "1")]),
        ("<input form=g name=a><input form='' name=b>", []),
    ],
)
def test_what_each_control_contributes(body: str, pairs: list[tuple[str, str]]) -> None:
    assert list(sent(body).pairs) == pairs


@pytest.mark.parametrize(
    ("css", "changes"),
    [
        ("//button[1]", {"pairs": (("a", "1"), ("go", "x"))}),
        ("//button[1]/b", {"pairs": (("a", "1"), ("go", "x"))}),
        ("//input[@type='image']", {"pairs": (("a", "1"), ("at.x", "0"), ("at.y", "0"))}),
        ("//input[@type='submit']", {"action": "/other", "method": "GET", "pairs": (("a", "1"), ("b", "2"))}),
    ],
)
def test_the_button_that_is_clicked_adds_itself_and_may_send_elsewhere(css: str, changes: dict[str, Any]) -> None:
    body = """<input name=a value=1><button name=go value=x><b>Go</b></button><input type=image name=at>
    <input type=submit name=b value=2 formaction=/other formmethod=get>"""
    found = sent(body, css, "action=/f method=post")
    wanted = {"action": "/f", "method": "POST"} | changes
    assert {name: getattr(found, name) for name in wanted} == wanted


def test_multipart_is_kept() -> None:
    assert sent("", form="method=post enctype='multipart/form-data'").multipart
    assert not sent("", form="method=post enctype=text/plain").multipart


@pytest.mark.parametrize("css", ["//input[1]", "//button", "//select", "//p"])
def test_what_submits_nothing(css: str) -> None:
    tree = etree.HTML("<form><input name=a><button type=button>x</button><select></select></form><p><button>y</button>")
    assert submission(tree.xpath(css)[0]) is None
