"""
What is stored, and under which key.

A key is the SHA-256 of the canonical JSON of everything that the stored result depends on. The
entry repeats those fields, so that a file can be read by a person and checked against its name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from pytest_asrbench.model import Entity, Judging, Nearest, Transcript, Verdict
from pytest_asrbench.providers.base import Description
from pytest_asrbench.verifiers.base import Identity, Judgement

SCHEMA = 1


class DamagedError(ValueError):
    """A stored entry that can't be what was written; the message says why."""


def digest(content: Any) -> str:
    """SHA-256 (hex) of the canonical JSON. Values that JSON lacks count by their text."""
    plain = json.loads(json.dumps(content, default=str))  # as it will be read back from a file
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class TranscriptKey:
    """All that a transcript depends on; the clip's id and its targets are not part of it."""

    audio_sha256: str
    provider: Description
    mode: str
    language: str
    repeat: int = 1

    @cached_property
    def digest(self) -> str:
        provider = self.provider
        return digest(
            {
                "audio": self.audio_sha256,
                "use": provider.use,
                "model": provider.model,
                "settings": provider.settings,
                "version": provider.version,
                "mode": self.mode,
                "language": self.language,
                "repeat": self.repeat,
            }
        )


@dataclass(frozen=True)
class VerdictKey:
    """All that the verdicts of a clip depend on."""

    transcript: str
    language: str
    targets: tuple[Entity, ...]
    verifier: Identity

    @cached_property
    def digest(self) -> str:
        return digest(
            {
                "transcript": self.transcript,
                "language": self.language,
                "targets": [_target(entity) for entity in self.targets],
                "verifier": self.verifier.digest,
            }
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored transcript. `name`, `clip` and `duration_s` only tell where it came from."""

    key: TranscriptKey
    transcript: Transcript
    recorded_at: str
    attempts: int = 1
    name: str | None = None
    clip: str | None = None
    duration_s: float | None = None


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """As it lies in the store and in cassettes."""
    key = entry.key
    return {
        "schema": SCHEMA,
        "clip": entry.clip,
        "name": entry.name,
        "provider": description_to_json(key.provider),
        "mode": key.mode,
        "language": key.language,
        "repeat": key.repeat,
        "audio_sha256": key.audio_sha256,
        "duration_s": entry.duration_s,
        "recorded_at": entry.recorded_at,
        "attempts": entry.attempts,
        "transcript": asdict(entry.transcript),
    }


def entry_from_json(value: Mapping[str, Any]) -> Entry:
    """Raises DamagedError."""
    check_schema(value)
    try:
        return Entry(
            key=TranscriptKey(
                value["audio_sha256"],
                description_from_json(value["provider"]),
                value["mode"],
                value["language"],
                value["repeat"],
            ),
            transcript=transcript_from_json(value["transcript"]),
            recorded_at=value["recorded_at"],
            attempts=value["attempts"],
            name=value["name"],
            clip=value["clip"],
            duration_s=value["duration_s"],
        )
    except (KeyError, TypeError) as error:
        raise DamagedError(f"a field is missing or wrong: {error}") from None


def judgement_to_json(key: VerdictKey, judgement: Judgement) -> dict[str, Any]:
    """As it lies in the store, with all that the verifier was told."""
    return {
        "schema": SCHEMA,
        "verifier": asdict(key.verifier),
        "language": key.language,
        "transcript": key.transcript,
        "targets": [_target(entity) for entity in key.targets],
        "verdicts": [asdict(verdict) for verdict in judgement.verdicts],
        "judging": asdict(judgement.judging),
    }


def judgement_from_json(value: Mapping[str, Any]) -> tuple[VerdictKey, Judgement]:
    """Raises DamagedError."""
    check_schema(value)
    try:
        targets = tuple(
            Entity("", t["type"], t["canonical"], t["acoustic"], tuple(t["accept"]))
            for t in value["targets"]
        )
        key = VerdictKey(
            value["transcript"], value["language"], targets, Identity(**value["verifier"])
        )
        verdicts = tuple(verdict_from_json(verdict) for verdict in value["verdicts"])
        judging = judging_from_json(value["judging"])
    except (KeyError, TypeError) as error:
        raise DamagedError(f"a field is missing or wrong: {error}") from None
    if len(verdicts) != len(targets):
        raise DamagedError(f"{len(verdicts)} verdicts for {len(targets)} targets")
    return key, Judgement(verdicts, judging)


def transcript_from_json(value: Mapping[str, Any]) -> Transcript:
    """Raises TypeError on unknown fields and on a text that is none."""
    transcript = Transcript(**value)
    if not isinstance(transcript.text, str):
        raise TypeError("the transcript's text is not a text")
    return transcript


def verdict_from_json(value: Mapping[str, Any]) -> Verdict:
    """Raises TypeError on unknown or missing fields."""
    fields = dict(value)
    nearest = fields.pop("nearest", None)
    verdict = Verdict(**fields, nearest=Nearest(**nearest) if nearest else None)
    if not isinstance(verdict.present, bool):
        raise TypeError("`present` is neither true nor false")
    return verdict


def judging_from_json(value: Mapping[str, Any]) -> Judging:
    """Raises TypeError on unknown fields."""
    fields = dict(value)
    return Judging(
        **{**fields, "models": tuple(fields["models"]), "dropped": tuple(fields["dropped"])}
    )


def description_to_json(description: Description) -> dict[str, Any]:
    """What keys and stored transcripts hold of a provider."""
    return {
        "use": description.use,
        "model": description.model,
        "settings": dict(description.settings),
        "version": description.version,
        "custom": description.custom,
    }


def description_from_json(value: Mapping[str, Any]) -> Description:
    """The description again. Raises TypeError on fields that it hasn't got."""
    return Description(**value)


def check_schema(value: Mapping[str, Any]) -> None:
    """Raises DamagedError for what another version wrote."""
    if value.get("schema") != SCHEMA:
        raise DamagedError(f"schema {value.get('schema')!r}, not {SCHEMA}")


def _target(entity: Entity) -> dict[str, Any]:
    return {
        "type": entity.type,
        "canonical": entity.canonical,
        "acoustic": entity.acoustic,
        "accept": list(entity.accept),
    }
