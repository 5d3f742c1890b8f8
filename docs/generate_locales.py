"""Writes `yamlcrawl/transforms/locales.py` from the data of Babel (CLDR): `python docs/generate_locales.py`.

Babel is not needed by yamlcrawl itself: of its 30 MB a few hundred signs play a part.
"""

from __future__ import annotations

from pathlib import Path

from babel import Locale
from babel.localedata import locale_identifiers

TARGET = Path(__file__).parent.parent / "yamlcrawl" / "transforms" / "locales.py"
WIDTH = 108


def main() -> None:
    """Write the file anew."""
    marks: dict[str, str] = {}
    uneven: set[str] = set()
    for name in sorted(locale_identifiers()):
        locale = Locale.parse(name)
        if locale.script or locale.variant:
            continue
        symbols = locale.number_symbols.get(locale.default_numbering_system, {})
        decimal = symbols.get("decimal") or locale.number_symbols["latn"]["decimal"]
        marks[name.replace("_", "-")] = "," if decimal == "," else "."
        if locale.decimal_formats[None].grouping == (3, 2):
            uneven.add(name.replace("_", "-"))
    known = sorted(marks)
    comma = [n for n in known if marks[n] == "," and ("-" not in n or marks.get(n.partition("-")[0]) != ",")]
    point = [n for n in known if marks[n] == "." and "-" in n and marks.get(n.partition("-")[0]) == ","]
    languages = [n for n in known if "-" not in n]
    TARGET.write_text(
        '"""How numbers are written where: made by docs/generate_locales.py from CLDR, not by hand."""\n\n'
        + block("LANGUAGES", languages, "Every language that is known.")
        + block("COMMA", comma, "Where the decimal mark is a comma: languages, and regions of other languages.")
        + block("POINT", point, "Regions of these languages where it is a point.")
        + block("UNEVEN", sorted(uneven), "Where digits are grouped as 12,34,567."),
        encoding="utf-8",
    )


def block(name: str, words: list[str], meaning: str) -> str:
    """A constant with its words, wrapped."""
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) + 5 > WIDTH:
            lines.append(line)
            line = ""
        line += f"{word} "
    lines.append(line.rstrip())
    body = "\n".join(f'    "{text}"' for text in lines)
    return f'{name} = frozenset(\n    (\n{body.replace("    ", "        ")}\n    ).split()\n)\n"""{meaning}"""\n'


if __name__ == "__main__":
    main()
