"""What a good run looks like."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field as Option
from pydantic import model_validator

from yamlcrawl.options import Duration, Filled, Later, Listed, Named, Options, Share, Whole, Wrong
from yamlcrawl.spec.limits import Errors

OF_RUN = ("errors", "time")
"""The keys that stand under `run`; all others stand under an item type."""
RUN = "run"


class Expected(Options):
    """What is expected of one item type, or (under `run`) of the whole run."""

    noun: ClassVar[str] = "{min, max, filled, unique}, or under run {errors, time}"

    min: Whole | None = Option(None, ge=0, description="Least number of items; 0 allows that nothing matches.")
    max: Whole | None = Option(None, ge=0, description="Greatest number of items.")
    filled: Named[Share] = Option(
        {},
        description="Least share of items in which a field has a value; `0%` allows one that is always empty.",
        examples=[{"price": "95%"}],
    )
    unique: Listed[Filled] = Option([], description="Fields in which no value comes twice; nulls do not count.")
    max_drop: Later = Option(None, description="How many fewer items than in the last good run.")
    errors: Errors | None = Option(None, description="Under `run`: at most so many failed requests, or such a share.")
    time: Duration | None = Option(None, gt=0, description="Under `run`: the longest running time.", examples=["30m"])

    @model_validator(mode="after")
    def _bounds(self) -> Expected:
        if self.min is not None and self.max is not None and self.max < self.min:
            raise Wrong("max is less than min", "turn them round", ("max",))
        return self
