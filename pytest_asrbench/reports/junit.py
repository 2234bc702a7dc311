"""
JUnit XML's properties of a clip's test case.

JUnit has no other trace of a miss: the test itself did not fail.
"""

from __future__ import annotations

from pytest_asrbench.model import ClipRecord, sound_key
from pytest_asrbench.reports.text import printable

MISSED = "asr_missed"
"""The property of a missed value: `clip/entity`."""


def properties(record: ClipRecord, *, details: bool = False) -> list[tuple[str, str]]:
    """`asr_clip`, `asr_condition` where there is one, and one `asr_missed` (clip/entity) a miss.

    `details` (`--asr-junit-properties`) adds canonical, nearest and latency.
    """
    pairs = [("asr_clip", record.clip)]
    pairs += [("asr_condition", record.condition)] if record.condition else []
    for judged in record.misses:
        key = sound_key(f"{record.clip}/{judged.entity.id}", record.condition)
        pairs.append((MISSED, key))
        if details and judged.verdict:
            near = judged.verdict.nearest
            pairs.append(("asr_canonical", printable(judged.entity.canonical)))
            pairs.append(("asr_nearest", printable(near.text) if near else ""))
    if details and record.latency_ms is not None:
        pairs.append(("asr_latency_ms", f"{record.latency_ms:.0f}"))
    return pairs
