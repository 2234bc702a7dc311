"""Clips as the HTML report's script reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rapidfuzz.distance import Levenshtein

from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, Json
from pytest_asrbench.reports import alignment, wording
from pytest_asrbench.reports.html_audio import Sound
from pytest_asrbench.reports.misses import Miss
from pytest_asrbench.reports.view_model import ViewModel
from pytest_asrbench.run import record_to_json


def clips(view: ViewModel, sound: Sound) -> list[dict[str, Any]]:
    """One entry a record: clips with an error first, then those with most misses."""
    misses = {miss.key: miss for miss in view.misses}
    ordered = sorted(view.run.records, key=lambda record: (record.measured, -len(record.misses)))
    return [_clip(record, view, sound, misses) for record in ordered]


def _clip(
    record: ClipRecord, view: ViewModel, sound: Sound, misses: Mapping[str, Miss]
) -> dict[str, Any]:
    text = record.transcript
    entities = [
        _entity(data, misses.get(entity_key(record, data["id"])))
        for data in record_to_json(record)["entities"]
    ]
    return {
        "id": record.clip,
        "repeat": record.repeat,
        "language": record.language,
        "verdict": _verdict(record),
        "new": any(entity.get("new") for entity in entities),
        "hits": len(record.recovered),
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
        "reproduce": view.reproduce(record.clip),
    }


def _verdict(record: ClipRecord) -> str:
    if record.error:
        return "error"
    if not record.entities:
        return "no values"
    return "missed" if record.misses else "recovered"


def _entity(data: Json, miss: Miss | None) -> dict[str, Any]:
    """As in the run file, and what the stored thresholds know of it."""
    near = data.get("nearest")
    return {
        **data,
        "nearest": near and {**near, **_differing(data["canonical"], near["text"])},
        "new": bool(miss and miss.new and not data["present"]),
        "exempt": miss and miss.exempt,
    }


def _differing(wanted: str, heard: str) -> dict[str, list[tuple[int, int]]]:
    """The ranges of characters in which the two differ."""
    steps = [step for step in Levenshtein.opcodes(wanted, heard) if step.tag != "equal"]
    return {
        "wanted": [(step.src_start, step.src_end) for step in steps],
        "heard": [(step.dest_start, step.dest_end) for step in steps],
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
        "after speech": (
            wording.milliseconds(record.after_speech_ms) if record.after_speech_ms else None
        ),
        "transcript": record.source,
        "fetched": record.recorded_at,
        "calls": str(record.attempts) if record.attempts else None,
        "reported model": record.reported_model,
        "request id": record.request_id,
        "cost": None if record.cost is None else f"{record.cost:.4f}",
    }
    return [(label, value) for label, value in labelled.items() if value]
