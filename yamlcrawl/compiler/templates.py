"""Templates: text with ``${name}`` in it. What is known before the run is filled in at once, the rest for each page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Literal, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from yamlcrawl.errors import Path, Problems
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import Value
from yamlcrawl.model.secrets import LOGIN, MARK, SHORTEST, reference
from yamlcrawl.options import nearest

NOTHING: Mapping[str, Any] = {}


class Slot(NamedTuple):
    """A name that is filled in while the crawl runs."""

    kind: Literal["var", "carry", "field"]
    name: str

    def __str__(self) -> str:
        return f"${{carry.{self.name}}}" if self.kind == "carry" else f"${{{self.name}}}"


@dataclass(frozen=True, slots=True)
class Template:
    """A text whose names are known to exist.

    >>> url = Template(("/item/", Slot("carry", "id"), "?full=1"))
    >>> url.fill(carry={"id": "7 b"}), url.fill(carry={"id": "7 b"}, encode=True), url.fill(carry={"id": None})
    ('/item/7 b?full=1', '/item/7%20b?full=1', None)
    """

    parts: tuple[str | Slot, ...]
    secrets: tuple[str, ...] = ()
    """Environment variables whose references stand in the literal parts."""

    def slots(self, kind: str) -> Iterator[str]:
        """The names of that kind, in order."""
        return (part.name for part in self.parts if isinstance(part, Slot) and part.kind == kind)

    @property
    def constant(self) -> bool:
        """Whether nothing is left to fill in."""
        return not any(isinstance(part, Slot) for part in self.parts)

    @property
    def from_pages(self) -> bool:
        """Whether a value from a page enters it."""
        return any(isinstance(part, Slot) and part.kind != "var" for part in self.parts)

    @property
    def whole(self) -> Slot | None:
        """The slot that is all there is, if so; it keeps the type of its value."""
        return self.parts[0] if len(self.parts) == 1 and isinstance(self.parts[0], Slot) else None

    def fill(
        self,
        *,
        vars: Mapping[str, str] = NOTHING,  # noqa: A002 (the word of the language)
        carry: Mapping[str, Value] = NOTHING,
        fields: Mapping[str, Value] = NOTHING,
        encode: bool = False,
    ) -> Value:
        """The text with the values in it; None where one of them is null or missing.

        A template that is one name gives the value as it is; within a text numbers and booleans are their JSON text.
        With `encode`, values from pages are percent-encoded where they are not the whole (for a URL).
        """
        whole = self.whole
        if whole is not None:
            return _harmless(_value(whole, vars, carry, fields))
        texts = []
        for part in self.parts:
            if isinstance(part, str):
                texts.append(part)
                continue
            value = _value(part, vars, carry, fields)
            if value is None:
                return None
            if part.kind == "var":
                texts.append(value)
            else:
                shown = _harmless(value) if isinstance(value, str) else json_text(value)
                texts.append(quote(shown, safe="", errors="replace") if encode else shown)
        return "".join(texts)

    def text(
        self,
        *,
        vars: Mapping[str, str] = NOTHING,  # noqa: A002
        carry: Mapping[str, Value] = NOTHING,
        fields: Mapping[str, Value] = NOTHING,
        encode: bool = False,
    ) -> str | None:
        """The same, always as text."""
        value = self.fill(vars=vars, carry=carry, fields=fields, encode=encode)
        return value if value is None or isinstance(value, str) else json_text(value)


def literal(text: str) -> Template:
    """The template that is just this text."""
    return Template((text,))


def _value(slot: Slot, variables: Mapping[str, str], carry: Mapping[str, Value], fields: Mapping[str, Value]) -> Value:
    if slot.kind == "var":
        return variables.get(slot.name)
    return (carry if slot.kind == "carry" else fields).get(slot.name)


def _harmless(value: Value) -> Value:
    """A value from a page without the sign that encloses the names of secrets."""
    return value.replace(MARK, "") if isinstance(value, str) and MARK in value else value


def without_references(address: str) -> str:
    """An address from a page, in which it cannot name a secret that goes along with the request."""
    return re.sub(f"{MARK}|%1A", "", address, flags=re.IGNORECASE)


_FOR_LOGIN = frozenset({"headers", "cookies", "params", "form", "body"})
"""The keys under which values of the login may stand."""

_OPEN = re.compile(r"\$\$\{|\$\{([^{}]*)\}|\$\{")
_NAME = re.compile(r"(?P<name>[\w-]+(?:\.[\w-]+)*)(?::(?P<rest>.*))?", re.DOTALL)


class _Found(NamedTuple):
    """What stands between the braces."""

    name: str
    rest: str | None
    """What follows the colon."""


def _scan(text: str) -> Iterator[str | _Found]:
    """Literal text and names in turn; raises ValueError for braces that hold no name."""
    end = 0
    for match in _OPEN.finditer(text):
        if match.start() > end:
            yield text[end : match.start()]
        end = match.end()
        if match[0] == "$${":
            yield "${"
            continue
        if match[1] is None:
            raise ValueError('"${" is never closed')
        name = _NAME.fullmatch(match[1])
        if name is None:
            raise ValueError(f'"{match[0]}" holds no name')
        yield _Found(name["name"], name["rest"])
    if end < len(text):
        yield text[end:]


def is_template(text: str) -> bool:
    """Whether ``${`` stands in it, escaped or not."""
    return "${" in text


@dataclass(slots=True)
class Names:
    """The names that the templates of a spec may use; what is wrong with one is noted in `problems`."""

    problems: Problems
    vars: Mapping[str, Template | None] = field(default_factory=dict)
    """Name (``span.from`` for an end of a piece) to its value, None where it has many."""
    env: Mapping[str, str] = field(default_factory=dict)
    now: float = 0.0
    """The start of the run, seconds since the epoch."""
    zone: ZoneInfo | None = None
    """The zone in which `now` is shown and a day begins (`site.timezone`); None is UTC."""
    check_env: bool = True
    """Whether a variable of the environment that is not set is a problem."""
    allowed: Collection[str] | None = None
    """The variables of the environment that may be read; None allows all."""
    used: dict[str, str] = field(default_factory=dict)
    """The secrets that templates have named so far, with their values."""
    login: frozenset[str] = frozenset()
    """The values that are taken at the login."""
    _named: dict[str, None] = field(default_factory=dict)

    @property
    def today(self) -> date:
        """The day on which the run started."""
        return datetime.fromtimestamp(self.now, self.zone or UTC).date()

    @property
    def named(self) -> frozenset[str]:
        """The secrets that templates have named so far, those that are not set too."""
        return frozenset(self._named)

    def header(self, text: str, path: Path, *, carry: Collection[str] | None = None) -> Template:
        """The template of a header or cookie: what is known of it, secrets too, must stand on one line."""
        template = self.template(text, path, carry=carry)
        known = [part for part in template.parts if isinstance(part, str)]
        if any(set("\r\n\0") & set(part) for part in (*known, *(self.used.get(name, "") for name in template.secrets))):
            self.problems.error(path, "a header cannot hold a line break", "write it on one line")
        return template

    def template(
        self,
        text: str,
        path: Path,
        *,
        carry: Collection[str] | None = None,
        fields: Collection[str] | None = None,
    ) -> Template:
        """The template that the text is. `carry` and `fields` are the names that may stand here, None forbids them."""
        if not is_template(text):
            return Template((text,))
        parts: list[str | Slot] = []
        secrets: dict[str, None] = {}
        try:
            for found in _scan(text):
                filled = found if isinstance(found, str) else self._bind(found, path, carry, fields, secrets)
                for part in filled.parts if isinstance(filled, Template) else (filled,):
                    if isinstance(part, str) and parts and isinstance(parts[-1], str):
                        parts[-1] += part
                    else:
                        parts.append(part)
        except ValueError as wrong:
            self.problems.error(path, str(wrong), "write ${name}, or $${ for the signs themselves")
        return Template(tuple(parts) or ("",), tuple(secrets))

    def _bind(
        self,
        found: _Found,
        path: Path,
        carry: Collection[str] | None,
        fields: Collection[str] | None,
        secrets: dict[str, None],
    ) -> Template | Slot | str:
        name, rest = found
        first, _, last = name.partition(".")
        if first == "env" and last:
            return self._env(last, rest, path, secrets)
        if name == "now":
            return self._now(rest, path)
        if first == "login" and last in self.login and rest is None:
            return self._login(last, path, secrets)
        if rest is not None:
            raise ValueError(f'"${{{name}:…}}": only env.NAME and now take something after a colon')
        if first == "carry" and last:
            return self._carry(last, path, carry)
        if name in self.vars:
            constant = self.vars[name]
            if constant is None:
                return Slot("var", name)
            secrets.update(dict.fromkeys(constant.secrets))
            return constant
        if fields is not None and name in fields:
            return Slot("field", name)
        self._unknown(name, path, carry, fields)
        return ""

    def _env(self, name: str, rest: str | None, path: Path, secrets: dict[str, None]) -> str:
        default = None
        if rest is not None:
            if not rest.startswith("-"):
                raise ValueError(f'"${{env.{name}:{rest}}}": a default is written as ${{env.{name}:-default}}')
            default = rest[1:]
        if self.allowed is not None and name not in self.allowed:
            allowed = ", ".join(sorted(self.allowed)) or "none"
            self.problems.error(
                path, f"the spec may not read the environment variable {name}: allowed is {allowed}", "see --allow-env"
            )
            return ""
        value = self.env.get(name)
        if default is not None and not value:
            return default
        if value is None:
            if not self.check_env:
                secrets[name] = self._named[name] = None
                return reference(name)
            self.problems.error(
                path,
                f"the environment variable {name} is not set",
                f"set {name}, or give a default: ${{env.{name}:-…}}; validate --without-env checks the rest",
            )
            return ""
        if len(value) < SHORTEST:
            self.problems.warn(
                path,
                f"the value of {name} is shorter than {SHORTEST} characters, so it is not treated as a secret",
                "nothing is masked; use a longer one where it is secret",
            )
            return value
        secrets[name] = self._named[name] = None
        self.used[name] = value
        return reference(name)

    def _login(self, name: str, path: Path, secrets: dict[str, None]) -> str:
        """The reference to a value that the login will give; it is unknown until then."""
        full = LOGIN + name
        if path[0] == "login" or not _FOR_LOGIN.intersection(path):
            fix = "headers, cookies, params, form and body may hold it"
            self.problems.error(path, f"${{{full}}} cannot stand here", fix)
        secrets[full] = self._named[full] = None
        self.used.setdefault(full, "")
        return reference(full)

    def _now(self, rest: str | None, path: Path) -> str:
        moment = datetime.fromtimestamp(self.now, self.zone or UTC)
        if rest is None:
            written = moment.isoformat(timespec="seconds")
            return written if self.zone else written.removesuffix("+00:00") + "Z"
        shown = moment.strftime(rest)
        if not shown or "%" not in rest:
            self.problems.error(path, f'"{rest}" is no date format', "write one such as ${now:%Y-%m-%d}")
        return shown

    def _carry(self, name: str, path: Path, carry: Collection[str] | None) -> Slot:
        if carry is None:
            self.problems.error(path, "nothing is carried here", "carried values may stand in pages only")
        elif name not in carry:
            fix = nearest(name, sorted(carry)) or "carry it: add it under carry of the rule that leads here"
            self.problems.error(path, f'no link carries "{name}" to this place', fix)
        return Slot("carry", name)

    def _unknown(self, name: str, path: Path, carry: Collection[str] | None, fields: Collection[str] | None) -> None:
        known = [*self.vars, *(fields or ()), "now", *(f"carry.{c}" for c in carry or ())]
        ends = [known_name for known_name in self.vars if known_name.startswith(f"{name}.")]
        if ends:
            fix = f"name an end of the piece: {' or '.join(f'${{{end}}}' for end in ends)}"
        elif name in self.env or name.isupper():
            fix = f"a variable of the environment is written ${{env.{name}}}"
        elif name.startswith("login."):
            known = [f"login.{taken}" for taken in sorted(self.login)]
            fix = nearest(name, known) or "take it there:  login: {take: {name: …}}"
        else:
            fix = nearest(name, known) or f"add it under vars, or write $${{{name}}} for the text itself"
        self.problems.error(path, f'"{name}" is not set', fix)


_BEFORE_PATH = re.compile(r"(?:[^/\\?#:]*:)?[/\\]{2}[^/\\?#]*|[^/\\?#:]*:")


def host_trouble(address: Template) -> str:
    """Why scheme and host of the address are not the spec's own word; empty where they are.

    A template that is one value is the address that a page gave, and judged like any link.
    """
    if address.whole is not None:
        return ""
    text = "".join(part if isinstance(part, str) else "v" if part.kind == "var" else "\0" for part in address.parts)
    head = _BEFORE_PATH.match(text)
    if head is None:
        return ""
    if MARK in head[0]:
        return "a secret of the environment would form the host"
    return "a value from a page would form the host" if "\0" in head[0] else ""


def names_in(text: str) -> tuple[str, ...]:
    """The names that stand in a text, whatever they mean; what is malformed is passed over."""
    try:
        return tuple(found.name for found in _scan(text) if not isinstance(found, str))
    except ValueError:
        return ()
