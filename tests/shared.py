"""Cases of other projects (conformance data), which lie beside the repository and not in it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

FOLDER = Path(os.environ.get("YAMLCRAWL_SHARED", Path(__file__).parents[2] / "shared")) / "conformance"
_ABSENT = pytest.mark.skip(reason="the conformance cases are not here; YAMLCRAWL_SHARED names their folder")


def cases(file: str) -> list[ParameterSet]:
    """The cases of a file of JSON lines, to parametrize a test with; one that is skipped where the file is absent."""
    path = FOLDER / file
    if not path.is_file():
        return [pytest.param({}, marks=_ABSENT)]
    found: list[dict[str, Any]] = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    return [pytest.param(case, id=str(case.get("id", number))) for number, case in enumerate(found)]
