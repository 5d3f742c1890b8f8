"""The house stands: imports go strictly downwards, and each outside library has one address."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parent.parent / "yamlcrawl"

FLOORS = {
    "cli": 7,
    "commands": 6,
    "compiler": 5,
    "spec": 4,
    "reports": 4,
    "fetchers": 3,
    "parsers": 3,
    "selectors": 3,
    "transforms": 3,
    "targets": 3,
    "engine": 3,
    "options": 2,
    "frontiers": 2,
    "model": 1,
    "errors": 0,
    "extras": 0,
    "streams": 0,
    "urls": 0,
    "demo": 0,
}
"""Part of the package to its floor; it may import what lies on a lower one, and itself."""

ADDRESSES = {
    "typer": ("cli", "commands"),
    "rich": ("commands", "reports"),
    "yaml": ("spec/load", "spec/yaml"),
    "pydantic": ("options", "fetchers", "parsers", "selectors", "transforms", "targets", "spec", "reports"),
    "requests": ("fetchers",),
    "urllib3": ("fetchers",),
    "jmespath": ("selectors/jmespath",),
    "chompjs": ("selectors/script",),
    "dateparser": ("transforms/date_words",),
    "feedparser": ("parsers/feed",),
    "markdownify": ("transforms/markdown",),
    "trafilatura": ("transforms/article",),
    "pypdf": ("parsers/pdf",),
    "lxml": ("parsers", "selectors/xpath"),
    "cssselect": ("selectors/css",),
    "regex": ("selectors/regex",),
    "ada_url": ("urls",),
    "webencodings": ("parsers",),
    "cchardet": ("parsers",),
    "protego": ("engine/robots",),
    "brotli": ("fetchers",),
    "backports": ("fetchers",),
    "compression": ("fetchers",),
    "threading": ("engine", "frontiers", "fetchers", "demo"),
    "sqlite3": ("frontiers",),
    "socket": ("fetchers", "demo"),
}
"""Library to the parts that may import it: every outside one, and those of the standard library that have one place."""

STORES = ("SqliteFrontier", "MemoryFrontier")


class Import(NamedTuple):
    file: str
    line: int
    module: str


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def inside(path: Path) -> str:
    """The path within the package without its suffix, e.g. ``spec/load``."""
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def imports(path: Path) -> Iterator[Import]:
    """Every import of the file, those in functions and under TYPE_CHECKING too, one for each name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield Import(inside(path), node.lineno, name.name)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative imports hide the floor"
            for name in node.names:
                yield Import(inside(path), node.lineno, f"{node.module}.{name.name}")


def part(dotted: str) -> str:
    """The part of the package that a dotted module of it lies in; empty for the package itself."""
    steps = dotted.split(".")
    return steps[1] if len(steps) > 1 and steps[1] in FLOORS else ""


def home(file: str) -> str:
    """The part that a file belongs to; the package's own entry points stand above all."""
    return file.split("/", 1)[0]


@pytest.mark.parametrize("path", sources(), ids=inside)
def test_imports_go_strictly_downwards(path: Path) -> None:
    mine = home(inside(path))
    floor = FLOORS.get(mine, max(FLOORS.values()) + 1)
    wrong = [
        f"{found.file}:{found.line} imports {found.module}"
        for found in imports(path)
        if found.module.split(".")[0] == "yamlcrawl"
        and (other := part(found.module))
        and other != mine
        and FLOORS[other] >= floor
    ]
    assert not wrong


def test_every_part_has_a_floor() -> None:
    parts = {home(inside(path)) for path in sources()} - {"__init__", "__main__"}
    assert parts <= FLOORS.keys()


@pytest.mark.parametrize("path", sources(), ids=inside)
def test_each_library_has_its_address(path: Path) -> None:
    file = inside(path)
    wrong = [
        f"{found.file}:{found.line} imports {found.module}"
        for found in imports(path)
        if (library := found.module.split(".")[0]) in ADDRESSES
        and not any(file == address or file.startswith(address + "/") for address in ADDRESSES[library])
    ]
    assert not wrong


def test_every_outside_library_has_an_address() -> None:
    known = ADDRESSES.keys() | sys.stdlib_module_names | {"yamlcrawl"}
    strangers = {found for path in sources() for found in imports(path) if found.module.split(".")[0] not in known}
    assert not strangers


def test_only_the_frontiers_know_which_store_it_is() -> None:
    """Whoever opens a frontier may name it; nobody else asks which one it got."""
    wrong = []
    for path in sources():
        if home(inside(path)) == "frontiers":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            asks = isinstance(node, (ast.Compare, ast.Match)) or (
                isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass", "type")
            )
            if asks and any(store in ast.unparse(node) for store in STORES):
                wrong.append(f"{inside(path)}:{node.lineno}")
    assert not wrong


def test_the_reader_of_imports_sees_hidden_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    file = tmp_path / "spec.py"
    file.write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import yaml\n"
        "def f():\n    from yamlcrawl.engine import crawl\n"
    )
    assert {found.module for found in imports(file)} == {"typing.TYPE_CHECKING", "yaml", "yamlcrawl.engine.crawl"}
