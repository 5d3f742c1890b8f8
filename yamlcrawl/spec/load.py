"""A file to a checked spec; every problem at once, each with its place."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path as File

import yaml

from yamlcrawl.errors import Path, Problem, Problems, SpecError, Where, dotted
from yamlcrawl.options import Plain, quoted, shown
from yamlcrawl.parsers.address_file import read_heading
from yamlcrawl.spec.partial import Columns, check
from yamlcrawl.spec.root import Spec
from yamlcrawl.spec.wording import Refusal
from yamlcrawl.spec.yaml.accidents import mend
from yamlcrawl.spec.yaml.compose import UnreadableError, compose, split_lines
from yamlcrawl.spec.yaml.tree import Node, Place, at, find, move

LARGEST = 1_000_000
"""Bytes of a spec; the longest that people write have a tenth of it."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A spec, and how to speak of its places."""

    spec: Spec
    file: str
    """As the user named it."""
    folder: File
    """What the files that it reads are relative to."""
    problems: Problems
    """What was found so far; `locate` knows the place of every path."""
    standard_input: File | None = None
    """Where the standard input lies that a start request reads (`file: "-"`); None where it is not there."""
    partial: bool = False
    """Parts at fault were taken out, so what leads to them or counts on them is not there: asked for with `partial`."""

    def address_file(self, name: str) -> File | None:
        """Where a file of addresses lies; None for a standard input that is not there."""
        return _address_file(name, self.folder, self.standard_input)

    @property
    def reads_standard_input(self) -> bool:
        """Whether start requests come from there."""
        return any(start.file == "-" for starts in self.spec.start.values() for start in starts)


def load(
    path: str | File,
    *,
    sets: Mapping[str, str] | None = None,
    partial: bool = False,
    standard_input: File | None = None,
) -> Loaded:
    """The spec in a file; raises SpecError with everything that is wrong with it.

    `sets` are values by dotted key that stand instead of (or beside) those in the file. With `partial` what is left of
    a spec with errors comes back, if that makes a spec: the errors are among its problems, and whoever has checked the
    rest calls their `raise_errors`. `standard_input` is a file with what was read there.
    """
    file = File(path)
    return _load(_read(file), str(path), file.parent, sets or {}, partial=partial, standard_input=standard_input)


def loads(text: str, file: str = "spec.yml", *, sets: Mapping[str, str] | None = None, partial: bool = False) -> Loaded:
    """The same from a text, which messages call `file`."""
    return _load(text, file, File(), sets or {}, partial=partial)


def _load(
    text: str,
    file: str,
    folder: File,
    sets: Mapping[str, str],
    *,
    partial: bool,
    standard_input: File | None = None,
) -> Loaded:
    reader = _Reader(file)
    root = reader.tree(text)
    for key, value in sets.items():
        reader.set(root, key, value)
    spec = reader.check(root, lambda name: _columns(_address_file(name, folder, standard_input)))
    if spec is None or not partial:
        reader.problems.raise_errors()
    assert spec is not None, "a refused spec has problems"
    return Loaded(spec, file, folder, reader.problems, standard_input, partial=bool(reader.problems.errors))


