"""Numbers and foreign text as people may read them on a terminal or in the log of a CI."""

from __future__ import annotations

import re

UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""Characters that a terminal obeys or does not show: controls, directions of writing, halves of surrogate pairs."""
_COMMAND = re.compile(r"##(?=\w*\[)")


def plain(text: str) -> str:
    """The text on one line, with nothing in it that a terminal obeys or a CI takes for a command.

    Control characters (line breaks, colours, directions of writing) are spelled out; ``::`` at the beginning and
    ``##[``, ``##vso[`` and the like anywhere are broken up.

    >>> print(plain("\\x1b[31mred\\n::error::x"))
    \\x1b[31mred\\n::error::x
    >>> plain("::warning::x"), plain("see ##[group]")
    (': :warning::x', 'see # #[group]')
    """
    text = UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
    text = _COMMAND.sub("# #", text)
    return re.sub(r"^(\s*):(?=:)", r"\1: ", text)


def subject(path: str) -> str:
    """What a path of the spec is about, in short: the field of an item, the way to a kind of page, a key of a page.

    >>> subject("pages.list.items.book.fields.price.map"), subject("pages.list.items.book.fields.size.fields.w.css")
    ('book.price', 'book.size.w')
    >>> subject("pages.list.follow.book.carry.price"), subject("pages.list.next"), subject("pages.list.items.book.each")
    ('list to book, price', 'list.next', 'book')
    >>> subject("start.list.sitemap"), subject("shop.test")
    ('start.list.sitemap', 'shop.test')
    """
    steps = path.split(".")
    if len(steps) < 3 or steps[0] != "pages":
        return path
    _, page, kind, *rest = steps
    names = [rest[n + 1] for n in range(1, len(rest) - 1) if rest[n] in ("fields", "carry")]
    if kind == "items" and rest:
        return ".".join([rest[0], *names])
    if kind == "follow" and rest:
        return ", ".join([f"{page} to {rest[0]}", *names])
    return f"{page}.{kind}"


def per_cent(share: float) -> str:
    """A share from 0 to 1 as it was written.

    >>> per_cent(0.9), per_cent(0.751), per_cent(1.0), per_cent(0.00125)
    ('90 %', '75.1 %', '100 %', '0.125 %')
    """
    return f"{100 * share:.6f}".rstrip("0").rstrip(".") + " %"


def counted(number: int, noun: str) -> str:
    """The number with its noun.

    >>> counted(1, "page"), counted(12345, "page"), counted(0, "retry")
    ('1 page', '12,345 pages', '0 retries')
    """
    plural = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def share(part: int, whole: int) -> str:
    """The share in per cent: 100 % only for all, 0 % only for none.

    >>> share(3, 3), share(0, 3), share(9999, 10000), share(1, 10000), share(1, 2), share(0, 0)
    ('100 %', '0 %', '99.9 %', '0.1 %', '50 %', '-')
    """
    if not whole:
        return "-"
    if part >= whole:
        return "100 %"
    if not part:
        return "0 %"
    return f"{min(99.9, max(0.1, 100 * part / whole)):.1f}".removesuffix(".0") + " %"


def size(number: float) -> str:
    """Bytes with a unit of a thousand.

    >>> size(0), size(999), size(1234), size(56_789_000)
    ('0 B', '999 B', '1.2 kB', '56.8 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} B" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def lasted(seconds: float) -> str:
    """A length of time.

    >>> lasted(0.04), lasted(12.34), lasted(125), lasted(7384)
    ('0.0 s', '12.3 s', '2 min 5 s', '2 h 3 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
