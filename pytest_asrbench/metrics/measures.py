"""
The table of measures: a row makes a figure of the run file and its schema, a line of the reports,
and a gate.

Gates add the entity type and the slice to the name: `recovery:time:tag=smoke`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_asrbench.metrics import latency, recovery, wer
from pytest_asrbench.model import ClipRecord, Measured

Unit = Literal["rate", "ms", "ratio", "money"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: `count` counts it, in `unit`. `outcomes`: verdicts stand behind the figure, and
    more is better; of all else less is. `live`: only transcripts that were really fetched in this
    run can tell.

    `figure`: it stands under its own name among a run's metrics. `label` is what reports call it,
    where they show it in a line of its own, `edits` what an error rate counts there.
    """

    count: Callable[[Sequence[ClipRecord]], Measured]
    unit: Unit
    outcomes: bool = False
    live: bool = False
    figure: bool = True
    label: str = ""
    edits: str = "word"
    about: str = ""


def _p50(times: latency.Percentiles | None) -> float | None:
    return times.p50 if times else None


def _p95(times: latency.Percentiles | None) -> float | None:
    return times.p95 if times else None


MEASURES: dict[str, Measure] = {
    "ctem": Measure(recovery.ctem, "rate", outcomes=True, label="CTEM"),
    "tsr": Measure(recovery.tsr, "rate", outcomes=True, label="TSR"),
    "recovery": Measure(recovery.ctem, "rate", outcomes=True, figure=False),
    "wer": Measure(wer.wer, "rate", label="WER"),
    "cer": Measure(wer.cer, "rate", label="CER", edits="character"),
    "empty_rate": Measure(recovery.empty_rate, "rate"),
    "error_rate": Measure(recovery.error_rate, "rate"),
    "latency_p50_ms": Measure(lambda r: _p50(latency.latency(r)), "ms", live=True, figure=False),
    "latency_p95_ms": Measure(lambda r: _p95(latency.latency(r)), "ms", live=True, figure=False),
    "first_text_p50_ms": Measure(
        lambda r: _p50(latency.first_text(r)), "ms", live=True, figure=False
    ),
    "first_text_p95_ms": Measure(
        lambda r: _p95(latency.first_text(r)), "ms", live=True, figure=False
    ),
    "after_speech_p50_ms": Measure(
        lambda r: _p50(latency.after_speech(r)), "ms", live=True, figure=False
    ),
    "after_speech_p95_ms": Measure(
        lambda r: _p95(latency.after_speech(r)), "ms", live=True, figure=False
    ),
    "real_time_factor": Measure(latency.real_time_factor, "ratio", live=True),
    "cost": Measure(latency.cost, "money"),
}
