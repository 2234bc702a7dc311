"""
What the voice agent must understand: one test for every clip, and one for every value in it.

A value that can't be recovered from the transcript shows as `missed`; whether the build fails is
decided by the stored thresholds, over all clips.
"""


def test_clip(asr_result):
    assert asr_result.transcript is not None


def test_value(asr_result, asr_entity):
    assert asr_result.transcript is not None
