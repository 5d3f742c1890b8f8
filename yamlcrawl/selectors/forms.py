"""HTML forms: what a click on a form, on one of its buttons or on a postback link sends (HTML standard, 4.10.22)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote

BUTTONS = frozenset({"submit", "image", "button", "reset"})
"""Types of controls that send nothing unless they are clicked."""
_CONTROLS = ("input", "select", "textarea", "button")
_FIRST, _SECOND = "__EVENTTARGET", "__EVENTARGUMENT"
_CALL = re.compile(
    r"__doPostBack\(\s*(?P<q>['\"])(?P<target>(?:\\.|(?!(?P=q)).)*)(?P=q)\s*,"
    r"\s*(?P<r>['\"])(?P<argument>(?:\\.|(?!(?P=r)).)*)(?P=r)\s*\)"
)
_OPTIONS = re.compile(
    r"WebForm_PostBackOptions\(\s*\"(?P<target>(?:\\.|[^\"])*)\"\s*,\s*\"(?P<argument>(?:\\.|[^\"])*)\""
)

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Submission:
    """What is sent when a form is submitted."""

    action: str
    """The address as it is written; empty for the page itself."""
    method: Literal["GET", "POST"]
    pairs: Pairs
    """Names and values in the order of the form, line breaks as CR LF."""
    multipart: bool = False
    """As ``multipart/form-data``; URL-encoded otherwise."""
    names: frozenset[str] = frozenset()
    """Of all its controls, those that send nothing too."""

    def filled(self, values: Pairs) -> Pairs:
        """Its pairs with these values in the place of its own; those that it does not have come last.

        >>> Submission("", "GET", (("a", "1"), ("b", "2"), ("b", "3"))).filled((("b", "x"), ("c", "y")))
        (('a', '1'), ('b', 'x'), ('c', 'y'))
        """
        given = dict(values)
        found: list[tuple[str, str]] = []
        done: set[str] = set()
        for name, value in self.pairs:
            if name not in given:
                found.append((name, value))
            elif name not in done:
                done.add(name)
                found.append((name, given[name]))
        return (*found, *((name, value) for name, value in values if name not in done))


def submission(element: Any) -> Submission | None:
    """What a click on the element sends; None where it submits no form.

    A form sends its hidden and preset inputs; a submit button (or something inside one) its own name and value too.
    """
    if element.tag == "form":
        return _sent(element, None)
    button = next((node for node in (element, *element.iterancestors("button")) if _submits(node)), None)
    form = None if button is None else owner(button)
    return None if form is None else _sent(form, button)


def entered(form: Any) -> Submission | None:
    """What the key Enter in a field of the form sends: its first button that submits goes along.

    HTML, 4.10.22.2 (implicit submission); a button that is disabled is passed over.
    """
    buttons = (control for control in controls(form) if _submits(control) and not _is_disabled(control))
    return _sent(form, next(buttons, None))


def postback(element: Any, script: str) -> Submission | None:
    """What an ASP.NET link (``javascript:__doPostBack('a','b')``) sends; None where it is none, or has no form."""
    text = unquote(script)
    call = _CALL.search(text) or _OPTIONS.search(text)
    form = owner(element) if call else None
    if call and form is None:
        forms = list(element.getroottree().iter("form"))
        form = next((one for one in forms if _VIEW & {c.get("name") for c in controls(one)}), next(iter(forms), None))
    if call is None or form is None:
        return None
    sent = _sent(form, None)
    if sent is None:
        return None
    event = ((_FIRST, _unescaped(call["target"])), (_SECOND, _unescaped(call["argument"])))
    return Submission(sent.action, "POST", sent.filled(event), sent.multipart, sent.names | {_FIRST, _SECOND})


_VIEW = {_FIRST, "__VIEWSTATE"}


def owner(control: Any) -> Any:
    """The form that a control belongs to: the one that its attribute `form` names, else the one around it."""
    name = control.get("form")
    if name is None:
        return next(control.iterancestors("form"), None)
    return next((form for form in control.getroottree().iter("form") if form.get("id") == name), None)


def controls(form: Any) -> Iterator[Any]:
    """The controls of the form, in the order of the page, those outside that name it too."""
    name = form.get("id")
    where = form.getroottree().getroot() if name else form
    for control in where.iter(*_CONTROLS):
        wanted = control.get("form")
        if wanted == name if wanted is not None else any(a is form for a in control.iterancestors("form")):
            yield control


def _submits(node: Any) -> bool:
    if node.tag == "button":
        return str(node.get("type", "submit")).lower() not in ("button", "reset")
    return node.tag == "input" and _type(node) in ("submit", "image")


def _type(control: Any) -> str:
    return str(control.get("type", "text")).strip().lower()


def _sent(form: Any, button: Any) -> Submission | None:
    def own(name: str, default: str) -> str:
        over = button.get(f"form{name}") if button is not None else None
        return str(over if over is not None else form.get(name, default)).strip()

    method = own("method", "get").lower()
    if method == "dialog":
        return None
    known = list(controls(form))
    return Submission(
        own("action", ""),
        "POST" if method == "post" else "GET",
        tuple(pair for control in known for pair in _pairs(control, button)),
        own("enctype", "").lower() == "multipart/form-data",
        frozenset(name for control in known if (name := control.get("name"))),
    )


def _pairs(control: Any, button: Any) -> Iterator[tuple[str, str]]:
    """What one control contributes (4.10.22.4, constructing the entry list)."""
    name, kind = control.get("name") or "", _type(control) if control.tag == "input" else control.tag
    if _is_disabled(control):
        return
    if kind in BUTTONS:
        if control is not button:
            return
        if kind == "image":
            yield (f"{name}.x" if name else "x"), "0"
            yield (f"{name}.y" if name else "y"), "0"
            return
    if not name or (kind in ("checkbox", "radio") and control.get("checked") is None):
        return
    if kind == "select":
        yield from ((name, value) for value in _chosen(control))
    elif kind == "textarea":
        yield name, _lines("".join(control.itertext()).removeprefix("\n"))
    elif kind == "file":
        yield name, ""
    elif kind == "hidden" and name == "_charset_":
        yield name, "UTF-8"
    else:
        default = "on" if kind in ("checkbox", "radio") else ""
        yield name, _lines(control.get("value", default))


def _is_disabled(control: Any) -> bool:
    if control.get("disabled") is not None:
        return True
    for fieldset in control.iterancestors("fieldset"):
        if fieldset.get("disabled") is not None:
            legend = next(fieldset.iterchildren("legend"), None)
            if legend is None or all(a is not legend for a in control.iterancestors("legend")):
                return True
    return any(True for _ in control.iterancestors("datalist"))


def _chosen(select: Any) -> list[str]:
    options = [option for option in select.iter("option") if not _is_off(option)]
    chosen = [option for option in options if option.get("selected") is not None]
    if select.get("multiple") is None:
        # of several the last one counts; without one a list shows its first
        chosen = chosen[-1:] or options[:1]
    return [_lines(_value(option)) for option in chosen]


def _is_off(option: Any) -> bool:
    group = option.getparent()
    return option.get("disabled") is not None or (group.tag == "optgroup" and group.get("disabled") is not None)


def _value(option: Any) -> str:
    value = option.get("value")
    return str(value) if value is not None else " ".join("".join(option.itertext()).split())


def _lines(text: str) -> str:
    return "\r\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
