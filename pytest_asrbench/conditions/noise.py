"""Noise behind a speaker: pink or white, or recordings that the settings name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_asrbench.conditions.waveform import Waveform, power, ratio

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random, Samples

LOWEST_HZ = 20.0  # of pink noise, whose power would grow without end below
BLOCK_S = 30.0  # of noise made at once: a transform of any length may have a prime one
TALKERS = 6  # from so many on, babble masks and no word stands out (Simpson and Cooke 2005)


def noise(
    sound: Waveform,
    random: Random,
    *,
    snr: float,
    colour: str,
    recordings: Sequence[Waveform] = (),
    together: bool = False,
) -> Waveform:
    """Noise `snr` dB below the clip: 10 lg(mean square of the clip / mean square of the noise).

    `recordings` stand in for made noise, one of them, or all `together`, each from somewhere in
    it on, again and again. What exceeds full scale is turned down as a whole, so the ratio stays.
    """
    count = len(sound.samples)
    if recordings:
        behind = _behind(recordings, random, count, together=together)
    elif colour == "white":
        behind = random.standard_normal(count)
    else:
        behind = pink(random, count, sound.rate)
    return mixed(sound, behind, snr)


def mixed(sound: Waveform, behind: Samples, snr: float) -> Waveform:
    """The clip with noise behind it, at that ratio; silence of either leaves it as it is."""
    import numpy as np

    clip, other = power(sound.samples), power(behind)
    if not clip or not other:
        return sound
    scale = math.sqrt(clip / other) / ratio(snr)
    both = sound.samples + scale * behind
    return Waveform(both / max(1.0, float(np.max(np.abs(both)))), sound.rate)


def pink(random: Random, count: int, rate: int) -> Samples:
    """Power proportional to 1/f from LOWEST_HZ on: white noise shaped in the spectrum (Timmer and
    König 1995). Shape (count,)."""
    import numpy as np

    size = 1 << int(BLOCK_S * rate).bit_length()
    frequencies = np.fft.rfftfreq(size, 1 / rate)
    shape = 1 / np.sqrt(np.maximum(frequencies, LOWEST_HZ))
    shape[0] = 0.0
    blocks = [
        np.fft.irfft(np.fft.rfft(random.standard_normal(size)) * shape, size)
        for _ in range(-(-count // size))
    ]
    return np.concatenate([*blocks, np.zeros(0)])[:count]


def _behind(
    recordings: Sequence[Waveform], random: Random, count: int, *, together: bool
) -> Samples:
    import numpy as np

    chosen = recordings if together else [recordings[random.randint(len(recordings))]]
    parts = [_from_somewhere(each.samples, random, count) for each in chosen]
    loud = [part / math.sqrt(power(part)) for part in parts if power(part)]
    return np.sum(loud, axis=0) if loud else np.zeros(count)


def _from_somewhere(samples: Samples, random: Random, count: int) -> Samples:
    """`count` of them from a random one on, from the first again after the last."""
    import numpy as np

    start = random.randint(max(len(samples), 1))
    return np.resize(np.roll(samples, -start), count)
