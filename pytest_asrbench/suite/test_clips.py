"""One test for each clip and one for each value; the stored thresholds decide over all of them."""

from __future__ import annotations

from pytest_asrbench import ClipRecord, Verdict


def test_clip(asr_result: ClipRecord) -> None:
    assert asr_result.transcript is not None


def test_value(asr_verdict: Verdict) -> None:
    assert asr_verdict is not None
