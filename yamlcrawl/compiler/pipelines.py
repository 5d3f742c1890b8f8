"""Where items go: which types to which target, and what does not go together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from pathlib import Path as Folder

from yamlcrawl.compiler.frame import Frame, numbered
from yamlcrawl.compiler.templates import Template
from yamlcrawl.errors import Path, Problems, dotted
from yamlcrawl.model.plan import TargetPlan
from yamlcrawl.model.secrets import Secrets
from yamlcrawl.options import Wrong
from yamlcrawl.spec.root import Spec
from yamlcrawl.targets import Run, Target, read_target

FILES = "files"
"""The folder of downloaded files."""

OF_TARGETS = ("item", "run", "date")
"""The names in a path that a target fills in itself."""


def item_types(spec: Spec) -> dict[str, tuple[str, ...]]:
    """Item type to its fields, carried ones first; both in the order of the spec."""
    found: dict[str, dict[str, None]] = {}
    for kind, page in spec.pages.items():
        carried = spec.carried(kind)
        for item, rule in page.items.items():
            found.setdefault(item, {}).update(dict.fromkeys((*carried, *rule.fields)))
    return {item: tuple(fields) for item, fields in found.items()}


def compile_targets(
    frame: Frame, secrets: Secrets, folder: Folder, *, number: int, to: Sequence[str] | None
) -> tuple[TargetPlan, ...]:
    """The running targets; `to`, from the command line, stands instead of those of the spec. Misfits are noted."""
    kinds = item_types(frame.spec)
    plans: dict[str, TargetPlan] = {}
    for path, one in _targets(frame, to):
        run = Run(
            kinds,
            folder,
            number=number,
            now=frame.names.now,
            zone=frame.names.zone or UTC,
            path=dotted(path),
            confined=to is None,
            mask=secrets.mask,
        )
        misfits = list(one.misfits(run))
        for misfit in misfits:
            frame.problems.error((*path, *misfit.at), misfit.what, misfit.fix)
        for plan in () if misfits or not one.taken(run) else one.plan(run):
            if plan.name in plans:
                fix = "give each a path of its own; ${item} in a path makes one file an item type"
                frame.problems.error((*path, "to"), f"two targets would write {plan.name}", fix)
            plans[plan.name] = plan
    return tuple(plans.values())


def downloads_folder(targets: Sequence[TargetPlan], folder: Folder) -> Folder:
    """Where downloaded files are kept: beside the first target that is a file, else in the working directory."""
    first = next((target.name for target in targets if target.name != "-" and "://" not in target.name), "")
    return (folder / first).parent / FILES if first else folder / FILES


def _targets(frame: Frame, to: Sequence[str] | None) -> list[tuple[Path, Target]]:
    if to is not None:
        return [(("--to",), one) for address in to for one in _given(address, frame.problems)]
    written = frame.spec.pipelines
    if not written:
        return [(("pipelines",), read_target(f"{frame.spec.name}.jsonl"))]
    paths = numbered(("pipelines",), len(written))
    filled = [(path, _filled(one, path, frame)) for path, one in zip(paths, written, strict=True)]
    return [(path, one) for path, one in filled if one is not None]


def _given(address: str, problems: Problems) -> list[Target]:
    try:
        return [read_target(address)]
    except Wrong as wrong:
        problems.error(("--to",), wrong.what, wrong.fix)
        return []


def _filled(one: Target, path: Path, frame: Frame) -> Target | None:
    """The target with constants in its address; what targets fill in themselves is left to them.

    None, and noted, where something stands in it that a path cannot hold.
    """
    here = (*path, "to")
    template = frame.names.template(one.to, here, fields=OF_TARGETS)
    many = next(template.slots("var"), None)
    if template.secrets:
        frame.problems.error(here, "a secret cannot stand in the name of a file", "write it out")
    elif many:
        fix = "${item}, ${run} and ${date} may stand in a path"
        frame.problems.error(here, f'"{many}" has many values, and here one is needed', fix)
    else:
        return one if template.parts == (one.to,) else one.model_copy(update={"to": _address(template)})
    return None


def _address(template: Template) -> str:
    return "".join(part.replace("${", "$${") if isinstance(part, str) else str(part) for part in template.parts)
