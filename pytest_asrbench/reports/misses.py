"""Misses grouped by type: what people act on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from pytest_asrbench.gates import completeness
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, Entity, Verdict, sound_key
from pytest_asrbench.reports.text import within
from pytest_asrbench.run import Run


@dataclass(frozen=True)
class Stored:
    """The stored thresholds' knowledge of misses.

    `known` are the keys missed then, None without a baseline that can be compared; `comparable`
    the clips whose target values are still the same; `exempt` the reason by clip or `clip/entity`.
    """

    known: Collection[str] | None = None
    comparable: Collection[str] = ()
    exempt: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, run: Run, thresholds: Thresholds | None, today: date) -> Stored:
        """From thresholds; without them, or with another verifier's, nothing is known."""
        if thresholds is None:
            return cls()
        kinds = {
            "quarantined": thresholds.quarantine,
            "expected miss": thresholds.expected_misses,
        }
        exempt = {
            each.key: f"{kind} until {each.until}: {each.reason}"
            for kind, entries in kinds.items()
            for each in entries
            if each.holds(today)
        }
        if thresholds.baseline is None or not completeness.same_verifier(run, thresholds):
            return cls(exempt=exempt)
        known = thresholds.baseline.misses | thresholds.baseline.unstable.keys()
        return cls(known, DatasetChange.between(thresholds, run).same, exempt)

    def is_new(self, key: str, clip: str) -> bool | None:
        """Whether an entity missed now was recovered then; None where nobody can say."""
        if self.known is None or clip not in self.comparable:
            return None
        return key not in self.known


@dataclass(frozen=True, slots=True)
class Miss:
    """One entity that was absent in at least one repeat.

    `new` says whether it was recovered in the baseline; None without one. `absent` of `judged`
    repeats missed it; `verdict` and `record` are those of the first. `exempt` says why it does not
    count in the gates.
    """

    record: ClipRecord
    entity: Entity
    verdict: Verdict
    absent: int = 1
    judged: int = 1
    new: bool | None = None
    exempt: str | None = None

    @property
    def key(self) -> str:
        return sound_key(f"{self.record.clip}/{self.entity.id}", self.record.condition)

    @property
    def heard(self) -> str | None:
        """The nearest thing heard, or None where the transcript has nothing like it."""
        return self.verdict.nearest.text if self.verdict.nearest else None

    @property
    def instead(self) -> str:
        """The words for a miss with nothing near: `no speech`, or speech with `nothing like it`."""
        return "nothing like it" if self.record.is_speech else "no speech"

    @property
    def difference(self) -> str:
        """From the nearest thing; where nothing is near, in what it was looked for, and what the
        verifier says to it."""
        if self.verdict.nearest:
            return self.verdict.nearest.difference
        if not self.record.is_speech:
            return ""
        reason = self.verdict.reason
        told = f": {reason}" if reason and not reason.startswith("nothing like it") else ""
        return within(self.record.transcript or "") + told


def find(records: Iterable[ClipRecord], stored: Stored) -> list[Miss]:
    """Every missed entity once, in the order of the dataset."""
    first: dict[str, tuple[ClipRecord, Entity, Verdict]] = {}
    absent: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for record in records:
        for judgement in record.entities:
            key = entity_key(record, judgement.entity.id)
            if judgement.verdict is None:
                continue
            judged[key] += 1
            if not judgement.verdict.present:
                absent[key] += 1
                first.setdefault(key, (record, judgement.entity, judgement.verdict))
    return [
        Miss(
            *miss,
            absent[key],
            judged[key],
            stored.is_new(key, miss[0].clip),
            stored.exempt.get(key) or stored.exempt.get(miss[0].clip),
        )
        for key, miss in first.items()
    ]


def by_type(misses: Iterable[Miss], order: Iterable[str]) -> Mapping[str, list[Miss]]:
    """Grouped in the given order of types; new misses first, for they broke the build."""
    groups: dict[str, list[Miss]] = {name: [] for name in order}
    for miss in misses:
        groups.setdefault(miss.entity.type, []).append(miss)
    return {
        name: sorted(group, key=lambda miss: not miss.new)
        for name, group in groups.items()
        if group
    }


def flat(groups: Mapping[str, list[Miss]]) -> list[Miss]:
    """One after another, group by group."""
    return [miss for group in groups.values() for miss in group]
