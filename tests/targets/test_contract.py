"""What every target keeps to: documented options, an example that works, each item once."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from yamlcrawl.errors import RefusedError
from yamlcrawl.model.frontier import ItemRow
from yamlcrawl.model.plan import TargetPlan
from yamlcrawl.targets import Csv, Json, Jsonl, Run, Stdout, Target, read_target

KINDS: dict[type[Target], str] = {Stdout: "-", Jsonl: "x.jsonl", Json: "x.json", Csv: "x.csv"}
STREAMS = [{"to": "x.jsonl", "mode": "append"}, {"to": "x.csv", "mode": "append"}]
STREAMS += [{"to": "x.csv", "mode": "append", "bom": True, "meta": True}]
WHOLE = ["x.jsonl", "x.json", "x.csv"]


def test_the_list_here_is_the_list_there() -> None:
    assert set(KINDS) == {type(read_target(to)) for to in KINDS.values()}


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_is_documented(kind: type[Target]) -> None:
    assert kind.__doc__
    assert all(field.description for field in kind.model_fields.values())


@pytest.mark.parametrize("to", KINDS.values())
def test_a_bare_address_is_planned(to: str, run: Run) -> None:
    (plan,) = read_target(to).plan(run)
    assert (plan.name, plan.path, plan.kinds) == (to, "pipelines", ("book",))
    assert plan.streaming == (plan.open is not None) == (plan.replace is None)
    assert len(plan.shape) == 32


@pytest.mark.parametrize("options", STREAMS)
@pytest.mark.parametrize("before", [b"", b"there before\n", b"no line feed"])
def test_killed_between_write_and_acknowledgement_each_row_is_there_once(
    options: dict[str, Any],
    before: bytes,
    plan: Callable[..., TargetPlan],
    rows: Callable[[int], list[ItemRow]],
    tmp_path: Path,
) -> None:
    file = tmp_path / options["to"]
    if before and options["to"].endswith("csv"):
        heading = b"title,price,_url,_fetched_at,_run" if options.get("meta") else b"title,price"
        before = heading + before[12:]

    def undisturbed() -> bytes:
        file.write_bytes(before)
        stream = plan(options).open(None)
        stream.write(rows(9))
        stream.close()
        return file.read_bytes()

    whole = undisturbed()
    for torn in range(len(whole) - len(before) + 1):
        file.write_bytes(before)
        stream = plan(options).open(None)
        part, acknowledged = stream.begin(), 0
        if torn % 2:
            part, acknowledged = stream.write(rows(9)[:3]), 3
        length = file.stat().st_size
        stream.write(rows(9)[acknowledged:])
        stream.close()
        with file.open("r+b") as half:  # as a loss of power may leave it
            half.truncate(max(length, len(before) + torn))
        again = plan(options).open(part)
        for number in range(acknowledged, 9, 2):
            part = again.write(rows(9)[number : number + 2])
        again.close()
        assert file.read_bytes() == whole
        assert part["length"] == len(whole)


@pytest.mark.parametrize("options", STREAMS)
def test_an_edited_file_is_refused_and_left_alone(
    options: dict[str, Any], plan: Callable[..., TargetPlan], rows: Callable[[int], list[ItemRow]], tmp_path: Path
) -> None:
    stream = plan(options).open(None)
    part = stream.write(rows(3))
    stream.close()
    file = tmp_path / options["to"]
    edited = file.read_bytes().replace(b"2", b"3")
    for content, said in ((edited, "was changed"), (edited[:-1], "shorter")):
        file.write_bytes(content)
        with pytest.raises(RefusedError, match=said) as caught:
            plan(options).open(part)
        assert "--resume" in caught.value.fix
        assert "--fresh" in caught.value.fix
        assert file.read_bytes() == content
    file.unlink()
    with pytest.raises(RefusedError, match="missing"):
        plan(options).open(part)


@pytest.mark.parametrize("to", WHOLE)
def test_written_twice_the_bytes_are_the_same(
    to: str,
    plan: Callable[..., TargetPlan],
    rows: Callable[[int], list[ItemRow]],
    sorted_items: Callable[..., Any],
    litter: Callable[[], list[str]],
    tmp_path: Path,
) -> None:
    written = []
    for _ in range(2):
        assert plan(to).replace(sorted_items(rows(5)), True) == str(tmp_path / to)
        written.append((tmp_path / to).read_bytes())
    assert written[0] == written[1]
    assert len(written[0]) > 50
    assert litter() == []


@pytest.mark.parametrize("to", KINDS.values())
def test_only_its_own_types_are_taken(
    to: str,
    plan: Callable[..., TargetPlan],
    row: Callable[..., ItemRow],
    sorted_items: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    given = [row(1, title="yes"), row(2, "author", name="no")]
    one = plan({"to": to, "items": "book"}, {"book": ("title",), "author": ("name",)})
    if one.replace:
        one.replace(sorted_items(given), True)
        text = (tmp_path / to).read_text()
    else:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
        one.open(None).write(given)
        text = sys.stdout.buffer.getvalue().decode()  # type: ignore[attr-defined]
    assert "yes" in text
    assert "no" not in text
