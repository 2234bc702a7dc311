"""
Gates over a run: arithmetic without I/O.

`complete` and `thresholds` come first. Errors beyond `max_errors`, missing clips or thresholds of
another verifier make the other gates inconclusive: they show their values and decide nothing. The
unmeasured never passes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from pytest_asrbench.counts import plural
from pytest_asrbench.gates import baselines, checks, completeness, conditions, wording
from pytest_asrbench.gates.carried import Before
from pytest_asrbench.gates.checks import Check
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.exemptions import exempt
from pytest_asrbench.gates.measures import GateName, Views, measured
from pytest_asrbench.gates.paired import PairedComparison, compare
from pytest_asrbench.gates.remedies import PYTEST, Remedies
from pytest_asrbench.gates.thresholds import ALPHA, Policy, Thresholds
from pytest_asrbench.gates.wildcards import expand
from pytest_asrbench.metrics import stats
from pytest_asrbench.model import ClipRecord, Measured, Outcome
from pytest_asrbench.run import Run


def evaluate(
    run: Run,
    thresholds: Thresholds | None,
    *,
    max_errors: int = 0,
    full: bool = True,
    strict: bool = False,
    today: date | None = None,
    clips: Mapping[str, str] | None = None,
    path: Path | None = None,
    remedies: Remedies = PYTEST,
    must_gate: bool = False,
) -> list[Outcome]:
    """One outcome a gate, `complete` and `thresholds` first; types without a gate as `ungated`.

    `full`: a selection that leaves expected clips out fails `complete`. `clips` maps the dataset's
    clip ids to their digests (default: those of the records). `path` is named where there are no
    thresholds, `remedies` in what to do. With `must_gate`, thresholds of which no gate can fail do.
    A shard is judged by `complete` and `thresholds` alone. Those of conditions follow, each named
    `condition=NAME/GATE`.
    """
    options: dict[str, Any] = {
        "max_errors": max_errors,
        "full": full,
        "strict": strict,
        "today": today or date.today(),
        "clips": clips,
        "path": path,
        "remedies": remedies,
        "must_gate": must_gate,
    }
    gates = evaluate_part(run, thresholds, **options)
    for part in run.conditions:
        assert part.condition is not None
        name = part.condition.name
        own = thresholds.under(name) if thresholds else None
        judged = evaluate_part(part, own, **options)
        alpha = thresholds.alpha if thresholds else ALPHA
        fall = _weighed(
            conditions.drop(run, part, own.drop if own else None, alpha), run, judged[0]
        )
        gates += conditions.named(name, [*judged, fall])
    return gates


def _weighed(fall: Outcome, run: Run, complete: Outcome) -> Outcome:
    """The drop decides nothing where either side was not measured whole."""
    if fall.status == "ungated":
        return fall
    if run.sharded:
        return _undecided(fall, "not_evaluated", "asrbench merge --gate decides")
    if complete.failed or run.errors or run.coverage.missing:
        return _undecided(fall, "inconclusive", "the run is not complete")
    return fall


def evaluate_part(
    run: Run,
    thresholds: Thresholds | None,
    *,
    max_errors: int,
    full: bool,
    strict: bool,
    today: date,
    clips: Mapping[str, str] | None,
    path: Path | None,
    remedies: Remedies,
    must_gate: bool,
) -> list[Outcome]:
    """Of the raw clips, or of those under one condition, by their own thresholds."""
    complete = completeness.complete(run, max_errors=max_errors, full=full)
    if thresholds is None:
        return [complete, completeness.absent(run, path, remedies), *_ungated(run, ())]
    change = DatasetChange.between(thresholds, run, clips)
    first = [complete, completeness.fits(run, thresholds, change, remedies)]
    kept = exempt(run.records, thresholds, today, strict=strict)
    if kept.outcome and not run.condition:
        first.append(kept.outcome)
    outcomes = _judge(run, thresholds, change.known(kept.records), change, remedies)
    if not any(map(decides, outcomes)):
        first[1] = completeness.without_gate(first[1], outcomes, remedies, fails=must_gate)
    if run.sharded:
        outcomes = [
            _undecided(each, "not_evaluated", "asrbench merge --gate decides") for each in outcomes
        ]
    elif complete.failed:
        outcomes = [
            _undecided(each, "inconclusive", "the run is not complete") for each in outcomes
        ]
    elif not completeness.same_verifier(run, thresholds):
        outcomes = [
            _undecided(each, "inconclusive", "another verifier judged") for each in outcomes
        ]
    elif not completeness.same_condition(run, thresholds):
        outcomes = [
            _undecided(each, "inconclusive", "the condition is another") for each in outcomes
        ]
    return [*first, *outcomes, *_ungated(run, {each.name for each in outcomes})]


def decides(outcome: Outcome) -> bool:
    """True if the gate could fail: vacuous ones and those under their min_n only report."""
    return outcome.status != "ungated"


def _undecided(outcome: Outcome, status: str, why: str) -> Outcome:
    return replace(outcome, status=status, detail=f"{why}: {outcome.detail}")  # type: ignore[arg-type] # callers pass statuses


def _ungated(run: Run, gated: Collection[str]) -> Iterator[Outcome]:
    for type_, rate in run.metrics.all.recovery.items():
        name = f"recovery:{type_}"
        if name not in gated:
            value = wording.exact(rate)
            told = "nothing measured" if value is None else wording.number(value)
            yield Outcome(name, "ungated", told + wording.counts(rate), measured=rate)


@dataclass(frozen=True, slots=True)
class _Gate:
    """A gate with what was measured for it; `alpha` is the level of a paired one."""

    name: GateName
    policy: Policy
    measured: Measured
    comparison: PairedComparison | None
    baseline: Measured
    alpha: Decimal


def _judge(
    run: Run,
    thresholds: Thresholds,
    records: Sequence[ClipRecord],
    change: DatasetChange,
    remedies: Remedies,
) -> list[Outcome]:
    """By the records of clips that the thresholds know."""
    views = Views(records)
    before = Before(thresholds.baseline, change, change.known(run.records))
    gates = [
        _measure(GateName.parse(name), policy, thresholds, views, before)
        for name, policy in expand(thresholds.gates, views).items()
    ]
    chances = _corrected(gates)
    return [_decide(gate, run.cache_mode, views, chances, remedies) for gate in gates]


def _measure(
    name: GateName,
    policy: Policy,
    thresholds: Thresholds,
    views: Views,
    before: Before,
) -> _Gate:
    chosen, comparison = views.of(name), None
    if name.spec.outcomes and thresholds.baseline:
        comparison = compare(name, chosen, thresholds.baseline, before.change.same)
    alpha = policy.alpha or thresholds.alpha
    held_to = before.stayed(name, policy)
    baseline = _baseline(name, comparison, thresholds, before.change)
    return _Gate(name, held_to, measured(name, chosen), comparison, baseline, alpha)


def _corrected(gates: Iterable[_Gate]) -> Mapping[str, float]:
    """p-values of the paired gates; those of one level are corrected as one family."""
    families: dict[Decimal, dict[str, PairedComparison]] = defaultdict(dict)
    for gate in gates:
        if gate.policy.paired and gate.comparison and gate.comparison.pairs:
            families[gate.alpha][str(gate.name)] = gate.comparison
    corrected = [_family(comparisons, alpha) for alpha, comparisons in families.items()]
    return {name: p for family in corrected for name, p in family.items()}


def _family(comparisons: Mapping[str, PairedComparison], alpha: Decimal) -> Mapping[str, float]:
    return stats.tarone(
        {name: comparison.p for name, comparison in comparisons.items()},
        {name: comparison.attainable_p for name, comparison in comparisons.items()},
        float(alpha),
    )


def _decide(
    gate: _Gate,
    cache_mode: str,
    views: Views,
    chances: Mapping[str, float],
    remedies: Remedies,
) -> Outcome:
    blank = Outcome(str(gate.name), "failed", "", measured=gate.measured, baseline=gate.baseline)
    value = wording.exact(gate.measured)
    if gate.measured is None or value is None:
        return replace(blank, detail="nothing was measured")
    if gate.name.spec.live and (stale := _not_live(views.of(gate.name))):
        replay = cache_mode == "replay"
        other = "give replays a thresholds file without this gate"
        remedy = other if replay else f"run with {remedies.refresh}"
        count = plural(stale, "transcript")
        return replace(blank, detail=f"{count} not fetched in this run; {remedy}")
    few = _too_few(gate)
    if few:
        return replace(blank, status="ungated", detail=few, kind="min_n")
    if gate.policy.needs_baseline and gate.baseline is None:
        return replace(blank, detail=f"no baseline to compare with; {remedies.update} writes one")
    checks = list(_checks(gate, value, chances))
    return _combined(blank, checks)


def _baseline(
    name: GateName,
    comparison: PairedComparison | None,
    thresholds: Thresholds,
    change: DatasetChange,
) -> Measured:
    """The baseline's measure, of the clips that stayed where it knows them by clip."""
    if comparison:
        return comparison.before if comparison.before.total else None
    baseline = thresholds.baseline
    if baseline is None or name.slice is not None:
        return None
    if name.measure == "wer" and baseline.words and change.gone:
        return baselines.of_clips(baseline.words, change.same)
    return baseline.errors.get(name.measure)


