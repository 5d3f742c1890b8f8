"""Where the value of `next` goes: a parameter, a place of the JSON body, a form field, a template."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from yamlcrawl.compiler.queries import param, with_params
from yamlcrawl.compiler.templates import Template
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import Value, View
from yamlcrawl.model.request import Body, Request
from yamlcrawl.model.secrets import MARK
from yamlcrawl.spec.pages import Next
from yamlcrawl.urls import join


@dataclass(frozen=True, slots=True)
class Sink:
    """A place in a request."""

    own: Callable[[Request], Value]
    """What stands there already; None where nothing does."""
    put: Callable[[View, Value], Request]
    """The page's request with the value there; all else stays as it was."""


def compile_sink(rule: Next, url: Template | None, canonical: Callable[[str], str]) -> Sink:
    """The place that the rule names; `url` is its template, compiled."""
    if url is not None:
        return Sink(lambda _request: None, lambda view, value: _in_template(url, view, value, canonical))
    if rule.param is not None:
        name = rule.param
        return Sink(
            lambda request: param(request.url, name), lambda view, value: _in_query(name, view, value, canonical)
        )
    if rule.form is not None:
        field = rule.form
        return Sink(lambda request: _in_form(request, field), lambda view, value: _put_in_form(field, view, value))
    keys = (rule.body or "").split(".")
    return Sink(lambda request: _in_body(request, keys), lambda view, value: _put_in_body(keys, view, value))


def _text(value: Value) -> str:
    text = value if isinstance(value, str) else json_text(value)
    return text.replace(MARK, "")


def _in_template(url: Template, view: View, value: Value, canonical: Callable[[str], str]) -> Request:
    request = view.request
    filled = url.text(vars=request.vars, carry=request.carry, fields={"next": _text(value)}, encode=True) or ""
    target = join(view.document.base, filled.replace(MARK, "%1A")) or ""
    secrets = tuple(dict.fromkeys((*request.secrets, *url.secrets)))
    return replace(request, url=target, canonical=canonical(target), secrets=secrets)


def _in_query(name: str, view: View, value: Value, canonical: Callable[[str], str]) -> Request:
    target = with_params(view.request.url, [(name, _text(value))])
    return replace(view.request, url=target, canonical=canonical(target))


def _in_form(request: Request, field: str) -> Value:
    if request.body is None or request.body.kind != "form":
        return None
    return next((value for name, value in request.body.value if name == field), None)


def _put_in_form(field: str, view: View, value: Value) -> Request:
    body = view.request.body
    pairs = [list(pair) for pair in body.value] if body is not None and body.kind == "form" else []
    new = [field, _text(value)]
    places = [n for n, (name, _) in enumerate(pairs) if name == field]
    if places:
        pairs[places[0]] = new
        pairs = [pair for n, pair in enumerate(pairs) if n not in places[1:]]
    else:
        pairs.append(new)
    method = "POST" if view.request.method == "GET" else view.request.method
    return replace(view.request, method=method, body=Body("form", pairs))


def _in_body(request: Request, keys: list[str]) -> Value:
    if request.body is None or request.body.kind != "json":
        return None
    value = request.body.value
    for key in keys:
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict):
            value = value.get(key)
        else:
            return None
    return value


def _put_in_body(keys: list[str], view: View, value: Value) -> Request:
    body = view.request.body
    top: Any = deepcopy(body.value) if body is not None and body.kind == "json" else {}
    place = top
    for key in keys[:-1]:
        if isinstance(place, list) and key.isdecimal() and int(key) < len(place):
            place = place[int(key)]
        else:
            if not isinstance(place.get(key), (dict, list)):
                place[key] = {}
            place = place[key]
    last = keys[-1]
    if isinstance(place, list):
        number = int(last) if last.isdecimal() else len(place)
        place[number : number + 1] = [_harmless(value)]
    else:
        place[last] = _harmless(value)
    method = "POST" if view.request.method == "GET" else view.request.method
    return replace(view.request, method=method, body=Body("json", top))


def _harmless(value: Value) -> Value:
    return value.replace(MARK, "") if isinstance(value, str) else value
