"""Values that not every run recovered, with what each heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, Entity, JudgedEntity


@dataclass(frozen=True, slots=True)
class HeardValue:
    """A value as one contender heard it: its evidence, or the nearest thing of its first miss;
    None where nothing came near."""

    text: str | None
    present: bool


@dataclass(frozen=True, slots=True)
class Lost:
    """A value that not all recover in every repeat; `heard` is in the contenders' order."""

    key: str
    type: str
    canonical: str
    heard: tuple[HeardValue, ...]

    @property
    def apart(self) -> bool:
        """True if it tells contenders apart."""
        return len({each.present for each in self.heard}) > 1


def lost(parts: Sequence[Sequence[ClipRecord]]) -> tuple[Lost, ...]:
    """Of the runs' records over the same clips; those first that tell the runs apart."""
    values: dict[str, Entity] = {}
    heard: list[dict[str, HeardValue]] = [{} for _ in parts]
    for part, own in zip(parts, heard, strict=True):
        for record in part:
            for judged in record.entities:
                key = entity_key(record, judged.entity.id)
                values.setdefault(key, judged.entity)
                if key not in own or own[key].present:  # what any repeat missed is missed
                    own[key] = _heard(judged)
    losses = [
        Lost(key, value.type, value.canonical, tuple(own[key] for own in heard))
        for key, value in values.items()
        if not all(own[key].present for own in heard)
    ]
    return tuple(sorted(losses, key=lambda each: not each.apart))


def _heard(judged: JudgedEntity) -> HeardValue:
    verdict = judged.verdict
    if verdict is None:
        return HeardValue(None, False)
    if verdict.present:
        return HeardValue(verdict.evidence, True)
    return HeardValue(verdict.nearest.text if verdict.nearest else None, False)
