"""Which files a command is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from yamlcrawl.commands.assignments import assignments
from yamlcrawl.commands.specs import spec_files, specs_below
from yamlcrawl.errors import RefusedError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "a.yml": "name: a\nstart: {}\npages: {}\n",
        "deep/b.yaml": "pages:\n  start: x\nstart:\n",
        "deep/ci.yml": "jobs:\n  start: x\n",
        ".yamlcrawl/c.yml": "start:\npages:\n",
        "notes.txt": "start:\npages:\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_folder_stands_for_the_yaml_files_below_it(folder: Path) -> None:
    found = spec_files([folder, folder / "a.yml", folder / "gone.yml"])
    assert [str(path.relative_to(folder)) for path in found] == ["a.yml", "deep/b.yaml", "deep/ci.yml", "gone.yml"]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"no \.yml or \.yaml file"):
        spec_files([tmp_path])


def test_only_what_looks_like_a_spec_is_listed(folder: Path) -> None:
    assert [path.name for path in specs_below(folder)] == ["a.yml", "b.yaml"]


@pytest.mark.parametrize("text", ["city", "=oslo", " =x", ""])
def test_a_flag_without_name_and_value_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="--var"):
        assignments([text], "--var", "city=oslo")
