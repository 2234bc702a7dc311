"""The result of one clip and repeat, in the form that the processes of a run hand each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pytest_asrbench.engine.user_code import last_lines
from pytest_asrbench.errors import CallError
from pytest_asrbench.files import schema
from pytest_asrbench.model import (
    Clip,
    ClipRecord,
    Failure,
    JudgedEntity,
    Source,
    Transcript,
    Verdict,
    VerifierUsage,
)
from pytest_asrbench.providers.secrets import scrub


@dataclass(frozen=True, slots=True)
class Result:
    """A transcript, or the failure that left none. `verdicts` is None until they are reached.

    A failed verifier leaves both: the transcript was paid for, and can be judged again. Where it
    failed on some entities only, the others keep their verdicts.
    """

    transcript: Transcript | None = None
    source: Source | None = None
    recorded_at: str | None = None
    imported: bool = False
    attempts: int = 0
    audio_sha256: str | None = None
    duration_s: float | None = None
    cost: float | None = None
    verdicts: tuple[Verdict | None, ...] | None = None
    judging: VerifierUsage | None = None
    failure: Failure | None = None


def result_to_json(result: Result) -> dict[str, Any]:
    """Plain data, as workers of one run share it."""
    return asdict(result)


def result_from_json(value: Mapping[str, Any]) -> Result:
    """The result again. Raises TypeError on anything else."""
    return schema.read(Result, value)


def failure(error: CallError) -> Failure:
    """Without keys, whatever the foreign code put into its message."""
    trace = tuple(map(scrub, last_lines(error)))
    return Failure(error.kind, scrub(str(error)), error.host, trace)


def record(clip: Clip, repeat: int, audio: str, result: Result) -> ClipRecord:
    """The clip's record; `audio` is its path relative to the dataset's folder."""
    transcript = result.transcript
    return ClipRecord(
        clip=clip.id,
        reference=clip.reference,
        language=clip.language,
        entities=_judged(clip, result.verdicts),
        repeat=repeat,
        condition=clip.condition,
        row=clip.row,
        audio=audio,
        audio_sha256=result.audio_sha256,
        duration_s=result.duration_s,
        slices=clip.slices,
        tags=clip.tags,
        transcript=transcript.text if transcript else None,
        source=result.source,
        recorded_at=result.recorded_at,
        imported=result.imported,
        latency_ms=transcript.latency_ms if transcript else None,
        first_text_ms=transcript.first_text_ms if transcript else None,
        after_speech_ms=transcript.after_speech_ms if transcript else None,
        attempts=result.attempts,
        reported_model=transcript.reported_model if transcript else None,
        request_id=transcript.request_id if transcript else None,
        billed_s=transcript.billed_s if transcript else None,
        cost=result.cost,
        judging=result.judging,
        error=result.failure,
    )


def _judged(clip: Clip, verdicts: tuple[Verdict | None, ...] | None) -> tuple[JudgedEntity, ...]:
    if verdicts is None:
        return tuple(JudgedEntity(entity, None) for entity in clip.entities)
    return tuple(map(JudgedEntity, clip.entities, verdicts))
