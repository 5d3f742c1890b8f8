"""What a script shows: figures, and whether what must hold does."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from tests.commandline import ROOT, CommandLine, Ran

SHARED = Path(os.environ.get("YAMLCRAWL_SHARED", ROOT.parent / "shared"))


@dataclass(slots=True)
class Sheet:
    """The figures of one script, printed as they come."""

    failed: list[str] = field(default_factory=list)

    def figure(self, name: str, value: Any) -> None:
        """Print a figure."""
        print(f"  {name}: {f'{value:.2f}' if isinstance(value, float) else value}", flush=True)

    def check(self, name: str, holds: bool, otherwise: object = "") -> None:
        """Print whether it holds, and if not, what is there instead."""
        print(
            f"  {'holds' if holds else 'FAILS'}: {name}" + (f"  ({otherwise})" if otherwise and not holds else ""),
            flush=True,
        )
        if not holds:
            self.failed.append(name)

    def title(self, text: str) -> None:
        """Begin a part."""
        print(text, flush=True)

    def end(self) -> NoReturn:
        """Leave with 0 if everything held, else with 1."""
        print("all held" if not self.failed else f"{len(self.failed)} did not hold: {'; '.join(self.failed)}")
        sys.exit(1 if self.failed else 0)


@contextmanager
def working_folder() -> Iterator[Path]:
    """An empty folder, gone afterwards; kept, and its path printed, if the script fails or KEEP is set."""
    folder = Path(tempfile.mkdtemp(prefix="yamlcrawl-show-"))
    try:
        yield folder
    except BaseException:
        print(f"  kept: {folder}")
        raise
    if os.environ.get("KEEP"):
        print(f"  kept: {folder}")
    else:
        shutil.rmtree(folder)


def timed_run(
    folder: Path, spec: str, *args: str, patience: float = 1800, env: Mapping[str, str] | None = None
) -> tuple[Ran, float]:
    """`yamlcrawl run` on the spec in a folder, made if need be; and the seconds it took."""
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    ran = CommandLine(folder).start(spec, *args, env=env).end(patience)
    return ran, time.monotonic() - begun


def serve_sites() -> ModuleType:
    """The script that serves the documentation sites, as a module."""
    path = SHARED / "sites" / "serve-sites"
    if not path.exists():
        sys.exit(f"{path} is not there; set YAMLCRAWL_SHARED")
    loader = SourceFileLoader("serve_sites", str(path))
    spec = importlib.util.spec_from_loader("serve_sites", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["serve_sites"] = module
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module
