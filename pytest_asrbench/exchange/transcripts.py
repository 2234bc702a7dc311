"""Transcripts of a run, as the files that `recorded` and the benchmarks' scorers read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_asrbench.files import dump_json
from pytest_asrbench.files.csv_lines import csv_line
from pytest_asrbench.model import Transcript


def jsonl(rows: Iterable[Mapping[str, Any]]) -> str:
    """One JSON object a line; a lone surrogate stays an escape."""
    return "".join(dump_json(row) + "\n" for row in rows)


def recorded(by_clip: Mapping[str, Transcript]) -> str:
    """`{audio_id, pred_text}` with latency and model where they are known."""
    return jsonl(
        {
            key: value
            for key, value in {
                "audio_id": clip,
                "pred_text": heard.text,
                "latency_ms": heard.latency_ms,
                "reported_model": heard.reported_model,
            }.items()
            if value is not None
        }
        for clip, heard in by_clip.items()
    )


def table(rows: Iterable[Mapping[str, str]], columns: tuple[str, ...]) -> str:
    """CSV with a header."""
    lines = [columns, *([row[name] for name in columns] for row in rows)]
    return "".join(map(csv_line, lines))
