"""
The facts that every report tells, gathered once from a run and its outcomes.

Formats only lay these facts out, so the same figures stand in all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Literal

from pytest_asrbench.counts import plural, results
from pytest_asrbench.gates import completeness
from pytest_asrbench.gates.advice import advise
from pytest_asrbench.gates.conditions import parted
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.metrics import recovery
from pytest_asrbench.metrics.stats import wilson
from pytest_asrbench.model import ClipRecord, Outcome, Rate
from pytest_asrbench.reports import conditions, misses, opening, processing, rerun, wording, worst
from pytest_asrbench.reports.conditions import ConditionFacts, records_under
from pytest_asrbench.reports.misses import Miss, Stored
from pytest_asrbench.run import Run

State = Literal[
    "held",
    "failed",
    "inconclusive",
    "provider failure",
    "verifier failure",
    "not gated",
    "not evaluated",
]
OUTAGES: frozenset[State] = frozenset({"provider failure", "verifier failure"})

_WORST_FIRST = {"failed": 0, "inconclusive": 1, "not_evaluated": 2, "passed": 3, "ungated": 4}


@dataclass(frozen=True, slots=True)
class TypeFact:
    """One entity type: recovered of total with its 95% Wilson interval, baseline and verdict.

    `share` is how many of all misses are of this type; `known` the rate over the clips that the
    baseline knows, where that is another.
    """

    name: str
    rate: Rate
    interval: tuple[float, float] | None
    baseline: Rate | None
    outcome: Outcome | None
    share: Rate | None = None
    known: Rate | None = None

    @property
    def status(self) -> str:
        return self.outcome.status if self.outcome else "ungated"

    @property
    def change(self) -> float | None:
        return wording.change(self.known or self.rate, self.baseline)

    @property
    def cells(self) -> tuple[str, ...]:
        """Recovered, rate, interval, share of all misses, baseline and change, in words."""
        return (
            wording.counts(self.rate),
            wording.figure(self.rate),
            wording.interval(self.interval),
            wording.share(self.share),
            wording.figure(self.baseline),
            wording.signed(self.change),
        )


@dataclass(frozen=True, slots=True)
class SliceFact:
    """CTEM over the clips that share one value of a slice, such as domain=finance_ops."""

    dimension: str
    name: str
    rate: Rate
    interval: tuple[float, float] | None

    @property
    def cells(self) -> tuple[str, ...]:
        """Recovered, rate and interval, in words."""
        rate = self.rate
        return wording.counts(rate), wording.figure(rate), wording.interval(self.interval)


@dataclass(frozen=True, slots=True)
class ViewModel:
    """All that a report shows. `reproduce` gives the command that runs one clip again."""

    run: Run
    state: State
    gates: tuple[Outcome, ...]
    types: tuple[TypeFact, ...]
    misses: tuple[Miss, ...]
    slices: tuple[SliceFact, ...]
    reproduce: Callable[[str], str]
    notices: tuple[str, ...] = ()
    measured: int = 0
    errors: tuple[ClipRecord, ...] = field(default=())
    conditions: ConditionFacts = field(default_factory=ConditionFacts)
    """The clips under conditions, beside the raw ones."""
    since: str | None = None
    """The day of the baseline by which misses are new."""

    @property
    def listed(self) -> tuple[Outcome, ...]:
        """Gates for the table of gates: a type without any threshold stands among the types."""
        return tuple(gate for gate in self.gates if gate.status != "ungated" or gate.kind)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        return tuple(gate for gate in self.gates if gate.status == "failed")

    @property
    def headline(self) -> str:
        """The verdict in one line. It never says "passed"."""
        return _headline(self)

    @property
    def opening(self) -> str:
        """The loss, in one sentence for people who were not there."""
        raw = opening.sentence(
            self.run.records, self.misses, repeats=self.run.repeats, since=self.since
        )
        broken = {each.name: len(each.broken) for each in self.conditions.each}
        return raw + opening.under_conditions(broken)

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """Label and text of each figure over all clips."""
        return processing.figures(self.run)

    @property
    def processing(self) -> tuple[tuple[str, str], ...]:
        """Label and text of all that made the figures what they are."""
        return processing.processing(self.run)

    @property
    def command(self) -> str | None:
        """Runs the worst clip of the first failed gate again."""
        clips = (self.worst(gate) for gate in self.failed)
        return next((self.reproduce(clip.key) for clip in clips if clip), None)

    @property
    def advice(self) -> tuple[tuple[str, str], ...]:
        """Advice from each type's recovery for the agent that uses the transcripts."""
        advice = advise(self.run.metrics.all.recovery)
        return tuple((name, str(each)) for name, each in advice.items())

    @property
    def coverage(self) -> str:
        """The part of the run that has a result, in words."""
        return f"{wording.of_run(self.run, self.measured)} measured"

    @property
    def without_result(self) -> str:
        """The number of clips without a result, in words."""
        return f"{results(len(self.errors), self.run.repeats)} without a result"

    @property
    def behind(self) -> tuple[Miss, ...]:
        """The missed values that failed gates are about, in the order of `misses`."""
        keys = {miss.key for gate in self.failed for miss in worst.behind(gate, *self.about(gate))}
        every = (*self.misses, *(miss for each in self.conditions.each for miss in each.broken))
        return tuple(miss for miss in every if miss.key in keys)

    def worst(self, gate: Outcome) -> ClipRecord | None:
        """The clip to look at first where this gate failed."""
        return worst.clip(gate, *self.about(gate))

    def about(self, gate: Outcome) -> tuple[Sequence[ClipRecord], Sequence[Miss]]:
        """The records and the misses that a gate is about: raw, or what broke under its condition,
        else all that is missed there."""
        name, _ = parted(gate.name)
        if name is None:
            return self.run.records, self.misses
        records = records_under(self.run, name)
        broken = next((each.broken for each in self.conditions.each if each.name == name), ())
        return records, broken or misses.find(records, Stored())


