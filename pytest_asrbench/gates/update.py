"""
Thresholds that `--asr-update` makes of a run: floors rise, ceilings fall, new types are added.

A worse value keeps its threshold and goes on failing; `--asr-update-lower` accepts it. Worse is
told by the clips that thresholds know; added, removed and changed ones move the limits by what they
are themselves. Of a partial run nothing but its added clips is taken in, of one that is incomplete
or has transcripts that a cassette brought nothing at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from pytest_asrbench.counts import plural, results, some
from pytest_asrbench.gates import (
    baselines,
    changes,
    completeness,
    conditions,
    defaults,
    intake,
    left_out,
)
from pytest_asrbench.gates.dataset_change import DatasetChange, digests
from pytest_asrbench.gates.evaluate import evaluate, evaluate_part
from pytest_asrbench.gates.exemptions import exempt
from pytest_asrbench.gates.measures import GateName, Views
from pytest_asrbench.gates.moving import Moving
from pytest_asrbench.gates.paired import compare
from pytest_asrbench.gates.remedies import PYTEST, Remedies
from pytest_asrbench.gates.thresholds import ALPHA, Baseline, Policy, Thresholds
from pytest_asrbench.model import ClipRecord, Outcome
from pytest_asrbench.run import Run
from pytest_asrbench.run.build import record_key
from pytest_asrbench.verifiers.base import Identity

NAME = "update"


@dataclass(frozen=True, slots=True)
class Update:
    """`thresholds` are to be written; None where refused. `lines` tell what changes.

    `outcomes` are those of all gates by the new thresholds; a refusal is a failed gate of its own.
    """

    thresholds: Thresholds | None
    lines: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    refused: str = ""
    """Why nothing is to be written."""


def update(
    run: Run,
    stored: Thresholds | None,
    outcomes: Sequence[Outcome],
    *,
    lower: bool = False,
    max_errors: int = 0,
    strict: bool = False,
    today: date | None = None,
    clips: Mapping[str, str] | None = None,
    remedies: Remedies = PYTEST,
    must_gate: bool = False,
) -> Update:
    """New thresholds from a run that was judged by the stored ones (`outcomes`).

    `lower` accepts worse values too. The other arguments are those of `evaluate`. All that was
    measured is stored, raw and under each condition, or nothing.
    """
    options: dict[str, Any] = {
        "lower": lower,
        "max_errors": max_errors,
        "strict": strict,
        "day": today or date.today(),
        "clips": clips,
        "remedies": remedies,
        "must_gate": must_gate,
    }
    raw = _update_part(run, stored, conditions.of(None, outcomes), **options)
    lines, judged = [*raw.lines], [*raw.outcomes]
    if raw.thresholds is None:
        return _refused(outcomes, raw.refused)
    under = dict(raw.thresholds.conditions)
    for part in run.conditions:
        assert part.condition is not None
        name = part.condition.name
        before = stored.under(name) if stored else None
        own = conditions.of(name, outcomes)
        made = _update_part(part, before, own, **options)
        if made.thresholds is None:
            return _refused(outcomes, f"condition {name}: {made.refused}")
        under[name] = _under(made.thresholds, stored, part)
        lines += [f"condition {name}: {line}" for line in made.lines]
        fall = [each for each in own if each.name == conditions.DROP]
        judged += conditions.named(name, [*made.outcomes, *fall])
    new = replace(raw.thresholds, conditions=under)
    return Update(new, tuple(lines), tuple(judged))


def _under(made: Thresholds, stored: Thresholds | None, part: Run) -> Thresholds:
    """What is kept of a condition's thresholds: the rest stands once, for all."""
    assert part.condition is not None
    own = stored.conditions.get(part.condition.name) if stored else None
    return replace(
        made,
        provider={},
        alpha=ALPHA,
        condition=part.condition.digest,
        quarantine=own.quarantine if own else (),
        expected_misses=own.expected_misses if own else (),
    )


def _update_part(
    run: Run,
    stored: Thresholds | None,
    outcomes: Sequence[Outcome],
    *,
    lower: bool,
    max_errors: int,
    strict: bool,
    day: date,
    clips: Mapping[str, str] | None,
    remedies: Remedies,
    must_gate: bool,
) -> Update:
    """Of the raw clips, or of those under one condition."""
    before = stored or Thresholds()
    change = DatasetChange.between(before, run, clips)
    why = refusal(run, before, change, clips, remedies)
    if why is None and stored is not None and not lower:
        why = _verifier_refusal(run, stored, day, remedies)
    if why is not None:
        return _refused(outcomes, why)
    if run.selection == "partial":
        new, taken = intake.taken_in(run, before, change, clips or {}, day)
        return Update(new, tuple(changes.lines(before, new, taken, (), remedies)), tuple(outcomes))
    records = exempt(run.records, before, day, strict=strict).records
    gates = _gates(run, stored, records, change, lower=lower)
    new = replace(
        before,
        gates=gates,
        left_out=left_out.names(run, before, gates, Views(records)),
        provider={} if run.condition else _provider(run),
        condition=run.condition.digest if run.condition else None,
        dataset=run.dataset.name,
        digest=run.dataset.digest,
        clips={clip: digest[:8] for clip, digest in digests(run.records, clips).items()},
        verifier=Identity(*run.verifier.key),
        normaliser=run.normaliser,
        recorded=day,
        baseline=_baseline(run, before, outcomes, change.same, lower=lower),
    )
    if _same(new, before):
        new = replace(new, recorded=before.recorded)
    judged = evaluate_part(
        run,
        new,
        max_errors=max_errors,
        full=True,
        strict=strict,
        today=day,
        clips=clips,
        path=before.path,
        remedies=remedies,
        must_gate=must_gate,
    )
    if not (stored and stored.gates) and not new.gates and not run.condition:
        return _refused(outcomes, _nothing_to_gate(run))
    told = [
        *changes.lines(stored, new, change, judged, remedies),
        *left_out.lines(run, new, Views(records)),
    ]
    return Update(new, tuple(told), tuple(judged))


