"""
One row a value, for spreadsheets and data frames (`--asr-csv`, `score --csv`).

    clip,repeat,value,type,canonical,spoken,outcome,new,heard,difference,reason,sure,…

`outcome` is recovered, missed, error (the clip has no transcript) or unjudged. `heard` is the
evidence of a recovered value, and the nearest thing of a missed one. A run with conditions has
their rows behind the raw ones, and a column that names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_asrbench.files.csv_lines import csv_line
from pytest_asrbench.model import ClipRecord, JudgedEntity, sound_key
from pytest_asrbench.reports.misses import Miss
from pytest_asrbench.reports.view_model import ViewModel
from pytest_asrbench.run import Run

COLUMNS = (
    "clip", "repeat", "value", "type", "canonical", "spoken", "outcome", "new", "heard",
    "difference", "reason", "sure", "exempt", "language", "reference", "transcript", "source",
    "latency_ms", "error", "audio", "row", "provider", "model", "started",
)  # fmt: skip
# What a spreadsheet would take for a formula; a phone number or an amount may begin with a sign.
RE_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d.,$€£ ])")


def document(view: ViewModel) -> str:
    """The whole table, slices as columns of their own behind the fixed ones."""
    slices = sorted({name for record in view.run.records for name in record.slices})
    misses = {miss.key: miss for miss in view.misses}
    columns = [*COLUMNS, *(["condition"] if view.run.conditions else [])]
    lines = [csv_line([*columns, *slices])]
    for record, judged in _values(view):
        cells = _cells(record, judged, view.run, misses.get(_key(record, judged)))
        rest = [record.slices.get(name, "") for name in slices]
        lines.append(csv_line(_safe(cell) for cell in (*(cells[name] for name in columns), *rest)))
    return "".join(lines)


def _values(view: ViewModel) -> Iterator[tuple[ClipRecord, JudgedEntity]]:
    records = (record for part in view.run.parts for record in part.records)
    return ((record, judged) for record in records for judged in record.entities)


def _key(record: ClipRecord, judged: JudgedEntity) -> str:
    return sound_key(f"{record.clip}/{judged.entity.id}", record.condition)


def _cells(record: ClipRecord, judged: JudgedEntity, run: Run, miss: Miss | None) -> dict[str, str]:
    entity, verdict = judged.entity, judged.verdict
    absent = verdict is not None and not verdict.present
    near = verdict.nearest if verdict else None
    heard = verdict.evidence if verdict and verdict.present else near and near.text
    cells = {
        "clip": record.clip,
        "repeat": record.repeat,
        "value": entity.id,
        "type": entity.type,
        "canonical": entity.canonical,
        "spoken": entity.acoustic,
        "outcome": _outcome(record, judged),
        "new": _yes(miss.new) if miss and absent else None,
        "heard": heard,
        "difference": near.difference if near else None,
        "reason": verdict.reason if verdict else None,
        "sure": _yes(verdict.sure) if verdict else None,
        "exempt": miss.exempt if miss else None,
        "language": record.language,
        "reference": record.reference,
        "transcript": record.transcript,
        "source": record.source,
        "latency_ms": None if record.latency_ms is None else f"{record.latency_ms:.0f}",
        "error": record.error and f"{record.error.kind}: {record.error.message}",
        "audio": record.audio,
        "row": record.row,
        "provider": run.provider.name,
        "model": run.provider.reported_model or run.provider.model,
        "started": run.started,
        "condition": record.condition,
    }
    return {name: "" if cell is None else str(cell) for name, cell in cells.items()}


def _outcome(record: ClipRecord, judged: JudgedEntity) -> str:
    if judged.verdict is None:
        return "error" if record.error else "unjudged"
    return "recovered" if judged.verdict.present else "missed"


def _yes(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _safe(cell: str) -> str:
    """Text in a spreadsheet too: what a caller says must not be computed."""
    return f"'{cell}" if RE_FORMULA.match(cell) else cell
