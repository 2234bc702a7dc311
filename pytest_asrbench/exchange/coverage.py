"""Checks that every export makes of a run: the right benchmark, every clip, and its default
protocol."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_asrbench.errors import InputError
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.run import Run

SHOWN = 10


def measured(run: Run, layout: str, *, partial: bool) -> list[ClipRecord]:
    """The first record of each clip, in the dataset's order.

    Raises InputError where the run is of another layout, or where a clip has no transcript and
    the export was not asked to be partial.
    """
    if run.dataset.layout != layout:
        raise InputError(f"the run measured a {run.dataset.layout} dataset, not {layout}")
    first: dict[str, ClipRecord] = {}
    for record in run.records:
        first.setdefault(record.clip, record)
    records = [record for record in first.values() if record.measured]
    failed = [record.clip for record in first.values() if not record.measured]
    absent = run.dataset.clips - len(records)
    if absent and not partial:
        raise InputError(
            f"{absent} of {run.dataset.clips} clips have no transcript{_names(failed)}"
            "; complete the run, or ask for a partial export (--partial)"
        )
    return records


def check_protocol(run: Run, *, custom: bool) -> None:
    """Raises InputError for a run with vendor parameters, where the export may not have them."""
    if run.provider.protocol == "custom" and not custom:
        raise InputError(
            "the run is protocol: custom (vendor parameters are set), which the benchmark does "
            "not compare; run without params, or disclose it (--custom)"
        )


def _names(clips: Sequence[str]) -> str:
    if not clips:
        return ""
    return f" ({', '.join(clips[:SHOWN])}{', …' if len(clips) > SHOWN else ''})"
