"""Clip records as JSON: in the run file, and on the way from a worker to the controller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

from pytest_asrbench.files import schema
from pytest_asrbench.model import (
    Clip,
    ClipRecord,
    Difference,
    Entity,
    ErrorRate,
    Failure,
    JudgedEntity,
    Nearest,
    Verdict,
    VerifierUsage,
)

_PLAIN = (
    "clip", "row", "repeat", "audio", "audio_sha256", "duration_s", "reference", "language",
    "transcript", "source", "recorded_at", "imported", "latency_ms", "first_text_ms",
    "after_speech_ms", "attempts", "reported_model", "request_id", "billed_s", "cost",
)  # fmt: skip


def record_to_json(record: ClipRecord) -> dict[str, Any]:
    """Plain data of str, int, float, bool, None, list and dict."""
    return {
        **{name: getattr(record, name) for name in _PLAIN},
        **({"condition": record.condition} if record.condition else {}),
        "slices": dict(record.slices),
        "tags": list(record.tags),
        "judging": asdict(record.judging) if record.judging else None,
        "error": asdict(record.error) if record.error else None,
        "words": record.words.to_json() if record.words else None,
        "characters": record.characters.to_json() if record.characters else None,
        "entities": [_judged_to_json(judged) for judged in record.entities],
    }


def record_from_json(data: Mapping[str, Any]) -> ClipRecord:
    """The record again. Raises KeyError, TypeError or ValueError on other data.

    Fields of other versions are ignored, and those that an older file lacks keep their default.
    """
    judging, error = data.get("judging"), data.get("error")
    return ClipRecord(
        **{name: data[name] for name in _PLAIN if name in data},
        condition=data.get("condition"),
        slices=dict(data.get("slices", {})),
        tags=listed(data.get("tags", [])),
        judging=schema.read(VerifierUsage, judging) if judging else None,
        error=schema.read(Failure, error) if error else None,
        words=_edits(data.get("words")),
        characters=_edits(data.get("characters")),
        entities=tuple(_judged_from_json(each) for each in listed(data["entities"])),
    )


def _judged_to_json(judged: JudgedEntity) -> dict[str, Any]:
    entity, verdict = judged.entity, judged.verdict
    data: dict[str, Any] = {
        "id": entity.id,
        "type": entity.type,
        "acoustic": entity.acoustic,
        "canonical": entity.canonical,
        "accept": list(entity.accept),
        "attributes": dict(entity.attributes),
        "present": None,
    }
    if verdict is None:
        return data
    near = verdict.nearest
    return {
        **data,
        "present": verdict.present,
        "sure": verdict.sure,
        "evidence": verdict.evidence,
        "start": verdict.start,
        "end": verdict.end,
        "reason": verdict.reason,
        "nearest": asdict(near) if near else None,
        "doubts": list(verdict.doubts),
    }


def _judged_from_json(data: Mapping[str, Any]) -> JudgedEntity:
    if not data["type"]:
        raise ValueError(f"value {data['id']} has no type")
    entity = Entity(
        id=data["id"],
        type=data["type"],
        canonical=data["canonical"],
        acoustic=data.get("acoustic"),
        accept=listed(data.get("accept", [])),
        attributes=dict(data.get("attributes", {})),
    )
    if data["present"] is None:
        return JudgedEntity(entity, None)
    verdict = Verdict(
        present=data["present"],
        sure=data["sure"],
        reason=data["reason"],
        evidence=data.get("evidence"),
        start=data.get("start"),
        end=data.get("end"),
        nearest=_nearest(data.get("nearest")),
        doubts=listed(data.get("doubts", [])),
    )
    return JudgedEntity(entity, verdict)


def _nearest(data: Mapping[str, Any] | None) -> Nearest | None:
    """Run files of earlier versions say no more than the words of a difference."""
    if not data:
        return None
    differences = [schema.read(Difference, each) for each in data.get("differences", ())]
    return Nearest(data["text"], data["start"], data["end"], data["difference"], tuple(differences))


def listed(value: Any) -> tuple[Any, ...]:
    """A JSON list. Raises TypeError on anything else, for a text would fall into its letters."""
    if not isinstance(value, list):
        raise TypeError(f"expected a list, not {shortened(value)}")
    return tuple(value)


def known(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that this version's dataclass has."""
    return {name: data[name] for name in _names(kind) if name in data}


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _edits(data: Mapping[str, Any] | None) -> ErrorRate | None:
    return ErrorRate.from_json(data) if data else None


def clip_digest(record: ClipRecord) -> str:
    """The digest of the clip that was scored, as the dataset computes it."""
    return clip_of(record).digest


def clip_of(record: ClipRecord) -> Clip:
    """The clip that was measured; `path` is as the record has it."""
    return Clip(
        id=record.clip,
        path=Path(record.audio or ""),
        reference=record.reference,
        language=record.language,
        entities=tuple(judged.entity for judged in record.entities),
        slices=record.slices,
        tags=record.tags,
        row=record.row,
    )
