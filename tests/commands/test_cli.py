"""How the command line ends: exit codes, words on standard error, and no traceback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from yamlcrawl import __version__, cli
from yamlcrawl.errors import Exit, RefusedError, TargetError


def yamlcrawl(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "yamlcrawl", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Makes every command raise the error."""

    def fail_with(error: BaseException) -> None:
        def fail(arguments: list[str]) -> int:
            raise error

        monkeypatch.setattr(cli, "_invoke", fail)

    return fail_with


def test_version_goes_to_standard_output() -> None:
    done = yamlcrawl("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"yamlcrawl {__version__}\n", "")


def test_help_names_every_command() -> None:
    shown = yamlcrawl("--help")
    assert shown.returncode == 0
    assert {name for name, place in cli.COMMANDS.items() if not place.startswith("later:")} <= set(shown.stdout.split())


@pytest.mark.parametrize("name", [name for name, place in cli.COMMANDS.items() if place.startswith("later:")])
def test_what_comes_later_is_known_and_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.call([name, "shop.yml", "--flag", "x"]) == Exit.WRONG
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"`yamlcrawl {name}` is not yet supported in this version\n  fix: ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--versoin"], ["--versoin", "did you mean --version?"]),
        (["demmo"], ["demmo", "'demo'"]),
        (["demo", "--serv"], ["--serv", "did you mean --serve?"]),
        (["demo", "--serve=1"], ["--serve"]),
        (["demo", "more"], ["yamlcrawl demo", "more"]),
    ],
)
def test_a_wrong_command_line_is_exit_1_with_what_was_meant(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.call(arguments) == Exit.WRONG
    shown = capsys.readouterr()
    assert shown.out == ""
    assert all(word in shown.err for word in words)
    assert "fix:" in shown.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RefusedError("it runs", "stop it"), Exit.WRONG),
        (TargetError("the disk is full", "make room"), Exit.FAILED),
    ],
)
def test_an_error_in_words_is_told_as_it_is(
    error: Exception, code: Exit, broken: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    broken(error)
    assert cli.call([]) == code
    assert capsys.readouterr().err == f"{error}\n"


def test_our_own_fault_is_exit_4_with_a_file_and_no_traceback(
    broken: Callable[[BaseException], None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    broken(KeyError("nobody should see this"))
    assert cli.call([]) == Exit.BUG
    shown = capsys.readouterr().err
    [kept] = tmp_path.glob("crash-*.txt")
    assert shown.startswith("this is a bug in yamlcrawl; ")
    assert str(kept) in shown
    assert "Traceback" not in shown
    assert "KeyError" not in shown
    assert "nobody should see this" in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_ctrl_c_outside_a_crawl_is_130(broken: Callable[[BaseException], None]) -> None:
    broken(KeyboardInterrupt())
    assert cli.call([]) == Exit.INTERRUPTED


def test_a_closed_pipe_on_standard_output_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "yamlcrawl", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0


def test_only_the_command_that_is_asked_for_is_imported() -> None:
    code = (
        "import sys; from yamlcrawl import cli; cli.call(['doctor']); "
        "print([m for m in sys.modules if m.startswith('yamlcrawl.commands.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "['yamlcrawl.commands.later']\n"
