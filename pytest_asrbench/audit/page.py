"""
The audit sheet as one page that needs no network: player, transcript, keys, and a button that
saves the filled sheet. The verdict is hidden until asked for, so that it does not lead the eye.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_asrbench.audit import sheet
from pytest_asrbench.audit.sample import Row
from pytest_asrbench.files import write_atomic
from pytest_asrbench.reports.html_audio import Sound
from pytest_asrbench.reports.page import page


def write(rows: Sequence[Row], path: Path, sheet_name: str) -> None:
    """Write the page; recordings are in it as long as they fit, else linked.

    `sheet_name` is what the saved sheet is called. Raises InputError without jinja2 (extra `html`)
    or where the file can't be written.
    """
    write_atomic(path, render(rows, path.resolve().parent, sheet_name))


def render(rows: Sequence[Row], home: Path, sheet_name: str) -> str:
    """The page's text; `home` is the folder that links are relative to."""
    data = {
        "name": sheet_name,
        "columns": list(sheet.COLUMNS),
        "audio": _sources(rows, home),
        "rows": [_row(row) for row in rows],
    }
    return page("audit", script="audit.js", data=data, count=len(rows))


def _row(row: Row) -> dict[str, Any]:
    verdict = row.verdict
    marked = verdict if verdict.present else verdict.nearest
    return {
        "cells": sheet.cells(row),
        "type": row.entity.type,
        "canonical": row.entity.canonical,
        "acoustic": row.entity.acoustic,
        "accept": list(row.entity.accept),
        "transcript": row.transcript,
        "present": verdict.present,
        "reason": verdict.reason,
        "span": [marked.start, marked.end] if marked and marked.start is not None else None,
        "audio": str(row.audio),
    }


def _sources(rows: Sequence[Row], home: Path) -> dict[str, str]:
    """The place of each recording's sound; the values of a clip share it."""
    paths = sorted({row.audio for row in rows if row.audio is not None})
    sounds = {folder: Sound(folder, home, embed=True) for folder in {p.parent for p in paths}}
    sources = {str(path): sounds[path.parent].source(path.name) for path in paths}
    return {path: source for path, source in sources.items() if source is not None}
