"""What an update makes of a stored floor or ceiling: no room for a loss among clips that stayed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from pytest_asrbench.gates import baselines, carried, defaults, wording
from pytest_asrbench.gates.carried import Before, Counts
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.measures import Name, Views, measured
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
        parsed = Name.parse(name)
        found = measured(parsed, self.views.of(parsed))
        if found is None and (self.lower or (parsed.spec.outcomes and self.before.change.gone)):
            return Policy()  # what it gated is gone from the dataset
        held_to = self.before.stayed(parsed, policy, self.stayed.of(parsed))
        if held_to.min is not None and isinstance(found, Rate):
            floor = self._measured(parsed, found, held_to.min)
            policy = replace(policy, min=self._floor(parsed, held_to.min, floor) or None)
        if held_to.max is not None and found is not None:
            ceiling = _ceiling(parsed, found, self.run)
            if not self.steady and not _shows_noise(parsed, found):
                ceiling = max(ceiling, held_to.max)
            policy = replace(policy, max=self._ceiling(parsed, held_to.max, ceiling))
        return policy

    def _measured(self, name: Name, found: Rate, held_to: Decimal) -> Decimal:
        """The floor that was measured; of a provider that wavers one that it won't break again."""
        floor = wording.floor(found) if found.hits else Decimal(0)
        if self.steady or floor < held_to:
            return floor
        half = defaults.half_floor(name, self.views)
        return max(held_to, (half and half.min) or Decimal(0))

    def _floor(self, name: Name, held_to: Decimal, measured: Decimal) -> Decimal:
        """At least what clips that stayed are held to, with the new ones as they are."""
        if self.lower:
            return measured
        stayed, came = self._counts(name)
        if stayed is None and self.before.change.gone:
            return measured
        if stayed is None or came is None:
            return max(held_to, measured)
        return max(carried.floor_with(held_to, stayed, came), measured)

    def _ceiling(self, name: Name, held_to: Decimal, measured: Decimal) -> Decimal:
        """Ceilings on time and money are budgets that people set: they never fall by themselves."""
        if name.spec.unit != "rate":
            return max(held_to, measured) if self.lower else held_to
        if self.lower:
            return measured
        stayed, came = self._counts(name)
        if stayed is None and self.before.change.gone:
            return measured
        if stayed is None or came is None:
            return min(held_to, measured)
        room = self._room(name, held_to)
        return min(carried.ceiling_with(held_to, stayed, came, room), measured)

    def _counts(self, name: Name) -> tuple[Counts | None, Counts | None]:
        """Of the clips that stayed and of those that came."""
        of = [Counts.of(name.spec.count(views.of(name))) for views in (self.stayed, self.came)]
        stayed, came = (each if each and each.size else None for each in of)
        return stayed, came

    def _room(self, name: Name, held_to: Decimal) -> Fraction:
        """How far a ceiling lay above what was measured, of a provider that wavers."""
        baseline, change = self.baseline, self.before.change
        if name != Name("wer") or baseline is None or self.run.provider.deterministic:
            return Fraction(0)
        was = wording.exact(baselines.of_clips(baseline.words, change.same))
        return max(Fraction(held_to) - was, Fraction(0)) if was is not None else Fraction(0)


def _shows_noise(name: Name, found: Rate | ErrorRate | float) -> bool:
    """Whether a ceiling can leave room for how far a provider wavers: that on WER can, where there
    are errors to tell it by."""
    return name == Name("wer") and isinstance(found, ErrorRate) and found.edits > 0


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
