"""Standard output and standard error that are full, closed, or without a reader."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.commandline import ROOT

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<h1>A</h1>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a spec of one page, and the server of that page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    Thread(target=partial(server.serve_forever, 0.05), daemon=True).start()
    (tmp_path / "s.yml").write_text(
        "name: x\nsite: {sleep: 0s, robots: ignore, retry: 0}\n"
        f"start: {{p: 'http://127.0.0.1:{server.server_port}/'}}\n"
        "pages: {p: {items: {i: {fields: {h: h1}}}}}\n"
    )
    yield tmp_path
    server.shutdown()
    server.server_close()


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A line of bash in which $Y is the command line of yamlcrawl."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "Y": f"{sys.executable} -m yamlcrawl"}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
    )


def items(folder: Path) -> list[object]:
    return [json.loads(line) for line in (folder / "x.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    "line",
    [
        "$Y run s.yml 2>&1 | true; exit ${PIPESTATUS[0]}",
        pytest.param("$Y run s.yml 2>/dev/full", marks=needs_full),
        pytest.param("$Y run s.yml --log json 2>/dev/full", marks=needs_full),
        "$Y run s.yml 2>&-",
        "$Y run s.yml >&-",
        "$Y run s.yml >&- 2>&-",
        "$Y run s.yml <&- >&- 2>&-",
        pytest.param("$Y run s.yml >/dev/full", marks=needs_full),
    ],
)
def test_a_crawl_to_files_needs_no_listener(folder: Path, line: str) -> None:
    done = shell(folder, line)
    assert (done.returncode, items(folder)) == (0, [{"h": "A"}]), done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@needs_full
@pytest.mark.parametrize("command", ["validate s.yml", "explain s.yml", "schema", "list", "--version", "--help"])
@pytest.mark.parametrize(("to", "why"), [(">/dev/full", "No space left on device"), (">&-", "it is closed")])
def test_output_that_cannot_be_written_is_told(folder: Path, command: str, to: str, why: str) -> None:
    done = shell(folder, f"$Y {command} {to}")
    assert done.returncode == 3, done.stderr
    assert f"standard output cannot be written: {why}" in done.stderr
    assert "Traceback" not in done.stderr
    assert "bug" not in done.stderr


@needs_full
@pytest.mark.parametrize("to", [">/dev/full", ">&-"])
def test_items_that_standard_output_refuses_are_a_lost_target(folder: Path, to: str) -> None:
    done = shell(folder, f"$Y run s.yml --to - {to}")
    assert done.returncode == 3
    assert "standard output cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


@needs_full
def test_nobody_left_to_tell_keeps_the_exit_code(folder: Path) -> None:
    assert shell(folder, "$Y validate missing.yml 2>/dev/full").returncode == 1
    assert shell(folder, "$Y validate s.yml >/dev/full 2>&1").returncode == 3


def test_a_reader_that_has_seen_enough_is_no_trouble(folder: Path) -> None:
    done = shell(folder, "$Y schema | head -n 1; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (0, "")
