"""Values of the environment: stored as references, filled in when sent, masked wherever they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from html import escape
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any
from urllib.parse import quote

MARK = "\x1a"
"""Encloses a name: texts of a plan or request hold ``\\x1aNAME\\x1a`` in place of the value. Values that come from
pages lose this character before they enter a template, so a page cannot name a secret."""
SHOWN = "***"
SHORTEST = 6
"""A shorter value is no secret: masking it would spoil every text."""

LOGIN = "login."
"""Begins the name of a value that was taken at the login."""

_REFERENCE = re.compile("(?:\x1a|%1A)((?:login\\.)?[A-Za-z_][A-Za-z0-9_]*)(?:\x1a|%1A)")


def reference(name: str) -> str:
    """The text that stands for the value of the environment variable."""
    return f"{MARK}{name}{MARK}"


def _spellings(value: str) -> Iterator[str]:
    """How a page may write the value: as it is, in a URL, in HTML, in JSON."""
    yield from (value, quote(value, safe=""), quote(value), escape(value), escape(value, quote=False))
    in_json = encode_basestring(value)[1:-1]
    yield from (in_json, in_json.replace("/", "\\/"), encode_basestring_ascii(value)[1:-1])


class Secrets:
    """The environment values that a spec names.

    >>> s = Secrets({"KEY": "s3cr3t"})
    >>> s.mask("GET /?key=s3cr3t " + reference("KEY"))
    'GET /?key=*** ***'
    >>> s.reveal("/?key=%1AKEY%1A", ("KEY",), url=True)
    '/?key=s3cr3t'
    """

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self.version = 0
        """Rises when a value changes."""
        self._set(dict(values or {}))

    def learn(self, values: Mapping[str, str]) -> None:
        """Know these values from now on: those that were taken at a login. Safe beside readers in other threads."""
        if any(self._values.get(name) != value for name, value in values.items()):
            self._set({**self._values, **values})
            self.version += 1

    def _set(self, values: dict[str, str]) -> None:
        hidden = sorted((v for v in values.values() if len(v) >= SHORTEST), key=len, reverse=True)
        spellings = {s for v in hidden for s in (v, quote(v, safe=""), quote(v))}
        self._names = {s: n for n, v in values.items() for s in (v, quote(v, safe=""), quote(v))}
        self._echo = re.compile("|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))) if hidden else None
        self._values = values

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all of them."""
        return tuple(self._values)

    def __bool__(self) -> bool:
        return bool(self._values)

    def mask(self, text: str) -> str:
        """The text as people may see it: no secret, no reference."""
        if MARK in text or "%1A" in text:
            text = _REFERENCE.sub(SHOWN, text)
        return self._echo.sub(SHOWN, text) if self._echo else text

    def mask_bytes(self, data: bytes, codecs: Iterable[str], also: Iterable[str] = ()) -> bytes:
        """The same for the body of an answer, in any of the codecs; as HTML and JSON escape it too.

        `also` are further texts that give a secret away.

        >>> Secrets({"KEY": "a&b<c>d"}).mask_bytes(b"<p>a&amp;b&lt;c&gt;d</p>", ["utf-8"])
        b'<p>***</p>'
        """
        hidden = [value for value in self._values.values() if len(value) >= SHORTEST]
        spellings = {each for value in hidden for each in _spellings(value)} | set(also)
        for spelling in sorted(spellings, key=len, reverse=True):
            for codec in dict.fromkeys(codecs):
                with suppress(UnicodeEncodeError):
                    data = data.replace(spelling.encode(codec), SHOWN.encode(codec))
        return data

    def mask_value(self, value: Any) -> Any:
        """The same for every text inside a JSON value."""
        if not self:
            return value
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, list):
            return [self.mask_value(v) for v in value]
        if isinstance(value, dict):
            return {self.mask(k) if isinstance(k, str) else k: self.mask_value(v) for k, v in value.items()}
        return value

    def conceal(self, text: str) -> tuple[str, tuple[str, ...]]:
        """A URL that echoes secrets, with references in their place, and the names it needs."""
        if not self._echo or not self._echo.search(text):
            return text, ()
        names: list[str] = []

        def hide(match: re.Match[str]) -> str:
            names.append(self._names[match[0]])
            return f"%1A{self._names[match[0]]}%1A"

        return self._echo.sub(hide, text), tuple(dict.fromkeys(names))

    def reveal(self, text: str, allowed: tuple[str, ...], *, url: bool = False) -> str:
        """The text as it is sent: the references it may use are filled in, percent-encoded in a URL."""
        if not allowed:
            return text

        def fill(match: re.Match[str]) -> str:
            name = match[1]
            if name not in allowed or name not in self._values:
                return match[0]
            return quote(self._values[name], safe="") if url else self._values[name]

        return _REFERENCE.sub(fill, text)
