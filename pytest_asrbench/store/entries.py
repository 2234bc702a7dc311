"""
The entries of a store, and their keys.

A key is the SHA-256 of the canonical JSON of everything that the stored result depends on. The
entry repeats those fields, so that a file can be read by a person and checked against its name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import cached_property
from math import inf
from reprlib import repr as shortened
from typing import Any, Final, Literal, TypeVar

from pytest_asrbench.counts import plural
from pytest_asrbench.files import schema
from pytest_asrbench.model import Entity, Transcript
from pytest_asrbench.providers.base import Description
from pytest_asrbench.verifiers.base import Identity, Judgement

SCHEMA = 1
RE_SHA256: Final = re.compile("[0-9a-f]{64}")
# A stream's text may be complete before its last frame is sent.
LEAST: Final = {"latency_ms": -inf, "after_speech_ms": -inf, "repeat": 1}

Data = TypeVar("Data")


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
    mode: Literal["batch", "stream"]
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

    @cached_property
    def system(self) -> str:
        """The same for all that one system transcribed in one mode."""
        return replace(self, audio_sha256="", language="", repeat=1).digest


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
    """A stored transcript. `name`, `clip` and `duration_s` only tell where it came from; `imported`
    is one that a cassette brought, of which this store can't say who fetched it."""

    key: TranscriptKey
    transcript: Transcript
    recorded_at: str
    attempts: int = 1
    name: str | None = None
    clip: str | None = None
    duration_s: float | None = None
    imported: bool = False


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
        **({"imported": True} if entry.imported else {}),
    }


def entry_from_json(value: Mapping[str, Any]) -> Entry:
    """Raises DamagedError."""
    check_schema(value)
    return read_entry({**value, "key": value})


def read_entry(value: Mapping[str, Any]) -> Entry:
    """Raises DamagedError."""
    entry = read(Entry, value)
    sha256 = entry.key.audio_sha256
    if not RE_SHA256.fullmatch(sha256):
        raise DamagedError(
            f"audio_sha256 can't be {shortened(sha256)}, which is no SHA-256 in hexadecimal"
        )
    try:
        schema.check_time("recorded_at", entry.recorded_at)
    except ValueError as error:
        raise DamagedError(str(error)) from None
    return entry


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
    key = read(VerdictKey, {**value, "targets": _with_ids(value.get("targets"))})
    judgement = read(Judgement, value)
    if len(judgement.verdicts) != len(key.targets):
        raise DamagedError(
            f"{plural(len(judgement.verdicts), 'verdict')} for {plural(len(key.targets), 'target')}"
        )
    return key, judgement


def read(kind: type[Data], data: Any) -> Data:
    """The dataclass of what lies in a file. Raises DamagedError."""
    try:
        value = schema.read(kind, data)
    except TypeError as error:
        raise DamagedError(str(error)) from None
    for name, number in _numbers(value):
        if number < LEAST.get(name, 0):
            raise DamagedError(f"{name} can't be {number}")
    return value


def _numbers(value: Any) -> Iterator[tuple[str, float]]:
    """(field, number) of a dataclass and of those in it; of what a user sets none is meant."""
    for each in fields(value):
        held = getattr(value, each.name)
        if type(held) in (int, float):
            yield each.name, held
        for inner in held if isinstance(held, tuple) else (held,):
            if is_dataclass(inner):
                yield from _numbers(inner)


def description_to_json(description: Description) -> dict[str, Any]:
    """A provider in keys and stored transcripts."""
    return {
        "use": description.use,
        "model": description.model,
        "settings": dict(description.settings),
        "version": description.version,
        "custom": description.custom,
    }


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


def _with_ids(targets: Any) -> Any:
    """An entity's id is not stored, as verdicts don't depend on it."""
    if not isinstance(targets, list):
        return targets
    return [{**each, "id": ""} if isinstance(each, dict) else each for each in targets]
