"""Files that are added to: the lock, other people's hands, full disks, abandoned runs."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from yamlcrawl.errors import RefusedError, TargetError
from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.plan import TargetPlan

OPTIONS = {"to": "x.jsonl", "mode": "append"}

Plan = Callable[..., TargetPlan]
Rows = Callable[[int], list[ItemRow]]


def test_nothing_is_made_before_the_first_row(plan: Plan, tmp_path: Path) -> None:
    stream = plan(OPTIONS).open(None)
    assert stream.begin() == {"base": 0, "length": 0, "hash": stream.begin()["hash"]}
    assert stream.write([]) == stream.begin()
    stream.close()
    assert list(tmp_path.iterdir()) == []


def test_rows_are_there_when_write_returns(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    stream = plan(OPTIONS).open(None)
    part = stream.write(rows(2))
    assert (tmp_path / "x.jsonl").stat().st_size == part["length"]
    assert (tmp_path / "x.jsonl").read_text() == "".join(one.text + "\n" for one in rows(2))
    stream.close()


def test_a_second_run_adds_below_the_first(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    for number in (0, 1):
        stream = plan({"to": "x.csv", "mode": "append"}).open(None)
        stream.write(rows(2)[number : number + 1])
        stream.close()
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert lines[0] == "title,price"
    assert "title,price" not in lines[1:]


def test_an_own_last_line_gets_its_end(plan: Plan, row: Callable[..., ItemRow], tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"old": 1}')
    stream = plan(OPTIONS).open(None)
    stream.write([row(1, title="new")])
    stream.close()
    assert (tmp_path / "x.jsonl").read_text() == '{"old": 1}\n{"title": "new"}\n'


@pytest.mark.parametrize("there", ["name,price\n", "title\n", "a,b,c\n1,2,3\n"])
def test_another_heading_is_refused(there: str, plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(there)
    with pytest.raises(RefusedError, match="heading is"):
        plan({"to": "x.csv", "mode": "append"}).open(None)
    assert (tmp_path / "x.csv").read_text() == there


def test_one_run_at_a_time(plan: Plan, monkeypatch: pytest.MonkeyPatch, litter: Callable[[], list[str]]) -> None:
    monkeypatch.setattr("yamlcrawl.targets.append.PATIENCE", 0.0)
    stream = plan(OPTIONS).open(None)
    with pytest.raises(TargetError, match="another run"):
        plan(OPTIONS).open(None)
    stream.close()
    stream.close()
    plan(OPTIONS).open(None).close()
    assert litter() == []


def test_the_lock_of_a_killed_process_is_free(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    script = (
        "import sys, time, pathlib\n"
        "from yamlcrawl.model.frontier import ItemRow\n"
        "from yamlcrawl.targets import Run, Jsonl\n"
        "run = Run({'book': ('n',)}, pathlib.Path(sys.argv[1]))\n"
        "stream = Jsonl(to='x.jsonl', mode='append').plan(run)[0].open(None)\n"
        "stream.write([ItemRow(1, 'book', '{\"n\": 1}', '', 0.0)])\n"
        "print('written', flush=True)\n"
        "time.sleep(100)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout
    assert child.stdout.readline() == "written\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    one = plan(OPTIONS, {"book": ("n",)})
    stream = one.open({"base": 0, "length": 0, "hash": ""})
    stream.write([ItemRow(1, "book", '{"n": 1}', "", 0.0), ItemRow(2, "book", '{"n": 2}', "", 0.0)])
    stream.close()
    assert (tmp_path / "x.jsonl").read_text() == '{"n": 1}\n{"n": 2}\n'
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


def test_what_somebody_adds_to_the_tail_is_not_taken_for_ours(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    stream = plan(OPTIONS).open(None)
    part = stream.write(rows(1))
    stream.close()
    with (tmp_path / "x.jsonl").open("a") as file:
        file.write("mine\n")
    again = plan(OPTIONS).open(part)
    with pytest.raises(TargetError, match="somebody else"):
        again.write(rows(2)[1:])
    again.close()
    assert (tmp_path / "x.jsonl").read_text().endswith("mine\n")


def test_another_hand_in_mid_run_is_seen(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    stream = plan(OPTIONS).open(None)
    stream.write(rows(1))
    with (tmp_path / "x.jsonl").open("a") as file:
        file.write("mine\n")
    with pytest.raises(TargetError, match="somebody else"):
        stream.write(rows(2)[1:])
    (tmp_path / "x.jsonl").rename(tmp_path / "y.jsonl")
    with pytest.raises(TargetError, match="moved"):
        stream.write(rows(2)[1:])
    stream.close()


def test_a_full_disk_leaves_whole_lines(
    plan: Plan, rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = plan(OPTIONS).open(None)
    part = stream.write(rows(1))
    real = os.pwrite

    def full(fd: int, data: Any, offset: int) -> int:
        if len(data) < 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, data[:15], offset)

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(TargetError, match="the disk is full") as caught:
        stream.write(rows(2)[1:])
    assert "--resume" in caught.value.fix
    stream.close()
    monkeypatch.undo()
    assert (tmp_path / "x.jsonl").stat().st_size == part["length"]
    again = plan(OPTIONS).open(part)
    again.write(rows(2)[1:])
    again.close()
    assert (tmp_path / "x.jsonl").read_text() == "".join(one.text + "\n" for one in rows(2))


@pytest.mark.parametrize("before", ["", "there before\n", "no line feed"])
@pytest.mark.parametrize("acknowledged", [0, 2, 4])
def test_an_abandoned_run_is_cut_off(before: str, acknowledged: int, plan: Plan, rows: Rows, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(before)
    one = plan(OPTIONS)
    stream = one.open(None)
    part = stream.write(rows(4)[:acknowledged])
    stream.write(rows(4)[acknowledged:])
    stream.close()
    with file.open("r+b") as torn:
        torn.truncate(max(part["length"], file.stat().st_size - 5))
    one.settle(part, iter(rows(9)[acknowledged:]))
    assert file.read_text() == before
    one.settle(part, iter(()))
    assert file.read_text() == before


def test_other_peoples_rows_are_not_cut_off(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    one = plan(OPTIONS)
    stream = one.open(None)
    part = stream.write(rows(2))
    stream.close()
    file = tmp_path / "x.jsonl"
    ours = file.read_text()
    for content, said in ((ours + "mine\n", "holds more"), (ours.replace("1", "9"), "was changed")):
        file.write_text(content)
        with pytest.raises(RefusedError, match=said):
            one.settle(part, iter(rows(3)[2:]))
        assert file.read_text() == content


def test_a_run_that_wrote_nothing_or_whose_file_is_gone_is_settled(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    one = plan(OPTIONS)
    one.settle(None, iter(rows(1)))
    one.settle({"base": 0, "length": 9, "hash": "x"}, iter(rows(1)))
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_followed(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "x.jsonl").symlink_to("real/there.jsonl")
    stream = plan(OPTIONS).open(None)
    stream.write(rows(1))
    stream.close()
    assert (tmp_path / "x.jsonl").is_symlink()
    assert (tmp_path / "real/there.jsonl").read_text() == rows(1)[0].text + "\n"


def test_a_long_unacknowledged_tail_is_cut_off_too(plan: Plan, rows: Rows, tmp_path: Path) -> None:
    """More rows than are compared at once, below a last line that had no end."""
    file = tmp_path / "x.jsonl"
    file.write_text("no line feed")
    one = plan(OPTIONS)
    stream = one.open(None)
    part = stream.begin()
    stream.write(rows(1100))
    stream.close()
    one.settle(part, iter(rows(1200)))
    assert file.read_text() == "no line feed"


def test_rows_and_the_name_of_a_new_file_are_durable_when_write_returns(
    plan: Plan, rows: Rows, synced: list[tuple[str, int]]
) -> None:
    stream = plan(OPTIONS).open(None)
    part = stream.write(rows(2))
    assert sorted(synced) == [(".", 1), ("x.jsonl", part["length"])]
    synced.clear()
    part = stream.write(rows(3)[2:])
    assert synced == [("x.jsonl", part["length"])]
    stream.close()
