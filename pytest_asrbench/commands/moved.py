"""Verdicts that moved when a stored run was judged again: what a new verifier changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pytest_asrbench.counts import plural
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.run import Run

SHOWN: Final = 20
"""Lines on a terminal; -v shows all."""


def lines(before: Run, after: Run, *, all_of_them: bool) -> Iterator[str]:
    """The verdicts that moved between two judgings of the same transcripts, and their number."""
    old, new = _verdicts(before), _verdicts(after)
    both = [key for key in new if key in old]
    moved = [key for key in both if old[key][1].present != new[key][1].present]
    yield f"{plural(len(moved), 'verdict')} of {len(both)} moved, {_versions(before, after)}"
    for key in moved if all_of_them else moved[:SHOWN]:
        yield f"  {_line(key, *new[key])}"
    if len(moved) > SHOWN and not all_of_them:
        yield f"  and {len(moved) - SHOWN} more; -v shows all"
    if moved:
        yield "  take them in: asrbench thresholds update RUN.json, with --lower for worse values"


_Key = tuple[str, str, int]


def _verdicts(run: Run) -> Mapping[_Key, tuple[Entity, Verdict]]:
    return {
        (record.clip, judged.entity.id, record.repeat): (judged.entity, judged.verdict)
        for record in run.records
        for judged in record.entities
        if judged.verdict is not None
    }


def _line(key: _Key, entity: Entity, verdict: Verdict) -> str:
    clip, name, repeat = key
    moved = "absent -> present" if verdict.present else "present -> absent"
    again = f" (repeat {repeat})" if repeat > 1 else ""
    value = f"{entity.type} {entity.canonical!r}"
    return f"{clip}/{name}{again}  {moved}  {value}: {verdict.reason}"


def _versions(before: Run, after: Run) -> str:
    old, new = before.verifier, after.verifier
    return f"{old.id} {old.version} -> {new.id} {new.version}"
