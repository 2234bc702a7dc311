"""Levels: gain, and what a microphone or an amplifier does that is driven too hard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_asrbench.conditions.waveform import Waveform, ratio

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random


def gain(sound: Waveform, random: Random, *, db: float) -> Waveform:
    """y = x 10^(dB/20), limited at full scale as every 16-bit line is."""
    import numpy as np

    return Waveform(np.clip(sound.samples * ratio(db), -1, 1), sound.rate)


def clipping(sound: Waveform, random: Random, *, db: float) -> Waveform:
    """Hard clipping (Zölzer, DAFX, 2011, ch. 4): the peak `db` above full scale, limited there."""
    import numpy as np

    peak = float(np.max(np.abs(sound.samples), initial=0.0))
    if not peak:
        return sound
    return Waveform(np.clip(sound.samples * (ratio(db) / peak), -1, 1), sound.rate)
