"""
The native manifest: YAML for sets written by hand, JSONL for large ones.

    schema: 1
    name: example
    language: en
    types: {confirmation_code: {like: reference_id}}     # custom types, optional
    clips:
      - id: refund_03
        audio: clips/refund_03.flac
        reference: my code is b h seven four
        domain: support                                  # optional, as are difficulty and tags
        entities:
          - {id: code, type: confirmation_code, canonical: BH-74, acoustic: b h seven four}

As JSONL the first line is this without `clips`, and each further line is one clip. Every scalar is
text as it was written. An entity without an id gets e01, e02, … by its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pytest_asrbench.datasets import checks
from pytest_asrbench.datasets.folder import DatasetFolder
from pytest_asrbench.datasets.types import declaration_fault
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_jsonl
from pytest_asrbench.files.fields import Faults, Fields
from pytest_asrbench.model import Clip, Dataset

HEADER = ("schema", "name", "language", "types")
CLIP = ("id", "audio", "reference", "language", "domain", "difficulty", "tags", "entities")
SLICES = ("domain", "difficulty")
SCHEMA = "1"
SPOKEN = frozenset({"reference", "canonical", "acoustic", "accept"})


def read(path: Path, types: Mapping[str, str]) -> Dataset:
    """The dataset of a manifest. Raises FaultsError that lists every fault with its row."""
    faults = Faults(path)
    header, rows = _jsonl(path, faults) if path.suffix == ".jsonl" else _yaml(path, faults)
    name = _check_header(header)
    reader = _Reader(
        DatasetFolder(path.parent), header.optional("language"), declared(header, types)
    )
    clips = tuple(map(reader.clip, rows))
    dataset = Dataset(name, path, clips, "native", types=reader.types)
    if faults.entries:
        faulty = {id(clip) for clip in reader.faulty}
        whole = tuple(clip for clip in clips if id(clip) not in faulty)
        faults.check(replace(dataset, clips=whole), reader.faulty)
    return dataset


def declared(header: Fields, types: Mapping[str, str]) -> dict[str, str]:
    """Custom types of the settings and of the manifest together."""
    own = header.data.get("types") or {}
    if not isinstance(own, dict):
        header.fault("types", "types must be a mapping, like {confirmation_code: {like: …}}")
        own = {}
    merged = dict(types)
    for name, value in own.items():
        like = value.get("like") if isinstance(value, dict) else value
        if fault := declaration_fault(name, like):
            header.fault("types", fault)
        elif merged.setdefault(name, str(like)) != like:
            header.fault("types", f"type {name} is like {merged[name]} in the settings; keep one")
    return merged


def _yaml(path: Path, faults: Faults) -> tuple[Fields, Iterable[Fields]]:
    header = Fields.of_yaml(path, faults, uncut=SPOKEN)
    if not header.data:
        raise InputError.at(path, 1, "expected schema, name, language and clips; see docs/datasets")
    header.only(*HEADER, "clips")
    return header, header.objects("clips", "clip")


def _jsonl(path: Path, faults: Faults) -> tuple[Fields, Iterable[Fields]]:
    rows = read_jsonl(path, as_text=True)
    row, data = next(rows, (0, None))
    if data is None:
        raise InputError.at(path, None, "empty; the first line is the header: schema, name, …")
    if "schema" not in data:
        example = '{"schema": 1, "name": "…", "language": "en"}'
        raise InputError.at(path, row, f"the first line must be the header, {example}")
    header = Fields(data, faults, row)
    header.only(*HEADER)
    return header, _clips(rows, faults)


def _clips(rows: Iterable[tuple[int, dict[str, object]]], faults: Faults) -> Iterator[Fields]:
    for row, data in rows:
        yield Fields(data, faults, row, label="clip: ")


def _check_header(header: Fields) -> str:
    if (schema := header.text("schema")) not in ("", SCHEMA):
        header.fault("schema", f"schema {schema!r} is not known; this version reads {SCHEMA}")
    if (tag := header.optional("language")) is not None:
        checks.check_language(header, tag)
    return header.text("name")


class _Reader:
    """Builds clips; knows what the header says and which ids are taken."""

    def __init__(self, folder: DatasetFolder, language: str | None, types: dict[str, str]) -> None:
        self.folder = folder
        self.language = language
        self.types = types
        self.seen: checks.Seen = {}
        self.faulty: list[Clip] = []

    def clip(self, fields: Fields) -> Clip:
        before = len(fields.faults.entries)
        clip = self._clip(fields)
        if len(fields.faults.entries) > before:
            self.faulty.append(clip)
        return clip

    def _clip(self, fields: Fields) -> Clip:
        fields.only(*CLIP)
        identifier = checks.clip_id(fields, "id", self.seen)
        if identifier:
            fields.label = f"{identifier}: "
        return Clip(
            id=identifier,
            path=checks.audio_file(fields, "audio", self.folder),
            reference=fields.text("reference", empty=True),
            language=checks.language(fields, self.language),
            entities=checks.entities(fields, self.types),
            slices={key: value for key in SLICES if (value := fields.optional(key))},
            tags=fields.texts("tags"),
            row=fields.row(),
        )
