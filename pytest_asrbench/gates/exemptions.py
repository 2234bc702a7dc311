"""
Entities that are known not to count: `quarantine` and `expected_misses`, each up to a last day.

Quarantined ones are left out of every gate. An expected miss is left out while it is missed; once
it is recovered it counts again and the report asks to remove the entry. Both are always reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pytest_asrbench.gates.thresholds import Exemption, Thresholds
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, Outcome

NAME = "exemptions"


@dataclass(frozen=True, slots=True)
class Exempt:
    """The records that gates look at, and what is to be said of the rest (None: no entries)."""

    records: Sequence[ClipRecord]
    outcome: Outcome | None


def exempt(
    records: Sequence[ClipRecord], thresholds: Thresholds, today: date, *, strict: bool
) -> Exempt:
    """Leave out what is exempt today. With `strict` an expired or needless entry fails."""
    entries = (*thresholds.quarantine, *thresholds.expected_misses)
    if not entries:
        return Exempt(records, None)
    expired = [each for each in entries if each.until < today]
    quarantined = _keys(thresholds.quarantine, today)
    expected = _keys(thresholds.expected_misses, today)
    known, missed = _seen(records)
    recovered = sorted(key for key in expected & known if key not in missed)
    unknown = sorted((quarantined | expected) - known)
    left_out = quarantined | (expected & missed)
    complaints = [
        *(f"expired {each.until}: {each.key} ({each.reason})" for each in expired),
        *(f"recovered, remove it: {key}" for key in recovered),
        *(f"not in this run: {key}" for key in unknown),
    ]
    counted = f"{len(quarantined)} quarantined, {len(expected)} expected misses"
    return Exempt(
        records=_without(records, left_out),
        outcome=Outcome(
            NAME,
            "failed" if strict and complaints else "passed",
            "; ".join([counted, *complaints]),
        ),
    )


def _keys(entries: Iterable[Exemption], today: date) -> set[str]:
    return {each.key for each in entries if each.until >= today}


def _seen(records: Iterable[ClipRecord]) -> tuple[set[str], set[str]]:
    """Keys of all clips and entities, and of those with a miss."""
    known, missed = set(), set()
    for record in records:
        known.add(record.clip)
        known.update(entity_key(record, judged.entity.id) for judged in record.entities)
        if record.misses:
            missed.add(record.clip)
            missed.update(entity_key(record, miss.entity.id) for miss in record.misses)
    return known, missed


def _without(records: Iterable[ClipRecord], keys: Collection[str]) -> list[ClipRecord]:
    return [
        replace(
            record,
            entities=tuple(
                judged
                for judged in record.entities
                if entity_key(record, judged.entity.id) not in keys
            ),
        )
        for record in records
        if record.clip not in keys
    ]