class _Reader:
    """Reads one file: notes problems at the places that the user knows."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._root = Node((1, 1))
        self._bent: list[Path] = []
        """Where YAML cannot read a value as it stands, and a guess at what was meant is checked."""
        self.problems = Problems(self.locate)

    def locate(self, path: Path) -> Where:
        """The place of the value at a path, as far as it was written."""
        return self._where(path, named=False)

    def _where(self, path: Path, *, named: bool) -> Where:
        spot = find(self._root, path)
        if spot.node.origin:
            return Where(spot.node.origin, path=dotted(spot.path))
        line, column = spot.key if named and spot.key else spot.place
        return Where(self._file, line, column, dotted(spot.path))

    def _note(self, place: Place, path: Path, what: str, fix: str) -> None:
        self._bent.append(path)
        self._tell(Problem(Where(self._file, *place, path=dotted(path)), what, fix))

    def _tell(self, problem: Problem) -> None:
        if problem not in self.problems.found:
            self.problems.found.append(problem)

    def tree(self, text: str) -> Node:
        """The tree of the text; raises SpecError where there is none."""
        self._check_characters(text)
        try:
            mended = mend(text)
            root = compose(mended.text, lambda place, *said: self._note(mended.original(place), *said))
        except UnreadableError as error:
            self._note(error.place, (), error.what, error.fix)
            raise SpecError(self.problems.errors) from None
        if root is None:
            self._note((1, 1), (), "the file is empty", "begin with  name: …")
            raise SpecError(self.problems.errors)
        for accident in mended.accidents:
            self._note(accident.place, at(root, accident.mended_place), accident.what, accident.fix)
        if mended.added:
            move(root, mended.original)
        self._root = root
        return root

    def _check_characters(self, text: str) -> None:
        found = yaml.reader.Reader.NON_PRINTABLE.search(text)
        if found is None:
            return
        before = split_lines(text[: found.start()])
        place = len(before), len(before[-1]) + 1
        what = f"the character U+{ord(found[0]):04X} stands here, which YAML does not allow"
        self._note(place, (), what, 'write it as an escape in double quotes: "\\x00", or leave it out')
        raise SpecError(self.problems.errors)

    def set(self, root: Node, key: str, written: str) -> None:
        """Put a value into the tree, as if it stood in the file."""
        origin = f"--set {key}"
        node = root
        for step in key.split(".")[:-1]:
            child = node.child(int(step) if step.isdecimal() and isinstance(node.value, list) else step)
            if child is None and isinstance(node.value, dict):
                child = node.value[step] = Node((0, 0), {}, keys={}, origin=origin)
            if child is None:
                raise SpecError((Problem(Where(origin), f'there is no "{step}" to set anything in', "name its keys"),))
            node = child
        if not isinstance(node.value, dict):
            raise SpecError((Problem(Where(origin), "what is set is no key of a mapping", "name the key"),))
        node.value[key.rpartition(".")[2]] = _value(written, origin)

    def check(self, root: Node, columns: Columns) -> Spec | None:
        """The spec of the tree, as far as it makes sense; notes all that is wrong in it."""
        bent = {(problem.where.line, problem.where.column) for problem in self.problems.found}
        spec, found = check(root.plain(), self._bent, columns)
        for refusal in found:
            self._refuse(refusal, bent)
        return spec

    def _commented(self, path: Path) -> Path:
        """The path of a value right below that YAML took for a comment: that is why its mapping is refused."""
        spot = find(self._root, path)
        if spot.path != path:
            return path
        return next(((*path, step) for step, child in spot.node.children() if _is_comment(child)), path)

    def _refuse(self, refusal: Refusal, bent: Container[Place]) -> None:
        path = self._commented(refusal.path)
        where = self._where(path, named=refusal.named)
        if (where.line, where.column) in bent:
            return  # YAML bent what stands here, and that has been told
        node = find(self._root, path).node
        what, fix, quote = refusal.what, refusal.fix, refusal.quote
        if _is_comment(node):
            what, fix, quote = f"the value is missing: YAML reads {shown(node.cut)} as a comment", "", node.cut
        if quote:
            fix = f"quote it: {_key_of(path)}{quoted(quote)} {fix}".strip()
        self._tell(Problem(where, what, fix))


def _is_comment(node: Node) -> bool:
    """Whether nothing is left of a value since it begins with #."""
    return node.value is None and re.match(r"#\S", node.cut) is not None


def _key_of(path: Path) -> str:
    return f"{path[-1]}: " if path and isinstance(path[-1], str) else ""


def _value(written: str, origin: str) -> Node:
    """What a value given on the command line is: a text, or a list or mapping in brackets or braces."""
    node: Node | None = Node((0, 0), Plain(written))
    if written[:1] in ("[", "{"):
        try:
            node = compose(written, lambda *_: None)
        except (yaml.YAMLError, UnreadableError) as error:
            problem = Problem(Where(origin), f"{shown(written)} is no list or mapping", "close what is opened")
            raise SpecError((problem,)) from error
    assert node is not None, "a bracket is a value"
    pending = [node]
    while pending:
        inner = pending.pop()
        inner.origin = origin
        pending.extend(child for _, child in inner.children())
    return node


def _address_file(name: str, folder: File, standard_input: File | None) -> File | None:
    return standard_input if name == "-" else folder / name


def _columns(file: File | None) -> tuple[str, ...] | None:
    """The columns of a file of addresses that are carried; what is wrong with it is told when it is looked through."""
    if file is None:
        return None
    try:
        heading = read_heading(file)
    except OSError:
        return None
    return heading.others if heading else ()


def _read(file: File) -> str:
    """The text of a spec file; raises SpecError."""
    try:
        if file.is_dir():
            raise _unreadable(file, "this is a folder", "name a file in it")
        with file.open("rb") as source:
            data = source.read(LARGEST + 1)
    except FileNotFoundError:
        raise _unreadable(file, "there is no such file", _neighbour(file)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is none"
        raise _unreadable(file, f"the file cannot be read: {reason}", "look at its name and rights") from None
    if len(data) > LARGEST:
        raise _unreadable(file, f"the file is larger than {LARGEST // 10**6} MB, so it is hardly a spec", "")
    return _decoded(file, data)


def _decoded(file: File, data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise _unreadable(file, "the file is written in UTF-16", "save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in data[:1000]:
            raise _unreadable(file, "this is no text file", "name a spec, a text file in YAML") from None
        before = split_lines(data[: error.start].decode("utf-8", "replace"))
        where = Where(str(file), len(before), len(before[-1]) + 1)
        what = f"the byte {data[error.start]:#04x} is no UTF-8"
        raise SpecError((Problem(where, what, "save the file as UTF-8"),)) from None


def _unreadable(file: File, what: str, fix: str) -> SpecError:
    return SpecError((Problem(Where(str(file)), what, fix),))


def _neighbour(file: File) -> str:
    try:
        names = [entry.name for entry in file.parent.iterdir() if entry.suffix in (".yml", ".yaml")]
    except OSError:
        return "look at its folder"
    near = get_close_matches(file.name, names, n=1)
    return f"did you mean {file.with_name(near[0])}?" if near else "look at its name, and the folder you are in"
