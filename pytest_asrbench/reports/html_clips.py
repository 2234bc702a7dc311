"""Clips as the HTML report's script reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rapidfuzz.distance import Levenshtein

from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, Judged, Nearest
from pytest_asrbench.reports import alignment, wording
from pytest_asrbench.reports.facts import Facts
from pytest_asrbench.reports.html_audio import Sound
from pytest_asrbench.reports.misses import Miss


def clips(facts: Facts, sound: Sound) -> list[dict[str, Any]]:
    """One entry a record: clips with an error first, then those with most misses."""
    misses = {miss.key: miss for miss in facts.misses}
    ordered = sorted(facts.run.records, key=lambda record: (record.measured, -len(record.misses)))
    return [_clip(record, facts, sound, misses) for record in ordered]


def _clip(
    record: ClipRecord, facts: Facts, sound: Sound, misses: Mapping[str, Miss]
) -> dict[str, Any]:
    text = record.transcript
    entities = [
        _entity(judged, misses.get(entity_key(record, judged.entity.id)))
        for judged in record.entities
    ]
    return {
        "id": record.clip,
        "repeat": record.repeat,
        "language": record.language,
        "verdict": _verdict(record),
        "new": any(entity.get("new") for entity in entities),
        "hits": len(record.entities) - len(record.misses),
        "total": len(record.entities) if record.measured else 0,
        "words": [record.words.edits, record.words.reference] if record.words else None,
        "latency_ms": record.latency_ms,
        "slices": dict(record.slices),
        "tags": list(record.tags),
        "audio": sound.source(record.audio),
        "reference": record.reference,
        "transcript": text,
        "error": record.error
        and {
            "kind": record.error.kind,
            "message": record.error.message,
            "host": record.error.host,
        },
        "entities": entities,
        "alignment": None if text is None else _alignment(record.reference, text),
        "facts": _facts(record),
        "reproduce": facts.reproduce(record.clip),
    }


def _verdict(record: ClipRecord) -> str:
    if record.error:
        return "error"
    if not record.entities:
        return "no values"
    return "missed" if record.misses else "recovered"


def _entity(judged: Judged, miss: Miss | None) -> dict[str, Any]:
    entity, verdict = judged.entity, judged.verdict
    data: dict[str, Any] = {
        "id": entity.id,
        "type": entity.type,
        "canonical": entity.canonical,
        "acoustic": entity.acoustic,
        "accept": list(entity.accept),
        "present": None,
    }
    if verdict is None:
        return data
    return {
        **data,
        "present": verdict.present,
        "sure": verdict.sure,
        "reason": verdict.reason,
        "evidence": verdict.evidence,
        "start": verdict.start,
        "end": verdict.end,
        "nearest": verdict.nearest and _nearest(verdict.nearest, entity.canonical),
        "new": bool(miss and miss.new and not verdict.present),
        "exempt": miss and miss.exempt,
    }


def _nearest(nearest: Nearest, canonical: str) -> dict[str, Any]:
    """With the ranges of characters in which wanted and heard differ."""
    steps = [step for step in Levenshtein.opcodes(canonical, nearest.text) if step.tag != "equal"]
    return {
        "text": nearest.text,
        "start": nearest.start,
        "end": nearest.end,
        "difference": nearest.difference,
        "wanted": [[step.src_start, step.src_end] for step in steps],
        "heard": [[step.dest_start, step.dest_end] for step in steps],
    }


def _alignment(reference: str, transcript: str) -> list[list[Any]]:
    """The stretches that differ: kind, then word ranges of what was said and what was heard."""
    stretches: list[list[Any]] = []
    said = heard = 0
    for chunk in alignment.align(reference, transcript):
        ends = said + len(chunk.reference), heard + len(chunk.heard)
        if chunk.kind != "equal":
            stretches.append([chunk.kind, said, ends[0], heard, ends[1]])
        said, heard = ends
    return stretches


def _facts(record: ClipRecord) -> list[tuple[str, str]]:
    labelled: Mapping[str, str | None] = {
        "dataset row": str(record.row) if record.row else None,
        "language": record.language,
        **record.slices,
        "tags": ", ".join(record.tags),
        "audio": record.audio,
        "audio sha256": record.audio_sha256,
        "duration": f"{record.duration_s:.1f} s" if record.duration_s else None,
        "latency": wording.milliseconds(record.latency_ms) if record.latency_ms else None,
        "first text": wording.milliseconds(record.first_text_ms) if record.first_text_ms else None,
        "transcript": record.source,
        "fetched": record.recorded_at,
        "calls": str(record.attempts) if record.attempts else None,
        "reported model": record.reported_model,
        "request id": record.request_id,
        "cost": None if record.cost is None else f"{record.cost:.4f}",
    }
    return [(label, value) for label, value in labelled.items() if value]
