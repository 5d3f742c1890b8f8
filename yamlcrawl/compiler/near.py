"""How far a selector that found nothing would have come: what `try` says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.languages import Locator, compile_step
from yamlcrawl.compiler.spots import Spot
from yamlcrawl.errors import Path, Problems
from yamlcrawl.model.plan import Node, Place
from yamlcrawl.model.tally import NearMiss, Tally
from yamlcrawl.selectors.shorter import shorter

NAMES = 8
"""Names of an object that are shown."""


@dataclass(frozen=True, slots=True)
class Near:
    """A selector that can be asked without its last steps."""

    steps: Sequence[tuple[str, str, str]]
    """Language, expression and key of each."""
    spot: Spot
    path: Path
    bench: Bench

    def __call__(self, place: Place, node: Node) -> Iterator[NearMiss]:
        """What the shorter ones match at the place, the longest first, up to one that does match."""
        quiet = Place(replace(place.view, tally=Tally()), node, place.outer, place.fields, place.row)
        found, spot = [node], self.spot
        for n, (language, expression, _) in enumerate(self.steps):
            step = self._step(language, expression, spot)
            matches = _matches(step, quiet, found)
            if not matches:
                yield from self._shortened(language, expression, spot, quiet, found)
                return
            if n + 1 < len(self.steps):
                yield NearMiss(expression, len(matches), _names(matches[0]))
            found, spot = matches, replace(spot, kind=step.kind if step else spot.kind, inside=False)

    def _shortened(
        self, language: str, expression: str, spot: Spot, place: Place, nodes: Sequence[Node]
    ) -> Iterator[NearMiss]:
        for part in shorter(language, expression):
            for text in part:
                matches = _matches(self._step(language, text, spot), place, nodes)
                yield NearMiss(text, len(matches), _names(matches[0]) if matches else ())
                if matches:
                    break
            else:
                if language == "json" and (names := _names(nodes[0])):
                    yield NearMiss("@", len(nodes), names)

    def _step(self, language: str, expression: str, spot: Spot) -> Locator | None:
        """The step; None where what is left of a selector is none."""
        problems = Problems(self.bench.problems.locate)
        step = compile_step(language, expression, spot, self.path, replace(self.bench, problems=problems))
        return None if problems.found else step


def _matches(step: Locator | None, place: Place, nodes: Sequence[Node]) -> list[Any]:
    found = [match for node in nodes for match in (step.find(place, node) if step else ())]
    return [one for match in found for one in (match if isinstance(match, list) else [match]) if one is not None]


def _names(value: Any) -> tuple[str, ...]:
    """The names in an object, the first ones; none of anything else."""
    return tuple(map(str, value))[:NAMES] if isinstance(value, Mapping) else ()
