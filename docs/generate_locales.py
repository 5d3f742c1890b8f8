"""Writes `yamlcrawl/transforms/locales.py` from the data of Babel (CLDR): `python docs/generate_locales.py`.

Babel is not needed by yamlcrawl itself: of its 30 MB a few hundred signs play a part.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from babel import Locale
from babel.localedata import locale_identifiers

TARGET = Path(__file__).parent.parent / "yamlcrawl" / "transforms" / "locales.py"
WIDTH = 109
NO_SIGNS = frozenset(["", "B", "G", "K", "Kg.", "M", "T"])
"""Signs of currencies somewhere, which everywhere else multiply the number (12 K) or are its unit."""


def main() -> None:
    """Write the file anew."""
    TARGET.write_text(written(), encoding="utf-8")


def written() -> str:
    """The file as it must be."""
    marks: dict[str, str] = {}
    uneven: set[str] = set()
    codes: set[str] = set()
    signs: set[str] = set()
    for name in sorted(locale_identifiers()):
        locale = Locale.parse(name)
        codes |= locale.currencies.keys()
        signs |= {plain(sign) for sign in locale.currency_symbols.values()}
        if locale.script or locale.variant:
            continue
        decimal = locale.number_symbols.get(locale.default_numbering_system, {}).get("decimal")
        if decimal not in (",", "."):
            # ٫ means the same wherever it stands; point and comma are those beside Western digits
            decimal = locale.number_symbols["latn"]["decimal"]
        marks[name.replace("_", "-")] = "," if decimal == "," else "."
        if locale.decimal_formats[None].grouping == (3, 2):
            uneven.add(name.replace("_", "-"))
    known = sorted(marks)
    comma = [n for n in known if marks[n] == "," and ("-" not in n or marks.get(n.partition("-")[0]) != ",")]
    point = [n for n in known if marks[n] == "." and "-" in n and marks.get(n.partition("-")[0]) == ","]
    languages = [n for n in known if "-" not in n]
    return (
        '"""How numbers are written where: made by docs/generate_locales.py from CLDR, not by hand."""\n\n'
        + block("LANGUAGES", languages, "Every language that is known.")
        + block("COMMA", comma, "Where the decimal mark is a comma: languages, and regions of other languages.")
        + block("POINT", point, "Regions of these languages where it is a point.")
        + block("UNEVEN", sorted(uneven), "Where digits are grouped as 12,34,567.")
        + block("CODES", sorted(codes), "Codes of currencies (ISO 4217), old ones too.")
        + block(
            "SIGNS",
            sorted(signs - codes - NO_SIGNS),
            "What is written for currencies besides signs such as $; without blanks.",
        )
    )


def plain(sign: str) -> str:
    """The sign without blanks and signs of direction; empty where a sign such as `$` is in it."""
    bare = re.sub(r"[\s\u061c\u200b\u200e\u200f]", "", sign)
    return "" if any(unicodedata.category(c) == "Sc" for c in bare) else bare


def block(name: str, words: list[str], meaning: str) -> str:
    """A constant with its words, wrapped."""
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > WIDTH:
            lines.append(line)
            line = ""
        line += f"{word} "
    lines.append(line.rstrip())
    body = "\n".join(f'    "{text}"' for text in lines)
    return f'{name} = frozenset(\n    (\n{body.replace("    ", "        ")}\n    ).split()\n)\n"""{meaning}"""\n'


if __name__ == "__main__":
    main()
