"""Planted faults: one at a time is put into a copy of the tree, and the tests must find it.

python -m bench.shows.faults [NUMBER ...]      default: all

Prints for each fault the first test that caught it. Before the first one the copy must pass as it is.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.shows.sheet import Sheet
from tests.commandline import ROOT

TESTS = ("tests/frontiers", "tests/engine", "tests/targets")
PATIENCE = 600
LINKS, COMPLETION, ENTRY = (f"yamlcrawl/frontiers/{name}.py" for name in ("links", "completion", "entry"))


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong line."""

    name: str
    file: str
    right: str
    wrong: str
    tests: tuple[str, ...] = TESTS

    def plant(self, tree: Path) -> None:
        """Put it into a copy of the tree; the line must be there, once."""
        path = tree / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.right) != 1:
            raise SystemExit(f"{self.name}: {self.right!r} stands {text.count(self.right)} times in {self.file}")
        path.write_text(text.replace(self.right, self.wrong), encoding="utf-8")


FAULTS = (
    Fault(
        "the seen cache is filled before the commit",
        LINKS,
        "        batch.fingerprints += fresh\n",
        "        batch.fingerprints += fresh\n        self._known.update(fresh)\n",
    ),
    Fault("`open` is off by one", LINKS, "_progress.open += new\n", "_progress.open += max(0, new - 1)\n"),
    Fault(
        "a not-before time is not stored",
        COMPLETION,
        "batch.agains.append((state, not_before, ",
        "batch.agains.append((state, self._progress.now, ",
    ),
    Fault(
        "an item past the limit",
        "yamlcrawl/frontiers/limits.py",
        "totals.items >= limits.items",
        "totals.items > limits.items",
    ),
    Fault(
        "a page past the limit",
        "yamlcrawl/frontiers/limits.py",
        "limits.pages - totals.pages)",
        "limits.pages + 1 - totals.pages)",
    ),
    Fault(
        "an append target is acknowledged without fsync",
        "yamlcrawl/targets/append.py",
        "                offset += written\n            os.fsync(fd)\n",
        "                offset += written\n",
    ),
    Fault(
        "a relay acknowledges before it writes",
        "yamlcrawl/engine/relay.py",
        "        part = stream.write(mine) if mine else lease.part\n"
        "        return self._acknowledge(lease, rows[-1].number, part), True\n",
        "        kept = self._acknowledge(lease, rows[-1].number, lease.part)\n"
        "        stream.write(mine)\n        return kept, True\n",
        ("tests/engine", "tests/acceptance/test_chaos.py"),
    ),
    Fault(
        "items leave before they are durable",
        "yamlcrawl/frontiers/outbox.py",
        "if rows and rows[-1][0] > self._durable:",
        "if rows and rows[-1][0] < self._durable:",
    ),
    Fault(
        "a completion is accepted whose lease is gone",
        "yamlcrawl/frontiers/leases.py",
        "return held if held is not None and held.random == token.random else None",
        "return held",
    ),
    Fault(
        "the leases of a dead process stay with it",
        ENTRY,
        "        if not is_alive(folder, its_lock):\n            bury(db, other)\n",
        "        if not is_alive(folder, its_lock):\n            pass\n",
    ),
    Fault(
        "the sleep counts from the start of a download",
        "yamlcrawl/frontiers/hosts.py",
        "and not self.paced:\n            self.next_start = max(self.next_start, at + self.pause)\n",
        "and not self.paced:\n            self.next_start = max(self.next_start, at)\n",
    ),
    Fault(
        "one attempt more than `retry`",
        "yamlcrawl/engine/retries.py",
        "if request.attempt >= plan.times:",
        "if request.attempt > plan.times:",
    ),
    Fault(
        "the host is free before its Retry-After is read",
        "yamlcrawl/engine/crew.py",
        "after = IDLE if result.tells_pace else Freed(lease.token, clock())",
        "after = Freed(lease.token, clock())",
        ("tests/engine",),
    ),
    Fault(
        "the good file is replaced whatever the verdict",
        "yamlcrawl/engine/finish.py",
        "target.replace(frontier.sorted_items, verdict.exit == Exit.GOOD)",
        "target.replace(frontier.sorted_items, True)",
    ),
)


def main(numbers: list[int]) -> None:
    sheet = Sheet()
    with tempfile.TemporaryDirectory(prefix="yamlcrawl-faults-") as folder:
        sheet.title("as it is")
        sheet.check("the tests pass without a fault", caught(copy(Path(folder) / "0"), TESTS) == "")
        for number, fault in enumerate(FAULTS, 1):
            if numbers and number not in numbers:
                continue
            tree = copy(Path(folder) / str(number))
            fault.plant(tree)
            by = caught(tree, fault.tests)
            sheet.title(f"{number}. {fault.name}")
            sheet.check(f"caught by {by}" if by else f"{fault.name}: caught", bool(by))
            shutil.rmtree(tree)
    sheet.end()


def copy(to: Path) -> Path:
    """The tree without what git does not keep."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def caught(tree: Path, tests: tuple[str, ...]) -> str:
    """The first test that fails there; empty if none does."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--timeout=60", "-p", "no:cacheprovider", *tests]
    try:
        ran = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return ""
    if ran.returncode == 0:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
    timeout = re.search(
        r"Timeout.*?File \"[^\"]*(tests/[^\"]+)\", line \d+, in (test_\w+)", ran.stdout + ran.stderr, re.DOTALL
    )
    if failed:
        return failed[1]
    return f"{timeout[1]}::{timeout[2]} (no end)" if timeout else f"pytest ended with {ran.returncode}"


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]])
