"""The right to write to a path: one at a time, also while the lock file comes and goes."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import Any

import pytest

from yamlcrawl.errors import TargetError
from yamlcrawl.targets.lock import FileLock


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    with FileLock(tmp_path / "x") as lock:
        with pytest.raises(TargetError, match="another run"):
            FileLock(tmp_path / "x")
        FileLock(tmp_path / "y").release()
        lock.release()
        FileLock(tmp_path / "x").release()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_on_a_file_that_was_removed_in_between_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The holder removes the file after another has opened it: what that one locks then has no name any more."""
    real = fcntl.flock
    first = [True]

    def removed(fd: int, how: int) -> Any:
        if first.pop() if first else False:
            (tmp_path / ".x.lock").unlink()
        return real(fd, how)

    monkeypatch.setattr(fcntl, "flock", removed)
    with pytest.raises(TargetError):
        FileLock(tmp_path / "x")
    first.append(True)
    with FileLock(tmp_path / "x", patience=5.0), pytest.raises(TargetError):
        FileLock(tmp_path / "x")


def test_the_lock_file_of_a_folder_that_is_gone_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    lock = FileLock(tmp_path / "a" / "x")
    (tmp_path / "a" / ".x.lock").unlink()
    (tmp_path / "a").rmdir()
    lock.release()
