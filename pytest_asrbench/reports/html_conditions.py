"""
The matrix of types and conditions as a heat map, and what broke with both sounds side by side.

One hue from light to dark, so that the steps differ in lightness alone: they are told apart by
whoever sees no colours, and on paper. The figure stands in every cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.reports.conditions import ConditionFact, MatrixCell, MatrixRow
from pytest_asrbench.reports.html_audio import Sound
from pytest_asrbench.reports.misses import Miss
from pytest_asrbench.reports.text import printable
from pytest_asrbench.reports.view_model import ViewModel

STEPS = (0.95, 0.80, 0.60, 0.35)
"""From this share on, a cell is of the first shade, the second, …; under all, of the darkest."""
PLAYED = 50  # broken values of each condition


def shown(view: ViewModel, sound: Sound) -> Mapping[str, Any] | None:
    """As the page's template takes it; None for a run of raw clips alone."""
    if not view.conditions:
        return None
    return {
        "head": [printable(name) for name in view.conditions.head],
        "rows": [_row(row) for row in view.conditions.rows],
        "each": [_fact(fact, view, sound) for fact in view.conditions.each],
        "steps": [f"{step:.2f}" for step in STEPS],
    }


def _row(row: MatrixRow) -> Mapping[str, Any]:
    return {"name": printable(row.name), "cells": [_cell(cell) for cell in row.cells]}


def _cell(cell: MatrixCell) -> Mapping[str, Any]:
    heat = "" if cell.share is None else f"heat h{shade(cell.share)}"
    return {"text": cell.text, "counts": cell.counts, "heat": heat, "failed": cell.failed}


def shade(share: float) -> int:
    """0 where nearly all is recovered, to 4."""
    return sum(share < step for step in STEPS)


def _fact(fact: ConditionFact, view: ViewModel, sound: Sound) -> Mapping[str, Any]:
    raw = {
        entity_key(record, judged.entity.id): record
        for record in reversed(view.run.records)
        for judged in record.recovered
    }
    return {
        "name": printable(fact.name),
        "steps": printable(fact.steps),
        "drop": printable(fact.drop),
        "broken": [_broken(miss, raw, sound) for miss in fact.broken[:PLAYED]],
        "left": max(0, len(fact.broken) - PLAYED),
    }


def _broken(miss: Miss, raw: Mapping[str, ClipRecord], sound: Sound) -> Mapping[str, Any]:
    record = raw[entity_key(miss.record, miss.entity.id)]
    return {
        "key": printable(entity_key(miss.record, miss.entity.id)),
        "clip": miss.record.clip,
        "type": printable(miss.entity.type),
        "wanted": printable(miss.entity.canonical),
        "raw": printable(record.transcript or ""),
        "heard": None if miss.heard is None else printable(miss.heard),
        "instead": miss.instead,
        "difference": printable(miss.difference),
        "raw_audio": sound.source(record.audio),
        "audio": sound.under_condition(miss.record),
    }
