"""
Gates of a condition: `condition=phone/ctem`, and the drop from the raw clips of the same run.

The drop is paired by clip: a clip that is lost under the condition counts against what the same
clip was raw (:mod:`pytest_asrbench.metrics.drop`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from pytest_asrbench.gates import baselines, checks
from pytest_asrbench.gates.measures import GateName
from pytest_asrbench.gates.paired import PairedComparison, PairedOutcome, compare
from pytest_asrbench.gates.thresholds import ALPHA, Policy, Thresholds
from pytest_asrbench.model import Outcome
from pytest_asrbench.run import Run

DROP = "drop"
_PREFIX = "condition="


def gate_name(condition: str, gate: str) -> str:
    """`condition=phone/ctem`"""
    return f"{_PREFIX}{condition}/{gate}"


def parted(name: str) -> tuple[str | None, str]:
    """(condition, gate) of an outcome's name; no condition for a gate of the raw clips."""
    if not name.startswith(_PREFIX):
        return None, name
    condition, _, gate = name.removeprefix(_PREFIX).partition("/")
    return condition, gate


def named(condition: str, outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Gates of a run under a condition, by the names they have in the whole run."""
    return [replace(each, name=gate_name(condition, each.name)) for each in outcomes]


def of(condition: str | None, outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The inverse: a condition's gates out of all, by their own names; None: those of raw clips."""
    parts = ((parted(each.name), each) for each in outcomes)
    return [replace(each, name=gate) for (name, gate), each in parts if name == condition]


def unmeasured(run: Run, thresholds: Thresholds) -> str | None:
    """A line on conditions that thresholds are stored for, and that the run left out."""
    measured = {part.condition.name for part in run.conditions if part.condition}
    left = [name for name in thresholds.conditions if name not in measured]
    if not left:
        return None
    names = ", ".join(left)
    return f"not measured, though gates are stored for it: condition {names}; --asr-condition does"


def drop(raw: Run, under: Run, policy: Policy | None, alpha: Decimal) -> Outcome:
    """The gate on the drop; without a policy a figure that decides nothing."""
    comparison = _compared(raw, under)
    blank = Outcome(DROP, "ungated", "", measured=comparison.now, baseline=comparison.before)
    if not comparison.now.total or not comparison.before.total:
        return replace(blank, detail="nothing was measured", measured=None, baseline=None)
    told = list(_checks(comparison, policy)) if policy else []
    tested = checks.paired_text(comparison, comparison.p, alpha, "raw")
    if not told:
        return replace(blank, detail=tested)
    worst = next((each for each in told if each.status == "failed"), told[0])
    text = "; ".join(each.text for each in told if each.status == worst.status)
    text += "" if worst.kind == "paired" else f"; {tested}"
    limit = float(worst.limit)
    return replace(blank, status=worst.status, detail=text, kind=worst.kind, limit=limit)


def _compared(raw: Run, under: Run) -> PairedComparison:
    """Over clips whose every raw repeat was measured, each clip's repeats as one observation."""
    whole = {record.clip for record in raw.records} - {record.clip for record in raw.errors}
    comparison = compare(GateName("ctem"), under.records, baselines.of_run(raw), whole)
    pairs = [
        PairedOutcome(
            (sum(pair.before) * len(pair.now),),
            (sum(pair.now) * len(pair.before),),
            pair.size * len(pair.before) * len(pair.now),
        )
        for pair in comparison.pairs
    ]
    return replace(comparison, pairs=pairs)


def _checks(comparison: PairedComparison, policy: Policy) -> Sequence[checks.Check]:
    asked = []
    if policy.max_drop is not None:
        asked.append(checks.max_drop(comparison, policy.max_drop))
    if policy.paired:
        asked.append(checks.paired(comparison, comparison.p, policy.alpha or ALPHA, "raw"))
    if policy.max_new_misses is not None:
        asked.append(checks.max_new_misses(comparison, policy.max_new_misses))
    return asked
