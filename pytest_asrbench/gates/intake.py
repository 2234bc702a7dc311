"""
The clips that `--asr-update` takes in of a run of some: those that are new, and nothing else.

The known clips keep what was stored for them, for a part of them can tell nothing of the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from pytest_asrbench.counts import some
from pytest_asrbench.gates import baselines, carried, completeness, defaults, left_out
from pytest_asrbench.gates.carried import Counts
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.exemptions import exempt
from pytest_asrbench.gates.measures import GateName, Views
from pytest_asrbench.gates.thresholds import Baseline, Policy, Thresholds
from pytest_asrbench.model import ClipRecord, dataset_digest
from pytest_asrbench.run import Run


def refusal(
    run: Run, stored: Thresholds, change: DatasetChange, clips: Mapping[str, str] | None
) -> str | None:
    """The reason why nothing can be taken in of this part, to stand behind `only 1 of 4 clips
    selected`."""
    came = _records(run, change)
    if stored.baseline is None or clips is None or not came:
        return ", none of them new" if stored.baseline and clips else ""
    if change.stale:
        return f", and others were removed or changed ({some(change.gone)})"
    if not completeness.same_verifier(run, stored) or stored.normaliser != run.normaliser:
        return ", and another verifier judged"
    views = Views(came)
    sliced = [name for name in stored.gates if GateName.parse(name).slice and _reaches(name, views)]
    return f", and a part can't move {some(sliced)}" if sliced else None


def _reaches(name: str, views: Views) -> bool:
    """Wildcards mean what they say whichever clips there are."""
    return "*" not in name and bool(views.of(GateName.parse(name)))


def taken_in(
    run: Run, stored: Thresholds, change: DatasetChange, clips: Mapping[str, str], day: date
) -> tuple[Thresholds, DatasetChange]:
    """The stored thresholds with the added clips that were measured, and which these are."""
    baseline = stored.baseline
    assert baseline is not None  # or it was refused
    came = _records(run, change)
    known = {clip: clips[clip] for clip in clips if clip in change.same}
    known.update({record.clip: clips[record.clip] for record in came})
    counted = exempt(came, stored, day, strict=False).records
    views = Views(counted)
    gates = _gates(run, stored, baseline, views)
    left = left_out.names(run, stored, gates, views)
    new = replace(
        stored,
        gates=gates,
        left_out=tuple(dict.fromkeys([*stored.left_out, *left])),
        digest=dataset_digest(known),
        clips={clip: known[clip][:8] for clip in clips if clip in known},
        recorded=day,
        baseline=baselines.added(baseline, came, run.repeats),
    )
    return new, replace(change, added=tuple(dict.fromkeys(record.clip for record in came)))


def _records(run: Run, change: DatasetChange) -> Sequence[ClipRecord]:
    added = set(change.added)
    return [record for record in run.records if record.clip in added and record.measured]


def _gates(run: Run, stored: Thresholds, baseline: Baseline, came: Views) -> dict[str, Policy]:
    scale = Fraction(baseline.repeats, run.repeats)
    moved = {
        name: _moved(GateName.parse(name), policy, baseline, came, scale)
        for name, policy in stored.gates.items()
    }
    return {**moved, **defaults.of_new_types(run, stored, came)}


def _moved(
    name: GateName, policy: Policy, baseline: Baseline, came: Views, scale: Fraction
) -> Policy:
    """Floors and ceilings over one clip more; wildcards and what isn't counted stay as they are."""
    stored = baseline.rates.get(str(name)) or baseline.errors.get(str(name))
    was = Counts.of(stored)
    more = Counts.of(name.spec.count(came.of(name)), scale) if "*" not in str(name) else None
    if was is None or more is None:
        return policy
    if policy.min is not None:
        floor = carried.moved("min", policy.min, was, was + more)
        policy = replace(policy, min=floor or None)
    if policy.max is not None:
        policy = replace(policy, max=carried.moved("max", policy.max, was, was + more))
    return policy
