"""
mu-bench (github sierra-research/mu-bench): caller utterances of five locales.

    manifest.json = {"locales": ["en-US", …], "utterances": [
        {"id": "conv-0-turn-0", "locale": "en-US", "conversation_id": "conv-0", "turn_index": 0,
         "transcript": "…", "audio_path": "audio/en-US/conv-0-turn-0.wav", "duration_sec": 3.3}]}

Ids repeat across locales, so a clip's id is `<locale>/<id>`. The benchmark has no target values.
CTEM and TSR need an `entities.jsonl` beside the manifest, written by whoever labels them:

    {"clip": "en-US/conv-0-turn-1", "collects_input": true,
     "entities": [{"type": "reference_id", "canonical": "CN7347858"}]}

Clips marked `collects_input` are the slice of turns that supply a value a form asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrbench.datasets import checks
from pytest_asrbench.datasets.folder import DatasetFolder, revision
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_json, read_jsonl
from pytest_asrbench.files.fields import Faults, Fields
from pytest_asrbench.model import Clip, Dataset, Entity

NAME = "mu-bench"
SIDECAR = "entities.jsonl"
NO_ENTITIES = f"no {SIDECAR}: CTEM, TSR and the input-collection slice are not measured"
NO_SLICE = f"no clip has collects_input in {SIDECAR}: the input-collection slice is not measured"


@dataclass(frozen=True, slots=True)
class _Labels:
    """Labels of one clip in the sidecar."""

    entities: tuple[Entity, ...] = ()
    slices: Mapping[str, str] = field(default_factory=dict)


def read(path: Path, types: Mapping[str, str]) -> Dataset:
    """The dataset of a `manifest.json`. Raises InputError that lists every fault."""
    faults = Faults(path)
    clips = _clips(path, faults)
    faults.check()
    labels = _sidecar(path.parent / SIDECAR, {clip.id for clip in clips}, types)
    return Dataset(
        NAME,
        path,
        tuple(_labelled(clip, labels.get(clip.id)) for clip in clips),
        NAME,
        revision=revision(path.parent),
        types=dict(types),
        notes=_notes(labels),
    )


def _clips(path: Path, faults: Faults) -> list[Clip]:
    data = read_json(path)
    if not isinstance(data, dict) or not isinstance(data.get("utterances"), list):
        raise InputError.at(path, None, "not mu-bench: utterances, a list, is missing")
    folder = DatasetFolder(path.parent)
    seen: checks.Seen = {}
    manifest = Fields(data, faults, {})
    return [_clip(row, folder, seen) for row in manifest.objects("utterances", "utterance")]


def _clip(fields: Fields, folder: DatasetFolder, seen: checks.Seen) -> Clip:
    locale = checks.language(fields, fields.optional("locale"))
    keyed = Fields(
        {"id": f"{locale}/{fields.text('id')}"}, fields.faults, fields.rows, fields.at, fields.label
    )
    return Clip(
        id=checks.clip_id(keyed, "id", seen),
        path=checks.audio_file(fields, "audio_path", folder),
        reference=fields.text("transcript", empty=True),
        language=locale,
        slices={"locale": locale},
    )


def _labelled(clip: Clip, labels: _Labels | None) -> Clip:
    if labels is None:
        return clip
    slices = {**clip.slices, **labels.slices}
    return Clip(clip.id, clip.path, clip.reference, clip.language, labels.entities, slices)


def _sidecar(path: Path, clips: set[str], types: Mapping[str, str]) -> dict[str, _Labels]:
    if not path.exists():
        return {}
    faults = Faults(path)
    labels: dict[str, _Labels] = {}
    seen: checks.Seen = {}
    for row, data in read_jsonl(path, as_text=True):
        fields = Fields(data, faults, row)
        fields.only("clip", "collects_input", "entities")
        name = checks.clip_id(fields, "clip", seen)
        if name and name not in clips:
            fields.fault("clip", f"{name!r} is no utterance of manifest.json; write <locale>/<id>")
        labels[name] = _Labels(checks.entities(fields, types), _collects(fields))
    faults.check()
    return labels


def _collects(fields: Fields) -> dict[str, str]:
    value = fields.data.get("collects_input")
    if value is None:
        return {}
    if not isinstance(value, bool):
        fields.fault("collects_input", "collects_input must be true or false, without quotes")
    return {"input_collection": "yes" if value is True else "no"}


def _notes(labels: Mapping[str, _Labels]) -> tuple[str, ...]:
    if not labels:
        return (NO_ENTITIES,)
    return () if any(label.slices for label in labels.values()) else (NO_SLICE,)
