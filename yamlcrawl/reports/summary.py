"""A run in at most forty lines, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from yamlcrawl.errors import Exit
from yamlcrawl.reports.report import Finding, Items, Report
from yamlcrawl.reports.words import counted, lasted, plain, share, size, subject

LINES = 40
WIDTH = 100
LABEL = 10
EACH = 4
"""Entries of a kind that are shown one by one."""

EXITS = {
    Exit.GOOD: "good",
    Exit.MISSED: "expectations missed",
    Exit.FAILED: "the crawl failed",
    Exit.STOPPED: "stopped before it was done; --resume goes on",
    Exit.INTERRUPTED: "interrupted; --resume goes on",
}


def summary(report: Report) -> str:
    """The report as text, a line break at its end; the last line is the exit code.

    What a page or server said stands in it harmless (see `words.plain`). Longer lists end in "and N more": all of them
    are in ``report.json``.
    """
    end = list(_end(report))
    lines = list(islice((plain(line) for line in _body(report)), LINES - len(end)))
    return "\n".join([*lines, *map(plain, end)]) + "\n"


def _body(report: Report) -> Iterator[str]:
    rate = report.pages / report.seconds if report.seconds else 0.0
    yield (
        f"{report.name}: {counted(report.pages, 'page')} in {lasted(report.seconds)} ({rate:.1f} pages/s), "
        f"{counted(sum(kind.items for kind in report.items.values()), 'item')}, {size(report.bytes)}"
    )
    yield from _entry("pages", _outcomes(report))
    yield from _entry("sitemaps", [f"{name} {n:,}" for name, n in report.sitemaps.items()])
    yield from _entry("feeds", [f"{name} {n:,}" for name, n in report.feeds.items()])
    yield from _entry("files", [f"{name} {n:,}" for name, n in report.downloads.items()])
    for kind, items in report.items.items():
        yield from _entry("items", [_items_of(kind, items)])
        yield from _entry("", _fields(items))
    yield from _some("no match", _silent(report), 2 * EACH)
    yield from _some("values", map(_finding, report.losses), 2 * EACH)
    yield from _entry("next", _chains(report))
    yield from _entry("off site", _top(f"{host} {n:,}" for host, n in report.offsite.items()))
    yield from _entry("excluded", _top(f"{path} {n:,}" for path, n in report.excluded.items()))
    yield from _some("traps", map(_finding, report.guards))
    yield from _some("note", map(_finding, report.notices))
    yield from _some("hosts", (f"{host} was given up: {why}" for host, why in report.hosts.items()))
    if report.parked:
        yield from _entry("parked", [f"{counted(len(report.parked), 'start request')} not fetched (fetch: false)"])
    if report.limit:
        yield from _entry("stopped", [_cut(report)])


def _end(report: Report) -> Iterator[str]:
    for target in islice(report.targets, EACH):
        where = "standard output" if target.to == "-" else target.to
        said = {
            "written": f"{where}  ({counted(target.items, 'item')})",
            "rejected": f"{where}  ({counted(target.items, 'item')}; the file of the last good run is as it was)",
            "waiting": f"{where}  is written when the run ends",
        }
        yield from _entry("output", [said[target.state]])
    if failed := report.files.get("failures"):
        yield from _entry("failed", [f"listed in {failed}"])
    for reason in islice(report.reasons, EACH):
        yield from _entry("why", [reason])
    if len(report.reasons) > EACH:
        yield from _entry("", [f"and {len(report.reasons) - EACH} more"])
    yield from _entry("exit", [f"{report.exit}  {EXITS.get(Exit(report.exit), 'a bug in yamlcrawl')}"])


def _outcomes(report: Report) -> list[str]:
    parts = [f"{name} {n:,}" for name, n in report.outcomes.items()]
    if report.retries:
        parts.append(f"({counted(report.retries, 'retry')})")
    if report.waiting:
        parts.append(f"({report.waiting:,} still waiting)")
    return parts or ["none"]


def _items_of(kind: str, items: Items) -> str:
    parts = [(items.doubles, "double"), (items.rejected, "rejected")]
    beside = [f"{n:,} {noun}{'s' * (noun == 'double' and n != 1)}" for n, noun in parts if n]
    return f"{kind} {items.items:,}" + (f"  ({', '.join(beside)})" if beside else "")


def _fields(items: Items) -> list[str]:
    """Each field with its share; where there are many, those that always have a value are counted only."""
    if not items.items + items.doubles:
        return []
    wanting = [name for name, field in items.fields.items() if field.filled < field.of]
    shown = wanting if len(items.fields) > 2 * EACH else list(items.fields)
    parts = [f"{name} {share(items.fields[name].filled, items.fields[name].of)}" for name in shown[: 4 * EACH]]
    if len(shown) > 4 * EACH:
        parts.append(f"{len(shown) - 4 * EACH} more with gaps")
    if len(shown) < len(items.fields):
        parts.append(f"{'the others' if shown else 'every field'} 100 %")
    return parts


def _silent(report: Report) -> Iterator[str]:
    for one in report.silent:
        hint = f"; {one.hint}" if one.hint else ""
        on = f"on {one.tried:,} of {one.tried:,} pages ({one.page})"
        yield f"{one.where}  {subject(one.path)}: {one.selector} matched nothing {on}{hint}"


def _finding(found: Finding) -> str:
    about = f"{found.where}  {subject(found.of)}: " if found.where else f"{found.of}  " if found.of else ""
    sample = f", e.g. {found.samples[0]}" if found.samples else ""
    return f"{about}{found.count:,} {found.what}{sample}"


def _chains(report: Report) -> list[str]:
    return [
        f"{path.removeprefix('pages.').removesuffix('.next')}: "
        + ", ".join(f"{reason} {n:,}" for reason, n in reasons.items())
        for path, reasons in islice(report.chains.items(), EACH)
    ]


def _cut(report: Report) -> str:
    if report.limit == "limits.errors":
        return "by limits.errors"
    return f"by {report.limit}: the number is exact, which pages it took may vary from run to run"


def _top(parts: Iterable[str]) -> list[str]:
    known = list(parts)
    more = len(known) - 2 * EACH
    return known[: 2 * EACH] + ([f"and {more:,} more"] if more > 0 else [])


def _some(label: str, entries: Iterable[str], most: int = EACH) -> Iterator[str]:
    """One line each, the first ones only."""
    known = list(entries)
    for number, entry in enumerate(known[:most]):
        yield from _entry("" if number else label, [entry])
    if len(known) > most:
        yield from _entry("", [f"and {len(known) - most:,} more in report.json"])


def _entry(label: str, parts: Sequence[str]) -> Iterator[str]:
    """The parts behind their label, on as many lines as they need."""
    line = ""
    for part in parts:
        if line and len(line) + len(part) + 3 > WIDTH - LABEL:
            yield f"{label:<{LABEL}}{line}"
            label, line = "", ""
        line = f"{line}   {part}" if line else part
    if line:
        yield f"{label:<{LABEL}}{line}"
