"""Files that are written whole: in one step or not at all."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from yamlcrawl.errors import TargetError
from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.plan import TargetPlan

Plan = Callable[..., TargetPlan]
Rows = Callable[[int], list[ItemRow]]
Items = Callable[..., Any]


def test_one_array_each_time(plan: Plan, rows: Rows, sorted_items: Items, tmp_path: Path) -> None:
    for count in (2, 2, 0):
        plan("x.json").replace(sorted_items(rows(count)), True)
        assert len(json.loads((tmp_path / "x.json").read_text())) == count
    assert (tmp_path / "x.json").read_text() == "[]\n"


def test_one_item_a_line(plan: Plan, rows: Rows, sorted_items: Items, tmp_path: Path) -> None:
    plan("x.json").replace(sorted_items(rows(3)), True)
    lines = (tmp_path / "x.json").read_text().splitlines()
    assert (lines[0], lines[-1]) == ("[", "]")
    assert [json.loads(line.rstrip(","))["price"] for line in lines[1:-1]] == [1, 2, 3]


def test_a_run_that_is_no_good_writes_beside_the_old_file(
    plan: Plan, rows: Rows, sorted_items: Items, tmp_path: Path, litter: Callable[[], list[str]]
) -> None:
    (tmp_path / "x.jsonl").write_text("old\n")
    one = plan("x.jsonl")
    assert one.replace(sorted_items(rows(2)), False) == str(tmp_path / "x.jsonl.rejected")
    assert (tmp_path / "x.jsonl").read_text() == "old\n"
    assert len((tmp_path / "x.jsonl.rejected").read_text().splitlines()) == 2
    one.replace(sorted_items(rows(3)), True)
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


def test_folders_are_made(plan: Plan, rows: Rows, sorted_items: Items, tmp_path: Path) -> None:
    one = plan("a/b/x.jsonl")
    one.check()
    assert not (tmp_path / "a").exists()
    one.replace(sorted_items(rows(1)), True)
    assert (tmp_path / "a/b/x.jsonl").is_file()


def test_a_link_stays_a_link(plan: Plan, rows: Rows, sorted_items: Items, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/there.jsonl").write_text("old\n")
    (tmp_path / "x.jsonl").symlink_to("real/there.jsonl")
    plan("x.jsonl").replace(sorted_items(rows(1)), True)
    assert (tmp_path / "x.jsonl").is_symlink()
    assert (tmp_path / "real/there.jsonl").read_text() == rows(1)[0].text + "\n"


def test_permissions_stay(plan: Plan, rows: Rows, sorted_items: Items, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("old\n")
    (tmp_path / "x.jsonl").chmod(0o640)
    plan("x.jsonl").replace(sorted_items(rows(1)), True)
    assert (tmp_path / "x.jsonl").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "read-only"), (errno.EIO, "Input/output error")],
)
def test_a_disk_that_gives_up_leaves_the_old_file(
    number: int,
    said: str,
    plan: Plan,
    rows: Rows,
    sorted_items: Items,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    litter: Callable[[], list[str]],
) -> None:
    (tmp_path / "x.jsonl").write_text("old\n")

    def give_up(_fd: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", give_up)
    with pytest.raises(TargetError, match=said) as caught:
        plan("x.jsonl").replace(sorted_items(rows(2)), True)
    assert "Errno" not in str(caught.value)
    assert caught.value.fix
    assert (tmp_path / "x.jsonl").read_text() == "old\n"
    assert litter() == []


def test_items_that_cannot_be_had_leave_the_old_file(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("old\n")

    def broken(_kinds: Any, _order: Any) -> Iterator[ItemRow]:
        yield from rows(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plan("x.csv").replace(broken, True)
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]
    assert (tmp_path / "x.csv").read_text() == "old\n"


def test_what_a_killed_run_left_is_taken_over(plan: Plan, rows: Rows, sorted_items: Items, tmp_path: Path) -> None:
    (tmp_path / ".x.jsonl.new").write_text("half a li")
    (tmp_path / ".x.jsonl.lock").write_text("")
    plan("x.jsonl").replace(sorted_items(rows(1)), True)
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


def test_rows_are_asked_for_under_the_lock(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    asked = []

    def items(kinds: Any, order: Any) -> list[ItemRow]:
        asked.append((kinds, order))
        fd = os.open(tmp_path / ".x.jsonl.lock", os.O_RDWR)
        with pytest.raises(BlockingIOError):
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(fd)
        return rows(1)

    plan({"to": "x.jsonl", "sort": ["price", "title"]}).replace(items, True)
    assert asked == [(("book",), ("price", "title"))]


def test_another_run_that_holds_the_file_is_waited_for_and_named(
    plan: Plan, rows: Rows, sorted_items: Items, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yamlcrawl.targets.replace.PATIENCE", 0.05)
    fd = os.open(tmp_path / ".x.jsonl.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(fd, fcntl.LOCK_EX)
    with pytest.raises(TargetError, match="another run"):
        plan("x.jsonl").replace(sorted_items(rows(1)), True)
    os.close(fd)
    plan("x.jsonl").replace(sorted_items(rows(1)), True)


def test_what_cannot_be_written_is_said_before(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe.jsonl")
    for to, said in (
        ("folder.jsonl", "is a folder"),
        ("file/x.jsonl", "is no folder"),
        ("pipe.jsonl", "no ordinary file"),
        ("x" * 300 + ".jsonl", "name is too long"),
    ):
        with pytest.raises(TargetError, match=said) as caught:
            plan(to).check()
        assert caught.value.fix


def test_what_is_protected_is_said_before(plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ro").mkdir()
    (tmp_path / "x.jsonl").write_text("old")
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)  # root may write everywhere
    for to, said in (("ro/x.jsonl", "ro is write-protected"), ("x.jsonl", "x.jsonl is write-protected")):
        with pytest.raises(TargetError, match=said):
            plan(to).check()


def test_bytes_then_name_are_made_durable(
    plan: Plan, rows: Rows, sorted_items: Items, synced: list[tuple[str, int]], tmp_path: Path
) -> None:
    plan("x.jsonl").replace(sorted_items(rows(2)), True)
    assert synced == [(".x.jsonl.new", (tmp_path / "x.jsonl").stat().st_size), (".", 1)]
