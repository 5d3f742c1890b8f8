"""Fields that are files: an address becomes a request of its own, and a token until its file is there."""

from __future__ import annotations

from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.files import token
from yamlcrawl.model.plan import Place, Read, Value
from yamlcrawl.model.request import Request
from yamlcrawl.urls import canonical


def compile_file(read: Read, path: Path, bench: Bench) -> Read:
    """The field with a token for each address that it reads; the page is told what it has to download."""
    via = dotted(path)

    def wanted(place: Place) -> Value:
        value = read(place)
        if isinstance(value, list):
            return [one(url, place) for url in value if url is not None]
        return one(value, place) if isinstance(value, str) else None

    def one(url: Any, place: Place) -> str:
        view = place.view
        url, secrets = view.secrets.conceal(url)
        request = Request(
            url,
            canonical(url, bench.drop),
            purpose="file",
            depth=view.request.depth,
            priority=view.request.priority,
            via=via,
            parent=view.document.response.url,
            secrets=secrets,
        )
        fingerprint = request.fingerprint
        view.files[fingerprint] = request
        return token(fingerprint)

    return wanted
