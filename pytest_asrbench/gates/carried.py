"""
Stored floors and ceilings where the dataset is no longer the one they were stored for.

    over clips that stayed   as far from what the baseline has of these as they were from all of it
    with clips that came     these counts, and those of the new clips as they were measured

So a clip more or less neither breaks a floor nor makes room for a loss among the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from pytest_asrbench.gates import baselines, wording
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.measures import Name
from pytest_asrbench.gates.paired import compare
from pytest_asrbench.gates.thresholds import Baseline, Policy
from pytest_asrbench.model import ClipRecord, ErrorRate, Measured, Rate


@dataclass(frozen=True, slots=True)
class Counts:
    """Hits or edits, of so many; counts of unlike repeats are brought to one measure."""

    count: Fraction
    size: Fraction

    @classmethod
    def of(cls, measured: Measured, scale: Fraction = Fraction(1)) -> Counts | None:
        """None of what is not counted: milliseconds, money."""
        if isinstance(measured, Rate):
            return cls(measured.hits * scale, measured.total * scale)
        if isinstance(measured, ErrorRate):
            return cls(measured.edits * scale, measured.reference * scale)
        return None


@dataclass(frozen=True)
class Before:
    """What the stored baseline has. `records` are all of clips that stayed."""

    baseline: Baseline | None
    change: DatasetChange
    records: Sequence[ClipRecord]

    def stayed(self, name: Name, policy: Policy, chosen: Sequence[ClipRecord]) -> Policy:
        """The policy as it is over `chosen`, the gate's records of clips that stayed."""
        now = Counts.of(name.spec.count(chosen))
        if not self.change.gone or not now or not now.size or (moves := self._moves(name)) is None:
            return policy
        if policy.min is not None:
            asked = min(max(Fraction(policy.min) + moves, Fraction(0)), Fraction(1))
            policy = replace(policy, min=_floor(asked * now.size, now.size))
        if policy.max is not None:
            allowed = max(Fraction(policy.max) + moves, Fraction(0))
            policy = replace(policy, max=_ceiling(allowed * now.size, now.size))
        return policy

    def _moves(self, name: Name) -> Fraction | None:
        """How the rate moves with the clips that went; None where nothing tells it."""
        baseline = self.baseline
        if baseline is None or name.slice:
            return None
        stored: Measured = None
        kept: Measured = None
        if name.spec.outcomes:
            stored = baseline.rates.get(str(name))
            kept = compare(name, name.records(self.records), baseline, self.change.same).before
        elif name.measure == "wer":
            stored = baseline.errors.get("wer") if baseline.words else None
            kept = baselines.of_clips(baseline.words, self.change.same)
        was, left = wording.exact(stored), wording.exact(kept)
        return None if was is None or left is None else left - was


def floor_with(limit: Decimal, stayed: Counts, came: Counts) -> Decimal:
    """The floor over clips that stayed and clips that came."""
    asked = math.ceil(Fraction(limit) * stayed.size) + came.count
    return _floor(asked, stayed.size + came.size)


def ceiling_with(limit: Decimal, stayed: Counts, came: Counts, room: Fraction) -> Decimal:
    """The ceiling over both; `room` is how far it lay above what was measured, as a rate."""
    allowed = Fraction(limit) * stayed.size + came.count + room * came.size
    return _ceiling(allowed, stayed.size + came.size)


def _floor(asked: Fraction, of: Fraction) -> Decimal:
    hits = math.ceil(asked)
    return wording.floor_above(Fraction(hits - 1) / of, hits / of) if hits else Decimal(0)


def _ceiling(allowed: Fraction, of: Fraction) -> Decimal:
    edits = math.floor(allowed)
    return wording.ceiling(edits / of, Fraction(edits + 1) / of)
