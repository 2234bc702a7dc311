"""Where speech ends: whatever comes before and after it, at any level and over any quiet noise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench.audio.speech_end import FRAME_S, speech_end_s

RATE = 16_000


def speech(seconds: float, level_db: float = -10) -> np.ndarray:
    """Syllables: a vowel of which every third part is a pause, a fifth of it weak."""
    at = np.arange(int(RATE * seconds)) / RATE
    loud = np.where((at % 0.3) < 0.2, 1.0, 0.01) * np.where((at % 1.5) < 0.3, 0.2, 1.0)
    return (10 ** (level_db / 20) * loud * np.sin(2 * np.pi * 180 * at)).astype(np.float32)


def noise(count: int, level_db: float) -> np.ndarray:
    samples = np.random.default_rng(3).normal(size=count)
    return (10 ** (level_db / 20) * samples).astype(np.float32)


def with_silence(lead_s: float, tail_s: float, level_db: float, noise_db: float) -> np.ndarray:
    parts = np.zeros(int(RATE * lead_s)), speech(1.7, level_db), np.zeros(int(RATE * tail_s))
    clip = np.concatenate(parts)
    return clip.astype(np.float32) + noise(len(clip), noise_db)


@settings(max_examples=40)
@given(
    lead_s=st.floats(0, 2),
    tail_s=st.floats(0, 4),
    level_db=st.floats(-35, 0),
    snr_db=st.floats(30, 90),
)
def test_the_end_is_found_whatever_the_level_the_noise_and_the_silence(
    lead_s, tail_s, level_db, snr_db
):
    clip = with_silence(lead_s, tail_s, level_db, level_db - snr_db)

    assert speech_end_s(clip, RATE) == pytest.approx(lead_s + 1.7, abs=3 * FRAME_S)


@pytest.mark.parametrize("rate", [8000, 22_050, 48_000])
def test_the_rate_does_not_matter(rate):
    at = np.arange(rate) / rate
    clip = np.where(at < 0.5, 0.3 * np.sin(2 * np.pi * 200 * at), 0).astype(np.float32)

    assert speech_end_s(clip, rate) == pytest.approx(0.5, abs=3 * FRAME_S)


def test_a_click_after_the_speech_is_none():
    clip = with_silence(0, 2, -20, -70)
    clip[int(RATE * 3) : int(RATE * 3) + 100] = 1.0

    assert speech_end_s(clip, RATE) == pytest.approx(1.7, abs=3 * FRAME_S)


def test_under_loud_noise_the_end_is_no_earlier_than_the_speech_s():
    """Where both can't be told apart, no system is made to look faster."""
    assert speech_end_s(with_silence(0, 2, -20, -26), RATE) >= 1.6


@pytest.mark.parametrize("seconds", [0, 0.01, 0.05, 3])
def test_without_speech_there_is_no_end(seconds):
    assert speech_end_s(np.zeros(int(RATE * seconds), np.float32), RATE) is None
    assert speech_end_s(noise(int(RATE * seconds), -75), RATE) is None
