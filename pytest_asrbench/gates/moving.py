"""Moves a stored floor or ceiling: no room for a loss among clips that stayed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from pytest_asrbench.gates import carried, defaults, wording
from pytest_asrbench.gates.carried import Before, Counts, Kind
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.measures import GateName, Views, measured
from pytest_asrbench.gates.thresholds import Policy, Thresholds
from pytest_asrbench.model import ClipRecord, ErrorRate, Rate
from pytest_asrbench.run import Run


class Moving:
    """Moves floors and ceilings to what was measured. `records` are those that gates look at."""

    def __init__(
        self,
        run: Run,
        stored: Thresholds,
        change: DatasetChange,
        records: Sequence[ClipRecord],
        views: Views,
        *,
        lower: bool,
    ) -> None:
        self.run = run
        self.baseline = stored.baseline
        self.views = views
        self.stayed = Views(change.known(records))
        self.came = Views(change.new(records) if change.told else ())
        self.before = Before(stored.baseline, change, change.known(run.records))
        self.lower = lower
        self.steady = defaults.steady(run)

    def policy(self, name: str, policy: Policy) -> Policy:
        """The policy with its floor raised and its ceiling let down. Wildcards stay as written."""
        if "*" in name:
            return policy
        parsed = GateName.parse(name)
        now = measured(parsed, self.views.of(parsed))
        if now is None and (self.lower or (parsed.spec.outcomes and self.before.change.gone)):
            return Policy()  # what it gated is gone from the dataset
        if policy.min is not None and isinstance(now, Rate):
            policy = replace(policy, min=self._floor(parsed, policy.min, now) or None)
        if policy.max is not None and now is not None:
            policy = replace(policy, max=self._ceiling(parsed, policy.max, now))
        return policy

    def _floor(self, name: GateName, limit: Decimal, now: Rate) -> Decimal:
        """The new floor: what was measured, and no less than clips that stayed are held to; of a
        provider that wavers no floor that it would break again."""
        floor = wording.floor(now) if now.hits else Decimal(0)
        held_to = self._held_to("min", name, limit) or Decimal(0)
        if self.lower and (self.steady or floor < held_to):
            return floor
        if self.steady:
            return max(held_to, floor)
        half = defaults.half_floor(name, self.views)
        return max(held_to, (half and half.min) or Decimal(0))

    def _ceiling(self, name: GateName, limit: Decimal, now: Rate | ErrorRate | float) -> Decimal:
        """Likewise. Ceilings on time and money are budgets that people set: they never fall."""
        ceiling = _measured(name, now, self.run)
        if name.spec.unit != "rate":
            return max(limit, ceiling) if self.lower else limit
        held_to = self._held_to("max", name, limit)
        if held_to is None or (self.lower and (self.steady or ceiling > held_to)):
            return ceiling
        if not self.steady and not _shows_noise(name, now):
            return held_to
        return min(held_to, ceiling)

    def _held_to(self, kind: Kind, name: GateName, limit: Decimal) -> Decimal | None:
        """The limit with clips that came and without those that went; None where none stayed."""
        stayed, came = (
            Counts.of(name.spec.count(views.of(name))) for views in (self.stayed, self.came)
        )
        if stayed is None and self.before.change.gone:
            return None
        was, left = self.before.counts(name)
        if was is None or left is None:
            return carried.joined(kind, limit, stayed, came) if stayed and came else limit
        if came is None and not self.before.change.gone:
            return limit
        return carried.moved(kind, limit, was, left + self._as_often(came))

    def _as_often(self, came: Counts | None) -> Counts | None:
        """In the baseline's repeats."""
        if came is None or self.baseline is None:
            return came
        scale = Fraction(self.baseline.repeats, self.run.repeats)
        return Counts(came.count * scale, came.size * scale)


def _shows_noise(name: GateName, now: Rate | ErrorRate | float) -> bool:
    """True if a ceiling can leave room for how far a provider wavers: that on WER can, where there
    are errors to tell it by."""
    return name == GateName("wer") and isinstance(now, ErrorRate) and now.edits > 0


def _measured(name: GateName, now: Rate | ErrorRate | float, run: Run) -> Decimal:
    if str(name) == "wer" and (noisy := defaults.error_ceiling(run)) is not None:
        return noisy
    value = wording.exact(now) or Fraction(0)
    if name.spec.unit == "ms":
        return Decimal(math.ceil(value))
    if isinstance(now, ErrorRate):
        return wording.ceiling(value, defaults.one_worse(now))
    step = Fraction(1, now.total) if isinstance(now, Rate) else Fraction(1, 100)
    return wording.ceiling(value, value + step)
