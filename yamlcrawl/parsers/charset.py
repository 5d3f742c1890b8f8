"""Which charset a body is in, in the order of the HTML standard."""

from __future__ import annotations

import codecs
import re
from typing import Any

import cchardet
import webencodings

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_WIDER = {"gbk": "gb18030", "shift_jis": "cp932"}
"""Python's codecs that are smaller than what the Encoding standard decodes under the label."""
PRESCAN = 1024
"""Bytes that are looked at for a meta tag (HTML standard, 13.2.3.2), and after the first one that names a charset:
where that comes later, browsers read the page again."""

_DECLARED = re.compile(rb"<\?xml\b[^>]*?\sencoding\s*=\s*[\"']([A-Za-z][\w.:-]*)[\"']")
REPLACEMENT = "\ufffd"
"""What a decoder writes for bytes that it cannot read (Unicode, 3.9)."""
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_META_CHARSET = re.compile(r"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"'][^\s;]*))", re.IGNORECASE)
_META = re.compile(rb"<meta\b[^>]*charset", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?")


def decode(
    body: bytes,
    content_type: str | None,
    forced: str | None = None,
    *,
    meta: bool = True,
    declared: str | None = None,
) -> tuple[str, str]:
    """The text of the body and the name of the codec that read it; what cannot be decoded becomes U+FFFD.

    `forced` (`site.encoding`) wins; then a byte order mark, the header's charset, what the body itself declares (the
    codec in `declared`, else a meta tag), and detection, of which valid UTF-8 is the first step.

    >>> decode("naïve".encode(), "text/html")
    ('naïve', 'utf-8')
    """
    for mark, codec in _BOMS:
        if body.startswith(mark) and not forced:
            return body[len(mark) :].decode(codec, "replace"), codec
    said = (forced and forced_codec(forced)) or _from_header(content_type) or declared
    if said is None and meta:
        said = _prescan(body)
    if said:
        if said == "replacement":
            return "\ufffd" if body else "", "utf-8"
        return _decoded(body, said), said
    try:
        return body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        guessed = codec_of(cchardet.detect(body)["encoding"] or "") or "cp1252"
        return _decoded(body, guessed), guessed


def undecoded(body: bytes, text: str, codec: str) -> str:
    """What is to be said of bytes that the codec could not read; empty where all were read.

    >>> undecoded(b"\\xe9", "\\ufffd", "utf-8")
    '1 sign could not be read as utf-8, and is U+FFFD now; site.encoding says another charset'
    >>> undecoded("\\ufffd".encode(), "\\ufffd", "utf-8")
    ''
    """
    if REPLACEMENT not in text:
        return ""
    try:
        written = body.count(REPLACEMENT.encode(codec))
    except UnicodeEncodeError:
        written = 0
    lost = text.count(REPLACEMENT) - written
    if lost < 1:
        return ""
    signs = (
        "1 sign could not be read as {}, and is" if lost == 1 else f"{lost:,} signs could not be read as {{}}, and are"
    )
    return f"{signs.format(codec)} U+FFFD now; site.encoding says another charset"


def declared_by_xml(body: bytes) -> str | None:
    """The codec of an XML declaration, or of two-byte units that begin one without a mark (XML 1.0, appendix F).

    >>> declared_by_xml(b'<?xml version="1.0" encoding="ISO-8859-2"?><a/>'), declared_by_xml(b"<a/>")
    ('iso8859-2', None)
    """
    for sign, codec in ((b"<\0?\0", "utf-16-le"), (b"\0<\0?", "utf-16-be")):
        if body.startswith(sign):
            return codec
    found = _DECLARED.match(body.lstrip()[:PRESCAN])
    said = codec_of(found[1].decode("ascii")) if found else None
    # a declaration that could be read as ASCII is not in two-byte units, whatever it says
    return "utf-8" if said in ("utf-16-le", "utf-16-be") else said


def two_byte_units(body: bytes) -> str | None:
    """The UTF-16 codec of a text without a mark, told by the zeros beside its first ASCII signs; None where none are.

    >>> two_byte_units("id;name".encode("utf-16-le")), two_byte_units(b"id;name")
    ('utf-16-le', None)
    """
    start = body[:PRESCAN]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if len(body) % 2 or max(even, odd) * 4 < len(start) or min(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be" if even else None


def codec_of(label: str) -> str | None:
    """The Python codec for a label of the Encoding standard, None for an unknown one.

    >>> codec_of("GB2312"), codec_of("latin1"), codec_of("no-such")
    ('gb18030', 'cp1252', None)
    """
    encoding = webencodings.lookup(label)
    if encoding is None:
        return None
    name: str = encoding.codec_info.name if encoding.name != "replacement" else "replacement"
    return _WIDER.get(name, name)


def forced_codec(label: str) -> str | None:
    """The codec that a person means: a label of the standard, or a name that Python knows.

    >>> forced_codec("latin-1"), forced_codec("cp437"), forced_codec("no-such")
    ('cp1252', 'cp437', None)
    """
    try:
        name = codecs.lookup(label).name
        b"".decode(name)
    except LookupError:
        return codec_of(label)
    return codec_of(label) or codec_of(name) or name


def _decoded(body: bytes, codec: str) -> str:
    if codec == "x-user-defined":
        return str(webencodings.decode(body, "x-user-defined")[0])
    return body.decode(codec, "replace")


def _from_header(content_type: str | None) -> str | None:
    match = _CHARSET.search(content_type or "")
    return codec_of(match[1]) if match else None


def _prescan(body: bytes) -> str | None:
    """The charset that a meta tag names near the start (HTML standard, "prescan a byte stream")."""
    named = _META.search(body)
    head = body[: (named.end() if named else 0) + PRESCAN]
    position = 0
    while (position := head.find(b"<", position)) >= 0:
        if head.startswith(b"<!--", position):
            end = head.find(b"-->", position + 2)
            position = len(head) if end < 0 else end + 3
            continue
        if re.match(rb"<meta[\s/]", head[position : position + 6], re.IGNORECASE):
            codec, position = _from_meta(head, position + 5)
            if codec:
                return codec
        elif re.match(rb"</?[A-Za-z]", head[position : position + 3]):
            position = _after_tag(head, position)
        elif head[position : position + 2] in (b"<!", b"</", b"<?"):
            end = head.find(b">", position)
            position = len(head) if end < 0 else end + 1
        else:
            position += 1
    return None


def _after_tag(head: bytes, position: int) -> int:
    position = re.compile(rb"[^\s>]*").match(head, position).end()  # type: ignore[union-attr]
    while position < len(head) and (match := _ATTRIBUTE.match(head, position)):
        position = match.end()
    return max(position, 1)


def _from_meta(head: bytes, position: int) -> tuple[str | None, int]:
    """The charset that the tag names, and where the tag ends."""
    attributes: dict[str, str] = {}
    while position < len(head) and (match := _ATTRIBUTE.match(head, position)):
        value: Any = next((group for group in match.groups()[1:] if group is not None), b"")
        attributes.setdefault(match[1].decode("latin-1").lower(), value.decode("latin-1"))
        position = match.end()
    label = attributes.get("charset")
    if label is None and attributes.get("http-equiv", "").strip().lower() == "content-type":
        found = _META_CHARSET.search(attributes.get("content", ""))
        label = next(filter(None, found.groups()), None) if found else None
    codec = codec_of(label) if label else None
    if codec in ("utf-16-le", "utf-16-be"):
        return "utf-8", position
    return "cp1252" if codec == "x-user-defined" else codec, position
