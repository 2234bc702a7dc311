"""
Entity Transcription Benchmark (data set `modulate/entity-transcription-benchmark`).

Parquet files, a saved `datasets` folder, or `metadata.jsonl` with audio beside it; one row a clip:

    {"audio": …, "transcript": "mr smith flew to oslo", "subset": "MLCommons_TestPortion",
     "entities": ["smith", "oslo"], "entity_types": ["PERSON", "GPE"], "entity_tiers": ["A", "B"],
     "entity_offsets": [{"start": 3, "end": 8, "label": "PERSON", "text": "smith"}, …]}

Lists may also be JSON in a text. Spans are the targets; type and tier travel with each. Clips
without entities stay: they are the negatives. A clip's id is the row's `id`, else the stem of its
audio's name, else (where those are missing or not unique) its row, counted from 0000.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_asrbench.datasets import checks, tables
from pytest_asrbench.datasets.folder import DatasetFolder, revision
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_jsonl, write_atomic
from pytest_asrbench.files.fields import Faults, Fields
from pytest_asrbench.model import Clip, Dataset, Entity

NAME = "entity-transcription-benchmark"
LAYOUT = "etb"
MARKER = "entity_offsets"
TYPES: Mapping[str, str] = {
    "PERSON": "person_or_team_name",
    "GPE": "domain_term",
    "ORG": "domain_term",
    "NORP": "domain_term",
    "LOC": "domain_term",
    "OTHER_NAMED": "domain_term",
}
LISTS = ("entities", "entity_types", "entity_tiers")
UNPACKED = ".asrbench-audio"
"""Audio from inside a table goes here, beside it, when it is first needed."""
RE_UNUSABLE = re.compile(r"[^A-Za-z0-9._-]+")

Row = tuple[int, dict[str, Any]]


def read(path: Path, types: Mapping[str, str]) -> Dataset:
    """The dataset of a table or a `metadata.jsonl`. Raises InputError that lists every fault."""
    rows = list(_rows(path))
    faults = Faults(path)
    own = {**types, **TYPES}
    folder = DatasetFolder(_folder(path))
    clips = tuple(
        _clip(Fields(data, faults, row, label=f"{name}: "), name, folder, own)
        for name, (row, data) in zip(_ids(rows), rows, strict=True)
    )
    faults.check()
    return Dataset(NAME, path, clips, LAYOUT, revision=revision(folder.path), types=own)


def unpack(dataset: Dataset, missing: Iterable[Clip]) -> None:
    """Write the audio of the clips out of the table that holds it. Raises InputError."""
    if dataset.path.suffix == ".jsonl":
        return
    wanted = {clip.id for clip in missing}
    for clip, data in zip(dataset.clips, tables.audio(dataset.path), strict=True):
        if clip.id in wanted and data is not None:
            write_atomic(clip.path, data)


def _rows(path: Path) -> Iterable[Row]:
    if path.suffix == ".jsonl":
        return read_jsonl(path)
    columns = tables.columns(path)
    if MARKER not in columns:
        what = f"column {MARKER} is missing (there are {', '.join(columns)}); not this benchmark"
        raise InputError.at(path, None, what)
    return ((0, data) for data in tables.rows(path))


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _ids(rows: Sequence[Row]) -> list[str]:
    given = [str(data.get("id") or "") for _, data in rows]
    stems = [RE_UNUSABLE.sub("_", Path(_audio_name(data)).stem) for _, data in rows]
    for names in (given, stems):
        if all(names) and max(Counter(names).values(), default=1) == 1:
            return names
    return [f"{index:04d}" for index in range(len(rows))]


def _audio_name(data: Mapping[str, Any]) -> str:
    value = data.get("file_name") or data.get("audio")
    return str((value.get("path") if isinstance(value, dict) else value) or "")


def _clip(fields: Fields, name: str, folder: DatasetFolder, types: Mapping[str, str]) -> Clip:
    subset = fields.optional("subset")
    return Clip(
        id=name,
        path=_audio_path(fields, name, folder),
        reference=fields.text("transcript", empty=True),
        language=fields.optional("language") or "en",
        entities=_entities(fields, types),
        slices={"subset": subset} if subset else {},
        row=fields.row() or None,
    )


def _audio_path(fields: Fields, name: str, folder: DatasetFolder) -> Path:
    listed = _audio_name(fields.data)
    if fields.row() and not isinstance(fields.data.get("audio"), dict):
        return checks.audio_file(
            Fields({"audio": listed}, fields.faults, fields.row() or 0), "audio", folder
        )
    return folder.path / UNPACKED / f"{name}{Path(listed).suffix or '.wav'}"


def _entities(fields: Fields, types: Mapping[str, str]) -> tuple[Entity, ...]:
    spans, labels, tiers = (_list(fields, key) for key in LISTS)
    if not len(spans) == len(labels) == len(tiers):
        counts = f"{len(spans)} entities, {len(labels)} types, {len(tiers)} tiers"
        fields.fault("entities", f"{counts}; each entity needs all three")
        return ()
    return tuple(
        _entity(fields, index, types, str(span), str(label), str(tier))
        for index, (span, label, tier) in enumerate(zip(spans, labels, tiers, strict=True), 1)
    )


def _entity(
    fields: Fields, index: int, types: Mapping[str, str], span: str, label: str, tier: str
) -> Entity:
    one = Fields(
        {"type": label, "canonical": span},
        fields.faults,
        fields.rows,
        label=f"{fields.label}entity {index}: ",
    )
    return Entity(
        id=f"e{index:02d}",
        type=checks.entity_type(one, types),
        canonical=one.text("canonical"),
        attributes={"tier": tier},
    )


def _list(fields: Fields, key: str) -> list[Any]:
    value = fields.data.get(key)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError as error:
            fields.fault(key, f"{key} is not JSON: {error.msg}")
            return []
    if not isinstance(value, list):
        fields.fault(key, f"{key} is missing or no list; write [] where there are none")
        return []
    return value
