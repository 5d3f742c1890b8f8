"""What start requests and link rules send besides an address: parameters, method, headers, body, form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from yamlcrawl.compiler.queries import with_params
from yamlcrawl.compiler.templates import NOTHING, Names, Template
from yamlcrawl.errors import Path
from yamlcrawl.model.plan import Value
from yamlcrawl.model.request import Body
from yamlcrawl.selectors.forms import Submission
from yamlcrawl.spec.sending import Sending
from yamlcrawl.urls import host_name

Leaves = Template | dict[str, "Leaves"] | list["Leaves"] | int | bool | None | Any
"""A body: templates where the spec has text, JSON values elsewhere."""


class UnfitError(ValueError):
    """A value from a page that cannot be sent where the spec puts it."""


@dataclass(frozen=True, slots=True)
class Message:
    """A request but for where it comes from."""

    url: str
    method: str
    headers: tuple[tuple[str, str], ...]
    body: Body | None
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """The templates of what is sent."""

    method: str
    params: tuple[tuple[str, Template], ...] = ()
    headers: tuple[tuple[str, Template], ...] = ()
    body: Leaves = None
    form: tuple[tuple[str, Template], ...] | None = None

    def templates(self) -> Iterator[Template]:
        """All of them."""
        for _, template in (*self.params, *self.headers, *(self.form or ())):
            yield template
        yield from _templates(self.body)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secrets that stand in any of them."""
        return tuple(dict.fromkeys(name for template in self.templates() for name in template.secrets))

    @property
    def plain(self) -> bool:
        """Whether nothing but a GET of the address is sent."""
        sends = self.params or self.headers or self.form is not None or self.body is not None
        return self.method == "GET" and not sends

    def message(
        self,
        url: str,
        may: Callable[[str], frozenset[str]],
        *,
        vars: Mapping[str, str] = NOTHING,  # noqa: A002 (the word of the language)
        carry: Mapping[str, Value] = NOTHING,
        secrets: tuple[str, ...] = (),
        sent: Submission | None = None,
    ) -> Message:
        """What is sent to the URL, in which the `secrets` stand already; `sent` is the form that is submitted.

        `may` says which secrets a host may get: values with others are left out, and so are null values. Raises
        UnfitError.
        """
        allowed = may(host_name(url))
        used: dict[str, None] = dict.fromkeys(secrets)

        def value(template: Template) -> Value:
            if not allowed.issuperset(template.secrets):
                return None
            used.update(dict.fromkeys(template.secrets))
            return template.fill(vars=vars, carry=carry)

        def text(template: Template) -> str | None:
            return None if value(template) is None else template.text(vars=vars, carry=carry)

        def pairs(templates: tuple[tuple[str, Template], ...]) -> list[tuple[str, str]]:
            return [(name, said) for name, template in templates if (said := text(template)) is not None]

        headers = pairs(self.headers)
        for name, said in headers:
            if any(sign in said for sign in "\r\n\0"):
                raise UnfitError(f"a line break in the header {name}")
        body = self._body(value, text, pairs) if sent is None else None
        method = self.method
        if sent is not None:
            filled = sent.filled(tuple(pairs(self.form or ())))
            method = sent.method
            if method == "POST":
                body = Body("multipart" if sent.multipart else "form", [list(pair) for pair in filled])
            else:
                # the form takes the place of the query (HTML standard, 4.10.22.3, mutate action URL)
                url = f"{url.partition('?')[0]}?{urlencode(filled, errors='replace')}"
        return Message(
            with_params(url, pairs(self.params)) if self.params else url, method, tuple(headers), body, tuple(used)
        )

    def _body(
        self,
        value: Callable[[Template], Value],
        text: Callable[[Template], str | None],
        pairs: Callable[[tuple[tuple[str, Template], ...]], list[tuple[str, str]]],
    ) -> Body | None:
        if self.form is not None:
            return Body("form", [list(pair) for pair in pairs(self.form)])
        if isinstance(self.body, Template):
            return Body("text", text(self.body) or "")
        return None if self.body is None else Body("json", _filled(self.body, value))


def compile_sending(sending: Sending, path: Path, names: Names, *, carry: frozenset[str] | None = None) -> Outgoing:
    """The templates of a start request or a link rule; `carry` are the names they may use, None forbids them."""

    def pairs(key: str, written: Mapping[str, str]) -> tuple[tuple[str, Template], ...]:
        return tuple((name, names.template(text, (*path, key, name), carry=carry)) for name, text in written.items())

    def leaves(value: Any, here: Path) -> Leaves:
        if isinstance(value, str):
            return names.template(value, here, carry=carry)
        if isinstance(value, dict):
            return {name: leaves(inner, (*here, name)) for name, inner in value.items()}
        if isinstance(value, list):
            return [leaves(inner, (*here, n)) for n, inner in enumerate(value)]
        return value

    headers = tuple(
        (name, names.header(text, (*path, "headers", name), carry=carry)) for name, text in sending.headers.items()
    )
    return Outgoing(
        sending.method or ("POST" if sending.body is not None or sending.form is not None else "GET"),
        pairs("params", sending.params),
        headers,
        None if sending.body is None else leaves(sending.body, (*path, "body")),
        None if sending.form is None else pairs("form", sending.form),
    )


def _templates(leaves: Leaves) -> Iterator[Template]:
    if isinstance(leaves, Template):
        yield leaves
    elif isinstance(leaves, dict):
        for inner in leaves.values():
            yield from _templates(inner)
    elif isinstance(leaves, list):
        for inner in leaves:
            yield from _templates(inner)


def _filled(leaves: Leaves, value: Callable[[Template], Value]) -> Value:
    if isinstance(leaves, Template):
        return value(leaves)
    if isinstance(leaves, dict):
        return {name: _filled(inner, value) for name, inner in leaves.items()}
    if isinstance(leaves, list):
        return [_filled(inner, value) for inner in leaves]
    return leaves
