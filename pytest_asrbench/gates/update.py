"""
What `--asr-update` makes of a run: floors rise, ceilings fall, new types are added.

A worse value keeps its threshold and goes on failing; `--asr-update-lower` accepts it. Nothing is
written from a run that is partial, incomplete, or read from the cache.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from pytest_asrbench.counts import plural, results, some
from pytest_asrbench.gates import baselines, changes, completeness, defaults, wording
from pytest_asrbench.gates.dataset_change import DatasetChange, digests
from pytest_asrbench.gates.evaluate import evaluate
from pytest_asrbench.gates.exemptions import exempt
from pytest_asrbench.gates.measures import Name, Views, measured
from pytest_asrbench.gates.paired import compare
from pytest_asrbench.gates.thresholds import Baseline, Policy, Thresholds
from pytest_asrbench.model import ErrorRate, Outcome, Rate
from pytest_asrbench.run import Run
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
) -> Update:
    """New thresholds from a run that was judged by the stored ones (`outcomes`).

    `lower` accepts worse values too. The other arguments are those of `evaluate`.
    """
    day = today or date.today()
    why = refusal(run, outcomes)
    if why is None and stored is not None and not lower:
        why = _verifier_refusal(run, stored, day)
    if why is not None:
        failed = Outcome(NAME, "failed", f"thresholds not written: {why}")
        return Update(None, (failed.detail,), (*outcomes, failed))
    before = stored or Thresholds()
    change = DatasetChange.between(before, run, clips)
    records = exempt(run.records, before, day, strict=strict).records
    baseline = _baseline(run, before, outcomes, change.same, lower=lower)
    gates = _gates(run, stored, Views(records), lower=lower)
    new = replace(
        before,
        gates=gates,
        provider=_provider(run),
        dataset=run.dataset.name,
        digest=run.dataset.digest,
        clips={clip: digest[:8] for clip, digest in digests(run.records, clips).items()},
        verifier=Identity(*run.verifier.key),
        normaliser=run.normaliser,
        recorded=day,
        baseline=baseline,
    )
    if _same(new, before):
        new = replace(new, recorded=before.recorded)
    judged = evaluate(
        run, new, max_errors=max_errors, strict=strict, today=day, clips=clips, path=before.path
    )
    return Update(new, tuple(changes.lines(stored, new, change, judged)), tuple(judged))


def _same(new: Thresholds, before: Thresholds) -> bool:
    return replace(new, recorded=before.recorded) == before


def refusal(run: Run, outcomes: Sequence[Outcome]) -> str | None:
    """Why this run can't become thresholds; None where it can."""
    if run.sharded:
        return f"shard {run.shard} is a part; use asrbench merge, then asrbench thresholds update"
    if run.selection == "partial":
        chosen = run.coverage.expected - run.coverage.unselected
        return f"only {chosen} of {run.coverage.expected} clips selected; run all"
    if run.errors:
        return f"{results(len(run.errors), run.repeats)} failed; run again"
    for outcome in outcomes:
        if outcome.name == completeness.COMPLETE and outcome.failed:
            return f"the run is not complete ({outcome.detail})"
    cached = sum(record.source == "cache" for record in run.records)
    if cached and run.cache_mode != "replay":
        count = plural(cached, "transcript")
        return f"{count} came from the cache; run with --asr-cache-mode refresh"
    return None


def _verifier_refusal(run: Run, stored: Thresholds, day: date) -> str | None:
    """A baseline of another verifier can only be replaced; never silently by a worse one."""
    if completeness.same_verifier(run, stored) or not _compares_runs(stored):
        return None
    alike = replace(stored, verifier=Identity(*run.verifier.key))
    failed = [each.name for each in evaluate(run, alike, today=day) if each.failed]
    worse = [name for name in failed if name != completeness.THRESHOLDS]
    if not worse:
        return None
    return f"worse under the new verifier: {some(worse)}; --asr-update-lower accepts it"


def _paired(thresholds: Thresholds) -> bool:
    return any(policy.paired for policy in thresholds.gates.values())


def _compares_runs(thresholds: Thresholds) -> bool:
    """Whether a gate holds a whole run against the baseline; a new miss alone is told by value."""
    policies = thresholds.gates.values()
    return any(p.paired or p.max_drop is not None or p.max_rise is not None for p in policies)


def _provider(run: Run) -> dict[str, str]:
    found = {"name": run.provider.name, "use": run.provider.use, "model": run.provider.model}
    return {key: value for key, value in found.items() if value}


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
    if not completeness.same_verifier(run, before):
        return new
    # A gate that failed against the old outcomes would hold against the run's own.
    lost = any(each.failed and each.name != completeness.THRESHOLDS for each in outcomes)
    if not lost and _better(run, old, unchanged, before):
        return replace(new, errors=baselines.fewer(old.errors, new.errors))
    return baselines.extended(old, new, unchanged, run)


def _better(run: Run, old: Baseline, unchanged: Collection[str], before: Thresholds) -> bool:
    """Whether CTEM rose; where noise is tested for, beyond noise: the drop test turned round."""
    found = compare(Name("ctem"), run.records, old, unchanged)
    if _paired(before):
        return found.rise_p <= before.alpha
    return found.now.hits * found.before.total > found.before.hits * found.now.total


def _gates(run: Run, stored: Thresholds | None, views: Views, *, lower: bool) -> dict[str, Policy]:
    if stored is None or not stored.gates:
        return defaults.policies(run, views, (stored or Thresholds()).alpha)
    moved = {
        name: _moved(name, policy, run, views, lower=lower) for name, policy in stored.gates.items()
    }
    moved.update(_added(run, stored, views))
    return {name: policy for name, policy in moved.items() if policy.conditions}


def _added(run: Run, stored: Thresholds, views: Views) -> dict[str, Policy]:
    """Default gates of types that the baseline did not know, or never saw recovered."""
    if stored.baseline is None or "recovery:*" in stored.gates:
        return {}
    known = {name for name, rate in stored.baseline.rates.items() if rate.hits}
    return {
        name: policy
        for name, policy in defaults.policies(run, views, stored.alpha).items()
        if name.startswith("recovery:") and name not in known and name not in stored.gates
    }


def _moved(name: str, policy: Policy, run: Run, views: Views, *, lower: bool) -> Policy:
    """The policy with its floor raised and its ceiling let down. Wildcards stay as written."""
    if "*" in name:
        return policy
    parsed = Name.parse(name)
    found = measured(parsed, views.of(parsed))
    if found is None and lower:
        return Policy()  # what it gated is gone from the dataset
    if policy.min is not None and isinstance(found, Rate):
        floor = wording.floor(found) if found.hits else Decimal(0)
        if floor > policy.min or lower:
            policy = replace(policy, min=floor or None)
    if policy.max is not None and found is not None:
        ceiling = _ceiling(parsed, found, run)
        # Ceilings on time and money are budgets that people set: they never fall by themselves.
        falls = ceiling < policy.max and parsed.spec.unit == "rate"
        if falls or (lower and ceiling > policy.max):
            policy = replace(policy, max=ceiling)
    return policy


def _ceiling(name: Name, found: Rate | ErrorRate | float, run: Run) -> Decimal:
    if str(name) == "wer" and (noisy := defaults.error_ceiling(run)) is not None:
        return noisy
    value = wording.exact(found) or Fraction(0)
    if name.spec.unit == "ms":
        return Decimal(math.ceil(value))
    if isinstance(found, ErrorRate):
        return wording.ceiling(value, defaults.one_worse(found))
    step = Fraction(1, found.total) if isinstance(found, Rate) else Fraction(1, 100)
    return wording.ceiling(value, value + step)
