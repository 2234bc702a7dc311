"""
VoiceCodeBench (data set `besimple-ai/voice-code-bench`): `metadata.jsonl` beside its audio.

    {"file_name": "audio/001.wav", "audio_id": "001", "language": "en", "duration": 7.02,
     "domain": "contact_routing", "difficulty": "medium",
     "transcripts": {"template": "Mail {{e01}}.", "acoustic": "Mail a at b dot com.",
                     "canonical": "Mail a@b.com."},
     "entities": [{"id": "e01", "type": "email_address", "role": "recipient",
                   "acoustic": "a at b dot com", "canonical": "a@b.com"}],
     "entity_types": ["email_address"], "entity_count": 1}

The WER reference is `transcripts.acoustic`. Where the row counts its entities or lists their
types, both must agree with the entities; further keys (speaker, audio_quality) are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_asrbench.datasets import checks
from pytest_asrbench.datasets.folder import DatasetFolder, revision
from pytest_asrbench.files import read_jsonl
from pytest_asrbench.files.fields import Faults, Fields
from pytest_asrbench.model import Clip, Dataset, Entity

NAME = "voicecodebench"
MARKER = "audio_id"
SLICES = ("domain", "difficulty")
RE_PLACEHOLDER = re.compile(r"\{\{([^{}]+)\}\}")


def read(path: Path, types: Mapping[str, str]) -> Dataset:
    """The dataset of a `metadata.jsonl`. Raises InputError that lists every fault with its row."""
    faults = Faults(path)
    folder = DatasetFolder(path.parent)
    seen: checks.Seen = {}
    rows = read_jsonl(path, as_text=True)
    clips = tuple(_clip(Fields(data, faults, row), folder, types, seen) for row, data in rows)
    faults.check()
    return Dataset(NAME, path, clips, NAME, revision=revision(path.parent), types=dict(types))


def _clip(
    fields: Fields, folder: DatasetFolder, types: Mapping[str, str], seen: checks.Seen
) -> Clip:
    identifier = checks.clip_id(fields, MARKER, seen)
    if identifier:
        fields.label = f"{identifier}: "
    entities = _entities(fields, types)
    transcripts = fields.inner("transcripts", needed=True)
    _check_protocol(fields, transcripts, entities)
    return Clip(
        id=identifier,
        path=checks.audio_file(fields, "file_name", folder),
        reference=transcripts.text("acoustic", empty=True),
        language=checks.language(fields, None),
        entities=entities,
        slices={key: value for key in SLICES if (value := fields.optional(key))},
        row=fields.row(),
    )


def _entities(clip: Fields, types: Mapping[str, str]) -> tuple[Entity, ...]:
    if "entities" not in clip.data:
        clip.fault(None, "entities is missing; write [] where the clip has none")
    seen: checks.Seen = {}
    return tuple(_entity(fields, types, seen) for fields in clip.objects("entities", "entity"))


def _entity(fields: Fields, types: Mapping[str, str], seen: checks.Seen) -> Entity:
    role = fields.optional("role")
    return Entity(
        id=checks.entity_id(fields, "id", seen),
        type=checks.entity_type(fields, types),
        canonical=fields.text("canonical"),
        acoustic=fields.optional("acoustic"),
        attributes={"role": role} if role else {},
    )


def _check_protocol(fields: Fields, transcripts: Fields, entities: tuple[Entity, ...]) -> None:
    """The row's own count, types and template must tell of the same entities."""
    count: Any = fields.data.get("entity_count")
    if count is not None and str(count) != str(len(entities)):
        fields.fault("entity_count", f"entity_count is {count}, but entities has {len(entities)}")
    listed = fields.data.get("entity_types")
    if listed is not None and set(fields.texts("entity_types")) != {e.type for e in entities}:
        fields.fault("entity_types", "entity_types are not the types of the entities; list each")
    named = set(RE_PLACEHOLDER.findall(str(transcripts.data.get("template") or "")))
    for name in sorted(named - {e.id for e in entities}):
        fields.fault("transcripts", f"the template has {{{{{name}}}}}, but no entity has that id")
