"""Time: faster speech, silence around it, a start that was missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_asrbench.conditions.waveform import Waveform

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random


def speed(sound: Waveform, random: Random, *, factor: float) -> Waveform:
    """Played `factor` times as fast, which raises the pitch too (Ko et al., Audio Augmentation for
    Speech Recognition, Interspeech 2015)."""
    import soxr

    return Waveform(soxr.resample(sound.samples, sound.rate * factor, sound.rate), sound.rate)


def pad(sound: Waveform, random: Random, *, before: float, behind: float) -> Waveform:
    """Seconds of digital silence."""
    import numpy as np

    around = (round(before * sound.rate), round(behind * sound.rate))
    return Waveform(np.pad(sound.samples, around), sound.rate)


def cut_start(sound: Waveform, random: Random, *, ms: float) -> Waveform:
    """Without the first `ms`, as a line that opens late leaves it; one sample stays at least."""
    start = min(round(ms * sound.rate / 1000), len(sound.samples) - 1)
    return Waveform(sound.samples[start:], sound.rate)