def _not_live(records: Sequence[ClipRecord]) -> int:
    return sum(record.measured and record.source != "live" for record in records)


def _too_few(gate: _Gate) -> str | None:
    n = getattr(gate.measured, "total", getattr(gate.measured, "reference", None))
    least = gate.policy.min_n
    if least is None or n is None or n >= least:
        return None
    return f"{n} counted, fewer than min_n {least}: reported only"


def _checks(
    gate: _Gate,
    value: Fraction,
    chances: Mapping[str, float],
) -> Iterator[Check]:
    policy, comparison = gate.policy, gate.comparison
    if policy.min is not None:
        yield checks.at_least(gate.measured, value, policy.min)
    if policy.max is not None:
        yield checks.at_most(gate.measured, value, policy.max, gate.name.spec.unit)
    if policy.max_rise is not None:
        yield checks.max_rise(gate.baseline, gate.measured, policy.max_rise)
    if comparison and policy.max_drop is not None:
        yield checks.max_drop(comparison, policy.max_drop)
    if comparison and policy.paired:
        yield checks.paired(comparison, chances.get(str(gate.name), 1.0), gate.alpha)
    if comparison and policy.max_new_misses is not None:
        yield checks.max_new_misses(comparison, policy.max_new_misses)


def _combined(blank: Outcome, checks: Sequence[Check]) -> Outcome:
    """The worst check decides; where several failed, all are told."""
    for status in ("failed", "passed", "ungated"):
        chosen = [check for check in checks if check.status == status]
        if chosen:
            shown = chosen if status == "failed" else chosen[:1]
            return replace(
                blank,
                status=status,
                detail="; ".join(check.text for check in shown),
                kind=chosen[0].kind,
                limit=float(chosen[0].limit),
            )
    raise ValueError(f"gate {blank.name} has no condition")
