"""
What every report tells, gathered once from a run and its outcomes.

Formats only lay these facts out, so the same figures stand in all of them.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pytest_asrbench.metrics.stats import wilson
from pytest_asrbench.model import ClipRecord, Outcome, Rate
from pytest_asrbench.reports import misses, processing, wording
from pytest_asrbench.reports.misses import Miss
from pytest_asrbench.run import Run

State = Literal["held", "failed", "inconclusive", "provider failure", "not gated", "not evaluated"]

_WORST_FIRST = {"failed": 0, "inconclusive": 1, "not_evaluated": 2, "passed": 3, "ungated": 4}


@dataclass(frozen=True, slots=True)
class TypeFact:
    """One entity type: recovered of total with its 95% Wilson interval, baseline and verdict."""

    name: str
    rate: Rate
    interval: tuple[float, float] | None
    baseline: Rate | None
    outcome: Outcome | None

    @property
    def status(self) -> str:
        return self.outcome.status if self.outcome else "ungated"

    @property
    def change(self) -> float | None:
        return wording.change(self.rate, self.baseline)


@dataclass(frozen=True, slots=True)
class SliceFact:
    """CTEM over the clips that share one value of a slice, such as domain=finance_ops."""

    dimension: str
    name: str
    rate: Rate
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a report shows. `reproduce` gives the command that runs one clip again."""

    run: Run
    state: State
    gates: tuple[Outcome, ...]
    types: tuple[TypeFact, ...]
    misses: tuple[Miss, ...]
    slices: tuple[SliceFact, ...]
    figures: tuple[tuple[str, str], ...]
    processing: tuple[tuple[str, str], ...]
    reproduce: Callable[[str], str]
    notices: tuple[str, ...] = ()
    measured: int = 0
    errors: tuple[ClipRecord, ...] = field(default=())

    @property
    def failed(self) -> tuple[Outcome, ...]:
        return tuple(gate for gate in self.gates if gate.status == "failed")

    @property
    def total(self) -> int:
        return len(self.run.records)

    def worst(self, gate: Outcome) -> ClipRecord | None:
        """The clip to look at first where this gate failed."""
        return _worst(gate, self)


def gather(
    run: Run,
    outcomes: Sequence[Outcome],
    *,
    baseline: Collection[str] | None = None,
    reproduce: Callable[[str], str] | None = None,
    notices: Sequence[str] = (),
) -> Facts:
    """The facts of a run.

    `baseline` holds the `clip/entity` keys missed when the thresholds were stored, for the same
    dataset; None where there is none to compare with. `notices` are one-line remarks such as why
    nothing was gated.
    """
    records, errors = run.records, run.errors
    types = _types(run, outcomes, baseline)
    found = misses.by_type(misses.find(records, baseline), (fact.name for fact in types))
    return Facts(
        run=run,
        state=_state(outcomes, errors),
        gates=tuple(sorted(outcomes, key=lambda gate: _WORST_FIRST[gate.status])),
        types=types,
        misses=tuple(misses.flat(found)),
        slices=_slices(run),
        figures=processing.figures(run),
        processing=processing.processing(run),
        reproduce=reproduce or _rerun(run),
        notices=tuple(notices),
        measured=len(records) - len(errors),
        errors=errors,
    )


def _rerun(run: Run) -> Callable[[str], str]:
    provider = shlex.quote(run.provider.name)
    return lambda clip: f"pytest --asr-provider={provider} -k {shlex.quote(clip)}"


def _state(outcomes: Sequence[Outcome], errors: Sequence[ClipRecord]) -> State:
    statuses = {gate.status for gate in outcomes}
    if errors and any(gate.name == "complete" and gate.status == "failed" for gate in outcomes):
        return "provider failure"
    if "failed" in statuses:
        return "failed"
    if "inconclusive" in statuses:
        return "inconclusive"
    if "not_evaluated" in statuses:
        return "not evaluated"
    return "held" if "passed" in statuses else "not gated"


def _types(
    run: Run, outcomes: Iterable[Outcome], baseline: Collection[str] | None
) -> tuple[TypeFact, ...]:
    gates = {gate.name: gate for gate in outcomes}
    before = {} if baseline is None else _baseline(run.records, baseline)
    figures = run.metrics.all
    facts = [
        TypeFact(
            name,
            rate,
            figures.intervals.get(f"recovery:{name}"),
            before.get(name),
            gates.get(f"recovery:{name}"),
        )
        for name, rate in figures.recovery.items()
    ]
    return tuple(sorted(facts, key=_badness))


def _badness(fact: TypeFact) -> tuple[int, float, int, str]:
    value = 2.0 if fact.rate.value is None else fact.rate.value
    return (0 if fact.status == "failed" else 1, value, -fact.rate.total, fact.name)


def _baseline(records: Iterable[ClipRecord], missed: Collection[str]) -> dict[str, Rate]:
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for record in records:
        if record.repeat == 1:
            for judged in record.entities:
                totals[judged.entity.type] += 1
                hits[judged.entity.type] += f"{record.clip}/{judged.entity.id}" not in missed
    return {name: Rate(hits[name], total) for name, total in totals.items()}


def _slices(run: Run) -> tuple[SliceFact, ...]:
    facts = []
    for key, figures in run.metrics.slices.items():
        dimension, _, name = key.partition("=")
        facts.append(SliceFact(dimension, name, figures.ctem, wilson(figures.ctem)))
    return tuple(sorted(facts, key=lambda fact: (fact.dimension, fact.rate.value or 0.0)))


def _worst(gate: Outcome, facts: Facts) -> ClipRecord | None:
    if gate.name == "complete":
        return facts.errors[0] if facts.errors else None
    measured = [record for record in facts.run.records if record.measured]
    if gate.name.startswith("latency"):
        return max(measured, key=lambda record: record.latency_ms or 0, default=None)
    if gate.name in {"wer", "cer"}:
        return max(measured, key=_edits, default=None)
    relevant = _relevant(gate, facts)
    if not relevant:
        return None
    clips = Counter(miss.record.clip for miss in relevant)
    return max(relevant, key=lambda miss: clips[miss.record.clip]).record


def _edits(record: ClipRecord) -> int:
    return record.words.edits if record.words else 0


def _relevant(gate: Outcome, facts: Facts) -> list[Miss]:
    """The misses behind a gate, the new ones alone where there are any."""
    kind = gate.name.removeprefix("recovery:") if gate.name.startswith("recovery:") else None
    own = [miss for miss in facts.misses if kind in (None, miss.entity.type)]
    return [miss for miss in own if miss.new] or own
