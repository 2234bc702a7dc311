"""A telephone line: the band that it lets through, and its rate."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pytest_asrbench.conditions.waveform import Waveform

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random, Samples

STOP_DB = 60.0  # outside of the band
EDGE_HZ = 100.0  # from what passes to what does not


def band(sound: Waveform, random: Random, *, low: float, high: float) -> Waveform:
    """Band pass without delay: a windowed sinc with Kaiser's window.

    Edges lie in the middle of a transition of EDGE_HZ. Taps and beta: Kaiser 1974, as in Oppenheim
    and Schafer, Discrete-Time Signal Processing, 7.5.3. 300 to 3400 Hz is the telephone's band
    (ITU-T G.712).
    """
    import numpy as np

    taps = _low_pass(min(high, sound.rate / 2), sound.rate) - _low_pass(low, sound.rate)
    filtered = np.convolve(sound.samples, taps)  # "same" would give the longer one's length
    start = len(taps) // 2
    return Waveform(filtered[start : start + len(sound.samples)], sound.rate)


def _low_pass(edge: float, rate: int) -> Samples:
    import numpy as np

    width = 2 * math.pi * EDGE_HZ / rate
    half = math.ceil((STOP_DB - 7.95) / (2.285 * width) / 2)
    at = np.arange(-half, half + 1)
    window = np.kaiser(2 * half + 1, 0.1102 * (STOP_DB - 8.7))
    share = 2 * edge / rate
    return np.asarray(share * np.sinc(share * at) * window)


def resample(sound: Waveform, random: Random, *, rate: int) -> Waveform:
    """To `rate` samples a second, by soxr's high quality."""
    if rate == sound.rate:
        return sound
    import soxr

    return Waveform(soxr.resample(sound.samples, sound.rate, rate), rate)
