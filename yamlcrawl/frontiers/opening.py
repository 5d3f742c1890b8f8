"""What is checked when a run is opened and when it ends, the same for every store."""

from __future__ import annotations

from collections.abc import Mapping

from yamlcrawl.errors import RefusedError
from yamlcrawl.model.frontier import State

UNFINISHED = frozenset({State.INIT, State.RUNNING, State.STOPPING, State.STOPPED, State.FAILED})
"""States from which a run goes on fetching when it is opened again, unless it was judged."""
ENDED = frozenset({State.FINISHING, State.DONE, State.FAILED, State.ABANDONED})
SHOWN_KEYS = 8


def changed_keys(stored: Mapping[str, str], given: Mapping[str, str]) -> list[str]:
    """The dotted keys whose meaning differs.

    >>> changed_keys({"pages.a": "1", "start.a": "2"}, {"pages.a": "1", "start.a": "3", "start.b": "4"})
    ['start.a', 'start.b']
    """
    return sorted(key for key in {*stored, *given} if stored.get(key) != given.get(key))


def check_digest(stored: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Raise RefusedError if the spec means something else than when the run began."""
    changed = changed_keys(stored, given)
    if changed:
        shown = ", ".join(changed[:SHOWN_KEYS]) + (
            f" and {len(changed) - SHOWN_KEYS} more" * (len(changed) > SHOWN_KEYS)
        )
        raise RefusedError(
            f"the spec has changed since this run began: {shown}",
            "take the change back and use --resume, or begin anew with --fresh",
        )


def check_add(state: State) -> None:
    """Raise RefusedError if seeds come too late."""
    if state in ENDED:
        raise RefusedError("nothing can be added to a run that has ended", "begin a new run")


def check_end(state: State, behind: Mapping[str, int]) -> None:
    """Raise RefusedError if the run cannot end so; `behind` is the items that each streaming target lacks."""
    if state not in (State.DONE, State.FAILED):
        raise RefusedError(f"a run does not end as {state.value}")
    lacking = [f"{target} lacks {n} item{'s' * (n != 1)}" for target, n in behind.items() if n]
    if state == State.DONE and lacking:
        raise RefusedError("the run is not done: " + ", ".join(lacking), "use --resume once the target can be written")


def check_action(action: str) -> None:
    """Raise RefusedError for anything but the actions of `control`."""
    if action != "stop":
        raise RefusedError(f"no such action: {action}", 'the one action is "stop"')


def lost_finish() -> RefusedError:
    """What a worker is told that wants to finish a run without holding the right to."""
    return RefusedError("another process finishes this run", "wait for it, or look with yamlcrawl status")