def _refused(outcomes: Sequence[Outcome], why: str) -> Update:
    failed = Outcome(NAME, "failed", f"thresholds not written: {why}")
    return Update(None, (failed.detail,), (*outcomes, failed), why)


def _nothing_to_gate(run: Run) -> str:
    rate = run.metrics.all.ctem
    lost = f"none of {plural(rate.total, 'value')} was recovered" if rate.total else "no values"
    return f"{lost}, so no gate could fail; look at the transcripts first"


def _same(new: Thresholds, before: Thresholds) -> bool:
    return replace(new, recorded=before.recorded) == before


def refusal(
    run: Run,
    stored: Thresholds,
    change: DatasetChange,
    clips: Mapping[str, str] | None,
    remedies: Remedies,
) -> str | None:
    """The reason why this run can't become thresholds; None where it can."""
    if run.sharded:
        return f"shard {run.shard} is a part; use asrbench merge, then asrbench thresholds update"
    partial = run.selection == "partial"
    if partial and (why := intake.refusal(run, stored, change, clips)) is not None:
        chosen = run.coverage.expected - run.coverage.unselected
        return f"only {chosen} of {run.coverage.expected} clips selected{why}; run all"
    if run.errors:
        return f"{results(len(run.errors), run.repeats)} failed; run again"
    faults = completeness.complete(run, max_errors=0, full=False)
    if faults.failed:
        return f"the run is not complete ({faults.detail})"
    imported = [record_key(r.clip, r.repeat) for r in run.records if r.imported]
    if imported and run.cache_mode != "replay":
        count = plural(len(imported), "transcript")
        return f"{count} came from a cassette ({some(imported)}); run with {remedies.refresh}"
    return None


def _verifier_refusal(run: Run, stored: Thresholds, day: date, remedies: Remedies) -> str | None:
    """A baseline of another verifier can only be replaced; never silently by a worse one."""
    if completeness.same_verifier(run, stored) or not _compares_runs(stored):
        return None
    alike = replace(stored, verifier=Identity(*run.verifier.key))
    alone = replace(run, conditions=())
    failed = [each.name for each in evaluate(alone, alike, today=day) if each.failed]
    worse = [name for name in failed if name != completeness.THRESHOLDS]
    if not worse:
        return None
    return f"worse under the new verifier: {some(worse)}; {remedies.lower} accepts it"


def _paired(thresholds: Thresholds) -> bool:
    return any(policy.paired for policy in thresholds.gates.values())


def _compares_runs(thresholds: Thresholds) -> bool:
    """True if a gate holds a whole run against the baseline; a new miss alone is told by value."""
    policies = thresholds.gates.values()
    return any(p.paired or p.max_drop is not None or p.max_rise is not None for p in policies)


def _provider(run: Run) -> dict[str, str]:
    fields = {"name": run.provider.name, "use": run.provider.use, "model": run.provider.model}
    return {key: value for key, value in fields.items() if value}


def _baseline(
    run: Run,
    before: Thresholds,
    outcomes: Sequence[Outcome],
    unchanged: Collection[str],
    *,
    lower: bool,
) -> Baseline:
    new, old = baselines.of_run(run), before.baseline
    if old is None or lower:
        return new
    if not _paired(before) and any(p.max_new_misses is not None for p in before.gates.values()):
        return baselines.ratcheted(old, new, unchanged, run)
    alike = completeness.same_verifier(run, before) and completeness.same_condition(run, before)
    if not alike:
        return new
    # A gate that failed against the old outcomes would hold against the run's own.
    lost = any(each.failed and each.name != completeness.THRESHOLDS for each in outcomes)
    if not lost and _better(run, old, unchanged, before):
        return baselines.fewest_errors(old, new, unchanged, run)
    return baselines.extended(old, new, unchanged, run)


def _better(run: Run, old: Baseline, unchanged: Collection[str], before: Thresholds) -> bool:
    """True if CTEM rose; where noise is tested for, beyond noise: the drop test turned round."""
    comparison = compare(GateName("ctem"), run.records, old, unchanged)
    if _paired(before):
        return comparison.rise_p <= before.alpha
    return (
        comparison.now.hits * comparison.before.total
        > comparison.before.hits * comparison.now.total
    )


def _gates(
    run: Run,
    stored: Thresholds | None,
    records: Sequence[ClipRecord],
    change: DatasetChange,
    *,
    lower: bool,
) -> dict[str, Policy]:
    views = Views(records)
    if stored is None or not stored.gates:
        return defaults.policies(run, views, (stored or Thresholds()).alpha)
    moving = Moving(run, stored, change, records, views, lower=lower)
    moved = {name: moving.policy(name, policy) for name, policy in stored.gates.items()}
    moved.update(defaults.of_new_types(run, stored, views))
    for name, policy in defaults.once_left_out(run, stored, views).items():
        moved[name] = replace(moved.get(name, policy), paired=policy.paired)
    return {name: policy for name, policy in moved.items() if policy.conditions}
