"""
Many recordings at once: a log of calls, or a table of what is said in which file.

    *.json, *.jsonl   {"audio": "call.wav", "reference": "…", "entities": {"phone_number": "…"}}
    *.csv, *.tsv      audio,reference,phone_number,…

The recording stands under `audio`, `file`, `filename`, `path` or `wav`, what is said under
`reference`, `transcript`, `sentence`, `transcription` or `text`. `entities` is {type: value} or a
list of {type, canonical, acoustic, accept}; in a table a column may also have a type's name.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrbench.commands.drafts import ENTITY, PLAIN, ordered
from pytest_asrbench.counts import plural, some
from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_json, read_jsonl, read_text

AUDIO = ("audio", "audio_file", "file", "file_name", "filename", "path", "recording", "wav")
REFERENCE = ("reference", "transcript", "sentence", "transcription", "text")
SUFFIXES = frozenset(
    f".{name}"
    for names in (
        "wav flac ogg oga opus mp3 aiff aif au caf",
        "m4a mp4 aac webm 3gp amr wma ulaw mulaw ul alaw al",
    )
    for name in names.split()
)
Row = tuple[int | None, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Log:
    """(recording, row of the manifest) in the log's order; `notes` tell what was not used."""

    calls: Sequence[tuple[Path, dict[str, Any]]]
    notes: Sequence[str] = ()


def read(path: Path, folder: Path | None, types: Collection[str]) -> Log:
    """The log at `path`, its recordings in `folder` (None: relative to the log itself).

    `types` are the dataset's own. Raises InputError, with a line for each faulty row.
    """
    rows = list(_rows(path))
    if not rows:
        raise InputError.at(path, None, "no calls in it; expected objects with audio and entities")
    kinds = {*ENTITY_TYPES, *types}
    faults, calls = [], []
    for number, row in rows:
        try:
            calls.append(_call(path, folder, number, row, kinds))
        except InputError as error:
            faults.append(str(error))
    if faults:
        raise InputError("\n".join(faults))
    return Log(calls, [*_unused(rows, kinds), *_unnamed(folder, [audio for audio, _ in calls])])


def _rows(path: Path) -> Iterator[Row]:
    if path.suffix in (".csv", ".tsv"):
        yield from _table(path)
    elif path.suffix == ".jsonl":
        yield from read_jsonl(path, as_text=True)
    else:
        data = read_json(path)
        for index, call in enumerate(data if isinstance(data, list) else [data], start=1):
            if not isinstance(call, dict):
                raise InputError.at(path, None, f"call {index}: expected an object, {{…}}")
            yield None, call


def _table(path: Path) -> Iterator[Row]:
    """Comma, semicolon or tab: what the first line has most of."""
    text = read_text(path)
    head = text.partition("\n")[0]
    mark = max("\t;,", key=head.count)
    lines = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        for row in lines:
            if None in row or None in row.values():
                what = "not as many fields as the first line has columns; quote a field with commas"
                raise InputError.at(path, lines.line_num, what)
            yield lines.line_num, {name.strip(): value for name, value in row.items() if value}
    except csv.Error as error:
        raise InputError.at(path, lines.line_num, f"not CSV: {error}") from None


def _call(
    path: Path, folder: Path | None, number: int | None, row: Mapping[str, Any], kinds: set[str]
) -> tuple[Path, dict[str, Any]]:
    audio = next((row[key] for key in AUDIO if row.get(key)), None)
    if not isinstance(audio, str):
        raise InputError.at(path, number, "audio is missing; write the recording's path")
    fields = {key: row[key] for key in PLAIN if row.get(key) is not None}
    for key in REFERENCE:
        if row.get(key) is not None:
            fields.setdefault("reference", row[key])
    if isinstance(tags := fields.get("tags"), str):
        fields["tags"] = [tag.strip() for tag in tags.split(",") if tag.strip()]
    entities = _entities(path, number, row.get("entities"))
    entities += [
        {"type": kind, "canonical": str(row[kind])} for kind in row if kind in kinds and row[kind]
    ]
    return _recording(path, folder, number, audio), {**fields, "entities": entities}


def _recording(path: Path, folder: Path | None, number: int | None, audio: str) -> Path:
    """In the folder by its name, with or without its suffix."""
    if folder is None:
        return path.parent / audio
    exact = folder / audio
    if exact.is_file():
        return exact
    stem = exact.name
    near = [each for each in _recordings(exact.parent) if stem in (each.stem, each.name)]
    if len(near) == 1:
        return near[0]
    what = "several files with that name" if near else f"no recording {exact}"
    raise InputError.at(path, number, f"{what}; correct {audio!r}, or add the file")


def _recordings(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.suffix.lower() in SUFFIXES)


def _entities(path: Path, row: int | None, value: Any) -> list[dict[str, Any]]:
    if isinstance(value, str):  # of a table
        try:
            value = json.loads(value)
        except ValueError:
            value = [value]
    if isinstance(value, dict):
        value = [
            {"type": kind, "canonical": one}
            for kind, many in value.items()
            for one in (many if isinstance(many, list) else [many])
        ]
    entities = value or []
    if not isinstance(entities, list) or not all(_whole(entity) for entity in entities):
        what = 'entities must be {type: value} or [{"type": …, "canonical": …}], values as text'
        raise InputError.at(path, row, what)
    return [ordered(entity, ENTITY) for entity in entities]


def _whole(entity: Any) -> bool:
    return isinstance(entity, dict) and all(
        isinstance(entity.get(key), str) and entity[key] for key in ("type", "canonical")
    )


def _unused(rows: Iterable[Row], kinds: Collection[str]) -> Iterator[str]:
    known = {*AUDIO, *REFERENCE, *PLAIN, *kinds, "entities"}
    names = dict.fromkeys(name for _, row in rows for name in row if name not in known)
    if names:
        yield f"not used: {', '.join(names)} (no field of a clip, and no type)"


def _unnamed(folder: Path | None, named: Iterable[Path]) -> Iterator[str]:
    if folder is None:
        return
    used = {path.resolve() for path in named}
    left = [path.name for path in _recordings(folder) if path.resolve() not in used]
    if left:
        yield f"{plural(len(left), 'recording')} of {folder} without a row: {some(left)}"
