"""
Value recovery: what the gates are about.

    CTEM = recovered entities / target entities, pooled over measured clips (VoiceCodeBench)
    TSR  = clips with every entity recovered / clips that have at least one entity

Only measured records count, and clips without entities count in neither. With repeats each repeat
counts as a clip of its own; all repeats weigh the same, so the pooled rate is the mean.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pytest_asrbench.model import ClipRecord, JudgedEntity, Rate


def entity_key(record: ClipRecord, entity_id: str) -> str:
    """`clip/entity`, the name of a target value in thresholds and reports."""
    return f"{record.clip}/{entity_id}"


def ctem(records: Iterable[ClipRecord]) -> Rate:
    """Recovered entities of all target entities."""
    hits = total = 0
    for record in records:
        if record.measured:
            total += len(record.entities)
            hits += len(record.recovered)
    return Rate(hits, total)


def tsr(records: Iterable[ClipRecord]) -> Rate:
    """Clips with every entity recovered, of the clips that have any."""
    hits = total = 0
    for record in records:
        if record.measured and record.entities:
            total += 1
            hits += record.whole
    return Rate(hits, total)


def recovery_by_type(records: Iterable[ClipRecord]) -> dict[str, Rate]:
    """CTEM of each entity type, sorted by type."""
    hits: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for record in records:
        if record.measured:
            total.update(judged.entity.type for judged in record.entities)
            hits.update(judged.entity.type for judged in record.recovered)
    return {name: Rate(hits[name], total[name]) for name in sorted(total)}


def miss_share(recovery: Mapping[str, Rate]) -> dict[str, Rate]:
    """Of all misses, those of each type; types without a miss are left out."""
    misses = {name: rate.total - rate.hits for name, rate in recovery.items()}
    total = sum(misses.values())
    return {name: Rate(count, total) for name, count in misses.items() if count}


def empty_rate(records: Iterable[ClipRecord]) -> Rate:
    """Transcripts without any text, of those measured."""
    hits = total = 0
    for record in records:
        if record.measured:
            total += 1
            hits += not (record.transcript or "").strip()
    return Rate(hits, total)


def error_rate(records: Iterable[ClipRecord]) -> Rate:
    """Clips whose call failed after retries, of all."""
    failed = [not record.measured for record in records]
    return Rate(sum(failed), len(failed))


def unstable(records: Iterable[ClipRecord]) -> dict[str, tuple[int, ...]]:
    """Entities that flip between repeats, each with the repeats that missed it."""
    missed: dict[str, list[int]] = defaultdict(list)
    judged: Counter[str] = Counter()
    for record in records:
        if record.measured:
            judged.update(entity_key(record, each.entity.id) for each in record.entities)
            for miss in record.misses:
                missed[entity_key(record, miss.entity.id)].append(record.repeat)
    return {
        key: tuple(sorted(repeats)) for key, repeats in missed.items() if len(repeats) < judged[key]
    }


def by_slice(records: Iterable[ClipRecord]) -> dict[str, list[ClipRecord]]:
    """Records under each `dimension=value` they belong to: slices, tags, language. Sorted.

    A dimension with one value over all records says nothing and is left out, tags aside.
    """
    groups: dict[str, list[ClipRecord]] = defaultdict(list)
    for record in records:
        for name in _slices_of(record):
            groups[name].append(record)
    values = Counter(name.partition("=")[0] for name in groups)
    return {
        name: groups[name]
        for name in sorted(groups)
        if name.startswith("tag=") or values[name.partition("=")[0]] > 1
    }


def slice_names(records: Iterable[ClipRecord]) -> list[str]:
    """Every `dimension=value` among the records, sorted."""
    return sorted({name for record in records for name in _slices_of(record)})


def _slices_of(record: ClipRecord) -> Iterator[str]:
    for dimension, value in _dimensions(record).items():
        yield f"{dimension}={value}"
    for tag in record.tags:
        yield f"tag={tag}"


def in_slice(records: Iterable[ClipRecord], name: str) -> list[ClipRecord]:
    """The records of one slice: `domain=finance_ops`, `locale=es-MX`, `tag=smoke`."""
    dimension, _, value = name.partition("=")
    if dimension == "tag":
        return [record for record in records if value in record.tags]
    return [record for record in records if _dimensions(record).get(dimension) == value]


def by_type(records: Iterable[ClipRecord]) -> dict[str, list[ClipRecord]]:
    """For each type the records with only the entities of that type. Sorted."""
    records_of: dict[str, list[ClipRecord]] = defaultdict(list)
    for record in records:
        own: dict[str, list[JudgedEntity]] = defaultdict(list)
        for judged in record.entities:
            own[judged.entity.type].append(judged)
        for type_, entities in own.items():
            records_of[type_].append(replace(record, entities=tuple(entities)))
    return dict(sorted(records_of.items()))


def _dimensions(record: ClipRecord) -> dict[str, str]:
    return {"locale": record.language, **record.slices}