def gather(
    run: Run,
    outcomes: Sequence[Outcome],
    *,
    thresholds: Thresholds | None = None,
    reproduce: Callable[[str], str] | None = None,
    notices: Sequence[str] = (),
    today: date | None = None,
) -> ViewModel:
    """The facts of a run.

    `thresholds` are those the outcomes were judged by: they tell new misses from known ones.
    `notices` are one-line remarks such as why nothing was gated.
    """
    records = run.records
    errors = tuple(record for part in run.parts for record in part.errors)
    types = _types(run, outcomes, thresholds)
    stored = Stored.of(run, thresholds, today or date.today())
    missed = misses.by_type(misses.find(records, stored), (fact.name for fact in types))
    return ViewModel(
        run=run,
        state=_state(outcomes, errors),
        gates=tuple(sorted(outcomes, key=lambda gate: _WORST_FIRST[gate.status])),
        types=types,
        misses=tuple(misses.flat(missed)),
        slices=_slices(run),
        reproduce=reproduce or partial(rerun.command, run),
        notices=tuple(notices),
        measured=sum(len(part.records) for part in run.parts) - len(errors),
        conditions=conditions.gather(run, outcomes),
        errors=errors,
        since=str(thresholds.recorded) if thresholds and thresholds.recorded else None,
    )


def _headline(view: ViewModel) -> str:
    judged = sum(gate.status != "ungated" for gate in view.gates)
    count = plural(judged, "gate")
    match view.state:
        case "provider failure" | "verifier failure" as whose:
            return f"{whose}, not a regression: {_outage(view)}"
        case "failed":
            return f"{len(view.failed)} of {count} failed"
        case "held":
            return f"{count} held"
        case state:
            return f"{state}: {view.coverage}"


def _outage(view: ViewModel) -> str:
    """An outage: the clips without a result, of what kind and on which host."""
    failures = [record.error for record in view.errors if record.error]
    kinds = Counter(failure.kind for failure in failures)
    hosts = sorted({failure.host for failure in failures if failure.host})
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    where = f" on {', '.join(hosts)}" if hosts else ""
    count = wording.of_run(view.run, len(failures))
    return f"{count} without a result ({told}{where}); gates are inconclusive"


def _state(outcomes: Sequence[Outcome], errors: Sequence[ClipRecord]) -> State:
    statuses = {gate.status for gate in outcomes}
    if completeness.calls_failed(outcomes):
        kinds = {record.error.kind for record in errors if record.error}
        return "verifier failure" if kinds == {"verifier"} else "provider failure"
    if "failed" in statuses:
        return "failed"
    if "inconclusive" in statuses:
        return "inconclusive"
    if "not_evaluated" in statuses:
        return "not evaluated"
    return "held" if "passed" in statuses else "not gated"


def _types(
    run: Run, outcomes: Iterable[Outcome], thresholds: Thresholds | None
) -> tuple[TypeFact, ...]:
    gates = {gate.name: gate for gate in outcomes}
    before = thresholds.baseline.rates if thresholds and thresholds.baseline else {}
    figures = run.metrics.all
    known = _known(run, thresholds) if thresholds else {}
    view = []
    for name, rate in figures.recovery.items():
        key = f"recovery:{name}"
        gate = gates.get(key)
        judged = gate.baseline if gate and isinstance(gate.baseline, Rate) else before.get(key)
        share = figures.miss_share.get(name)
        fact = TypeFact(name, rate, wilson(rate), judged, gate, share, known.get(name))
        view.append(fact)
    return tuple(sorted(view, key=_badness))


def _known(run: Run, thresholds: Thresholds) -> Mapping[str, Rate]:
    """Of each type the rate over the clips that thresholds know; nothing where these are all."""
    change = DatasetChange.between(thresholds, run)
    if not change.added:
        return {}
    return recovery.recovery_by_type(change.known(run.records))


def _badness(fact: TypeFact) -> tuple[bool, float, float, int, str]:
    """Failed ones first, then what dropped most, then what is recovered least."""
    value = 2.0 if fact.rate.value is None else fact.rate.value
    drop = min(fact.change or 0.0, 0.0)
    return (fact.status != "failed", drop, value, -fact.rate.total, fact.name)


def _slices(run: Run) -> tuple[SliceFact, ...]:
    view = []
    for key, figures in run.metrics.slices.items():
        if not figures.ctem.total:
            continue
        dimension, _, name = key.partition("=")
        view.append(SliceFact(dimension, name, figures.ctem, wilson(figures.ctem)))
    return tuple(sorted(view, key=lambda fact: (fact.dimension, fact.rate.value or 0.0)))
