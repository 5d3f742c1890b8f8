"""The names of locales."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator

from yamlcrawl.options import Spelling, Wrong, nearest, shown, text
from yamlcrawl.transforms.locales import LANGUAGES
from yamlcrawl.transforms.numbers import is_locale


def _locale(value: Any) -> str:
    written = text(value)
    if not is_locale(written):
        fix = nearest(written, sorted(LANGUAGES)) or "write a language, or language and region: de, pt-BR"
        raise Wrong(f"{shown(written)} is no locale", fix)
    return written


Locale = Annotated[str, BeforeValidator(_locale), Spelling("a locale", type="string")]
"""A language, or a language and a region (CLDR): `de`, `de-CH`."""
