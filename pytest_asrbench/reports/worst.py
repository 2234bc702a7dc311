"""The misses to look at first where a gate failed: its missed values, and the clip that weighs
most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pytest_asrbench.gates.conditions import DROP, parted
from pytest_asrbench.gates.measures import MEASURES, GateName
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, Outcome
from pytest_asrbench.reports.misses import Miss


def clip(gate: Outcome, records: Sequence[ClipRecord], misses: Sequence[Miss]) -> ClipRecord | None:
    """The record that weighs most in this gate; None for a gate that is about no clip."""
    if parted(gate.name)[1] in {"complete", "error_rate"}:
        return next((record for record in records if record.error), None)
    name = _counted(gate)
    if name.measure not in MEASURES:
        return None
    own = [record for record in name.records(records) if record.measured]
    if name.spec.outcomes:
        return _most_missed(behind(gate, records, misses))
    if name.measure == "empty_rate":
        return next((record for record in own if not (record.transcript or "").strip()), None)
    if name.measure in {"wer", "cer"}:
        return max(own, key=_edits, default=None)
    if not name.measure.endswith("_ms"):
        return None  # what weighs most in a measure that only its own function knows
    return max(own, key=lambda record: record.latency_ms or 0.0, default=None)


def behind(gate: Outcome, records: Sequence[ClipRecord], misses: Sequence[Miss]) -> Sequence[Miss]:
    """The gate's missed values, only the new ones where there are any; none of a gate that
    counts no verdicts."""
    name = _counted(gate)
    if name.measure not in MEASURES or not name.spec.outcomes:
        return []
    own = [record for record in name.records(records) if record.measured]
    entities = {entity_key(r, judged.entity.id) for r in own for judged in r.misses}
    relevant = [miss for miss in misses if entity_key(miss.record, miss.entity.id) in entities]
    return [miss for miss in relevant if miss.new] or relevant


def _counted(gate: Outcome) -> GateName:
    """What the gate counts; a drop is one of CTEM."""
    _, name = parted(gate.name)
    return GateName("ctem") if name == DROP else GateName.parse(name)


def _most_missed(relevant: Sequence[Miss]) -> ClipRecord | None:
    """The clip with most of these."""
    if not relevant:
        return None
    count = Counter(miss.record.clip for miss in relevant)
    return max(relevant, key=lambda miss: count[miss.record.clip]).record


def _edits(record: ClipRecord) -> int:
    return record.words.edits if record.words else 0
