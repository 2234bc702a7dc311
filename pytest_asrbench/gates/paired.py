"""
This run against the baseline's outcomes, clip by clip.

Entities of a clip fail together, so the clip is the unit: the test deals each clip's repeats anew
between baseline and run (:func:`pytest_asrbench.metrics.stats.permutation_drop`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_asrbench.gates.measures import GateName
from pytest_asrbench.gates.thresholds import Baseline
from pytest_asrbench.metrics import stats
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, Rate


@dataclass(frozen=True, slots=True)
class PairedOutcome:
    """One clip: what was recovered of `size` in each repeat, in the baseline and now."""

    before: tuple[int, ...]
    now: tuple[int, ...]
    size: int


@dataclass(frozen=True)
class PairedComparison:
    """One gate's entities (or clips, for TSR) now and in the baseline, over the same clips.

    `new_misses` were recovered in every baseline repeat and are missed in every repeat now; `net`
    is the change over entities that are stable on both sides; `losable` counts those that could
    become new misses.
    """

    now: Rate
    before: Rate
    new_misses: tuple[str, ...]
    net: int
    pairs: Sequence[PairedOutcome]
    losable: int

    @cached_property
    def p(self) -> float:
        """The one-sided chance of a drop like this without a change."""
        return stats.permutation_drop((pair.before, pair.now) for pair in self.pairs)

    @cached_property
    def least_p(self) -> float:
        """The smallest that these clips could give: with nothing recovered any more."""
        return stats.permutation_drop((p.before, (0,) * len(p.now)) for p in self.pairs)

    @cached_property
    def attainable_p(self) -> float:
        """The smallest that the observed differences could give, all turned to losses."""
        return stats.least_drop_p((pair.before, pair.now) for pair in self.pairs)

    @property
    def rise_p(self) -> float:
        """The one-sided chance of a rise like this without a change."""
        return stats.permutation_drop((pair.now, pair.before) for pair in self.pairs)


def compare(
    name: GateName,
    chosen: Sequence[ClipRecord],
    baseline: Baseline,
    comparable: Collection[str] | None = None,
) -> PairedComparison:
    """`chosen` are the records that the gate looks at.

    `comparable` are the clips whose target values are those of the baseline (None: all).
    """
    clips = _clips(chosen, comparable)
    pairs = [_pair(repeats, baseline, whole=name.measure == "tsr") for repeats in clips.values()]
    lost, regained = _stable_changes(clips.values(), baseline)
    return PairedComparison(
        now=Rate(sum(sum(p.now) for p in pairs), sum(p.size * len(p.now) for p in pairs)),
        before=Rate(sum(sum(p.before) for p in pairs), sum(p.size * len(p.before) for p in pairs)),
        new_misses=tuple(lost),
        net=len(regained) - len(lost),
        pairs=pairs,
        losable=_losable(clips.values(), baseline),
    )


def _clips(
    chosen: Sequence[ClipRecord], comparable: Collection[str] | None
) -> dict[str, list[ClipRecord]]:
    """The repeats of each clip that both sides measured."""
    clips: dict[str, list[ClipRecord]] = defaultdict(list)
    for record in chosen:
        known = comparable is None or record.clip in comparable
        if known and record.measured and record.entities:
            clips[record.clip].append(record)
    return clips


def _pair(repeats: Sequence[ClipRecord], baseline: Baseline, *, whole: bool) -> PairedOutcome:
    keys = [entity_key(repeats[0], judged.entity.id) for judged in repeats[0].entities]
    size = len(keys)
    before = tuple(
        sum(not baseline.missed(key, repeat) for key in keys)
        for repeat in range(1, baseline.repeats + 1)
    )
    now = tuple(len(record.recovered) for record in repeats)
    if not whole:
        return PairedOutcome(before, now, size)
    return PairedOutcome(
        tuple(int(n == size) for n in before), tuple(int(n == size) for n in now), 1
    )


def _losable(clips: Iterable[Sequence[ClipRecord]], baseline: Baseline) -> int:
    """Entities that were recovered in each of the baseline's repeats."""
    keys = (entity_key(repeats[0], j.entity.id) for repeats in clips for j in repeats[0].entities)
    return sum(key not in baseline.misses and key not in baseline.unstable for key in keys)


def _stable_changes(
    clips: Iterable[Sequence[ClipRecord]], baseline: Baseline
) -> tuple[list[str], list[str]]:
    """Entities lost and regained, of those that agree in all repeats on both sides."""
    lost, regained = [], []
    for repeats in clips:
        held = Counter(judged.entity.id for record in repeats for judged in record.recovered)
        for judged in repeats[0].entities:
            key = entity_key(repeats[0], judged.entity.id)
            times = len(repeats) - held[judged.entity.id]
            if key in baseline.unstable or 0 < times < len(repeats):
                continue
            if times and key not in baseline.misses:
                lost.append(key)
            elif not times and key in baseline.misses:
                regained.append(key)
    return lost, regained
