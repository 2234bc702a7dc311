"""
Transcripts that a system made elsewhere, by clip id.

    *.jsonl    {"audio_id": "002", "pred_text": "…"}      also a VoiceCodeBench leaderboard manifest
    *.json     {"run_metadata": {…}, "items": [{"audio_id": "002", "model_transcript": "…"}]}
    *.csv      audio_id,pred_text                         Entity Transcription Benchmark
    folder/    <locale>/<id>.txt and latency.json         mu-bench submission

The id stands under `audio_id`, `clip` or `id`, the text under `pred_text`, `model_transcript`,
`hypothesis`, `transcript` or `text`. "" is a transcript (no speech heard); none at all is a fault.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_asrbench.datasets.fields import Faults
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_json, read_jsonl, read_text
from pytest_asrbench.model import Transcript

ID_KEYS = ("audio_id", "clip", "id")
TEXT_KEYS = ("pred_text", "model_transcript", "hypothesis", "transcript", "text")

Row = tuple[int | None, Mapping[str, Any]]


def read_hypotheses(path: Path, *, clips: Collection[str] | None = None) -> dict[str, Transcript]:
    """Transcripts by clip id, in file order.

    Raises InputError that lists with its row each id that stands twice, each row without id or
    transcript and, where the dataset's `clips` are given, each id that is not among them.
    """
    if path.is_dir():
        from pytest_asrbench.datasets.submission import read_texts

        return read_texts(path, clips=clips)
    faults = Faults(path)
    seen: dict[str, int | None] = {}
    found: dict[str, Transcript] = {}
    for row, data in _rows(path):
        name = _id(data)
        if fault := _id_fault(name, seen, clips):
            faults.add(row, fault)
        elif (text := _text(data)) is None:
            faults.add(
                row,
                f'{name}: no transcript; write one of {", ".join(TEXT_KEYS)}, "" '
                "where nothing was heard",
            )
        else:
            found[name] = _transcript(text, data)
        seen.setdefault(name, row)
    faults.check()
    return found


def check_coverage(path: Path, found: Collection[str], clips: Iterable[str]) -> None:
    """Raises InputError where a clip of the dataset has no transcript."""
    missing = [clip for clip in clips if clip not in found]
    if missing:
        shown = ", ".join(missing[:10]) + (", …" if len(missing) > 10 else "")
        raise InputError.at(
            path,
            None,
            f"no transcript for {len(missing)} clips ({shown}); add them, or ask for "
            "a partial score",
        )


def _rows(path: Path) -> Iterator[Row]:
    if path.suffix == ".csv":
        return _csv(path)
    if path.suffix == ".json":
        return _predictions(path)
    return iter(read_jsonl(path))


def _predictions(path: Path) -> Iterator[Row]:
    data = read_json(path)
    items = data.get("items") if isinstance(data, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InputError.at(path, None, "expected released predictions, {…, items: [{…}]}")
    for index, item in enumerate(items, start=1):
        yield None, {**item, "item": index}


def _csv(path: Path) -> Iterator[Row]:
    lines = csv.DictReader(read_text(path).splitlines(keepends=True), strict=True)
    try:
        for data in lines:
            yield lines.line_num, data
    except csv.Error as error:
        raise InputError.at(path, lines.line_num, f"not CSV: {error}") from None


def _id(data: Mapping[str, Any]) -> str:
    value = next((data[key] for key in ID_KEYS if data.get(key) not in (None, "")), "")
    return str(value)


def _id_fault(
    name: str, seen: Mapping[str, int | None], clips: Collection[str] | None
) -> str | None:
    if not name:
        return f"no clip id; write it under {', '.join(ID_KEYS)}"
    if name in seen:
        where = f" (row {seen[name]})" if seen[name] else ""
        return f"{name} has a transcript already{where}; keep one"
    if clips is not None and name not in clips:
        return f"{name} is no clip of the dataset; remove it or correct the id"
    return None


def _text(data: Mapping[str, Any]) -> str | None:
    value = next((data[key] for key in TEXT_KEYS if data.get(key) is not None), None)
    return value if isinstance(value, str) else None


def _transcript(text: str, data: Mapping[str, Any]) -> Transcript:
    latency = data.get("latency_ms")
    model = data.get("reported_model")
    return Transcript(
        text,
        reported_model=str(model) if model else None,
        latency_ms=float(latency) if latency not in (None, "") else None,
    )
