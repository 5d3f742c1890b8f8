"""Start requests: where the crawl begins, once for each choice of the variables that they use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path as File

from yamlcrawl.compiler.frame import compile_patterns, numbered
from yamlcrawl.compiler.sending import Outgoing, compile_sending
from yamlcrawl.compiler.start_file import FileBeginning, look_through
from yamlcrawl.compiler.templates import Names, Template, host_trouble
from yamlcrawl.compiler.variables import Axis, Matrix, combinations
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.request import Purpose, Request
from yamlcrawl.model.secrets import MARK
from yamlcrawl.options import shown
from yamlcrawl.selectors.regex import compile_fullmatch
from yamlcrawl.spec.start import Start
from yamlcrawl.urls import host_key, host_name, join, origin, port

MOST_PARKED = 1000
"""Parked addresses that are listed of one start request."""

PURPOSES: Mapping[str, Purpose] = {"sitemap": "sitemap", "feed": "feed"}
"""What requests are for whose answers list addresses."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """One start request of the spec, before its variables are chosen."""

    page: str
    path: Path
    url: Template
    outgoing: Outgoing
    carry: Mapping[str, Template]
    axes: tuple[Axis, ...]
    fetch: bool
    priority: int
    purpose: Purpose = "page"

    def addresses(self, axes: Sequence[Axis]) -> Iterator[tuple[dict[str, str], str | None]]:
        """Each choice of values, and the absolute URL that it gives (None where it gives none)."""
        for chosen in combinations(axes, {}):
            yield chosen, absolute(self.url.text(vars=chosen) or "")

    def origins(self) -> Iterator[str | None]:
        """A URL of each host that it may lead to; None where it leads to none."""
        names = _names_in_host(self.url)
        in_host = [axis for axis in self.axes if names.intersection(axis.names)]
        rest = [axis for axis in self.axes if axis not in in_host]
        firsts = next(combinations(rest, {}), {})
        for chosen in combinations(in_host, firsts):
            yield absolute(self.url.text(vars=chosen) or "")

    def parked(self, most: int) -> Iterator[str]:
        """The addresses that are not fetched."""
        return (url for _, url in islice(self.addresses(self.axes), most) if url)

    def requests(self, canonical: Callable[[str], str], may: Callable[[str], frozenset[str]]) -> Iterator[Request]:
        """The requests, in the order of the variables."""
        for chosen, url in self.addresses(self.axes):
            if url is None:
                continue
            message = self.outgoing.message(url, may, vars=chosen, secrets=self.url.secrets)
            yield Request(
                message.url,
                canonical(message.url),
                page=self.page,
                method=message.method,
                headers=message.headers,
                body=message.body,
                priority=self.priority,
                purpose=self.purpose,
                via=dotted(self.path),
                carry={name: template.fill(vars=chosen) for name, template in self.carry.items()},
                vars=chosen,
                seed=True,
                secrets=message.secrets,
            )


def absolute(text: str) -> str | None:
    """The absolute URL that a filled template gives; references to secrets in it are percent-encoded."""
    return join("", text.replace(MARK, "%1A"))


AnyBeginning = Beginning | FileBeginning


def compile_start(
    start: Mapping[str, Sequence[Start]], names: Names, matrix: Matrix, file: Callable[[str], File | None]
) -> tuple[AnyBeginning, ...]:
    """The start requests in their order; what is wrong is noted. `file` says where a file of addresses lies."""
    found: list[AnyBeginning] = []
    for page, written in start.items():
        for path, one in zip(numbered(("start", page), len(written)), written, strict=True):
            if one.file is not None:
                found.append(_from_file(page, path, one, one.file, file(one.file), names, matrix))
            elif _is_address(beginning := _beginning(page, path, one, names, matrix), one.source, names):
                found.append(beginning)
    return tuple(found)


def _from_file(
    page: str, path: Path, start: Start, name: str, file: File | None, names: Names, matrix: Matrix
) -> FileBeginning:
    outgoing, carry = compile_sending(start, path, names), _carry(start, path, names)
    found = None if file is None else look_through(name, file, (*path, "file"), carry, names.problems)
    axes = matrix.used((*outgoing.templates(), *carry.values()))
    include, exclude = (
        compile_patterns(patterns, (*path, key), names.problems, compile_fullmatch)
        for key, patterns in (("include", start.include), ("exclude", start.exclude))
    )
    return FileBeginning(page, path, found, outgoing, carry, axes, start.fetch, start.priority, include, exclude)


def _beginning(page: str, path: Path, start: Start, names: Names, matrix: Matrix) -> Beginning:
    url = names.template(start.address, (*path, start.source))
    outgoing = compile_sending(start, path, names)
    carry = _carry(start, path, names)
    axes = matrix.used((url, *outgoing.templates(), *carry.values()))
    purpose = PURPOSES.get(start.source, "page")
    return Beginning(page, path, url, outgoing, carry, axes, start.fetch, start.priority, purpose)


def _carry(start: Start, path: Path, names: Names) -> dict[str, Template]:
    carry = {name: names.template(text, (*path, "carry", name)) for name, text in start.carry.items()}
    for name, template in carry.items():
        if template.secrets:
            fix = f"write ${{env.{template.secrets[0]}}} where it is sent"
            names.problems.error((*path, "carry", name), "a secret cannot be carried: items would hold it", fix)
    return carry


def _is_address(beginning: Beginning, source: str, names: Names) -> bool:
    path = (*beginning.path, source)
    trouble = host_trouble(beginning.url)
    if trouble:
        fix = "write the host out, or use a var:  vars: {host: …}  and --var host=…"
        names.problems.error(path, trouble, fix)
        return False
    literal = beginning.url.parts[0] if isinstance(beginning.url.parts[0], str) else ""
    if literal.lower().startswith(("file:", "ftp:")):
        scheme = literal.partition(":")[0].lower()
        names.problems.error(path, f"{scheme}: addresses are not yet supported in this version", "say http or https")
        return False
    broken = _broken(beginning)
    if broken is not None and names.check_env:
        names.problems.error(path, f"{shown(broken)} is no address", "write one such as https://shop.example/")
    return broken is None


def _broken(beginning: Beginning) -> str | None:
    """The first address that is none, as it was filled in."""
    if all(url is not None for url in beginning.origins()):
        return None
    for chosen, url in beginning.addresses(beginning.axes):
        if url is None:
            return (beginning.url.text(vars=chosen) or "").replace(MARK, "")
    return None


def _names_in_host(url: Template) -> set[str]:
    """The variables that stand before the path."""
    text = "".join(part if isinstance(part, str) else f"\0{part.name}\0" for part in url.parts)
    scheme, mark, rest = text.partition("://")
    head = scheme + re.split(r"[/?#\\]", rest, maxsplit=1)[0] if mark else text
    return set(re.findall("\0([^\0]*)\0", head))


def hosts_named(url: Template, matrix: Matrix) -> Iterator[str]:
    """The hosts that an absolute template names, one for each choice of the variables that stand in its host."""
    if url.whole is not None:
        return
    names = _names_in_host(url)
    if any(name in names for kind in ("carry", "field") for name in url.slots(kind)):
        return
    for chosen in combinations(matrix.naming(names), {}):
        parts = [chosen.get(part.name, "x") if not isinstance(part, str) else part for part in url.parts]
        found = absolute("".join(parts))
        if found:
            yield host_name(found)


def origins_of(beginnings: Iterable[AnyBeginning]) -> frozenset[str]:
    """`host_key` and `origin` of each host that is asked first."""
    urls = [url for beginning in beginnings if beginning.fetch for url in beginning.origins() if url]
    return frozenset(name for url in urls for name in (host_key(url), origin(url)))


def contents_of(beginnings: Iterable[AnyBeginning]) -> dict[str, str]:
    """The hashes of the files that list addresses, by their name."""
    files = [one.file for one in beginnings if isinstance(one, FileBeginning) and one.file is not None]
    return {file.name: file.digest for file in files}


def hosts_of(beginnings: Iterable[AnyBeginning], login: Template | None) -> tuple[frozenset[str], frozenset[str]]:
    """The host names of the start and of the login, and ``host:port`` of each."""
    urls = [url for beginning in beginnings for url in beginning.origins() if url]
    if login is not None and (address := absolute(login.text() or "")):
        urls.append(address)
    return frozenset(map(host_name, urls)), frozenset(f"{host_name(url)}:{port(url)}" for url in urls)


def parked(beginnings: Iterable[AnyBeginning]) -> tuple[tuple[str, str], ...]:
    """Page kind and URL of the start requests that are not to be fetched."""
    return tuple(
        (beginning.page, url)
        for beginning in beginnings
        if not beginning.fetch
        for url in beginning.parked(MOST_PARKED)
    )
