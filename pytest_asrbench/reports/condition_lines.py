"""Conditions for a terminal: the matrix, the drops, and what broke."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_asrbench.counts import plural
from pytest_asrbench.reports.conditions import ConditionFact, ConditionFacts, MatrixRow
from pytest_asrbench.reports.miss_lines import lines as lines_of_miss
from pytest_asrbench.reports.styles import Line, Style
from pytest_asrbench.reports.table import GAP, lay_out
from pytest_asrbench.reports.text import columns, printable, wrap

FAILED = " !"  # behind a figure whose gate failed
SHOWN = 3  # broken values of each condition
LABEL = 18  # columns that names of types should have


def lines(view: ConditionFacts, width: int, verbosity: int) -> Iterator[Line]:
    """Tables of as many conditions as fit beside the raw clips; then each condition's losses."""
    if not view:
        return
    yield "plain", ""
    yield "heading", "recovery under conditions" + _legend(view)
    for chosen in _columns(view, width):
        yield from _table(view, chosen, width)
    for each in view.each:
        yield from _of_one(each, width, verbosity)


def _legend(view: ConditionFacts) -> str:
    return " (!: its gate failed)" if any(row.failed for row in view.rows) else ""


def _columns(view: ConditionFacts, width: int) -> Iterator[list[int]]:
    """Which columns go into one table: raw stands in each."""
    chosen, used = [0], 0
    for at, name in enumerate(view.head):
        wide = len(GAP) + max(columns(name), 6 + len(FAILED))
        if at and used + wide > width - LABEL and len(chosen) > 1:
            yield chosen
            chosen, used = [0], len(GAP) + 6 + len(FAILED)
        used += wide
        chosen += [at] if at else []
    yield chosen


def _table(view: ConditionFacts, chosen: Sequence[int], width: int) -> Iterator[Line]:
    rows = [_row(row, chosen) for row in view.rows]
    head = ["", *(view.head[at] for at in chosen)]
    styles: list[Style] = ["bad" if row.failed else "plain" for row in view.rows]
    shown = lay_out([head, *rows], "l" + "r" * len(chosen), width)
    yield from zip(["heading", *styles], shown, strict=True)


def _row(row: MatrixRow, chosen: Sequence[int]) -> list[str]:
    cells = (row.cells[at] for at in chosen)
    name = f"{row.name} ({row.total})" if row.total else row.name
    return [printable(name), *(cell.text + (FAILED if cell.failed else "  ") for cell in cells)]


def _of_one(fact: ConditionFact, width: int, verbosity: int) -> Iterator[Line]:
    for line in wrap(printable(f"{fact.name}: {fact.drop}"), width):
        yield "plain", line
    if not fact.broken:
        return
    count = plural(len(fact.broken), "value")
    yield "heading", printable(f"broke under {fact.name}: {count} that the raw clips gave")
    shown = fact.broken if verbosity > 0 else fact.broken[:SHOWN]
    for miss in shown:
        yield from lines_of_miss(miss, width)
    if len(shown) < len(fact.broken):
        yield "muted", f"  … {len(fact.broken) - len(shown)} more; -v shows all"
