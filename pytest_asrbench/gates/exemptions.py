"""
Entities that are known not to count: `quarantine` and `expected_misses`, each up to a last day.

Quarantined ones are left out of every gate. An expected miss is left out while it is missed; once
it is recovered it counts again and the report asks to remove the entry. Both are always reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pytest_asrbench.counts import plural
from pytest_asrbench.gates.thresholds import Exemption, Thresholds
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, JudgedEntity, Outcome

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
    expired = [each for each in entries if not each.holds(today)]
    quarantined = _keys(thresholds.quarantine, today)
    expected = _keys(thresholds.expected_misses, today)
    seen = _Seen.of(records)
    recovered = sorted((expected & seen.judged) - seen.missed)
    unknown = sorted((quarantined | expected) - seen.known)
    left_out = quarantined | (expected & seen.missed)
    complaints = [
        *(f"expired {each.until}: {each.key} ({each.reason})" for each in expired),
        *(f"recovered, remove it: {key}" for key in recovered),
        *(f"not in this run: {key}" for key in unknown),
    ]
    misses = plural(len(expected), "expected miss", "expected misses")
    counted = f"{len(quarantined)} quarantined, {misses}"
    return Exempt(
        records=_without(records, left_out),
        outcome=Outcome(
            NAME,
            "failed" if strict and complaints else "passed",
            "; ".join([counted, *complaints]),
        ),
    )


def _keys(entries: Iterable[Exemption], today: date) -> set[str]:
    return {each.key for each in entries if each.holds(today)}


@dataclass(frozen=True, slots=True)
class _Seen:
    """Keys of clips and entities: all, those with a verdict, and those with a miss.

    A failed call leaves its clip and entities without a verdict: neither recovered nor missed.
    """

    known: set[str] = field(default_factory=set)
    judged: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, records: Iterable[ClipRecord]) -> _Seen:
        seen = cls()
        for record in records:
            seen.known.update(_keys_of(record, record.entities))
            if record.measured:
                seen.judged.update(_keys_of(record, record.entities))
            if record.misses:
                seen.missed.update(_keys_of(record, record.misses))
        return seen


def _keys_of(record: ClipRecord, entities: Iterable[JudgedEntity]) -> Iterator[str]:
    yield record.clip
    for judged in entities:
        yield entity_key(record, judged.entity.id)


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
