"""Standard output: lines as they come, and no word when the reader has gone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.plan import TargetPlan

SCRIPT = """
import pathlib, sys
from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.targets import Run, read_target
stream = read_target("-").plan(Run({"book": ("n",)}, pathlib.Path()))[0].open(None)
for n in range(20000):
    stream.write([ItemRow(n, "book", '{"n": %d}' % n, "", 0.0)])
stream.close()
print("done", file=sys.stderr)
"""


def test_lines_come_at_once(
    plan: Callable[..., TargetPlan], row: Callable[..., ItemRow], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    opened = plan("-").open
    assert opened
    stream = opened(None)
    assert stream.begin() is None
    assert stream.write([row(1, title="ä"), row(2, "author", name="not asked for")]) is None
    assert capfdbinary.readouterr().out == '{"title": "ä"}\n'.encode()
    stream.close()


def test_a_closed_pipe_is_no_error() -> None:
    child = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout
    assert child.stderr
    assert child.stdout.readline() == b'{"n": 0}\n'
    child.stdout.close()
    assert child.stderr.read() == b"done\n"
    child.stderr.close()
    assert child.wait() == 0
