"""Keys that a caller presses while speaking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_asrbench.conditions.waveform import Waveform, ratio

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random, Samples

LOW, HIGH = (697, 770, 852, 941), (1209, 1336, 1477, 1633)
KEYS = ("123A", "456B", "789C", "*0#D")  # a row is a low tone, a column a high one: ITU-T Q.23


def dtmf(sound: Waveform, random: Random, *, keys: str, ms: float, db: float) -> Waveform:
    """Each key's two tones (ITU-T Q.23) for `ms`, at `db` below full scale, somewhere in its own
    equal part of the clip; so keys sound in order and never together."""
    import numpy as np

    heard = sound.samples.copy()
    part = len(heard) // len(keys)
    count = min(part, round(ms * sound.rate / 1000))
    for place, key in enumerate(keys):
        start = place * part + random.randint(part - count + 1)
        heard[start : start + count] += tone(key, count, sound.rate) * ratio(-db) / 2
    return Waveform(np.clip(heard, -1, 1), sound.rate)


def tone(key: str, count: int, rate: int) -> Samples:
    """The sum of a key's two tones, each of amplitude 1. Shape (count,)."""
    import numpy as np

    row = next(at for at, keys in enumerate(KEYS) if key in keys)
    at = 2 * np.pi * np.arange(count) / rate
    return np.asarray(np.sin(at * LOW[row]) + np.sin(at * HIGH[KEYS[row].index(key)]))
