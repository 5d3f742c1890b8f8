"""The base of every model of what a user may write, and the few types that all of them share."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Options(BaseModel):
    """What a user may write in one place: checked once, then frozen; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, hide_input_in_errors=True)


class Wrong(ValueError):  # noqa: N818 (it is told to people as a Problem, not as an error of ours)
    """Why a value cannot stand where it does, and how to mend it."""

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


def _flag(value: Any) -> Any:
    if value in ("true", "false"):
        return value == "true"
    if isinstance(value, bool):
        return value
    raise Wrong(f"{value!s:.40} is neither true nor false", "say true or false")


Flag = Annotated[bool, BeforeValidator(_flag, json_schema_input_type=bool)]
"""``true`` or ``false``: the only booleans of the language."""
