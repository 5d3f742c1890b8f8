"""The names of locales and time zones."""

from __future__ import annotations

from typing import Annotated, Any
from zoneinfo import ZoneInfo, available_timezones

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


def _timezone(value: Any) -> str:
    written = text(value)
    try:
        ZoneInfo(written)
    except (KeyError, ValueError, OSError) as error:
        # OSError: the name of a folder of zones, such as "Europe"
        fix = _meant(written) or "write a name such as Europe/Paris, America/Chicago or UTC"
        raise Wrong(f"{shown(written)} is no time zone", fix) from error
    return written


def _meant(written: str) -> str:
    """The question whether a zone was meant, by its whole name or its city."""
    zones = sorted(available_timezones())
    cities = {zone.rpartition("/")[2]: zone for zone in zones if "/" in zone}
    city = cities.get(written.strip().title().replace(" ", "_"))
    return f'did you mean "{city}"?' if city else nearest(written, zones)


Timezone = Annotated[str, BeforeValidator(_timezone), Spelling("a time zone", type="string")]
"""A name of the time zone database (IANA): `Europe/Paris`."""
