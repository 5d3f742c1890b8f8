"""The text of an element as a browser shows it, and what `regex`, `replace` and the others start from."""

from __future__ import annotations

from typing import Any

BREAK = "\0"
"""Stands for a line break of the page while its text is gathered; a page's own NULs are gone before it is parsed."""

_HIDDEN = frozenset(["script", "style", "template"])
_BLOCKS = frozenset(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup "
    "option p plaintext pre search section summary table tbody td textarea tfoot th thead title tr ul".split()
)
_XHTML = "{http://www.w3.org/1999/xhtml}"
_KEEPS_LINES = frozenset(["pre", "textarea", "listing", "plaintext"])


def collapsed(text: str) -> str:
    r"""The text trimmed, each run of white space (no-break spaces and line breaks too) one blank.

    >>> collapsed(" 1\xa0299\n kr ")
    '1 299 kr'
    """
    return " ".join(text.split())


def one_line(element: Any) -> str:
    """The element's text on one line: what breaks lines in a browser is a blank, inline tags add nothing.

    Script and style are left out, but for a script that is the element itself. HTML standard, 15.3 (rendering) says
    which elements break lines.
    """
    if not len(element) and isinstance(element.tag, str):
        return collapsed(element.text or "")
    return collapsed(_gathered(element).replace(BREAK, " "))


def lines(element: Any) -> str:
    """The element's text with line breaks where a browser breaks lines; blank lines are left out."""
    split = (collapsed(line) for line in _gathered(element).split(BREAK))
    return "\n".join(line for line in split if line)


def xml_text(element: Any) -> str:
    """The text of an element of XML on one line: all text in it; only tags of XHTML break lines (XPath 1.0, 5.2)."""
    if not len(element) and isinstance(element.tag, str):
        return collapsed(element.text or "")
    return collapsed(_gathered_xml(element).replace(BREAK, " "))


def xml_lines(element: Any) -> str:
    """The same with the line breaks of the source, and those of XHTML; blank lines are left out."""
    split = (collapsed(line) for line in _gathered_xml(element).replace(BREAK, "\n").splitlines())
    return "\n".join(line for line in split if line)


def all_text(element: Any) -> str:
    """Every text below the element as it stands in the source."""
    return "".join(element.itertext()) if isinstance(element.tag, str) else element.text or ""


def _gathered(element: Any) -> str:
    """All text below the element, BREAK where a browser breaks lines. Without recursion: pages nest deeply."""
    if not isinstance(element.tag, str):
        return element.text or ""
    if element.tag in _HIDDEN:
        return "".join(element.itertext())
    parts: list[str] = []
    # what is still to do, last first: a text to add, or an element to open
    todo: list[Any] = [(element, element.tag in _KEEPS_LINES)]
    while todo:
        entry = todo.pop()
        if isinstance(entry, str):
            parts.append(entry)
            continue
        node, keeps = entry
        if node.text:
            parts.append(node.text.replace("\n", BREAK) if keeps else node.text)
        later: list[Any] = []
        for child in node:
            later += _child(child, keeps)
        todo += reversed(later)
    return "".join(parts)


def _gathered_xml(element: Any) -> str:
    """All text below an element of XML, BREAK where a tag of XHTML breaks lines; no comment, no entity."""
    if not isinstance(element.tag, str):
        return element.text or ""
    parts: list[str] = []
    todo: list[Any] = [element]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        parts.append(node.text or "")
        later: list[Any] = []
        for child in node:
            tag, tail = child.tag, child.tail or ""
            html = tag.removeprefix(_XHTML) if isinstance(tag, str) and tag.startswith(_XHTML) else ""
            if not isinstance(tag, str) or html in _HIDDEN:
                later.append(tail)
            else:
                later += [BREAK, child, BREAK, tail] if html in _BLOCKS else [child, tail]
        todo += reversed(later)
    return "".join(parts)


def _child(child: Any, keeps: bool) -> list[Any]:
    tail = child.tail or ""
    if keeps:
        tail = tail.replace("\n", BREAK)
    tag = child.tag
    if not isinstance(tag, str) or tag in _HIDDEN:
        return [tail] if tail else []
    entry = (child, keeps or tag in _KEEPS_LINES)
    return [BREAK, entry, BREAK, tail] if tag in _BLOCKS else [entry, tail]
