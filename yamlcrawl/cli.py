"""The command line: which commands there are, and how one that went wrong ends."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Annotated, NoReturn

import typer

from yamlcrawl.errors import Exit, YamlcrawlError
from yamlcrawl.streams import OutputLostError, settle

COMMANDS = {
    "run": "run:run",
    "validate": "validate:validate",
    "explain": "explain:explain",
    "try": "try_page:try_page",
    "schema": "schema:schema",
    "list": "listing:list_specs",
    "status": "listing:status",
    "stop": "listing:stop",
    "demo": "demo:demo",
    "test": "testing:run_tests",
    "record": "record:record",
    "init": "later:init",
    "runs": "later:runs",
    "report": "later:report",
    "diff": "later:diff",
    "retry": "later:retry",
    "extract": "later:extract",
    "export": "later:export",
    "doctor": "later:doctor",
}
"""Command to the module in `commands` and the function in it; only the one that is asked for is imported."""

LATER = "later:"


def main() -> NoReturn:
    """Run the command line of this process and end with its exit code, which one more Ctrl-C does not change."""
    settle()
    if sys.argv[1:2] == ["run"]:
        signal.signal(signal.SIGTERM, _stopped)
    code = call(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise SystemExit(code)


def call(arguments: Sequence[str]) -> int:
    """The exit code of the command that the arguments name; whatever goes wrong is told on standard error."""
    try:
        code = _invoke(list(arguments))
        sys.stdout.flush()
    except typer.Exit as done:
        return done.exit_code
    except typer.TyperException as error:
        return _tell(_words(error), Exit.WRONG)
    except YamlcrawlError as error:
        return _tell(str(error), error.exit)
    except KeyboardInterrupt:
        return _tell("interrupted", Exit.INTERRUPTED)
    except BrokenPipeError:
        return _close_pipe()
    except OutputLostError as error:
        fix = "make room, or send it elsewhere: yamlcrawl … > FILE"
        return _tell(f"standard output cannot be written: {error.strerror}\n  fix: {fix}", Exit.FAILED)
    except Exception as error:
        from yamlcrawl.commands.crash import record

        return _tell(str(record(error)), Exit.BUG)
    return code


def _invoke(arguments: list[str]) -> int:
    wanted = arguments[:1] if arguments and arguments[0] in COMMANDS else list(COMMANDS)
    command = typer.main.get_command(_app(wanted))
    with command.make_context("yamlcrawl", arguments) as context:
        return int(command.invoke(context) or Exit.GOOD)


def _app(names: Iterable[str]) -> typer.Typer:
    app = typer.Typer(add_completion=False, no_args_is_help=False, rich_markup_mode=None)
    app.callback(invoke_without_command=True)(_top)
    for name in names:
        module, function = COMMANDS[name].split(":")
        verb = getattr(import_module(f"yamlcrawl.commands.{module}"), function)
        if COMMANDS[name].startswith(LATER):
            app.command(name, hidden=True, context_settings={"ignore_unknown_options": True})(verb)
        else:
            app.command(name)(verb)
    return app


def _top(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """A declarative crawler: a spec in YAML goes in, exact and durable items come out."""
    if version:
        from yamlcrawl import __version__

        typer.echo(f"yamlcrawl {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


def _words(error: typer.TyperException) -> str:
    """What was wrong with the command line, and what was probably meant."""
    context: typer.Context | None = getattr(error, "ctx", None)
    name = context.command_path if context else "yamlcrawl"
    meant = getattr(error, "possibilities", None)
    what = error.message if meant else error.format_message()
    fix = f"did you mean {meant[0]}?" if meant else f"`{name} --help` says what there is"
    return f"{name}: {what}\n  fix: {fix}"


def _tell(words: str, code: int) -> int:
    with suppress(OSError):  # one thing that went wrong is told, not the next one in its place
        sys.stdout.flush()
    typer.echo(words, err=True)
    return code


def _stopped(_number: int, _frame: FrameType | None) -> NoReturn:
    """SIGTERM before (or after) a crawl hears it itself."""
    raise SystemExit(Exit.STOPPED)


def _close_pipe() -> int:
    """Whoever read the output has seen enough; Python must not try to flush the rest at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Exit.GOOD
