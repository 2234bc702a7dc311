"""A room around the speaker, who is away from the microphone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_asrbench.conditions.waveform import Waveform, power, ratio

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random, Samples

DECAY = 6.907755278982137  # ln 10^3: 60 dB
EARLIEST_S = 0.002  # what is reflected travels a while longer


def reverb(sound: Waveform, random: Random, *, rt60: float, drr: float) -> Waveform:
    """Convolved with :func:`response`; as loud as before, and longer by the room's decay."""
    import numpy as np

    heard = _convolved(sound.samples, response(random, sound.rate, rt60, drr))
    after = power(heard)
    if not after:
        return sound
    energy = power(sound.samples) * len(sound.samples) / len(heard)
    heard = heard * np.sqrt(energy / after)
    return Waveform(heard / max(1.0, float(np.max(np.abs(heard)))), sound.rate)


def response(random: Random, rate: int, rt60: float, drr: float) -> Samples:
    """The direct sound, then noise that falls by 60 dB in `rt60` seconds: h(t) = n(t) exp(-6.91
    t/rt60) (Polack 1988; Moorer 1979). `drr` is the direct sound's energy over the rest's, in dB.
    Shape (rt60 * rate,)."""
    import numpy as np

    count = max(2, round(rt60 * rate))
    at = np.arange(count) / rate
    tail = random.standard_normal(count) * np.exp(-DECAY * at / rt60)
    tail[: max(1, round(EARLIEST_S * rate))] = 0.0
    energy = float(np.sum(np.square(tail)))
    tail = tail / (np.sqrt(energy) * ratio(drr)) if energy else tail
    tail[0] = 1.0
    return np.asarray(tail)


def _convolved(samples: Samples, taps: Samples) -> Samples:
    """By the transform, in a length that is quick to compute. Shape (samples + taps - 1,)."""
    import numpy as np

    count = len(samples) + len(taps) - 1
    size = 1 << (count - 1).bit_length()
    spectrum = np.fft.rfft(samples, size) * np.fft.rfft(taps, size)
    return np.fft.irfft(spectrum, size)[:count]
