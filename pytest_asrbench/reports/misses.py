"""Misses grouped by type: what people act on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from pytest_asrbench.model import ClipRecord, Entity, Verdict


@dataclass(frozen=True, slots=True)
class Miss:
    """One entity that was absent in at least one repeat.

    `new` says whether it was recovered in the baseline; None without one. `absent` of `judged`
    repeats missed it; `verdict` and `record` are those of the first.
    """

    record: ClipRecord
    entity: Entity
    verdict: Verdict
    absent: int = 1
    judged: int = 1
    new: bool | None = None

    @property
    def key(self) -> str:
        return f"{self.record.clip}/{self.entity.id}"

    @property
    def heard(self) -> str | None:
        """The nearest thing heard, or None where the transcript has nothing like it."""
        return self.verdict.nearest.text if self.verdict.nearest else None

    @property
    def difference(self) -> str:
        return self.verdict.nearest.difference if self.verdict.nearest else self.verdict.reason


def find(records: Iterable[ClipRecord], baseline: Collection[str] | None = None) -> list[Miss]:
    """Every missed entity once, in the order of the dataset.

    `baseline` holds the `clip/entity` keys that were already missed when thresholds were stored.
    """
    first: dict[str, tuple[ClipRecord, Entity, Verdict]] = {}
    absent: dict[str, int] = {}
    judged: dict[str, int] = {}
    for record in records:
        for judgement in record.entities:
            if judgement.verdict is None:
                continue
            key = f"{record.clip}/{judgement.entity.id}"
            judged[key] = judged.get(key, 0) + 1
            if not judgement.verdict.present:
                absent[key] = absent.get(key, 0) + 1
                first.setdefault(key, (record, judgement.entity, judgement.verdict))
    return [
        Miss(
            *first[key], absent[key], judged[key], None if baseline is None else key not in baseline
        )
        for key in first
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
