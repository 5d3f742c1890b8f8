"""Files below a spec's folder that its tests name: saved pages, and the items that they must give."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from yamlcrawl.commands.asked import request_of
from yamlcrawl.errors import ParseError, Problem, RefusedError, SpecError, TargetError
from yamlcrawl.errors import Path as Steps
from yamlcrawl.model.item import Item
from yamlcrawl.model.plan import CrawlPlan
from yamlcrawl.model.request import Chain
from yamlcrawl.model.response import Headers, Response
from yamlcrawl.parsers.json import read_json
from yamlcrawl.spec.load import Loaded
from yamlcrawl.spec.tests import Test
from yamlcrawl.targets.layout import json_bytes
from yamlcrawl.targets.replace import replace as put


class Saved:
    """The files of one spec."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded

    def answer(self, plan: CrawlPlan, test: Test, path: Steps) -> Response:
        """The saved page as the answer that it was; raises SpecError where it is not there."""
        request = request_of(plan, test.requested_url or test.url, test.page)
        request = replace(request, carry={**request.carry, **test.carried})
        if test.requested_url is not None:
            request = replace(request, url=test.url, chain=Chain(hops=(test.requested_url,)))
        body = self.read(test.file, (*path, "file"), plan.site.max_body)
        fetched_at = time.time() if test.moment is None else test.moment
        headers = Headers(test.headers.items())
        return Response(request, test.url, test.status, headers, body, len(body), 0.0, fetched_at)

    def items(self, name: str, path: Steps) -> list[Any]:
        """The items of a file, numbers exact; raises SpecError where it holds none."""
        try:
            text = self.read(name, path).decode("utf-8")
            if name.endswith(".jsonl"):
                items = [read_json(line) for line in text.splitlines() if line.strip()]
            else:
                items = read_json(text)
        except (UnicodeDecodeError, ParseError) as error:
            what = "it is no UTF-8" if isinstance(error, UnicodeDecodeError) else error.what
            raise self._wrong(path, f"{name} cannot be read: {what}", _UPDATE) from None
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise self._wrong(path, f"{name} is no list of items", _UPDATE)
        return items

    def read(self, name: str, path: Steps, most: int | None = None) -> bytes:
        """The bytes of a file; `path` is where the spec names it. Raises SpecError."""
        file = self.file(name, path)
        try:
            if most is not None and file.stat().st_size > most:
                raise self._wrong(path, f"{name} is larger than site.max_body, so a crawl would not read it", "")
            return file.read_bytes()
        except FileNotFoundError:
            fix = _UPDATE if path[-1] == "items" else "`yamlcrawl record` saves a page; the path begins at the spec"
            raise self._wrong(path, f"there is no file {self._loaded.folder / name}", fix) from None
        except OSError as error:
            what = f"{self._loaded.folder / name} cannot be read: {error.strerror}"
            raise self._wrong(path, what, "name a file") from None

    def file(self, name: str, path: Steps) -> Path:
        """Where the file lies; raises SpecError where a link leads out of the spec's folder."""
        folder = self._loaded.folder.resolve()
        file = (folder / name).resolve()
        if not file.is_relative_to(folder):
            raise self._wrong(path, f"{name} leads out of the spec's own folder", "put the file itself there")
        return file

    def _wrong(self, path: Steps, what: str, fix: str) -> SpecError:
        return SpecError((Problem(self._loaded.problems.locate(path), what, fix),))


_UPDATE = "`yamlcrawl test SPEC --update` writes it"


def items_text(items: Iterable[Item], *, lines: bool) -> bytes:
    """The items as a file of them holds them: JSON lines, or a list with one item a line."""
    texts: Sequence[str] = [item.text for item in items]
    if lines:
        return json_bytes("".join(f"{text}\n" for text in texts))
    return json_bytes("[\n" + ",\n".join(texts) + "\n]\n" if texts else "[]\n")


def values(item: Item) -> Any:
    """The fields of an item as values, numbers exact."""
    return read_json(item.text)


def write(file: Path, data: bytes) -> None:
    """Put the file in place in one step; raises RefusedError where that cannot be."""
    try:
        put(file, lambda: [data], good=True)
    except TargetError as error:
        raise RefusedError(error.what, "look at the rights of its folder") from error
