"""
Latency and cost. Percentiles by linear interpolation at (n-1)p, pooled, as mu-bench does it.

Latency starts when the request is sent; the engine stamps it, queueing and back-off left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_asrbench.model import ClipRecord


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Median and 95th percentile in milliseconds over n calls."""

    p50: float
    p95: float
    n: int

    def to_json(self) -> dict[str, Any]:
        return {"p50": self.p50, "p95": self.p95, "n": self.n}


def percentile(values: Sequence[float], p: float) -> float:
    """The value at (n-1)p of the sorted values. Raises ValueError where there are none."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    at = (len(ordered) - 1) * p
    low, high = math.floor(at), math.ceil(at)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def percentiles(values: Iterable[float | None]) -> Percentiles | None:
    """None where no call was timed."""
    timed = [value for value in values if value is not None]
    if not timed:
        return None
    return Percentiles(percentile(timed, 0.5), percentile(timed, 0.95), len(timed))


def latency(records: Iterable[ClipRecord]) -> Percentiles | None:
    """From request sent to final transcript."""
    return percentiles(record.latency_ms for record in records if record.measured)


def first_text(records: Iterable[ClipRecord]) -> Percentiles | None:
    """Streaming: from first frame sent to first text."""
    return percentiles(record.first_text_ms for record in records if record.measured)


def after_speech(records: Iterable[ClipRecord]) -> Percentiles | None:
    """Streaming: from the last frame with speech sent to the last change of the final text."""
    return percentiles(record.after_speech_ms for record in records if record.measured)


def real_time_factor(records: Iterable[ClipRecord]) -> float | None:
    """Seconds of latency per second of audio, over the clips that have both."""
    timed = [
        (record.latency_ms / 1000, record.duration_s)
        for record in records
        if record.measured and record.latency_ms is not None and record.duration_s
    ]
    # fsum: the same to the last digit in whatever order shards come.
    heard = math.fsum(seconds for _, seconds in timed)
    return math.fsum(spent for spent, _ in timed) / heard if timed else None


def cost(records: Iterable[ClipRecord]) -> float | None:
    """Sum of what the calls cost, in the price table's currency; None where no price is known."""
    known = [record.cost for record in records if record.cost is not None]
    return math.fsum(known) if known else None
