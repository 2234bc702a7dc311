"""A network that loses packets, in bursts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_asrbench.conditions.waveform import Waveform

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from pytest_asrbench.conditions.waveform import Random

FRAME_S = 0.02  # of speech in one packet


def packet_loss(
    sound: Waveform, random: Random, *, rate: float, burst: float, conceal: str
) -> Waveform:
    """Frames of 20 ms are lost and replaced by silence (`zero`), or by the frame before them."""
    import numpy as np

    size = round(FRAME_S * sound.rate)
    frames = np.pad(sound.samples, (0, -len(sound.samples) % size)).reshape(-1, size)
    gone = lost(random, len(frames), rate, burst)
    if conceal == "repeat":
        kept = np.maximum.accumulate(np.where(gone, -1, np.arange(len(frames))))
        heard = np.where((kept < 0)[:, None], 0.0, frames[np.maximum(kept, 0)])
    else:
        heard = np.where(gone[:, None], 0.0, frames)
    return Waveform(heard.reshape(-1)[: len(sound.samples)], sound.rate)


def lost(random: Random, count: int, rate: float, burst: float) -> NDArray[bool_]:
    """The frames that are lost: Gilbert's two states (Bell System Technical Journal 39, 1960).

    A burst ends at a frame with chance 1/burst, and one begins so often that the share `rate` of
    all frames is lost. Shape (count,).
    """
    import numpy as np

    ends = 1 / burst
    begins = min(1.0, ends * rate / (1 - rate))
    draws = random.random_sample(count + 1)
    states = np.zeros(count, dtype=bool)
    bad = bool(draws[count] < rate)
    for at in range(count):
        bad = bool(draws[at] >= ends) if bad else bool(draws[at] < begins)
        states[at] = bad
    return states
