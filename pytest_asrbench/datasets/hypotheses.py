"""
Transcripts that a system made elsewhere, by clip id.

    *.jsonl    {"audio_id": "002", "pred_text": "…"}      also a VoiceCodeBench leaderboard manifest
               a cassette                                 the first repeat of each clip counts,
                                                          by one of its systems
    *.json     {"run_metadata": {…}, "items": [{"audio_id": "002", "model_transcript": "…"}]}
    *.csv      audio_id,pred_text                         Entity Transcription Benchmark
    folder/    <locale>/<id>.txt and latency.json         mu-bench submission

The id stands under `audio_id`, `clip`, `id` or `index`, the text under `pred_text`,
`model_transcript`, `hypothesis`, `transcript` or `text`, and what the clip was heard under, if
anything, under `condition`. "" is a transcript (no speech heard); none at all is a fault.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

from pytest_asrbench.datasets.submission import read_texts
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_json, read_jsonl, read_text
from pytest_asrbench.files.fields import Faults
from pytest_asrbench.files.schema import LARGEST
from pytest_asrbench.model import Transcript, sound_key

ID_KEYS = ("audio_id", "clip", "id", "index")
TEXT_KEYS = ("pred_text", "model_transcript", "hypothesis", "transcript", "text")

Row = tuple[int | None, Mapping[str, Any]]
"""The row of a text file, and its fields."""


def read_hypotheses(
    path: Path, *, clips: Collection[str] | None = None, system: str | None = None
) -> dict[str, Transcript]:
    """Transcripts by clip id, in file order; of a cassette those by `system`, which may be left out
    where there is one.

    Raises InputError that lists with its row each id that stands twice, each row without id or
    transcript and, where the dataset's `clips` are given, each id that is not among them.
    """
    if path.is_dir():
        return read_texts(path, clips=clips)
    faults = Faults(path)
    seen: dict[str, int] = {}
    hypotheses: dict[str, Transcript] = {}
    for index, (row, data) in enumerate(_rows(path, system), start=1):
        if clips is not None and data.get("condition"):
            continue  # who asks for the dataset's clips asks for the raw ones
        name = clip_of(data)
        if fault := _row_fault(data) or _id_fault(name, seen, clips) or _text_fault(name, data):
            faults.add(row, fault if row else f"item {index}: {fault}")
        else:
            hypotheses[name] = _transcript(data)
        seen.setdefault(name, row or index)
    faults.check()
    return hypotheses


def check_coverage(path: Path, heard: Collection[str], clips: Iterable[str]) -> None:
    """Raises InputError where a clip of the dataset has no transcript."""
    missing = [clip for clip in clips if clip not in heard]
    if missing:
        shown = ", ".join(missing[:10]) + (", …" if len(missing) > 10 else "")
        raise InputError.at(
            path,
            None,
            f"no transcript for {len(missing)} clips ({shown}); add them, or ask for "
            "a partial score",
        )


def _rows(path: Path, system: str | None) -> Iterator[Row]:
    if path.suffix == ".csv":
        return _csv(path)
    if path.suffix == ".json":
        return _predictions(path)
    return _lines(path, system)


def _lines(path: Path, system: str | None) -> Iterator[Row]:
    """The rows of a JSONL file; of a cassette those that are a clip's first transcript."""
    rows = read_jsonl(path)
    first = next(rows, None)
    if first is None:
        return
    if "cassette" not in first[1]:
        yield first
        yield from rows
        return
    name = _system(path, first[1], system)
    for row, data in rows:
        first_of_it = data.get("provider", name) == name and data.get("repeat", 1) == 1
        if first_of_it and "judged" not in data:
            yield row, data


def _system(path: Path, header: Mapping[str, Any], named: str | None) -> object:
    """The system of a cassette whose transcripts are meant. Raises InputError."""
    providers = header.get("providers")
    names = [*providers] if isinstance(providers, dict) else []
    if named is None and len(names) > 1:
        listed = ", ".join(names)
        what = f"holds transcripts by {listed}; say `system:` with one of them, or give a file each"
        raise InputError.at(path, 1, what)
    if named is not None and named not in names:
        raise InputError.at(path, 1, f"holds none by system {named!r}, but by {', '.join(names)}")
    return named or next(iter(names), None)


def _predictions(path: Path) -> Iterator[Row]:
    data = read_json(path)
    items = data.get("items") if isinstance(data, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InputError.at(path, None, "expected released predictions, {…, items: [{…}]}")
    return ((None, item) for item in items)


def _csv(path: Path) -> Iterator[Row]:
    lines = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        names = lines.fieldnames or ()
        if twice := [name for name in names if names.count(name) > 1]:
            raise InputError.at(path, 1, f"column {twice[0]!r} stands twice; keep one")
        for data in lines:
            yield lines.line_num, data
    except csv.Error as error:
        raise InputError.at(path, lines.reader.line_num, f"not CSV: {error}") from None


def clip_of(data: Mapping[str, Any]) -> str:
    """The clip id of a row, with its `condition` as `id@condition`; "" where it has none."""
    name = str(next((data[key] for key in ID_KEYS if data.get(key) not in (None, "")), ""))
    return sound_key(name, data.get("condition") or None) if name else ""


def _row_fault(data: Mapping[Any, Any]) -> str | None:
    """Of a CSV row: what csv gathers under None are the fields beyond the header's."""
    if None not in data:
        return None
    return "more fields than columns; put texts with a comma in quotes"


def _id_fault(name: str, seen: Mapping[str, int], clips: Collection[str] | None) -> str | None:
    if not name:
        return f"no clip id; write it under one of {', '.join(ID_KEYS)}"
    if name in seen:
        return f"{name} has a transcript already (row {seen[name]}); keep one"
    if clips is not None and name not in clips:
        return f"{name} is no clip of the dataset; remove it or correct the id"
    return None


def _text(data: Mapping[str, Any]) -> object:
    return next((data[key] for key in TEXT_KEYS if data.get(key) is not None), None)


def _text_fault(name: str, data: Mapping[str, Any]) -> str | None:
    if data.get("error"):
        said = shortened(data["error"])
        return f"{name}: its call failed ({said}); transcribe it again, or leave the row out"
    if not isinstance(_text(data), str):
        keys = ", ".join(TEXT_KEYS)
        return f'{name}: no transcript under {keys}; write it, "" where nothing was heard'
    try:
        _milliseconds(data)
    except (TypeError, ValueError, OverflowError):
        return f"{name}: latency_ms {shortened(data['latency_ms'])} is no number of milliseconds"
    return None


def _milliseconds(data: Mapping[str, Any]) -> float | None:
    value = data.get("latency_ms")
    if value in (None, ""):
        return None
    number = float(value)
    if not 0 <= number < LARGEST:
        raise ValueError(number)
    return number


def _transcript(data: Mapping[str, Any]) -> Transcript:
    model = data.get("reported_model")
    return Transcript(
        str(_text(data)),
        reported_model=str(model) if model else None,
        latency_ms=_milliseconds(data),
    )
