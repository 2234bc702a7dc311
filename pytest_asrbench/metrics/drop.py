"""
The drop from the raw clips of a run to the same clips under a condition, paired by clip.

Entities of a clip fail together, so the clip is the unit, and its repeats are one observation: they
are of one sound on each side, whose difference no repeat takes away. The exact test turns the signs
of the clips' differences (:func:`pytest_asrbench.metrics.stats.permutation_drop`).
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
    pairs = [_pair(before[clip], after[clip]) for clip in both]
    return Drop(
        _rate(before[clip] for clip in both),
        _rate(after[clip] for clip in both),
        stats.permutation_drop(pairs),
    )


def _pair(before: list[ClipRecord], after: list[ClipRecord]) -> stats.Draw:
    """What was recovered on each side, as if both had as many repeats."""
    hits = sum(len(r.recovered) for r in before), sum(len(r.recovered) for r in after)
    return (hits[0] * len(after),), (hits[1] * len(before),)


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
