"""
The drop from the raw clips of a run to the same clips under a condition, paired by clip.

Entities of a clip fail together, so the clip is the unit: the exact test deals each clip's repeats
anew to both sides (:func:`pytest_asrbench.metrics.stats.permutation_drop`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pytest_asrbench.metrics import stats
from pytest_asrbench.model import ClipRecord, Rate


@dataclass(frozen=True, slots=True)
class Drop:
    """CTEM over the clips that both sides measured; `p` is the one-sided chance of a drop like
    this without a difference."""

    raw: Rate
    under: Rate
    p: float

    def to_json(self) -> dict[str, Any]:
        return {"raw": self.raw.to_json(), "under": self.under.to_json(), "p": self.p}


def drop(raw: Iterable[ClipRecord], under: Iterable[ClipRecord]) -> Drop:
    """Of the raw records and those under a condition."""
    before, after = _by_clip(raw), _by_clip(under)
    both = [clip for clip in before if clip in after]
    pairs = [
        (tuple(len(r.recovered) for r in before[c]), tuple(len(r.recovered) for r in after[c]))
        for c in both
    ]
    return Drop(
        _rate(before[clip] for clip in both),
        _rate(after[clip] for clip in both),
        stats.permutation_drop(pairs),
    )


def _by_clip(records: Iterable[ClipRecord]) -> dict[str, list[ClipRecord]]:
    clips: dict[str, list[ClipRecord]] = defaultdict(list)
    for record in records:
        if record.measured and record.entities:
            clips[record.clip].append(record)
    return clips


def _rate(clips: Iterable[list[ClipRecord]]) -> Rate:
    records = [record for repeats in clips for record in repeats]
    hits = sum(len(record.recovered) for record in records)
    return Rate(hits, sum(len(record.entities) for record in records))
