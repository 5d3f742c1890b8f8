"""PDF to its text; needs the extra ``pdf``."""

from __future__ import annotations

import logging
import time
from contextvars import ContextVar
from io import BytesIO
from typing import Any

from yamlcrawl.errors import ParseError
from yamlcrawl.model.document import Document, Parse
from yamlcrawl.model.response import Response
from yamlcrawl.parsers.media import check_media

PAGES = 5_000
"""Pages that are read; the document says so where there are more."""
SIGNS = 50_000_000
"""Signs of text that are kept."""
SECONDS = 60.0
"""After so long the reading of one document ends as ``parse_failed``: a small file can ask for hours of it."""
PAGE_BREAK = "\n\f\n"


def pdf_parser(_encoding: str | None = None) -> Parse:
    """A parser: one text, a form feed on a line of its own between two pages; no charset is to be forced."""

    def parse(response: Response) -> Document:
        body = response.body
        if not body:
            return Document(response, "pdf", "", response.url)
        check_media(response, "pdf", body[:1024].decode("latin-1"))
        text, warning = _read(body)
        return Document(response, "pdf", text, response.url, warning=warning)

    return parse


def _read(body: bytes) -> tuple[str, str]:
    from pypdf import PdfReader

    _silence()
    try:
        reader = PdfReader(BytesIO(body), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise ParseError("the PDF is encrypted and asks for a password")
        number = len(reader.pages)
    except ParseError:
        raise
    except Exception as error:  # what a broken file raises in it is of any kind
        raise _unreadable(error) from error
    return _texts(reader, number)


class _Heard(logging.Handler):
    """What the library tells of what it reads: the first of it, in each thread on its own."""

    def emit(self, record: logging.LogRecord) -> None:
        if not _SAID.get():
            _SAID.set(record.getMessage())

    def taken(self) -> str:
        """The first that was told since the last call, in this thread; empty where nothing was."""
        said = _SAID.get()
        _SAID.set("")
        return " ".join(said.split())[:120]


_SAID: ContextVar[str] = ContextVar("said", default="")
_HEARD = _Heard()


def _silence() -> None:
    """Take what the library writes to the log, which would end on the screen."""
    log = logging.getLogger("pypdf")
    log.propagate = False
    log.setLevel(logging.WARNING)
    if _HEARD not in log.handlers:
        log.addHandler(_HEARD)
    _HEARD.taken()


def _texts(reader: Any, number: int) -> tuple[str, str]:
    texts: list[str] = []
    broken: list[int] = []
    partly: list[str] = []
    images, room = False, SIGNS
    over = time.monotonic() + SECONDS

    def check(*_operand: object) -> None:
        if time.monotonic() > over:
            raise ParseError(f"reading the text of the PDF takes longer than {SECONDS:g} s; it was given up")

    _HEARD.taken()
    for n in range(min(number, PAGES)):
        try:
            page = reader.pages[n]
            check()
            text = page.extract_text(visitor_operand_before=check).replace("\0", "")
            images = images or (not text.strip() and _has_image(page))
        except ParseError:
            raise
        except Exception:  # see above; the other pages may be good
            broken.append(n + 1)
            text = ""
        if (said := _HEARD.taken()) and n + 1 not in broken:
            partly.append(f"page {n + 1}: {said}")
        texts.append(text)
        room -= len(text)
        if room < 0:
            break
    if number and len(broken) == len(texts):
        raise ParseError("the PDF cannot be read: no page of it can")
    if images and not any(text.strip() for text in texts):
        raise ParseError("the PDF has no text, its pages are images")
    return PAGE_BREAK.join(texts), "; ".join(_left_out(broken, partly, len(texts), number))


def _left_out(broken: list[int], partly: list[str], read: int, number: int) -> list[str]:
    said = []
    if broken:
        said.append(f"{len(broken)} of {number} pages cannot be read: first page {broken[0]}")
    if partly:
        said.append(f"{len(partly)} of {number} pages may have been read in part: {partly[0]}")
    if read < number:
        said.append(f"the text of the first {read:,} of {number:,} pages was read; the rest is left out")
    return said


def _has_image(page: Any) -> bool:
    # in this library only `[]` follows references, `get` does not
    resources = page["/Resources"] if "/Resources" in page else {}  # noqa: SIM401
    objects = resources["/XObject"] if "/XObject" in resources else {}  # noqa: SIM401
    return any(objects[name].get("/Subtype") == "/Image" for name in objects)


def _unreadable(error: Exception) -> ParseError:
    said = " ".join(str(error).split())[:120]
    if "cryptography" in said or "PyCryptodome" in said:
        return ParseError("the PDF is encrypted in a way that cannot be read here")
    return ParseError(f"the PDF cannot be read, it may be cut: {said}" if said else "the PDF cannot be read")
