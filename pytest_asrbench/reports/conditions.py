"""
The clips under conditions beside the raw ones: the matrix of type and condition, the drop, and the
values that broke, which the raw clip gave and the condition lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pytest_asrbench.gates.conditions import DROP, drop, gate_name
from pytest_asrbench.gates.thresholds import ALPHA
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.metrics.summary import Figures
from pytest_asrbench.model import ClipRecord, Measured, Outcome, Rate
from pytest_asrbench.reports import misses, wording
from pytest_asrbench.reports.misses import Miss, Stored
from pytest_asrbench.run import Run

RAW = "raw"


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One measure under one condition, with its gate there, if it has one. `share` is what of it
    was recovered, None for what counts no values."""

    text: str
    counts: str
    share: float | None
    status: str

    @property
    def failed(self) -> bool:
        return self.status == "failed"


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A measure or a type, raw and under each condition."""

    name: str
    cells: tuple[MatrixCell, ...]

    @property
    def failed(self) -> bool:
        return any(cell.failed for cell in self.cells)

    @property
    def total(self) -> str:
        """How many values or clips the raw figure counts; nothing for what counts neither."""
        raw = self.cells[0]
        return "" if raw.share is None else raw.counts.rpartition(" ")[2]


@dataclass(frozen=True)
class ConditionFact:
    """One condition. `drop` tells the drop from the raw clips with its test; `broken` are the
    values that every raw repeat gave, and a repeat under the condition lost."""

    name: str
    steps: str
    drop: str
    broken: tuple[Miss, ...]


@dataclass(frozen=True)
class ConditionFacts:
    """All of a run's conditions. `head` names the columns of the rows, the raw clips first."""

    head: tuple[str, ...] = ()
    rows: tuple[MatrixRow, ...] = ()
    each: tuple[ConditionFact, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.each)


def gather(run: Run, outcomes: Sequence[Outcome]) -> ConditionFacts:
    """Nothing for a run of raw clips alone."""
    if not run.conditions:
        return ConditionFacts()
    gates = {gate.name: gate for gate in outcomes}
    return ConditionFacts(
        head=(RAW, *(_name(part) for part in run.conditions)),
        rows=tuple(_rows(run, gates)),
        each=tuple(_fact(run, part, gates) for part in run.conditions),
    )


def _name(part: Run) -> str:
    return part.condition.name if part.condition else RAW


def _rows(run: Run, gates: dict[str, Outcome]) -> Iterator[MatrixRow]:
    """Measures over all, then the types, what lost most first, then what counts no values."""
    figures = [part.metrics.all for part in run.parts]
    yield _row(run, "ctem", "CTEM", lambda each: each.ctem, gates)
    yield _row(run, "tsr", "TSR", lambda each: each.tsr, gates)
    types = sorted(figures[0].recovery, key=lambda name: (_left(figures, name), name))
    for name in types:
        yield _row(run, f"recovery:{name}", name, partial(_recovery, name), gates)
    yield _row(run, "wer", "WER", lambda each: each.wer, gates)
    if any(each.latency_ms for each in figures):
        yield _row(run, "latency_p50_ms", "latency p50", _p50, gates)
        yield _row(run, "latency_p95_ms", "latency p95", _p95, gates)


def _recovery(name: str, figures: Figures) -> Rate | None:
    return figures.recovery.get(name)


def _p50(figures: Figures) -> float | None:
    return figures.latency_ms.p50 if figures.latency_ms else None


def _p95(figures: Figures) -> float | None:
    return figures.latency_ms.p95 if figures.latency_ms else None


def _left(figures: Sequence[Figures], name: str) -> float:
    """The most that a condition took of a type, as a negative number."""
    shares = [each.recovery[name].value for each in figures if name in each.recovery]
    known = [share for share in shares if share is not None]
    return min(known, default=0.0) - known[0] if known else 0.0


def _row(
    run: Run,
    gate: str,
    name: str,
    measure: Callable[[Figures], Measured],
    gates: dict[str, Outcome],
) -> MatrixRow:
    cells = []
    for part in run.parts:
        value = measure(part.metrics.all)
        full = gate_name(part.condition.name, gate) if part.condition else gate
        status = gates[full].status if full in gates else "ungated"
        is_time = gate.endswith("_ms")
        text = wording.milliseconds(value) if is_time else wording.figure(value)  # type: ignore[arg-type] # a time is a number
        share = value.value if isinstance(value, Rate) else None
        cells.append(MatrixCell(text, wording.counts(value), share, status))
    return MatrixRow(name, tuple(cells))


def _fact(run: Run, part: Run, gates: dict[str, Outcome]) -> ConditionFact:
    assert part.condition is not None
    fall = gates.get(gate_name(part.condition.name, DROP)) or drop(run, part, None, ALPHA)
    steps = ", ".join(str(step.get("step")) for step in part.condition.steps)
    return ConditionFact(part.condition.name, steps, fall.detail, tuple(_broken(run, part)))


def _broken(run: Run, part: Run) -> Iterator[Miss]:
    missed = {entity_key(r, j.entity.id) for r in run.records for j in r.misses}
    judged = {
        entity_key(r, j.entity.id) for r in run.records for j in r.entities if j.verdict is not None
    }
    given = judged - missed
    for miss in misses.find(part.records, Stored()):
        if entity_key(miss.record, miss.entity.id) in given:
            yield miss


def records_under(run: Run, condition: str | None) -> Sequence[ClipRecord]:
    """The run's records under a condition; None: the raw ones."""
    parts = (part for part in run.parts if (_name(part) if part.condition else None) == condition)
    return next((part.records for part in parts), ())
