"""Downloads: streamed to a part of their own, gone on with where they were cut, and kept under their digest."""

from __future__ import annotations

import json
import mimetypes
import os
import re
import threading
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

from yamlcrawl.errors import StoreError
from yamlcrawl.fetchers.transport import TransportError
from yamlcrawl.model.response import Headers

PARTS = ".parts"
"""Folder of what is not whole yet, inside the folder of the files."""
LONGEST = 255
"""Characters of a name."""
BLOCK = 1 << 20
"""Bytes that are read at a time of what is there already."""

_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}")
_PARAMETER = re.compile(r";\s*([\w!#$%&+^`|~*.-]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;\"]+))")
_RANGE = re.compile(r"bytes\s+(\d+)-\d+/(\d+|\*)", re.IGNORECASE)


class Downloads:
    """The folder of downloaded files; each is named by the SHA-256 of what is in it. Safe between threads."""

    def __init__(self, folder: Path, most: int) -> None:
        """`most` is the bytes that one file may have."""
        self.folder, self.most = folder, most
        self._lock = threading.Lock()
        self._names: dict[str, str] | None = None
        """Digest to the name of the file that is there."""

    def keep(self, part: Path, digest: str, suffix: str) -> Path:
        """Put a whole file in its place, unless one with the same digest is there; where that lies."""
        with self._lock:
            if self._names is None:
                self._names = {entry.name.partition(".")[0]: entry.name for entry in os.scandir(self.folder)}
            name = self._names.get(digest)
            if name is None or not (self.folder / name).exists():
                name = self._names[digest] = f"{digest}{suffix}"
                part.replace(self.folder / name)
                _sync(self.folder)
        return self.folder / name

    def part(self, fingerprint: int) -> Part:
        """What is there of a download. Raises StoreError where the folder cannot be written."""
        try:
            (self.folder / PARTS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        return Part(self, self.folder / PARTS / f"{fingerprint & (1 << 64) - 1:016x}")


class Part:
    """One download on its way to the disk; used by one thread."""

    def __init__(self, downloads: Downloads, path: Path) -> None:
        self._downloads, self._path = downloads, path
        self._about = path.with_suffix(".json")
        self.validator, self._total = self._known()

    def _known(self) -> tuple[str, int | None]:
        """What tells that the rest belongs to what is there: a strong ETag, or Last-Modified; and the whole length.

        Empty where the rest cannot be asked for, None where no length was told.
        """
        try:
            about = json.loads(self._about.read_text(encoding="utf-8"))
            validator, total = str(about["validator"]), about.get("total")
            return (validator, total) if self._path.stat().st_size else ("", None)
        except (OSError, ValueError, KeyError, TypeError):
            return "", None

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The header fields that ask for the rest only (RFC 9110, 13.1.5 and 14.2)."""
        if not self.validator:
            return ()
        return (("Range", f"bytes={self._path.stat().st_size}-"), ("If-Range", self.validator))

    def forget(self) -> None:
        """Begin anew the next time."""
        self._about.unlink(missing_ok=True)
        self._path.unlink(missing_ok=True)

    def take(self, status: int, headers: Headers, pieces: Iterable[bytes], *, ranges: bool) -> tuple[str, int]:
        """Write the body; its SHA-256 and its length. `ranges`: it may be gone on with from any byte.

        Raises TransportError where it does not come whole (what came is kept if the rest can be asked for), StoreError
        where it cannot be written.
        """
        begin = self._begin(status, headers)
        if not begin:
            length = headers.get("content-length") or ""
            self._remember(_validator(headers) if ranges else "", int(length) if length.isdecimal() else None)
        digest = sha256()
        try:
            with self._path.open("r+b" if begin else "wb") as file:
                size = _digested(file, digest, begin)
                for piece in pieces:
                    size += len(piece)
                    if size > self._downloads.most:
                        reason = f"the file is larger than {self._downloads.most:,} bytes (site.max_file)"
                        raise TransportError("too_large", reason, final=True)
                    digest.update(piece)
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise _unwritable(self._path, error) from error
        except TransportError as error:
            if error.final:
                self.forget()
            raise
        return digest.hexdigest(), size

    def keep(self, digest: str, suffix: str) -> Path:
        """Put the whole file in its place; where it lies."""
        try:
            path = self._downloads.keep(self._path, digest, suffix)
            self.forget()
        except OSError as error:
            raise _unwritable(self._downloads.folder, error) from error
        return path

    def _begin(self, status: int, headers: Headers) -> int:
        """The byte with which the answer begins."""
        if status != 206:
            return 0
        size = self._path.stat().st_size if self._path.exists() and self.validator else 0
        if wrong := self._unfit(size, headers):
            self.forget()
            raise TransportError("network_error", wrong)
        return size

    def _unfit(self, size: int, headers: Headers) -> str:
        """Why a part does not go on what is there (RFC 9110, 15.3.7.3: only with the same strong validator)."""
        if not self.validator:
            return "asked for the whole file, and got a part of it (206)"
        said = headers.get("content-range")
        found = _RANGE.match(said or "")
        if found is None or int(found[1]) != size:
            return f"asked for the bytes from {size} on, and got {said!r}"
        if (now := _validator(headers)) and now != self.validator:
            return f"the file has changed while it was fetched: {self.validator} before, {now} now"
        if self._total is not None and found[2] not in ("*", str(self._total)):
            return f"the file has changed while it was fetched: {self._total:,} bytes before, {found[2]} now"
        return ""

    def _remember(self, validator: str, total: int | None) -> None:
        try:
            self._about.write_text(json.dumps({"validator": validator, "total": total}), encoding="utf-8")
        except OSError as error:
            raise _unwritable(self._about, error) from error


def _digested(file: Any, digest: Any, size: int) -> int:
    """Take in what is there, up to that size; the file is then at its end."""
    left = size
    while left:
        block = file.read(min(BLOCK, left))
        digest.update(block)
        left -= len(block)
    file.truncate(size)
    file.seek(size)
    return size


def _validator(headers: Headers) -> str:
    etag = headers.get("etag") or ""
    if etag.startswith('"'):
        return etag
    return headers.get("last-modified") or ""


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"a download cannot be written: {path}: {error.strerror or error}",
        "mend the disk or its rights (is it full?), then use --resume: nothing is lost",
    )


def file_name(headers: Headers, url: str) -> str:
    """The name that a file has: as Content-Disposition gives it (RFC 6266), else the end of the address, decoded.

    Folders, control characters and what a file system cannot hold are gone from it; it names nothing on this disk.

    >>> file_name(Headers([("Content-Disposition", "attachment; filename*=UTF-8''%e2%82%ac.pdf; filename=x")]), "")
    '€.pdf'
    >>> file_name(Headers(), "http://a.test/minutes/M%C3%A4rz%202025.pdf?x=1"), file_name(Headers(), "http://a.test/")
    ('März 2025.pdf', 'a.test')
    """
    name = _disposition(headers.get("content-disposition") or "")
    if not _clean(name):
        address = url.partition("://")[2].partition("?")[0].partition("#")[0].rstrip("/")
        name = _decoded(unquote_to_bytes(address.rpartition("/")[2]))
    return _clean(name) or "file"


def _disposition(field: str) -> str:
    given: dict[str, str] = {}
    for name, quoted, bare in _PARAMETER.findall(";" + field.partition(";")[2]):
        given.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) if quoted else bare)
    extended = re.fullmatch(r"([\w-]+)'[^']*'(.*)", given.get("filename*", ""))
    if extended:
        try:
            return unquote(extended[2], encoding=extended[1], errors="strict")
        except (LookupError, UnicodeDecodeError):
            pass
    plain = given.get("filename", "")
    if "%" in plain and "/" not in plain:
        plain = unquote(plain)
    return _decoded(plain.encode("latin-1", "replace")) if not plain.isascii() else plain


def _decoded(data: bytes) -> str:
    """UTF-8 where it is that, as most servers write it whatever the standard says."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _clean(name: str) -> str:
    name = re.split(r"[/\\]", name)[-1]
    name = "".join(sign for sign in name if sign.isprintable()).strip(" .")
    if len(name) <= LONGEST:
        return name
    suffix = _SUFFIX.search(name, len(name) - 11)
    tail = suffix[0] if suffix and suffix.end() == len(name) else ""
    return name[: LONGEST - len(tail)] + tail


def suffix_of(name: str, media_type: str) -> str:
    """The end of the stored file's name, by which programs know what it is; empty where nothing tells it."""
    ending = Path(name).suffix
    if _SUFFIX.fullmatch(ending):
        return ending.lower()
    return (mimetypes.guess_extension(media_type) or "") if media_type else ""
