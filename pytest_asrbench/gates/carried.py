"""
Stored floors and ceilings where the dataset is no longer the one they were stored for.

A floor lets go of so many of the values that its baseline recovered: none, where an update wrote
it for a system that gives equal text. Over other clips it lets go of as many, in proportion: over
those that stayed, and with new ones as they were measured. So a clip more or less neither breaks a
floor nor makes room for a loss among the others. Ceilings likewise, with word edits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Literal

from pytest_asrbench.gates import baselines, wording
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.measures import GateName, Views
from pytest_asrbench.gates.paired import compare
from pytest_asrbench.gates.thresholds import Baseline, Policy
from pytest_asrbench.model import ClipRecord, ErrorRate, Measured, Rate

Kind = Literal["min", "max"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Hits or edits, of so many; of unlike repeats they are brought to one measure."""

    count: Fraction
    size: Fraction

    @classmethod
    def of(cls, measured: Measured, scale: Fraction = Fraction(1)) -> Counts | None:
        """None of nothing, and of what is not counted: milliseconds, money."""
        pair = (0, 0)
        if isinstance(measured, Rate):
            pair = measured.hits, measured.total
        elif isinstance(measured, ErrorRate):
            pair = measured.edits, measured.reference
        return cls(pair[0] * scale, pair[1] * scale) if pair[1] else None

    def __add__(self, other: Counts | None) -> Counts:
        return Counts(self.count + other.count, self.size + other.size) if other else self


def moved(kind: Kind, limit: Decimal, was: Counts, now: Counts) -> Decimal:
    """The limit over `now`, as it was over `was`; one that people chose as they wrote it, where
    that says the same."""
    whole = math.ceil if kind == "min" else math.floor
    over = round((whole(Fraction(limit) * was.size) - was.count) * now.size / was.size)
    counts = max(now.count + over, Fraction(0))
    if kind == "min":
        counts = min(counts, now.size)
    if over and whole(Fraction(limit) * now.size) == whole(counts):
        return limit
    return (_floor if kind == "min" else _ceiling)(counts, now.size)


def joined(kind: Kind, limit: Decimal, stayed: Counts, came: Counts) -> Decimal:
    """The limit over both, where no baseline tells how far it lay from what was measured."""
    counts = Fraction(limit) * stayed.size + came.count
    rounded = _floor if kind == "min" else _ceiling
    return rounded(counts, stayed.size + came.size)


def _floor(asked: Fraction, of: Fraction) -> Decimal:
    hits = math.ceil(asked)
    return wording.floor_above(Fraction(hits - 1) / of, hits / of) if hits else Decimal(0)


def _ceiling(allowed: Fraction, of: Fraction) -> Decimal:
    edits = math.floor(allowed)
    return wording.ceiling(edits / of, Fraction(edits + 1) / of)


@dataclass(frozen=True)
class Before:
    """Measures of the stored baseline. `records` are all of clips that stayed."""

    baseline: Baseline | None
    change: DatasetChange
    records: Sequence[ClipRecord]

    @cached_property
    def _views(self) -> Views:
        return Views(self.records)

    def stayed(self, name: GateName, policy: Policy) -> Policy:
        """The policy as it is over the clips that stayed."""
        was, left = self.counts(name)
        if not self.change.gone or was is None or left is None:
            return policy
        if policy.min is not None:
            policy = replace(policy, min=moved("min", policy.min, was, left))
        if policy.max is not None:
            policy = replace(policy, max=moved("max", policy.max, was, left))
        return policy

    def counts(self, name: GateName) -> tuple[Counts | None, Counts | None]:
        """Of all its clips, and of those that stayed; None where the baseline can't tell."""
        baseline = self.baseline
        if baseline is None or name.slice:
            return None, None
        if name.spec.outcomes:
            kept = compare(name, self._views.of(name), baseline, self.change.same).before
            return Counts.of(baseline.rates.get(str(name))), Counts.of(kept)
        if name.measure == "wer" and baseline.words:
            left = baselines.of_clips(baseline.words, self.change.same)
            return Counts.of(baseline.errors.get("wer")), Counts.of(left)
        return None, None
