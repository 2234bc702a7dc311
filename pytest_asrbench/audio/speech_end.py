"""
Finds the end of speech in a recording, by its energy.

A recording mostly goes on for a while after its last word. What a stream has made of the words by
then is no merit of its last moment: latency from the end of the recording flatters every system
that answers within the silence, and so does not tell a fast one from a slow one.

The rule, on the root mean square of frames of 20 ms in dB of full scale:

    sustained   the least of three frames in a row, so that a click is no speech
    loudest     the greatest of the sustained levels; under -60 dB there is no speech
    noise       the level that a tenth of the frames do not exceed
    threshold   the noise plus 10 dB, but from 40 to 20 dB under the loudest
    the end     of the last three frames in a row that all reach the threshold

It knows no words: a cough or a slammed door at the end counts as speech, and under loud noise the
end is that of the recording. Both make the silence shorter, and no system faster than it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

FRAME_S = 0.02
RUN = 3  # frames
SILENT_DB = -60.0
ABOVE_NOISE_DB = 10.0
LEAST_UNDER_DB, MOST_UNDER_DB = 20.0, 40.0  # of the threshold, under the loudest
NOISE_SHARE = 0.1


def speech_end_s(samples: NDArray[float32], rate: int) -> float | None:
    """Seconds from the start to the end of the last speech frame; None where there is no speech.

    `samples` are mono in -1..1, shape (samples,).
    """
    import numpy as np

    levels = _levels(samples, int(rate * FRAME_S))
    if len(levels) < RUN:
        return None
    sustained = np.lib.stride_tricks.sliding_window_view(levels, RUN).min(axis=1)
    loudest = sustained.max()
    if loudest < SILENT_DB:
        return None
    noise = np.quantile(levels, NOISE_SHARE)
    threshold = np.clip(noise + ABOVE_NOISE_DB, loudest - MOST_UNDER_DB, loudest - LEAST_UNDER_DB)
    last = np.flatnonzero(sustained >= threshold)[-1] + RUN
    return float(min(last * FRAME_S, len(samples) / rate))


def _levels(samples: NDArray[float32], size: int) -> NDArray[float32]:
    """dB of full scale of each whole frame; digital silence has a level too, a very low one."""
    import numpy as np

    count = len(samples) // size
    power = np.square(samples[: count * size], dtype=np.float32).reshape(count, size).mean(axis=1)
    levels: NDArray[float32] = 10 * np.log10(power + np.float32(1e-12))
    return levels
